/* resolver.c - a cache of names with their addresses. Names are few, so it is a
 * list. */
#include "resolver.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <assert.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    GOOD_MS = 60 * 1000,
    BAD_MS = 1000,
    STALE_MS = 5 * 1000, /* of old addresses when a lookup has failed */
    MOST_NAMES = 64,
};

struct resolver_name {
    struct resolver_name *next;
    char *host;
    char *addresses; /* NULL: none known */
    char why[80];
    uint64_t until; /* the cached result is valid */
    bool asking, orphan;
    struct lookup *first, *last;
    uv_getaddrinfo_t request;
};

int (*resolver_getaddrinfo)(uv_loop_t *loop, uv_getaddrinfo_t *request,
                            uv_getaddrinfo_cb done, const char *node,
                            const char *service,
                            const struct addrinfo *hints) = uv_getaddrinfo;

static struct resolver_name *names;

static void name_free(struct resolver_name *n)
{
    mem_free(n->host);
    mem_free(n->addresses);
    mem_free(n);
}

/* ---- waiting ------------------------------------------------------------ */

void resolver_cancel(struct lookup *l)
{
    struct resolver_name *n = l->name;
    if (!n)
        return;
    *(l->prev ? &l->prev->next : &n->first) = l->next;
    *(l->next ? &l->next->prev : &n->last) = l->prev;
    l->name = NULL;
}

static void join_waiters(struct lookup *l, struct resolver_name *n)
{
    l->name = n;
    l->next = NULL;
    l->prev = n->last;
    *(n->last ? &n->last->next : &n->first) = l;
    n->last = l;
}

static void notify_waiters(struct resolver_name *n)
{
    while (n->first) {
        struct lookup *l = n->first;
        resolver_cancel(l);
        l->done(l, n->addresses, n->why);
    }
}

/* ---- asking ------------------------------------------------------------- */

static char *write_addresses(const struct addrinfo *list)
{
    struct buf out;
    buf_init(&out, NULL);
    for (const struct addrinfo *a = list; a; a = a->ai_next) {
        char text[64];
        if (getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof text, NULL, 0,
                        NI_NUMERICHOST))
            continue;
        bool v6 = a->ai_family == AF_INET6;
        buf_printf(&out, v6 ? "%s[%s]" : "%s%s", out.len ? "," : "", text);
    }
    if (!out.len)
        return NULL;
    buf_cstr(&out);
    return out.ptr;
}

static void name_update(struct resolver_name *n, char *addresses,
                        const char *why)
{
    if (addresses) {
        mem_free(n->addresses);
        n->addresses = addresses;
        n->until = clock_ms() + GOOD_MS;
        return;
    }
    snprintf(n->why, sizeof n->why, "%s", why);
    n->until = clock_ms() + (n->addresses ? STALE_MS : BAD_MS);
}

static void on_lookup_done(uv_getaddrinfo_t *request, int status,
                           struct addrinfo *list)
{
    struct resolver_name *n = request->data;
    char *addresses = status == 0 ? write_addresses(list) : NULL;
    uv_freeaddrinfo(list);
    if (n->orphan) {
        mem_free(addresses);
        name_free(n);
        return;
    }
    n->asking = false;
    name_update(n, addresses, status ? uv_strerror(status) : "no address");
    notify_waiters(n);
}

static void name_lookup(struct resolver_name *n)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM};
    n->request.data = n;
    int rc = resolver_getaddrinfo(loop_uv(), &n->request, on_lookup_done,
                                  n->host, NULL, &hints);
    n->asking = rc == 0;
    if (rc)
        name_update(n, NULL, uv_strerror(rc));
}

/* ---- names -------------------------------------------------------------- */

static struct resolver_name *name_find(const char *host)
{
    for (struct resolver_name *n = names; n; n = n->next)
        if (strcmp(n->host, host) == 0)
            return n;
    return NULL;
}

/* Evicts the oldest name without a lookup when there are too many. */
static void evict_oldest(void)
{
    unsigned count = 0;
    struct resolver_name **oldest = NULL;
    for (struct resolver_name **at = &names; *at; at = &(*at)->next) {
        count++;
        if (!(*at)->asking)
            oldest = at;
    }
    if (count < MOST_NAMES || !oldest)
        return;
    struct resolver_name *n = *oldest;
    *oldest = n->next;
    name_free(n);
}

static struct resolver_name *name_new(const char *host)
{
    evict_oldest();
    struct resolver_name *n = mem_new(struct resolver_name);
    n->host = mem_copy(host, strlen(host));
    n->next = names;
    names = n;
    return n;
}

bool resolver_find(struct lookup *l, const char *host, const char **addresses,
                   const char **why)
{
    struct resolver_name *n = name_find(host);
    if (!n)
        n = name_new(host);
    if (!n->asking && clock_ms() >= n->until)
        name_lookup(n);
    if (n->asking) {
        join_waiters(l, n);
        return false;
    }
    *addresses = n->addresses;
    *why = n->why;
    return true;
}

void resolver_invalidate(const char *host)
{
    struct resolver_name *n = name_find(host);
    if (n && n->addresses)
        n->until = 0;
}

void resolver_close(void)
{
    while (names) {
        struct resolver_name *n = names;
        names = n->next;
        assert(!n->first && "a lookup outlives the resolver");
        if (n->asking) {
            n->orphan = true; /* on_lookup_done frees it */
            uv_cancel((uv_req_t *)&n->request);
        } else {
            name_free(n);
        }
    }
}
