/* resolver.h - names to addresses, off the loop.
 *
 * curl's own resolver starts a thread a transfer and can block the loop, so it
 * never gets a name it has no address for. Answers are kept for a minute and,
 * when a new look-up fails, used for longer; failures are kept for a second. One
 * look-up a name is under way at a time. */
#pragma once
#include <stdbool.h>
#include <uv.h>

struct name;

/* One who waits for a name; lies in its owner. */
struct lookup {
    struct name *name; /* NULL: not waiting */
    struct lookup *prev, *next;
    /* `addresses` as curl wants them ("192.0.2.1,[::1]"), NULL: none, then *why
     * says so. Both are valid during the call only. */
    void (*done)(struct lookup *l, const char *addresses, const char *why);
};

/* True: known, one way or the other, and told in *addresses, *why. False: done
 * will be called from the loop. */
bool resolver_find(struct lookup *l, const char *host, const char **addresses,
                   const char **why);
void resolver_leave(struct lookup *l); /* also when it does not wait */
/* Connecting failed: the next one looks anew. */
void resolver_doubt(const char *host);
void resolver_close(void);

/* Test seam: uv_getaddrinfo. */
extern int (*resolver_ask)(uv_loop_t *loop, uv_getaddrinfo_t *request,
                           uv_getaddrinfo_cb done, const char *node,
                           const char *service, const struct addrinfo *hints);
