/* loop.h - the event loop (libuv) of this process.
 *
 * A process has one loop, and everything that waits, waits on it. Tests may
 * close it and open it again.
 *
 * Once a turn, after the poll, the loop runs the ready queue of flows (flow.h).
 * It measures how long each turn keeps it away from the poll; a turn over 50 ms
 * is a bug. Callbacks that the poll runs count by their CPU time, because the
 * wall clock would include the time that the poll sleeps. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/* Opens the loop; ends the process when the kernel has no resources for it. */
void loop_open(void);
uv_loop_t *loop_uv(void);

/* Runs until loop_stop, or until there is nothing to wait for. */
void loop_run(void);
/* Runs one turn; `wait` lets it sleep in the poll. False: there is nothing to
 * wait for. */
bool loop_turn(bool wait);
void loop_stop(void);

/* Closes the loop; asserts that no handle and no flow is left. */
void loop_close(void);

enum { LOOP_LAG_BUCKETS = 11 };
struct loop_lag {
    uint64_t counts[LOOP_LAG_BUCKETS]; /* the last bucket has no bound */
    uint64_t turns, sum_us, worst_us;
};
extern const unsigned loop_lag_bounds_ms[LOOP_LAG_BUCKETS - 1];
/* Time that turns took, since loop_open. */
const struct loop_lag *loop_lag(void);
