/* Pauses, waits that are woken, and work on other threads. */
#include "loop/wait.h"
#include "loop_help.h"
#include <stdatomic.h>
#include "base/banned.h"

struct wait_scene {
    struct wake wake;
    struct wait wait;
    struct pause pause;
    struct work work;
    atomic_int job_stage; /* 1: runs, 2: may end, 3: over */
    uint64_t ms;
};

static struct next over(struct flow *f)
{
    (void)f;
    tell('o');
    return back(f);
}

static struct next wait_first(struct flow *f)
{
    struct wait_scene *s = locals(f, struct wait_scene);
    wait_begin(f, &s->wait, &s->wake, s->ms);
    return await(f, over);
}

static struct next pause_first(struct flow *f)
{
    struct wait_scene *s = locals(f, struct wait_scene);
    pause_begin(f, &s->pause, s->ms);
    return await(f, over);
}

static void test_a_pause_ends_by_itself_or_by_a_cancel(void **state)
{
    (void)state;
    struct wait_scene s = {.ms = 1};
    struct run_flow r;
    assert_int_equal(run_flow(pause_first, &s), OK);
    s.ms = 60000;
    run_flow_start(&r, pause_first, &s);
    turn_until_quiet();
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_false(timer_running(&s.pause.timer));
}

static void test_a_wait_ends_when_woken(void **state)
{
    (void)state;
    struct wait_scene s = {0};
    struct run_flow r;
    run_flow_start(&r, wait_first, &s);
    turn_until_quiet();
    assert_false(r.ended);
    wake_up(&s.wake);
    run_until(&r.ended);
    assert_int_equal(r.how, OK);
    assert_null(s.wake.waiter);
}

static void test_a_wake_before_the_wait_is_not_lost(void **state)
{
    (void)state;
    struct wait_scene s = {0};
    wake_up(&s.wake);
    wake_up(&s.wake);
    assert_int_equal(run_flow(wait_first, &s), OK);
    struct run_flow r; /* and counts once */
    run_flow_start(&r, wait_first, &s);
    turn_until_quiet();
    assert_false(r.ended);
    flow_cancel(r.flow);
    run_until(&r.ended);
}

static void test_a_wait_ends_after_its_time(void **state)
{
    (void)state;
    struct wait_scene s = {.ms = 1};
    assert_int_equal(run_flow(wait_first, &s), OK);
    assert_false(s.wake.pending);
}

static void test_a_cancelled_wait_leaves_the_wake_free(void **state)
{
    (void)state;
    struct wait_scene s = {.ms = 60000};
    struct run_flow r;
    run_flow_start(&r, wait_first, &s);
    turn_until_quiet();
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_false(timer_running(&s.wait.timer));
    wake_up(&s.wake); /* no waiter: remembered */
    s.ms = 0;
    assert_int_equal(run_flow(wait_first, &s), OK);
}

/* ---- work --------------------------------------------------------------- */

static void job(void *what)
{
    struct wait_scene *s = what;
    atomic_store(&s->job_stage, 1);
    while (atomic_load(&s->job_stage) != 2)
        ;
    atomic_store(&s->job_stage, 3);
}

static struct next work_first(struct flow *f)
{
    struct wait_scene *s = locals(f, struct wait_scene);
    work_begin(f, &s->work, job, s);
    return await(f, over);
}

static void test_work_runs_beside_the_loop(void **state)
{
    (void)state;
    struct wait_scene s = {0};
    struct run_flow r;
    run_flow_start(&r, work_first, &s);
    while (atomic_load(&s.job_stage) != 1)
        loop_turn(false);
    assert_false(r.ended);
    atomic_store(&s.job_stage, 2);
    run_until(&r.ended);
    assert_int_equal(r.how, OK);
    assert_int_equal(s.job_stage, 3);
}

static void test_cancelled_work_that_runs_already_is_waited_for(void **state)
{
    (void)state;
    struct wait_scene s = {0};
    struct run_flow r;
    run_flow_start(&r, work_first, &s);
    while (atomic_load(&s.job_stage) != 1)
        loop_turn(false);
    flow_cancel(r.flow);
    loop_turn(false);
    assert_false(r.ended);
    atomic_store(&s.job_stage, 2);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_string_equal(story, "");
}

/* With more work than threads, cancelling drops work that has not begun. */
static void test_cancelled_work_in_the_queue_never_runs(void **state)
{
    (void)state;
    enum { THREADS = 4, MORE = 3 };
    struct wait_scene s[THREADS + MORE];
    struct run_flow r[THREADS + MORE];
    memset(s, 0, sizeof s);
    for (int i = 0; i < THREADS; i++)
        run_flow_start(&r[i], work_first, &s[i]);
    for (int i = 0; i < THREADS; i++)
        while (atomic_load(&s[i].job_stage) != 1)
            loop_turn(false);
    for (int i = THREADS; i < THREADS + MORE; i++)
        run_flow_start(&r[i], work_first, &s[i]);
    turn_until_quiet();
    for (int i = THREADS; i < THREADS + MORE; i++)
        flow_cancel(r[i].flow);
    for (int i = THREADS; i < THREADS + MORE; i++) {
        run_until(&r[i].ended);
        assert_int_equal(r[i].how, ERR_CANCELLED);
        assert_int_equal(s[i].job_stage, 0);
    }
    for (int i = 0; i < THREADS; i++) {
        atomic_store(&s[i].job_stage, 2);
        run_until(&r[i].ended);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP_TEST(test_a_pause_ends_by_itself_or_by_a_cancel),
        LOOP_TEST(test_a_wait_ends_when_woken),
        LOOP_TEST(test_a_wake_before_the_wait_is_not_lost),
        LOOP_TEST(test_a_wait_ends_after_its_time),
        LOOP_TEST(test_a_cancelled_wait_leaves_the_wake_free),
        LOOP_TEST(test_work_runs_beside_the_loop),
        LOOP_TEST(test_cancelled_work_that_runs_already_is_waited_for),
        LOOP_TEST(test_cancelled_work_in_the_queue_never_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
