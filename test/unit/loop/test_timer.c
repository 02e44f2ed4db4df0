/* Timers: order, stopping, restarting, thousands of them. */
#include "base/random.h"
#include "loop/timer.h"
#include "loop_help.h"
#include "base/banned.h"

enum { MANY = 2000 };

static struct timer timers[MANY];
static int fired;
static uint64_t latest;

static void on_fire(struct timer *t)
{
    assert_false(timer_running(t));
    assert_true(clock_ms() >= t->at);
    assert_true(t->at >= latest);
    latest = t->at;
    fired++;
}

static void run_until_fired(int n)
{
    uint64_t begun = clock_ms();
    while (fired < n) {
        loop_turn(true);
        assert_true(clock_ms() - begun < 100000);
    }
}

static int setup(void **state)
{
    fired = 0;
    latest = 0;
    memset(timers, 0, sizeof timers);
    return loop_setup(state);
}

static void test_timers_fire_in_the_order_of_their_times(void **state)
{
    (void)state;
    for (int i = 0; i < MANY; i++)
        timer_start(&timers[i], random_below(30), on_fire);
    run_until_fired(MANY);
}

static void test_a_stopped_timer_never_fires(void **state)
{
    (void)state;
    int left = 0;
    for (int i = 0; i < MANY; i++)
        timer_start(&timers[i], random_below(20), on_fire);
    for (int i = 0; i < MANY; i++) /* all over the heap */
        if (random_below(3))
            timer_stop(&timers[i]);
        else
            left++;
    run_until_fired(left);
    struct timer last = {0};
    timer_start(&last, 5, on_fire); /* after all that were stopped */
    run_until_fired(left + 1);
    assert_int_equal(fired, left + 1);
}

static void test_a_timer_may_be_started_anew(void **state)
{
    (void)state;
    timer_start(&timers[0], 60000, on_fire);
    uint64_t far = timers[0].at;
    timer_start(&timers[0], 1, on_fire);
    assert_true(timers[0].at < far);
    run_until_fired(1);
    timer_stop(&timers[0]); /* not running: nothing */
    timer_start(&timers[0], 1, on_fire);
    run_until_fired(2);
}

static struct timer other;

static void stops_the_other(struct timer *t)
{
    (void)t;
    fired++;
    timer_stop(&other);
}

static void test_a_timer_may_stop_another_that_is_due_as_well(void **state)
{
    (void)state;
    struct timer end = {0};
    timer_start(&timers[0], 1, stops_the_other);
    timer_start(&other, 1, on_fire);
    timer_start(&end, 3, on_fire);
    run_until_fired(2);
    assert_int_equal(fired, 2);
}

static int again;

static void restarts_itself(struct timer *t)
{
    fired++;
    if (--again)
        timer_start(t, 0, restarts_itself);
}

static void test_a_timer_may_restart_itself_from_its_own_call(void **state)
{
    (void)state;
    again = 50;
    timer_start(&timers[0], 0, restarts_itself);
    assert_int_equal(fired, 0); /* never from inside timer_start */
    run_until_fired(50);
    assert_false(timer_running(&timers[0]));
}

/* An owner may be freed right after the stop. */
static void test_no_trace_is_left_of_a_stopped_timer(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct timer *t = test_calloc(1, sizeof *t);
        timer_start(t, random_below(3), on_fire);
        timer_start(&timers[i], random_below(3), on_fire);
        timer_stop(t);
        test_free(t);
    }
    run_until_fired(100);
}

#define TIMER_TEST(name) \
    cmocka_unit_test_setup_teardown(name, setup, loop_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TIMER_TEST(test_timers_fire_in_the_order_of_their_times),
        TIMER_TEST(test_a_stopped_timer_never_fires),
        TIMER_TEST(test_a_timer_may_be_started_anew),
        TIMER_TEST(test_a_timer_may_stop_another_that_is_due_as_well),
        TIMER_TEST(test_a_timer_may_restart_itself_from_its_own_call),
        TIMER_TEST(test_no_trace_is_left_of_a_stopped_timer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
