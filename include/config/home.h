/* home.h - $SEXTANT_HOME: what a server keeps on its machine.
 *
 *   lock          held (flock) while a server, or a command with a cluster of
 *                 its own, lives
 *   server.json   what holds the lock: process id, URL
 *   key           seals passwords of connections; made on the first start
 *   jwt_secret    signs tokens; made on the first start
 *   run/          sockets: sandbox.sock, postgres/.s.PGSQL.5432
 *   postgres/     the embedded cluster: data/, conf/
 *   log/          what a server in the background said
 *
 * The folder is the owner's alone (0700), its files 0600. */
#pragma once
#include "base/arena.h"
#include "config/config.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct home {
    struct arena *arena;
    const char *path;
    const char *run, *postgres_socket; /* folders */
    const char *sandbox_socket;
    const char *postgres_data, *postgres_conf;
};

/* The folder, made if absent, and its paths; in the arena. False with the reason
 * in *why: it is not ours, open to others and not to be closed, or so deep that
 * a socket's path would be too long. */
bool home_open(struct arena *arena, const char *path, struct home *home,
               struct str *why);

/* Holds the lock until the descriptor is closed; -1 when another has it, -2
 * with *why when it cannot be had. */
int home_lock(const struct home *home, struct str *why);

/* A file of that name in the folder, 0600, whole or not at all. */
bool home_write_file(const struct home *home, const char *name, struct str text,
                     struct str *why);
/* Of key and jwt_secret those that are in one folder, to the other one. */
bool home_copy_secrets(const struct home *from, const struct home *to,
                       struct str *why);

/* What holds the lock; written by the holder. */
struct home_server {
    pid_t pid;
    bool serves;     /* a server; false: a command's own cluster */
    const char *url; /* NULL: not yet */
};
bool home_write_server(const struct home *home, const struct home_server *s);
bool home_read_server(const struct home *home, struct home_server *s);
void home_forget_server(const struct home *home);

enum { HOME_KEY_SIZE = 32 };
/* 32 random bytes, made if absent. */
bool home_key(const struct home *home, uint8_t key[HOME_KEY_SIZE],
              struct str *why);
/* 64 hexadecimal digits, made if absent. */
bool home_jwt_secret(const struct home *home, struct str *secret,
                     struct str *why);

/* Folders of a cluster that is run by `uid` (ours when not root). */
bool home_make_cluster(const struct home *home, uid_t uid, gid_t gid,
                       struct str *why);
/* Users whom the server's system user (`user`) may be in the cluster. */
#define POSTGRES_OWNER "sextant"  /* owns Sextant's own database */
#define POSTGRES_ADMIN "postgres" /* superuser: makes roles and databases */
#define POSTGRES_DATABASE "sextant"

/* What `sextant demo load` makes, here or where DATABASE_URL leads. */
#define DEMO_DATABASE "sextant_demo"

/* libpq's keyword form for our own cluster. */
struct str home_conninfo(const struct home *home, const char *user,
                         const char *database);
