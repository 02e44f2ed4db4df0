/* timer.h - one-shot timers that stop at once.
 *
 * A heap over one uv_timer_t: a `struct timer` lies in its owner and needs no
 * close callback, so an owner may be freed right after timer_stop. Fires from
 * the loop, never from inside timer_start. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
    uint64_t at; /* monotonic ms */
    size_t slot; /* place in the heap + 1; 0: not running */
    void (*fire)(struct timer *t);
};

/* (Re)starts t; it fires once, `ms` from now or a little later. */
void timer_start(struct timer *t, uint64_t ms, void (*fire)(struct timer *t));
void timer_stop(struct timer *t); /* also when it is not running */
bool timer_running(const struct timer *t);

/* The loop's own: */
void timer_open(void);
void timer_close(void);
