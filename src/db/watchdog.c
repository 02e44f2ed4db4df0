/* watchdog.c - see watchdog.h. watchdog_start sets the timer; each tick counts,
 * then asks for a sign of life, or gives the database up. */
#include "watchdog.h"
#include "control.h"
#include <stddef.h>
#include "base/compiler.h"
#include "base/banned.h"

enum { TICKS = 10, PROBE_AT = 4 };

/* What arrived was noted by the lane already (pool_heard). */
static void on_probed(void *who, bool sure)
{
    struct watchdog *w = who;
    (void)sure;
    w->probe = NULL;
}

static void on_tick(struct timer *t)
{
    struct watchdog *w = container_of(t, struct watchdog, tick);
    bool heard = pool_take_heard(w->pool);
    int backend = pool_quiet_backend(w->pool, PROBE_AT);
    if (!pool_awaits_answer(w->pool)) {
        w->quiet = 0;
        return;
    }
    w->quiet = heard ? 0 : w->quiet + 1;
    if (w->quiet >= TICKS) {
        pool_drop_silent(w->pool);
        return;
    }
    timer_start(t, w->tick_ms, on_tick);
    if (w->quiet >= PROBE_AT && !w->probe)
        w->probe = control_send(w->pool, "select $1::int", 1, on_probed, w);
    if (backend && !w->check.running)
        lane_check_start(&w->check, w->pool, backend);
}

void watchdog_init(struct watchdog *w, struct pool *pool, unsigned silence_ms)
{
    w->pool = pool;
    w->tick_ms = silence_ms / TICKS;
}

void watchdog_done(struct watchdog *w)
{
    timer_stop(&w->tick);
    w->quiet = 0;
    if (w->probe)
        w->probe->done = NULL;
    w->probe = NULL;
    lane_check_stop(&w->check);
}

void watchdog_start(struct watchdog *w)
{
    if (!w->tick_ms || timer_running(&w->tick))
        return;
    pool_take_heard(w->pool);
    timer_start(&w->tick, w->tick_ms, on_tick);
}
