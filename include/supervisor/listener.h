/* listener.h - the listening sockets of the workers.
 *
 * The supervisor binds one for each worker, or is given some, and keeps them
 * until it ends. The kernel spreads connections over them. Each worker has all
 * of them: it accepts from its own at once, and from the others' what is not
 * accepted there soon, so that nobody waits for a worker that is dead or
 * stopped. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

enum { LISTENER_MOST = 64 };
/* Whether worker k of `workers` has socket i of n as its own. */
static inline bool listener_is_own(int i, int n, int k, int workers)
{
    return i % workers == k || k % n == i;
}

struct listeners {
    int fds[LISTENER_MOST];
    int n;
    bool given; /* they listen already */
    int port;
    struct str url; /* for a person: http://127.0.0.1:8080 */
};

/* Binds, and does not listen yet: a server that is starting refuses connections
 * until it can answer them, so that a balancer asks another one. False with
 * *why when the address cannot be had; then nothing is open. */
bool listeners_open(struct arena *arena, const char *host, int port, int n,
                    struct listeners *out, struct str *why);
/* Two servers can bind one port as long as neither listens: the one that listens
 * second has to look, and is told. False, with errno, when another listens. */
bool listeners_are_alone(const int *fds, int n);
/* From now on connections are taken in. False with *why. */
bool listeners_listen(struct arena *arena, const struct listeners *l,
                      struct str *why);
/* Sockets that somebody who started us listens on (sd_listen_fds(3)): whether
 * there are any, and those. */
bool listeners_given(void);
bool listeners_inherit(struct arena *arena, struct listeners *out,
                       struct str *why);
void listeners_close(struct listeners *l);
