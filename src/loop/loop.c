/* loop.c - the loop's turn.
 *
 * The order within a libuv turn is: timers, idle, prepare, poll, check, close.
 * Flows run in check, so events of the poll are handled in the same turn. While
 * flows are still ready, an idle handle keeps the next poll from sleeping. */
#include "loop/loop.h"
#include "base/clock.h"
#include "loop/flow.h"
#include "loop/timer.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

const unsigned loop_lag_bounds_ms[LOOP_LAG_BUCKETS - 1] = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

static uv_loop_t loop;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_idle_t idle;
static uint64_t woke_us;    /* when the poll had run its callbacks */
static uint64_t polled_us;  /* CPU time of this thread when the poll began */
static uint64_t in_poll_us; /* CPU time of the poll's callbacks */
static struct loop_lag lag;

uv_loop_t *loop_uv(void)
{
    return &loop;
}

const struct loop_lag *loop_lag(void)
{
    return &lag;
}

static void count_lag(uint64_t us)
{
    int i = 0;
    while (i < LOOP_LAG_BUCKETS - 1 && us > loop_lag_bounds_ms[i] * 1000u)
        i++;
    lag.counts[i]++;
    lag.turns++;
    lag.sum_us += us;
    if (us > lag.worst_us)
        lag.worst_us = us;
}

static void on_idle(uv_idle_t *unused)
{
    (void)unused;
}

static void on_prepare(uv_prepare_t *unused)
{
    (void)unused;
    if (flow_any_ready())
        uv_idle_start(&idle, on_idle); /* the poll returns at once */
    if (woke_us)
        count_lag(in_poll_us + clock_us() - woke_us);
    polled_us = clock_cpu_us();
}

static void on_check(uv_check_t *unused)
{
    (void)unused;
    woke_us = clock_us();
    in_poll_us = clock_cpu_us() - polled_us;
    if (flow_turn())
        uv_idle_start(&idle, on_idle);
    else
        uv_idle_stop(&idle);
}

void loop_open(void)
{
    int rc = uv_loop_init(&loop);
    if (rc) {
        fprintf(stderr, "sextant: no event loop: %s\n", uv_strerror(rc));
        exit(71);
    }
    timer_open();
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_idle_init(&loop, &idle);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    uv_unref((uv_handle_t *)&prepare);
    uv_unref((uv_handle_t *)&check);
    lag = (struct loop_lag){0};
    woke_us = 0;
}

bool loop_turn(bool wait)
{
    if (flow_any_ready())
        uv_idle_start(&idle, on_idle);
    return uv_run(&loop, wait ? UV_RUN_ONCE : UV_RUN_NOWAIT) ||
           flow_any_ready();
}

static bool stopped;

void loop_run(void)
{
    stopped = false;
    woke_us = 0; /* time between two runs of the loop is not lag */
    while (!stopped && loop_turn(true))
        ;
}

void loop_stop(void)
{
    stopped = true;
    uv_stop(&loop);
}

void loop_close(void)
{
    assert(flow_count() == 0 && "a flow outlives the loop");
    timer_close();
    uv_close((uv_handle_t *)&prepare, NULL);
    uv_close((uv_handle_t *)&check, NULL);
    uv_close((uv_handle_t *)&idle, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    int rc = uv_loop_close(&loop);
    assert(rc == 0 && "a handle outlives the loop");
    (void)rc;
}
