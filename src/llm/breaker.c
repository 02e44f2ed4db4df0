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
    SPREAD_MS = 25, /* a waiting call, when they go again */
    MOST_SPREAD_MS = 2000,
    ALARM_MS = 60 * 1000,
};

struct breaker {
    struct breaker *next;
    char *key;
    size_t address;      /* where it begins in the key */
    unsigned failures;   /* in a row */
    uint64_t open_until; /* 0: closed; in the past: the next call probes */
    unsigned open_ms;    /* how long it was opened the last time */
    bool probing;
    struct breaker_turn *line; /* in no order: chance says who goes first */
    unsigned waiting;
    uint64_t opens;
    uint64_t alarmed_ms;
};

unsigned breaker_open_ms = 1000;
static struct breaker *breakers;

/* ---- which one ---------------------------------------------------------- */

static struct breaker *add_breaker(const char *provider, struct str key)
{
    struct breaker *b = mem_new(struct breaker);
    b->key = mem_copy(key.ptr, key.len);
    b->address = strlen(provider) + 1;
    b->next = breakers;
    breakers = b;
    return b;
}

/* Neither a user nor a query is part of it: it is told in logs and metrics. */
static struct str key_of(struct arena *arena, const char *provider,
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
    struct str key = key_of(&arena, provider, url);
    struct breaker *b = breakers;
    while (b && !str_is(key, b->key))
        b = b->next;
    if (!b)
        b = add_breaker(provider, key);
    arena_done(&arena);
    return b;
}

/* ---- the line ----------------------------------------------------------- */

static void join_line(struct breaker_turn *t)
{
    struct breaker *b = t->breaker;
    if (t->waits)
        return;
    t->waits = true;
    t->prev = NULL;
    t->next = b->line;
    if (b->line)
        b->line->prev = t;
    b->line = t;
    b->waiting++;
}

static void leave_line(struct breaker_turn *t)
{
    struct breaker *b = t->breaker;
    if (!t->waits)
        return;
    t->waits = false;
    if (t->prev)
        t->prev->next = t->next;
    else
        b->line = t->next;
    if (t->next)
        t->next->prev = t->prev;
    b->waiting--;
}

static void wake_line(struct breaker *b)
{
    for (struct breaker_turn *t = b->line; t; t = t->next)
        wake_up(&t->wake);
}

/* ---- its states --------------------------------------------------------- */

static void open_up(struct breaker *b)
{
    if (b->open_until) {
        b->open_ms *= 2;
    } else {
        log_line(LOG_WARN, "a model's server fails; calls to it wait",
                 "%s, after %u failures", b->key, b->failures);
        b->open_ms = breaker_open_ms;
        b->opens++;
    }
    if (b->open_ms > breaker_open_ms * MOST_OPEN)
        b->open_ms = breaker_open_ms * MOST_OPEN;
    b->open_until = clock_ms() + b->open_ms;
    b->probing = false;
    wake_line(b);
}

/* Not all calls in line at the same instant: the server has just come back. */
static void close_up(struct breaker *b)
{
    unsigned spread = b->waiting * SPREAD_MS;
    uint64_t now = clock_ms();
    if (spread > MOST_SPREAD_MS)
        spread = MOST_SPREAD_MS;
    log_line(LOG_INFO, "a model's server is well again", "%s, %u calls waited",
             b->key, b->waiting);
    b->failures = 0;
    b->open_until = 0;
    b->probing = false;
    for (struct breaker_turn *t = b->line; t; t = t->next)
        t->held_until = now + random_below(spread + 1);
    wake_line(b);
}

static unsigned wait_in_line(struct breaker_turn *t, uint64_t ms)
{
    join_line(t);
    return ms ? (unsigned)ms : 1;
}

unsigned breaker_enter(struct breaker_turn *t)
{
    struct breaker *b = t->breaker;
    uint64_t now = clock_ms();
    if (b->open_until && now < b->open_until) /* chance says who probes */
        return wait_in_line(t, b->open_until - now +
                                   random_below(breaker_open_ms / 8 + 1));
    if (!b->open_until && now < t->held_until)
        return wait_in_line(t, t->held_until - now);
    leave_line(t);
    t->under_way = true;
    t->held_until = 0;
    if (b->open_until) {
        t->probes = b->probing = true;
        b->open_until = now + breaker_open_ms * MOST_OPEN;
    }
    return 0;
}

void breaker_heard(struct breaker_turn *t)
{
    if (!t->probes)
        return;
    t->probes = false;
    if (t->breaker->open_until)
        close_up(t->breaker);
}

static void end_probe(struct breaker *b, enum breaker_verdict how)
{
    if (!b->open_until)
        return; /* another probe was faster */
    if (how == BREAKER_FAILED) {
        open_up(b);
    } else if (how == BREAKER_UNKNOWN) {
        b->open_until = clock_ms();
        b->probing = false;
        wake_line(b);
    } else {
        close_up(b);
    }
}

void breaker_end(struct breaker_turn *t, enum breaker_verdict how)
{
    struct breaker *b = t->breaker;
    bool probed = t->probes;
    t->under_way = t->probes = false;
    if (probed) {
        end_probe(b, how);
        return;
    }
    if (b->open_until)
        return;
    if (how == BREAKER_WELL)
        b->failures = 0;
    else if (how == BREAKER_FAILED && ++b->failures >= MOST_FAILURES)
        open_up(b);
}

void breaker_leave(struct breaker_turn *t)
{
    if (t->breaker)
        leave_line(t);
    if (t->under_way)
        breaker_end(t, BREAKER_UNKNOWN);
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

static void copy_text(char *to, size_t room, struct str from)
{
    size_t n = from.len < room ? from.len : room - 1;
    memcpy(to, from.ptr, n);
    to[n] = '\0';
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
        copy_text(s->provider, sizeof s->provider,
                  (struct str){b->key, b->address - 1});
        copy_text(s->address, sizeof s->address, str_of(b->key + b->address));
        s->states[state_of(b)] = 1;
    }
    return n;
}

void breakers_forget(void)
{
    while (breakers) {
        struct breaker *b = breakers;
        breakers = b->next;
        mem_free(b->key);
        mem_free(b);
    }
}
