/* resolver.c - see resolver.h. A list of names; they are few. */
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
    STALE_MS = 5 * 1000, /* an old answer's new life when asking failed */
    MOST_NAMES = 64,
};

struct name {
    struct name *next;
    char *host;
    char *addresses; /* NULL: none known */
    char why[80];
    uint64_t until; /* what is known holds */
    bool asking, orphan;
    struct lookup *first, *last;
    uv_getaddrinfo_t request;
};

int (*resolver_ask)(uv_loop_t *loop, uv_getaddrinfo_t *request,
                    uv_getaddrinfo_cb done, const char *node,
                    const char *service,
                    const struct addrinfo *hints) = uv_getaddrinfo;

static struct name *names;

static void name_free(struct name *n)
{
    mem_free(n->host);
    mem_free(n->addresses);
    mem_free(n);
}

/* ---- waiting ------------------------------------------------------------ */

void resolver_leave(struct lookup *l)
{
    struct name *n = l->name;
    if (!n)
        return;
    *(l->prev ? &l->prev->next : &n->first) = l->next;
    *(l->next ? &l->next->prev : &n->last) = l->prev;
    l->name = NULL;
}

static void wait_for(struct lookup *l, struct name *n)
{
    l->name = n;
    l->next = NULL;
    l->prev = n->last;
    *(n->last ? &n->last->next : &n->first) = l;
    n->last = l;
}

static void tell_all(struct name *n)
{
    while (n->first) {
        struct lookup *l = n->first;
        resolver_leave(l);
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

static void learn(struct name *n, char *addresses, const char *why)
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

static void on_answer(uv_getaddrinfo_t *request, int status,
                      struct addrinfo *list)
{
    struct name *n = request->data;
    char *addresses = status == 0 ? write_addresses(list) : NULL;
    uv_freeaddrinfo(list);
    if (n->orphan) {
        mem_free(addresses);
        name_free(n);
        return;
    }
    n->asking = false;
    learn(n, addresses, status ? uv_strerror(status) : "no address");
    tell_all(n);
}

static void ask(struct name *n)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM};
    n->request.data = n;
    int rc =
        resolver_ask(loop_uv(), &n->request, on_answer, n->host, NULL, &hints);
    n->asking = rc == 0;
    if (rc)
        learn(n, NULL, uv_strerror(rc));
}

/* ---- names -------------------------------------------------------------- */

static struct name *name_find(const char *host)
{
    for (struct name *n = names; n; n = n->next)
        if (strcmp(n->host, host) == 0)
            return n;
    return NULL;
}

/* Forgets the oldest name nobody waits for, when there are too many. */
static void make_room(void)
{
    unsigned count = 0;
    struct name **oldest = NULL;
    for (struct name **at = &names; *at; at = &(*at)->next) {
        count++;
        if (!(*at)->asking)
            oldest = at;
    }
    if (count < MOST_NAMES || !oldest)
        return;
    struct name *n = *oldest;
    *oldest = n->next;
    name_free(n);
}

static struct name *name_new(const char *host)
{
    make_room();
    struct name *n = mem_new(struct name);
    n->host = mem_copy(host, strlen(host));
    n->next = names;
    names = n;
    return n;
}

bool resolver_find(struct lookup *l, const char *host, const char **addresses,
                   const char **why)
{
    struct name *n = name_find(host);
    if (!n)
        n = name_new(host);
    if (!n->asking && clock_ms() >= n->until)
        ask(n);
    if (n->asking) {
        wait_for(l, n);
        return false;
    }
    *addresses = n->addresses;
    *why = n->why;
    return true;
}

void resolver_doubt(const char *host)
{
    struct name *n = name_find(host);
    if (n && n->addresses)
        n->until = 0;
}

void resolver_close(void)
{
    while (names) {
        struct name *n = names;
        names = n->next;
        assert(!n->first && "somebody waits for a name");
        if (n->asking) {
            n->orphan = true; /* the answer frees it */
            uv_cancel((uv_req_t *)&n->request);
        } else {
            name_free(n);
        }
    }
}
