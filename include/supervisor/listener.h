/* listener.h - the listening sockets of the workers.
 *
 * The supervisor binds one for each worker, or inherits some, and keeps them
 * until it ends. The kernel distributes connections over them. Each worker has
 * all of them. It accepts from its own at once, and from the others what is not
 * accepted there soon, so that no client waits for a dead or stopped worker. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

enum { LISTENER_MOST = 64 };
/* Whether socket i of n is worker k's own. */
static inline bool listener_is_own(int i, int n, int k, int workers)
{
    return i % workers == k || k % n == i;
}

struct listeners {
    int fds[LISTENER_MOST];
    int n;
    bool given; /* they already listen */
    int port;
    struct str url; /* for a person: http://127.0.0.1:8080 */
};

/* Binds without listening: while a server starts, it refuses connections, so
 * that a load balancer tries another one. Returns false with *why if the
 * address is not available; nothing is open then. */
bool listeners_open(struct arena *arena, const char *host, int port, int n,
                    struct listeners *out, struct str *why);
/* Two servers can bind the same port as long as neither listens, so the second
 * one to listen has to check. Returns false, with errno, if another server
 * listens. */
bool listeners_are_alone(const int *fds, int n);
/* Starts listening. Returns false with *why. */
bool listeners_listen(struct arena *arena, const struct listeners *l,
                      struct str *why);
/* Whether the parent process passed listening sockets (sd_listen_fds(3)). */
bool listeners_given(void);
/* Takes those. Returns false with *why. */
bool listeners_inherit(struct arena *arena, struct listeners *out,
                       struct str *why);
/* Closes all of them. */
void listeners_close(struct listeners *l);
