/* Steps, subflows, failures, rescues and defers. */
#include "loop_help.h"
#include "base/banned.h"

/* ---- call and back ------------------------------------------------------ */

static struct next inner_begin(struct flow *f)
{
    tell(*locals(f, char));
    return back(f);
}

static struct next called(struct flow *f)
{
    tell(*locals(f, char));
    return back(f);
}

static struct next call_begin(struct flow *f)
{
    static char inner = 'i';
    return call(f, inner_begin, &inner, called);
}

static void test_a_subflow_has_its_own_locals(void **state)
{
    (void)state;
    char outer = 'o';
    assert_int_equal(run_flow(call_begin, &outer), OK);
    assert_string_equal(story, "io");
}

/* ---- failure and rescue ------------------------------------------------- */

static enum err seen;
static char seen_text[64];

static struct next fails_deep(struct flow *f)
{
    defer(f, tell_undo, "d");
    return fail_because(f, ERR_BUDGET, "spent %d", 7);
}

static struct next never(struct flow *f)
{
    tell('!');
    return back(f);
}

static struct next middle_begin(struct flow *f)
{
    defer(f, tell_undo, "m");
    return call(f, fails_deep, NULL, never);
}

static struct next rescued(struct flow *f)
{
    seen = failure(f);
    snprintf(seen_text, sizeof seen_text, "%.*s", STR_ARG(failure_text(f)));
    tell('r');
    return back(f);
}

static struct next rescue_begin(struct flow *f)
{
    return attempt(f, middle_begin, NULL, never, rescued);
}

static void test_a_failure_ends_frames_up_to_the_nearest_rescue(void **state)
{
    (void)state;
    assert_int_equal(run_flow(rescue_begin, NULL), OK);
    assert_string_equal(story, "dmr");
    assert_int_equal(seen, ERR_BUDGET);
    assert_string_equal(seen_text, "spent 7");
}

static struct next fails_again(struct flow *f)
{
    tell('1');
    return fail_because(f, ERR_NOT_FOUND, "second");
}

static struct next inner_rescue_begin(struct flow *f)
{
    return attempt(f, fails_deep, NULL, never, fails_again);
}

static struct next outer_rescue_begin(struct flow *f)
{
    return attempt(f, inner_rescue_begin, NULL, never, rescued);
}

static void test_a_rescue_that_fails_is_rescued_further_out(void **state)
{
    (void)state;
    assert_int_equal(run_flow(outer_rescue_begin, NULL), OK);
    assert_string_equal(story, "d1r");
    assert_int_equal(seen, ERR_NOT_FOUND);
    assert_string_equal(seen_text, "second");
}

static char end_text[64];
static enum err end_how;

static void note_end(struct flow *f, enum err how, void *who)
{
    *(bool *)who = true;
    end_how = failure(f);
    assert_int_equal(how, end_how);
    snprintf(end_text, sizeof end_text, "%.*s", STR_ARG(failure_text(f)));
    tell('e');
}

static void test_an_unrescued_failure_ends_the_flow_and_says_why(void **state)
{
    (void)state;
    bool over = false;
    flow_start(middle_begin, NULL,
               &(struct flow_options){
                   .kind = "test", .on_end = note_end, .who = &over});
    run_until(&over);
    assert_int_equal(end_how, ERR_BUDGET);
    assert_string_equal(end_text, "spent 7");
    assert_string_equal(story, "dme");
}

static struct next fails_plainly(struct flow *f)
{
    return fail(f, ERR_TIMEOUT);
}

static void test_a_failure_without_a_sentence_has_an_empty_one(void **state)
{
    (void)state;
    bool over = false;
    snprintf(end_text, sizeof end_text, "old");
    flow_start(fails_plainly, NULL,
               &(struct flow_options){
                   .kind = "test", .on_end = note_end, .who = &over});
    run_until(&over);
    assert_string_equal(end_text, "");
}

/* ---- defers ------------------------------------------------------------- */

static struct next defers_begin(struct flow *f)
{
    defer(f, tell_undo, "1");
    defer(f, tell_undo, "2");
    defer_kept(f, tell_undo, "k");
    defer(f, tell_undo, "3");
    defer_kept(f, tell_undo, "l");
    tell('s');
    return back(f);
}

static struct next defers_called(struct flow *f)
{
    tell('t');
    return back(f);
}

static struct next defers_outer(struct flow *f)
{
    defer(f, tell_undo, "o");
    return call(f, defers_begin, NULL, defers_called);
}

static void test_defers_run_in_reverse_and_kept_ones_after_the_end(void **state)
{
    (void)state;
    bool over = false;
    flow_start(defers_outer, NULL,
               &(struct flow_options){
                   .kind = "test", .on_end = note_end, .who = &over});
    run_until(&over);
    assert_string_equal(story, "s321toelk");
}

/* ---- cancelling --------------------------------------------------------- */

static struct hand first_op, second_op;

static struct next wait_for_hands(struct flow *f)
{
    defer(f, tell_undo, "u");
    hand_begin(f, &first_op);
    hand_begin(f, &second_op);
    return await(f, never);
}

static struct next guarded_begin(struct flow *f)
{
    return attempt(f, wait_for_hands, NULL, never, rescued);
}

static void test_a_cancelled_flow_is_never_rescued(void **state)
{
    (void)state;
    struct run_flow r;
    run_flow_start(&r, guarded_begin, NULL);
    turn_until_quiet();
    flow_cancel(r.flow);
    flow_cancel(r.flow);
    assert_int_equal(failure(r.flow), ERR_CANCELLED);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_string_equal(story, "u");
}

/* An op may complete inside its cancel function. */
static void test_ops_may_answer_inside_their_cancel(void **state)
{
    (void)state;
    struct run_flow r;
    first_op = second_op = (struct hand){0};
    run_flow_start(&r, wait_for_hands, NULL);
    turn_until_quiet();
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(first_op.cancels, 1);
    assert_int_equal(second_op.cancels, 1);
    assert_int_equal(r.how, ERR_CANCELLED);
}

static void test_a_cancel_while_unwinding_is_what_is_reported(void **state)
{
    (void)state;
    struct run_flow r;
    first_op = (struct hand){0};
    second_op = (struct hand){.stubborn = true};
    run_flow_start(&r, guarded_begin, NULL);
    turn_until_quiet();
    op_complete(&first_op.op, ERR_MODEL_UNAVAILABLE);
    turn_until_quiet(); /* unwinding waits for the second op */
    assert_false(r.ended);
    flow_cancel(r.flow);
    op_complete(&second_op.op, OK);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_string_equal(story, "u");
}

static void test_a_stop_with_another_reason_reports_that(void **state)
{
    (void)state;
    struct run_flow r;
    first_op = second_op = (struct hand){0};
    run_flow_start(&r, guarded_begin, NULL);
    turn_until_quiet();
    flow_stop(r.flow, ERR_CONFLICTING_WRITE);
    flow_cancel(r.flow); /* the first reason stays */
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CONFLICTING_WRITE);
}

static struct next deadline_begin(struct flow *f)
{
    flow_deadline(f, 1);
    hand_begin(f, &first_op);
    return await(f, never);
}

static struct next no_deadline_begin(struct flow *f)
{
    flow_deadline(f, 1);
    flow_deadline(f, 0);
    return back(f);
}

static void test_a_flow_past_its_deadline_is_stopped(void **state)
{
    (void)state;
    first_op = (struct hand){0};
    assert_int_equal(run_flow(deadline_begin, NULL), ERR_TIMEOUT);
    assert_int_equal(first_op.cancels, 1);
    assert_int_equal(run_flow(no_deadline_begin, NULL), OK);
}

/* ---- children ----------------------------------------------------------- */

struct family {
    struct child child;
    struct flow *parent;
    struct hand tick;
    enum err status;
};

static struct next tick_heard(struct flow *f)
{
    flow_cancel(locals(f, struct family)->parent); /* the budget is spent */
    return back(f);
}

static struct next child_first(struct flow *f)
{
    hand_begin(f, &locals(f, struct family)->tick);
    return await(f, tick_heard);
}

static struct next child_over(struct flow *f)
{
    struct family *y = locals(f, struct family);
    y->status = y->child.op.status;
    tell('c');
    return back(f);
}

static struct next parent_begin(struct flow *f)
{
    struct family *y = locals(f, struct family);
    y->parent = f;
    child_begin(f, &y->child, child_first, y, "child", 0);
    return await(f, child_over);
}

static void test_a_child_may_cancel_its_parent(void **state)
{
    (void)state;
    struct family y = {0};
    struct run_flow r;
    run_flow_start(&r, parent_begin, &y);
    turn_until_quiet();
    assert_int_equal(flow_count(), 2);
    op_complete(&y.tick.op, OK);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    assert_string_equal(story, "");
}

static void test_cancelling_a_parent_cancels_its_child(void **state)
{
    (void)state;
    struct family y = {0};
    struct run_flow r;
    run_flow_start(&r, parent_begin, &y);
    turn_until_quiet();
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(y.tick.cancels, 1);
    assert_int_equal(r.how, ERR_CANCELLED);
}

static struct next child_fails(struct flow *f)
{
    return fail(f, ERR_BAD_REPLY);
}

static struct next tolerant_parent(struct flow *f)
{
    struct family *y = locals(f, struct family);
    child_begin(f, &y->child, child_fails, y, "child", 0);
    op_tolerate(&y->child.op);
    return await(f, child_over);
}

static struct next strict_parent(struct flow *f)
{
    struct family *y = locals(f, struct family);
    child_begin(f, &y->child, child_fails, y, "child", 0);
    return await(f, child_over);
}

static void
test_a_childs_failure_fails_the_parent_unless_tolerated(void **state)
{
    (void)state;
    struct family y = {0};
    assert_int_equal(run_flow(strict_parent, &y), ERR_BAD_REPLY);
    assert_string_equal(story, "");
    assert_int_equal(run_flow(tolerant_parent, &y), OK);
    assert_int_equal(y.status, ERR_BAD_REPLY);
    assert_string_equal(story, "c");
}

/* ---- descriptions ------------------------------------------------------- */

static void count_flow(struct flow *f, void *who)
{
    (void)f;
    ++*(int *)who;
}

static void test_a_dump_names_frames_ops_and_steps(void **state)
{
    (void)state;
    struct run_flow r;
    struct arena arena;
    int n = 0;
    arena_init(&arena, 0);
    first_op = second_op = (struct hand){0};
    run_flow_start(&r, guarded_begin, NULL);
    flow_label(r.flow, STR("run 42"));
    turn_until_quiet();
    struct str told = flow_describe(r.flow, &arena);
    assert_true(str_find(told, STR("run 42: in wait_for_hands < test")) == 0);
    assert_true(str_find(told, STR("awaits hand, hand")) > 0);
    assert_true(str_find(told, STR("; lately first, wait_for_hands")) > 0);
    assert_true(str_is(flow_get_label(r.flow), "run 42"));
    flow_each(count_flow, &n);
    assert_int_equal(n, 1);
    flow_cancel(r.flow);
    run_until(&r.ended);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP_TEST(test_a_subflow_has_its_own_locals),
        LOOP_TEST(test_a_failure_ends_frames_up_to_the_nearest_rescue),
        LOOP_TEST(test_a_rescue_that_fails_is_rescued_further_out),
        LOOP_TEST(test_an_unrescued_failure_ends_the_flow_and_says_why),
        LOOP_TEST(test_a_failure_without_a_sentence_has_an_empty_one),
        LOOP_TEST(test_defers_run_in_reverse_and_kept_ones_after_the_end),
        LOOP_TEST(test_a_cancelled_flow_is_never_rescued),
        LOOP_TEST(test_ops_may_answer_inside_their_cancel),
        LOOP_TEST(test_a_cancel_while_unwinding_is_what_is_reported),
        LOOP_TEST(test_a_stop_with_another_reason_reports_that),
        LOOP_TEST(test_a_flow_past_its_deadline_is_stopped),
        LOOP_TEST(test_a_child_may_cancel_its_parent),
        LOOP_TEST(test_cancelling_a_parent_cancels_its_child),
        LOOP_TEST(test_a_childs_failure_fails_the_parent_unless_tolerated),
        LOOP_TEST(test_a_dump_names_frames_ops_and_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
