/* wait.h - ops that wait: for a time, for a wake-up, for a thread.
 *
 * pause  completes after its time.
 * wait   completes when it is woken, or after its time. The waiter then checks
 *        its condition again, so a superfluous wake-up does no harm. A wake-up
 *        before the wait is remembered, so none is lost.
 * work   runs a function in libuv's thread pool: for what blocks and has no
 *        asynchronous form (password hashes, file writes). It cannot be
 *        interrupted while it runs; cancelling waits for it. */
#pragma once
#include "loop/flow.h"
#include <uv.h>

struct pause {
    struct op op;
    struct timer timer;
};
void pause_begin(struct flow *f, struct pause *p, uint64_t ms);

/* What a wait waits for: a member of the thing that changes, which outlives the
 * waiter. Zeroed is valid. */
struct wake {
    struct wait *waiter;
    bool pending;
};
struct wait {
    struct op op;
    struct timer timer;
    struct wake *wake;
};
/* Waits for `wake`, which has at most one waiter. `ms` 0: no limit. */
void wait_begin(struct flow *f, struct wait *w, struct wake *wake, uint64_t ms);
/* Completes the wait, or the next one if there is none. */
void wake_up(struct wake *wake);

struct work {
    struct op op;
    uv_work_t request;
    void (*job)(void *what);
    void *what;
};
/* Runs `job` on another thread, where it must not use a flow or its arenas. */
void work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                void *what);
