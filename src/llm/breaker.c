/* breaker.c - the states of circuit breakers, and the calls that wait for them.
 *
 * open_until is the state: 0 is closed, the future is open, the past lets the
 * next call through as a probe (half open). Queued calls poll breaker_acquire,
 * at times that are spread by chance. */
#include "breaker.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/random.h"
#include <string.h>
#include "base/banned.h"

enum {
    MOST_FAILURES = 5,
    MOST_OPEN = 10, /* times breaker_open_ms */
    SPREAD_MS = 25, /* for each waiting call, when the breaker closes */
    MOST_SPREAD_MS = 2000,
    ALARM_MS = 60 * 1000,
};

struct breaker {
    struct breaker *next;
    char *key;
    size_t address;      /* its offset in the key */
    unsigned failures;   /* in a row */
    uint64_t open_until; /* see above */
    unsigned open_ms;    /* the latest open time */
    bool probing;
    struct breaker_ticket *queue; /* not ordered */
    unsigned waiting;
    uint64_t opens;
    uint64_t alarmed_ms;
};

unsigned breaker_open_ms = 1000;
static struct breaker *breakers;

/* ---- finding it --------------------------------------------------------- */

static struct breaker *breaker_new(const char *provider, struct str key)
{
    struct breaker *b = mem_new(struct breaker);
    b->key = mem_copy(key.ptr, key.len);
    b->address = strlen(provider) + 1;
    b->next = breakers;
    breakers = b;
    return b;
}

/* The key appears in logs and metrics, so it has no user information and no
 * query. */
static struct str breaker_key(struct arena *arena, const char *provider,
                              struct str url)
{
    ptrdiff_t query = str_find_char(url, '?');
    if (query >= 0)
        url = str_cut(url, 0, (size_t)query);
    ptrdiff_t scheme = str_find(url, STR("://"));
    struct str host = str_from(url, scheme < 0 ? 0 : (size_t)scheme + 3);
    ptrdiff_t path = str_find_char(host, '/');
    ptrdiff_t user = str_find_char(url, '@');
    size_t path_at =
        (size_t)(host.ptr - url.ptr) + (path < 0 ? host.len : (size_t)path);
    if (user >= 0 && (size_t)user < path_at)
        url = str_from(url, (size_t)user + 1);
    return arena_printf(arena, "%s %.*s", provider, STR_ARG(url));
}

struct breaker *breaker_of(const char *provider, struct str url)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct str key = breaker_key(&arena, provider, url);
    struct breaker *b = breakers;
    while (b && !str_is(key, b->key))
        b = b->next;
    if (!b)
        b = breaker_new(provider, key);
    arena_done(&arena);
    return b;
}

/* ---- the queue ---------------------------------------------------------- */

static void queue_join(struct breaker_ticket *t)
{
    struct breaker *b = t->breaker;
    if (t->queued)
        return;
    t->queued = true;
    t->prev = NULL;
    t->next = b->queue;
    if (b->queue)
        b->queue->prev = t;
    b->queue = t;
    b->waiting++;
}

static void queue_leave(struct breaker_ticket *t)
{
    struct breaker *b = t->breaker;
    if (!t->queued)
        return;
    t->queued = false;
    if (t->prev)
        t->prev->next = t->next;
    else
        b->queue = t->next;
    if (t->next)
        t->next->prev = t->prev;
    b->waiting--;
}

static void queue_wake(struct breaker *b)
{
    for (struct breaker_ticket *t = b->queue; t; t = t->next)
        wake_up(&t->wake);
}

/* ---- its states --------------------------------------------------------- */

static void breaker_open(struct breaker *b)
{
    if (b->open_until) {
        b->open_ms *= 2;
    } else {
        log_line(LOG_WARN, "a model's server keeps failing, calls to it wait",
                 "%s, after %u failures", b->key, b->failures);
        b->open_ms = breaker_open_ms;
        b->opens++;
    }
    if (b->open_ms > breaker_open_ms * MOST_OPEN)
        b->open_ms = breaker_open_ms * MOST_OPEN;
    b->open_until = clock_ms() + b->open_ms;
    b->probing = false;
    queue_wake(b);
}

/* Closes the breaker. Waiting calls are spread over time, because the server
 * has only just recovered. */
static void breaker_close(struct breaker *b)
{
    unsigned spread = b->waiting * SPREAD_MS;
    uint64_t now = clock_ms();
    if (spread > MOST_SPREAD_MS)
        spread = MOST_SPREAD_MS;
    log_line(LOG_INFO, "a model's server has recovered", "%s, %u calls waited",
             b->key, b->waiting);
    b->failures = 0;
    b->open_until = 0;
    b->probing = false;
    for (struct breaker_ticket *t = b->queue; t; t = t->next)
        t->held_until = now + random_below(spread + 1);
    queue_wake(b);
}

static unsigned queue_wait(struct breaker_ticket *t, uint64_t ms)
{
    queue_join(t);
    return ms ? (unsigned)ms : 1;
}

unsigned breaker_acquire(struct breaker_ticket *t)
{
    struct breaker *b = t->breaker;
    uint64_t now = clock_ms();
    if (b->open_until && now < b->open_until) /* at random: one will probe */
        return queue_wait(t, b->open_until - now +
                                 random_below(breaker_open_ms / 8 + 1));
    if (!b->open_until && now < t->held_until)
        return queue_wait(t, t->held_until - now);
    queue_leave(t);
    t->in_flight = true;
    t->held_until = 0;
    if (b->open_until) {
        t->probe = b->probing = true;
        b->open_until = now + breaker_open_ms * MOST_OPEN;
    }
    return 0;
}

void breaker_useful(struct breaker_ticket *t)
{
    if (!t->probe)
        return;
    t->probe = false;
    if (t->breaker->open_until)
        breaker_close(t->breaker);
}

static void end_probe(struct breaker *b, enum breaker_result how)
{
    if (!b->open_until)
        return; /* another probe has closed it */
    if (how == BREAKER_FAILURE) {
        breaker_open(b);
    } else if (how == BREAKER_ABANDONED) {
        b->open_until = clock_ms();
        b->probing = false;
        queue_wake(b);
    } else {
        breaker_close(b);
    }
}

void breaker_report(struct breaker_ticket *t, enum breaker_result how)
{
    struct breaker *b = t->breaker;
    bool probed = t->probe;
    t->in_flight = t->probe = false;
    if (probed) {
        end_probe(b, how);
        return;
    }
    if (b->open_until)
        return;
    if (how == BREAKER_SUCCESS)
        b->failures = 0;
    else if (how == BREAKER_FAILURE && ++b->failures >= MOST_FAILURES)
        breaker_open(b);
}

void breaker_cancel(struct breaker_ticket *t)
{
    if (!t->breaker)
        return;
    queue_leave(t);
    if (t->in_flight)
        breaker_report(t, BREAKER_ABANDONED);
}

/* ---- for operators ------------------------------------------------------ */

bool breaker_may_alarm(struct breaker *b)
{
    uint64_t now = clock_ms();
    if (b->alarmed_ms && now < b->alarmed_ms + ALARM_MS)
        return false;
    b->alarmed_ms = now;
    return true;
}

static enum llm_server_state state_of(const struct breaker *b)
{
    if (!b->open_until)
        return LLM_SERVER_CLOSED;
    return b->probing ? LLM_SERVER_HALF_OPEN : LLM_SERVER_OPEN;
}

size_t llm_servers(struct llm_server *out, size_t room)
{
    size_t n = 0;
    for (struct breaker *b = breakers; b && n < room; b = b->next, n++) {
        struct llm_server *s = &out[n];
        *s = (struct llm_server){.opens = b->opens, .waiting = b->waiting};
        str_copy(s->provider, sizeof s->provider,
                 (struct str){b->key, b->address - 1});
        str_copy(s->address, sizeof s->address, str_of(b->key + b->address));
        s->states[state_of(b)] = 1;
    }
    return n;
}

void breakers_reset(void)
{
    while (breakers) {
        struct breaker *b = breakers;
        breakers = b->next;
        mem_free(b->key);
        mem_free(b);
    }
}
