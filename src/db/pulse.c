#include "pulse.h"
#include <stddef.h>
#include "base/banned.h"

enum { TICKS = 10, PROBE_AT = 4 };

#define PULSE_OF(pointer, member) \
    ((struct pulse *)((char *)(pointer) - offsetof(struct pulse, member)))

/* ---- the probe ---------------------------------------------------------- */

static bool probe_send(struct job *job, struct lane *lane)
{
    (void)job;
    if (!PQsendQueryParams(lane->connection->pg, "select 1", 0, NULL, NULL,
                           NULL, NULL, 0))
        return false;
    connection_send(lane->connection);
    return true;
}

static void probe_result(struct job *job, PGresult *r)
{
    (void)job;
    PQclear(r);
}

/* The word itself was noted where it came in. */
static bool probe_synced(struct job *job)
{
    PULSE_OF(job, probe)->probing = false;
    return true;
}

static void probe_failed(struct job *job, enum err why, struct str text,
                         bool in_flight)
{
    (void)why;
    (void)text;
    (void)in_flight;
    PULSE_OF(job, probe)->probing = false;
}

static const struct job_kind probe_kind = {.send = probe_send,
                                           .result = probe_result,
                                           .synced = probe_synced,
                                           .failed = probe_failed};

static void probe(struct pulse *p)
{
    p->probing = true;
    pool_submit(pool_control(p->pool), &p->probe, false);
}

/* ---- ticks -------------------------------------------------------------- */

static void on_tick(struct timer *t)
{
    struct pulse *p = PULSE_OF(t, tick);
    bool word = pool_take_word(p->pool);
    if (!pool_expects(p->pool)) {
        p->quiet = 0;
        return;
    }
    p->quiet = word ? 0 : p->quiet + 1;
    if (p->quiet >= TICKS) {
        pool_silent(p->pool);
        return;
    }
    if (p->quiet >= PROBE_AT && !p->probing)
        probe(p);
    timer_start(t, p->tick_ms, on_tick);
}

void pulse_open(struct pulse *p, struct pool *pool, unsigned silence_ms)
{
    p->pool = pool;
    p->probe.kind = &probe_kind;
    p->tick_ms = silence_ms / TICKS;
}

void pulse_rest(struct pulse *p)
{
    timer_stop(&p->tick);
    p->quiet = 0;
}

void pulse_close(struct pulse *p)
{
    pulse_rest(p);
    if (p->probing)
        pool_withdraw(&p->probe);
    p->probing = false;
}

void pulse_watch(struct pulse *p)
{
    if (!p->tick_ms || timer_running(&p->tick))
        return;
    pool_take_word(p->pool);
    timer_start(&p->tick, p->tick_ms, on_tick);
}
