/* home.h - $SEXTANT_HOME: what a server keeps on its machine.
 *
 *   lock          locked (flock) by a running server, or by a command that runs
 *                 a cluster of its own
 *   server.json   who has the lock: process id, URL
 *   key           encrypts passwords of connections; created on the first start
 *   jwt_secret    signs tokens; created on the first start
 *   run/          sockets: sandbox.sock, postgres/.s.PGSQL.5432
 *   postgres/     the embedded cluster: data/, conf/
 *   log/          output of a server in the background
 *
 * Only the owner can read the folder (0700) and its files (0600). */
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

/* Opens the folder, creating it if necessary, and fills in its paths, in the
 * arena. Returns false with the reason in *why: it belongs to another user, its
 * mode cannot be restricted, or a socket's path would be too long. */
bool home_open(struct arena *arena, const char *path, struct home *home,
               struct str *why);

/* Takes the lock, which lasts until the descriptor is closed. Returns -1 if
 * another process has it, -2 with *why if it cannot be taken. */
int home_lock(const struct home *home, struct str *why);

/* Writes a file of that name in the folder, 0600, atomically. */
bool home_write_file(const struct home *home, const char *name, struct str text,
                     struct str *why);
/* Copies those of key and jwt_secret that exist from one folder to another. */
bool home_copy_secrets(const struct home *from, const struct home *to,
                       struct str *why);

/* Who has the lock; the holder writes it. */
struct home_server {
    pid_t pid;
    bool serves;     /* a server; false: a command's own cluster */
    const char *url; /* NULL: not yet */
};
/* Write, read and delete server.json. */
bool home_write_server(const struct home *home, const struct home_server *s);
bool home_read_server(const struct home *home, struct home_server *s);
void home_forget_server(const struct home *home);

enum { HOME_KEY_SIZE = 32 };
/* Reads the key of 32 random bytes, creating it if necessary. */
bool home_key(const struct home *home, uint8_t key[HOME_KEY_SIZE],
              struct str *why);
/* Reads the secret of 64 hexadecimal digits, creating it if necessary. */
bool home_jwt_secret(const struct home *home, struct str *secret,
                     struct str *why);

/* Creates the folders of a cluster that `uid` runs (ours when not root). */
bool home_make_cluster(const struct home *home, uid_t uid, gid_t gid,
                       struct str *why);
/* Names that the server's system user may connect as. */
#define POSTGRES_OWNER "sextant"  /* owns the system database */
#define POSTGRES_ADMIN "postgres" /* superuser: makes roles and databases */
#define POSTGRES_DATABASE "sextant"

/* Created by `sextant demo load`, in our cluster or at DATABASE_URL. */
#define DEMO_DATABASE "sextant_demo"

/* The conninfo of a database of our own cluster. */
struct str home_conninfo(const struct home *home, const char *user,
                         const char *database);
