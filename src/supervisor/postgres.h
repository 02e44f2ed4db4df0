/* postgres.h - our own PostgreSQL: made once, then run as a service.
 *
 * It runs as an unprivileged user, its own when we are root, that can neither
 * read $SEXTANT_HOME nor write its own settings: it reaches its three folders
 * through descriptors it inherits (/proc/self/fd/3 data, 4 socket, 5 settings).
 * So the folders may lie anywhere, and no path above them need be open to it.
 * Nobody enters it but by its socket, in a folder that is closed to others, and
 * there only the server's own user may be `sextant` or `postgres`. */
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
    bool other_user; /* than ours: we are root */
    int64_t memory_bytes;
    int data_fd, socket_fd, conf_fd;
    /* private */
    struct pause pause;
    uint64_t asked_at; /* when it was first wanted */
};

/* Finds programs and users and makes the folders. False with *why. */
bool postgres_init(struct arena *arena, struct postgres *p,
                   const struct config *c, const struct home *home,
                   struct str *why);
/* Subflow (locals: struct postgres): makes the cluster if there is none, starts
 * the service, goes on when it takes connections. Fails with a sentence. */
struct next postgres_begin(struct flow *f);
void postgres_done(struct postgres *p);

/* "…/sextant-supervisor launch --signal N --parent PID" and the end of its
 * options; what to start comes behind. Room for `more` words. */
const char **launch_words(struct arena *arena, int signal_number, size_t more,
                          size_t *n);
/* The environment of programs that are not ours. */
extern const char *const plain_environment[];
