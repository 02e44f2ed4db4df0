#include "breaker.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "llm/provider.h"
#include "openai.h"
#include "base/banned.h"

enum { MOST_FAILURES = 5, ALARM_MS = 60 * 1000 };

struct breaker {
    struct breaker *next;
    char *key;
    unsigned failures; /* in a row */
    uint64_t open_until; /* 0: closed */
    bool probing;
    uint64_t alarmed_ms;
};

unsigned breaker_open_ms = 10 * 1000;
static struct breaker *breakers;

struct breaker *breaker_of(const struct llm_model *m)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct str key = arena_printf(&arena, "%s %.*s", m->provider->id,
                                  STR_ARG(llm_base(m)));
    struct breaker *b = breakers;
    while (b && !str_is(key, b->key))
        b = b->next;
    if (!b) {
        b = mem_new(struct breaker);
        b->key = mem_copy(key.ptr, key.len);
        b->next = breakers;
        breakers = b;
    }
    arena_done(&arena);
    return b;
}

bool breaker_enter(struct breaker *b)
{
    if (!b->open_until)
        return true;
    if (b->probing || clock_ms() < b->open_until)
        return false;
    b->probing = true;
    return true;
}

static void open_up(struct breaker *b)
{
    if (!b->open_until)
        log_line(LOG_WARN, "a model's server is left alone",
                 "%s, after %u failures", b->key, b->failures);
    b->open_until = clock_ms() + breaker_open_ms;
    b->probing = false;
}

void breaker_end(struct breaker *b, enum breaker_verdict how)
{
    if (how == BREAKER_WELL) {
        if (b->open_until)
            log_line(LOG_INFO, "a model's server is well again", "%s", b->key);
        b->failures = 0;
        b->open_until = 0;
        b->probing = false;
    } else if (how == BREAKER_FAILED) {
        b->failures++;
        if (b->probing || b->failures >= MOST_FAILURES)
            open_up(b);
    } else {
        b->probing = false;
    }
}

bool breaker_may_alarm(struct breaker *b)
{
    uint64_t now = clock_ms();
    if (b->alarmed_ms && now < b->alarmed_ms + ALARM_MS)
        return false;
    b->alarmed_ms = now;
    return true;
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
