/* The contract of ops: one completion, deadlines, tolerance, cancellation. */
#include "loop_help.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/banned.h"

static struct hand one, two;
static enum err statuses[2];

static struct next heard(struct flow *f)
{
    (void)f;
    statuses[0] = one.op.status;
    statuses[1] = two.op.status;
    tell('h');
    return back(f);
}

static struct next two_begin(struct flow *f)
{
    hand_begin(f, &one);
    hand_begin(f, &two);
    return await(f, heard);
}

static void start(struct run_flow *r, step_fn *first)
{
    one.op = two.op = (struct op){0};
    one.cancels = two.cancels = 0;
    run_flow_start(r, first, NULL);
    turn_until_quiet();
}

static void test_an_await_waits_for_all_its_ops(void **state)
{
    (void)state;
    struct run_flow r;
    start(&r, two_begin);
    op_complete(&two.op, OK);
    turn_until_quiet();
    assert_string_equal(story, "");
    op_complete(&one.op, OK);
    run_until(&r.ended);
    assert_string_equal(story, "h");
    assert_int_equal(r.how, OK);
}

static void test_one_failure_cancels_the_other_ops(void **state)
{
    (void)state;
    struct run_flow r;
    start(&r, two_begin);
    op_complete(&one.op, ERR_BAD_GATEWAY);
    run_until(&r.ended);
    assert_int_equal(two.cancels, 1);
    assert_int_equal(r.how, ERR_BAD_GATEWAY);
    assert_string_equal(story, "");
}

/* Cancelling takes a while, and the op then even succeeds. */
static void test_a_flow_ends_only_when_its_ops_have_answered(void **state)
{
    (void)state;
    struct run_flow r;
    one.stubborn = two.stubborn = true;
    start(&r, two_begin);
    flow_cancel(r.flow);
    turn_until_quiet();
    assert_false(r.ended);
    op_complete(&one.op, OK);
    turn_until_quiet();
    assert_false(r.ended);
    op_complete(&two.op, OK);
    run_until(&r.ended);
    assert_int_equal(one.cancels, 1); /* cancelled once */
    assert_int_equal(r.how, ERR_CANCELLED);
    one.stubborn = two.stubborn = false;
}

static struct next tolerant_begin(struct flow *f)
{
    hand_begin(f, &one);
    op_tolerate(&one.op);
    hand_begin(f, &two);
    return await(f, heard);
}

static void test_a_tolerated_failure_is_data_to_the_next_step(void **state)
{
    (void)state;
    struct run_flow r;
    start(&r, tolerant_begin);
    op_complete(&one.op, ERR_SQL_FAILED);
    turn_until_quiet();
    assert_int_equal(two.cancels, 0);
    op_complete(&two.op, OK);
    run_until(&r.ended);
    assert_int_equal(r.how, OK);
    assert_int_equal(statuses[0], ERR_SQL_FAILED);
    assert_int_equal(statuses[1], OK);
}

static struct next deadline_begin(struct flow *f)
{
    hand_begin(f, &one);
    op_tolerate(&one.op);
    op_deadline(&one.op, 1);
    return await(f, heard);
}

static void test_a_late_op_is_cancelled_and_ends_in_timeout(void **state)
{
    (void)state;
    struct run_flow r;
    start(&r, deadline_begin);
    run_until(&r.ended);
    assert_int_equal(one.cancels, 1);
    assert_int_equal(statuses[0], ERR_TIMEOUT);
    assert_int_equal(r.how, OK);
}

static void
test_an_op_that_succeeds_past_its_deadline_has_succeeded(void **state)
{
    (void)state;
    struct run_flow r;
    one.stubborn = true;
    start(&r, deadline_begin);
    while (!one.cancels)
        loop_turn(true);
    op_complete(&one.op, OK);
    run_until(&r.ended);
    assert_int_equal(statuses[0], OK);
    one.stubborn = false;
}

static struct next renewed_begin(struct flow *f)
{
    hand_begin(f, &one);
    op_deadline(&one.op, 1);
    op_deadline(&one.op, 60000);
    return await(f, heard);
}

static void
test_a_deadline_may_be_set_anew_and_goes_with_the_answer(void **state)
{
    (void)state;
    struct run_flow r;
    start(&r, renewed_begin);
    assert_true(timer_running(&one.op.deadline));
    op_complete(&one.op, OK);
    assert_false(timer_running(&one.op.deadline));
    run_until(&r.ended);
    assert_int_equal(r.how, OK);
}

static void test_a_step_may_lose_interest_in_an_op(void **state)
{
    (void)state;
    struct run_flow r;
    start(&r, tolerant_begin);
    op_cancel(&one.op);
    op_cancel(&one.op); /* not in flight: nothing */
    assert_int_equal(one.cancels, 1);
    op_complete(&two.op, OK);
    run_until(&r.ended);
    assert_int_equal(statuses[0], ERR_CANCELLED);
    assert_int_equal(r.how, OK);
}

static struct next at_once_begin(struct flow *f)
{
    hand_begin(f, &one);
    op_complete(&one.op, OK);
    return await(f, heard);
}

static void test_an_op_may_answer_inside_its_begin(void **state)
{
    (void)state;
    assert_int_equal(run_flow(at_once_begin, NULL), OK);
    assert_string_equal(story, "h");
}

static int begun;

static void count_begun(struct flow *f, struct op *op)
{
    (void)f;
    assert_non_null(op->name);
    begun++;
}

static void test_each_op_that_begins_is_seen_by_the_seam(void **state)
{
    (void)state;
    struct run_flow r;
    begun = 0;
    flow_on_begin = count_begun;
    start(&r, two_begin);
    flow_on_begin = NULL;
    assert_int_equal(begun, 2);
    flow_cancel(r.flow);
    run_until(&r.ended);
}

/* ---- broken contracts end the process ----------------------------------- */

static struct next back_with_op(struct flow *f)
{
    hand_begin(f, here(f, struct hand));
    return back(f);
}

static struct next go_with_op(struct flow *f)
{
    hand_begin(f, here(f, struct hand));
    return go(f, heard);
}

static struct next answers_twice(struct flow *f)
{
    hand_begin(f, &one);
    op_complete(&one.op, OK);
    op_complete(&one.op, OK);
    return await(f, heard);
}

static struct next reads_another_type(struct flow *f)
{
    return *locals(f, char) ? back(f) : fail(f, ERR_INTERNAL);
}

static struct next passes_an_int(struct flow *f)
{
    return call(f, reads_another_type, here(f, int), heard);
}

static int signal_of(step_fn *first)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        run_flow(first, NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void test_leaving_an_op_in_flight_aborts(void **state)
{
    (void)state;
    assert_int_equal(signal_of(back_with_op), SIGABRT);
    assert_int_equal(signal_of(go_with_op), SIGABRT);
    assert_int_equal(signal_of(answers_twice), SIGABRT);
    assert_int_equal(signal_of(at_once_begin), 0);
}

static void test_locals_of_another_type_abort_in_checked_builds(void **state)
{
    (void)state;
    assert_int_equal(signal_of(passes_an_int), CHECKED_BUILD ? SIGABRT : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP_TEST(test_an_await_waits_for_all_its_ops),
        LOOP_TEST(test_one_failure_cancels_the_other_ops),
        LOOP_TEST(test_a_flow_ends_only_when_its_ops_have_answered),
        LOOP_TEST(test_a_tolerated_failure_is_data_to_the_next_step),
        LOOP_TEST(test_a_late_op_is_cancelled_and_ends_in_timeout),
        LOOP_TEST(test_an_op_that_succeeds_past_its_deadline_has_succeeded),
        LOOP_TEST(test_a_deadline_may_be_set_anew_and_goes_with_the_answer),
        LOOP_TEST(test_a_step_may_lose_interest_in_an_op),
        LOOP_TEST(test_an_op_may_answer_inside_its_begin),
        LOOP_TEST(test_each_op_that_begins_is_seen_by_the_seam),
        LOOP_TEST(test_leaving_an_op_in_flight_aborts),
        LOOP_TEST(test_locals_of_another_type_abort_in_checked_builds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
