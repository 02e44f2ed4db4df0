/* The ready queue: fair, budgeted, and the only thing that runs steps. */
#include "loop_help.h"
#include "base/banned.h"

static uint64_t rounds;
static bool enough;

static struct next forever(struct flow *f)
{
    rounds++;
    return enough ? back(f) : go(f, forever);
}

static struct next once(struct flow *f)
{
    (void)f;
    tell('o');
    return back(f);
}

static void test_a_flow_that_goes_forever_does_not_starve_others(void **state)
{
    (void)state;
    struct run_flow busy, other;
    rounds = 0;
    enough = false;
    run_flow_start(&busy, forever, NULL);
    run_flow_start(&other, once, NULL);
    run_until(&other.ended); /* on a slow machine a turn has only a few steps */
    assert_false(busy.ended);
    assert_true(rounds < 5000); /* of one turn */
    enough = true;
    run_until(&busy.ended);
}

static struct timer timer;
static bool fired;

static void on_fire(struct timer *t)
{
    (void)t;
    fired = true;
}

static void test_busy_flows_do_not_starve_timers(void **state)
{
    (void)state;
    struct run_flow busy[100];
    enough = fired = false;
    for (int i = 0; i < 100; i++)
        run_flow_start(&busy[i], forever, NULL);
    timer_start(&timer, 1, on_fire);
    run_until(&fired);
    enough = true;
    for (int i = 0; i < 100; i++)
        run_until(&busy[i].ended);
}

static struct hand ops[3];
static struct flow *flows[3];

static struct next noted(struct flow *f)
{
    for (int i = 0; i < 3; i++)
        if (flows[i] == f)
            tell((char)('0' + i));
    return back(f);
}

static struct next hand_first(struct flow *f)
{
    hand_begin(f, locals(f, struct hand));
    return await(f, noted);
}

static void test_flows_run_in_the_order_they_became_ready(void **state)
{
    (void)state;
    struct run_flow r[3];
    for (int i = 0; i < 3; i++) {
        run_flow_start(&r[i], hand_first, &ops[i]);
        flows[i] = r[i].flow;
    }
    turn_until_quiet();
    op_complete(&ops[2].op, OK);
    op_complete(&ops[0].op, OK);
    op_complete(&ops[1].op, OK);
    assert_string_equal(story, ""); /* no step runs inside op_complete */
    turn_until_quiet();
    assert_string_equal(story, "201");
}

/* A flow that becomes ready while the queue runs waits for the next turn. */
static struct run_flow born;

static struct next parent(struct flow *f)
{
    (void)f;
    tell('p');
    run_flow_start(&born, once, NULL);
    return back(f);
}

static void test_a_flow_started_by_a_step_waits_for_the_next_turn(void **state)
{
    (void)state;
    struct run_flow r;
    run_flow_start(&r, parent, NULL);
    assert_true(flow_turn());
    assert_string_equal(story, "p");
    assert_false(flow_turn());
    assert_string_equal(story, "po");
}

static void test_a_flow_started_and_cancelled_at_once_runs_no_step(void **state)
{
    (void)state;
    struct run_flow r;
    run_flow_start(&r, once, NULL);
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_string_equal(story, "");
}

static struct next cancels_itself(struct flow *f)
{
    flow_cancel(f);
    return go(f, once);
}

static void test_a_step_may_cancel_its_own_flow(void **state)
{
    (void)state;
    assert_int_equal(run_flow(cancels_itself, NULL), ERR_CANCELLED);
    assert_string_equal(story, "");
}

static void test_the_loop_counts_how_long_it_was_away(void **state)
{
    (void)state;
    struct run_flow r;
    timer_start(&timer, 60000, on_fire); /* something to wait for */
    run_flow_start(&r, once, NULL);
    run_until(&r.ended);
    for (int i = 0; i < 3; i++)
        loop_turn(false);
    timer_stop(&timer);
    assert_true(loop_lag()->turns > 0);
    assert_true(loop_lag()->worst_us >= loop_lag()->sum_us / loop_lag()->turns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP_TEST(test_a_flow_that_goes_forever_does_not_starve_others),
        LOOP_TEST(test_busy_flows_do_not_starve_timers),
        LOOP_TEST(test_flows_run_in_the_order_they_became_ready),
        LOOP_TEST(test_a_flow_started_by_a_step_waits_for_the_next_turn),
        LOOP_TEST(test_a_flow_started_and_cancelled_at_once_runs_no_step),
        LOOP_TEST(test_a_step_may_cancel_its_own_flow),
        LOOP_TEST(test_the_loop_counts_how_long_it_was_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
