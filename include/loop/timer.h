/* timer.h - one-shot timers that can be stopped at once.
 *
 * A heap over one uv_timer_t. A `struct timer` is a member of its owner and
 * needs no close callback, so the owner may be freed right after timer_stop. A
 * timer fires from the loop, never from inside timer_start. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
    uint64_t at; /* monotonic ms */
    size_t slot; /* index in the heap + 1; 0: not running */
    void (*fire)(struct timer *t);
};

/* Starts or restarts t; it fires once, `ms` from now or a little later. */
void timer_start(struct timer *t, uint64_t ms, void (*fire)(struct timer *t));
/* Stops t; does nothing if it is not running. */
void timer_stop(struct timer *t);
bool timer_running(const struct timer *t);

/* For loop.c: */
void timer_open(void);
void timer_close(void);
