/* listener.h - the listening sockets of the workers.
 *
 * The supervisor makes one for each worker and keeps it for life: what a dead
 * worker had not yet accepted waits for its successor. */
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
void listeners_close(struct listeners *l);
