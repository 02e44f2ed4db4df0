/* loop.h - the one libuv loop of this process.
 *
 * A process holds one loop; everything that waits, waits on it. The loop is a
 * singleton because a second one would break every promise here, yet it can be
 * opened and closed again (tests do).
 *
 * Once a turn, after the poll, the ready queue of flows is run (flow.h). How
 * long the loop was away from its poll is kept as a histogram: a turn over 50 ms
 * is a bug. The poll's own callbacks count by the CPU time they used, for the
 * clock on the wall would count its sleep. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

void loop_open(void);
uv_loop_t *loop_uv(void);

/* Runs until loop_stop, or until nothing is left to wait for. */
void loop_run(void);
/* One turn; `wait` allows it to sleep in the poll. False: nothing is alive. */
bool loop_turn(bool wait);
void loop_stop(void);

/* Ends the loop; asserts that no handle and no flow is left. */
void loop_close(void);

enum { LOOP_LAG_BUCKETS = 11 };
struct loop_lag {
    /* Upper bounds in ms: 1 2 5 10 20 50 100 200 500 1000 and beyond. */
    uint64_t counts[LOOP_LAG_BUCKETS];
    uint64_t turns, sum_us, worst_us;
};
extern const unsigned loop_lag_bounds_ms[LOOP_LAG_BUCKETS - 1];
const struct loop_lag *loop_lag(void);
