/* resolver.h - name lookups in the thread pool, with a cache.
 *
 * curl's own resolver starts a thread for each transfer and can block the loop,
 * so curl always gets the addresses from here. Addresses are cached for a
 * minute, and used for longer if a new lookup fails; failures are cached for a
 * second. There is at most one lookup of a name at a time. */
#pragma once
#include "base/compiler.h"
#include <stdbool.h>
#include <uv.h>

struct resolver_name;

/* Waits for a name; a member of its owner. */
struct lookup {
    struct resolver_name *name; /* NULL: not waiting */
    struct lookup *prev, *next;
    /* `addresses` in curl's format ("192.0.2.1,[::1]"), or NULL; `why` then
     * says why. Both are valid during the call only. */
    void (*done)(struct lookup *l, const char *addresses, const char *why);
};

/* Looks the name up. True: the cache has the result, in *addresses or *why.
 * False: `done` will be called from the loop. */
MUST_CHECK bool resolver_find(struct lookup *l, const char *host,
                              const char **addresses, const char **why);
/* Stops waiting, if it waits. */
void resolver_cancel(struct lookup *l);
/* Drops the name from the cache, because connecting to its addresses failed. */
void resolver_invalidate(const char *host);
/* Frees the cache; asserts that nothing waits. */
void resolver_close(void);

/* Test seam: uv_getaddrinfo by default. */
extern int (*resolver_getaddrinfo)(uv_loop_t *loop, uv_getaddrinfo_t *request,
                                   uv_getaddrinfo_cb done, const char *node,
                                   const char *service,
                                   const struct addrinfo *hints);
