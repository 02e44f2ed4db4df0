/* wait.h - ops that wait for time or for somebody else.
 *
 * pause  answers OK after its time.
 * wait   answers OK when woken, or after its time: whoever waits looks again at
 *        what it waits for, so a wake-up may come too often but never be lost
 *        (a wake before the wait is remembered).
 * work   runs a function on libuv's threads: for what blocks and cannot be
 *        helped (password hashes, file writes). Cannot be interrupted once it
 *        runs; its cancel waits for it. */
#pragma once
#include "loop/flow.h"
#include <uv.h>

struct pause {
    struct op op;
    struct timer timer;
};
void pause_begin(struct flow *f, struct pause *p, uint64_t ms);

/* Lies with the thing waited for and outlives its waiter; zeroed is valid. */
struct wake {
    struct wait *waiter;
    bool pending;
};
struct wait {
    struct op op;
    struct timer timer;
    struct wake *wake;
};
/* One waiter at a time. `ms` 0: no limit. */
void wait_begin(struct flow *f, struct wait *w, struct wake *wake, uint64_t ms);
void wake_up(struct wake *wake);

struct work {
    struct op op;
    uv_work_t request;
    void (*job)(
        void *what); /* on another thread: no flow, no arena of a flow */
    void *what;
};
void work_begin(struct flow *f, struct work *w, void (*job)(void *what),
                void *what);
