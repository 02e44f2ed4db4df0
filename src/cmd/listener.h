/* listener.h - the listening sockets of the workers.
 *
 * The supervisor makes one for each worker, or is given some, and keeps them for
 * life: what a dead worker had not yet accepted waits for its successor. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

enum { LISTENER_MOST = 64 };

struct listeners {
    int fds[LISTENER_MOST];
    int n;
    int port;
    struct str url; /* for a person: http://127.0.0.1:8080 */
};

/* False with *why when an address cannot be had; then nothing is open. */
bool listeners_open(struct arena *arena, const char *host, int port, int n,
                    struct listeners *out, struct str *why);
/* Sockets that somebody who started us listens on (sd_listen_fds(3)): whether
 * there are any, and those. */
bool listeners_given(void);
bool listeners_inherit(struct arena *arena, struct listeners *out,
                       struct str *why);
void listeners_close(struct listeners *l);
