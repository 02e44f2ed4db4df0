#include "fake_time.h"
#include "base/clock.h"
#include "base/mem.h"
#include "loop/flow.h"
#include "loop/loop.h"
#include "loop/timer.h"
#include "base/banned.h"

enum { MOST_TIMERS = 4096, START_MS = 1000 };

static uint64_t now_ms = START_MS;
static struct timer *timers[MOST_TIMERS]; /* in the order they were started */
static size_t count;

/* ---- base/clock.h ------------------------------------------------------- */

uint64_t clock_ms(void)
{
    return now_ms;
}

uint64_t clock_us(void)
{
    return now_ms * 1000;
}

uint64_t clock_cpu_us(void)
{
    return 0; /* of the time that is played, nothing is used */
}

int64_t clock_wall_ms(void)
{
    return 1795300000000 + (int64_t)now_ms;
}

/* ---- loop/timer.h ------------------------------------------------------- */

void timer_stop(struct timer *t)
{
    if (!t->slot)
        return;
    for (size_t i = t->slot; i < count; i++) {
        timers[i - 1] = timers[i];
        timers[i - 1]->slot = i;
    }
    count--;
    t->slot = 0;
}

void timer_start(struct timer *t, uint64_t ms, void (*fire)(struct timer *t))
{
    timer_stop(t);
    if (count == MOST_TIMERS)
        mem_exhausted(count);
    t->at = now_ms + ms;
    t->fire = fire;
    timers[count++] = t;
    t->slot = count;
}

bool timer_running(const struct timer *t)
{
    return t->slot != 0;
}

void timer_open(void)
{
    count = 0;
    now_ms = START_MS;
}

void timer_close(void)
{
}

/* ---- turning ------------------------------------------------------------ */

size_t fake_time_timers(void)
{
    return count;
}

static struct timer *soonest(void)
{
    struct timer *first = NULL;
    for (size_t i = 0; i < count; i++)
        if (!first || timers[i]->at < first->at)
            first = timers[i];
    return first;
}

bool fake_time_step(void)
{
    struct timer *t = soonest();
    if (!t)
        return false;
    if (t->at > now_ms)
        now_ms = t->at;
    timer_stop(t);
    t->fire(t);
    return true;
}

void fake_time_jump(uint64_t ms)
{
    now_ms += ms;
    for (struct timer *t = soonest(); t && t->at <= now_ms; t = soonest()) {
        timer_stop(t);
        t->fire(t);
    }
}

bool fake_time_until(const bool *done, uint64_t most_ms)
{
    uint64_t begun = now_ms;
    while (!*done) {
        while (flow_any_ready())
            loop_turn(false);
        if (*done)
            break;
        if (now_ms - begun > most_ms || !fake_time_step())
            return false;
    }
    return true;
}

void fake_time_while(bool (*goes_on)(void), uint64_t most_ms)
{
    uint64_t begun = now_ms;
    do {
        while (flow_any_ready())
            loop_turn(false);
    } while (goes_on() && now_ms - begun < most_ms && fake_time_step());
}

bool fake_time_settle(uint64_t most_ms)
{
    static const bool never;
    uint64_t begun = now_ms;
    fake_time_until(&never, most_ms);
    return now_ms - begun <= most_ms && count == 0;
}
