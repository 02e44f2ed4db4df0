/* postgres.h - the embedded PostgreSQL: created once, then run as a service.
 *
 * It runs as an unprivileged user, another one if we are root, that can neither
 * read $SEXTANT_HOME nor write its own settings. It gets its three folders as
 * inherited descriptors (/proc/self/fd/3 data, 4 socket, 5 settings), so they
 * may be anywhere, and the path above them need not be accessible. The only way
 * in is its socket, in a folder that is closed to other users, and only the
 * server's own user may be `sextant` or `postgres` there. */
#pragma once
#include "config/config.h"
#include "config/home.h"
#include "config/postgres_programs.h"
#include "service.h"

struct postgres {
    struct service service;
    const struct home *home;
    struct postgres_programs programs;
    uid_t uid; /* of its processes */
    gid_t gid;
    bool other_user; /* uid is not ours, because we are root */
    int64_t memory_bytes;
    int data_fd, socket_fd, conf_fd;
    /* private */
    struct pause pause;
    uint64_t asked_at; /* when the start began */
};

/* Finds programs and user and creates the folders. Returns false with *why. */
bool postgres_init(struct arena *arena, struct postgres *p,
                   const struct config *c, const struct home *home,
                   struct str *why);
/* Subflow (locals: struct postgres): creates the cluster if necessary, starts
 * the service, and goes on when it accepts connections. Fails with a
 * sentence. */
struct next postgres_begin(struct flow *f);
/* Closes the descriptors. */
void postgres_done(struct postgres *p);

/* The command line "…/sextant-supervisor launch --signal N --parent PID --", to
 * be followed by the program; there is room for `more` words. */
const char **launch_words(struct arena *arena, int signal_number, size_t more,
                          size_t *n);
/* The environment of programs that are not ours. */
extern const char *const plain_environment[];
