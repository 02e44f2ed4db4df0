/* How a run compares with the report of an earlier one, and what is not such a
 * report. */
#include "eval/eval.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { QUESTIONS = 4 };

/* A run of four questions in two categories. */
struct judged_run {
    struct eval_question questions[QUESTIONS];
    struct eval_case cases[QUESTIONS];
    struct eval e;
    struct arena arena;
};

static void run_init(struct judged_run *r)
{
    static const char *const ids[] = {"a", "b", "c", "d"};
    *r = (struct judged_run){0};
    arena_init(&r->arena, 0);
    for (size_t i = 0; i < QUESTIONS; i++) {
        r->questions[i] =
            (struct eval_question){.id = str_of(ids[i]),
                                   .question = str_of(ids[i]),
                                   .category = i < 2 ? STR("x") : STR("y")};
        r->cases[i] = (struct eval_case){
            .eval = &r->e, .question = &r->questions[i], .right = true};
    }
    r->e = (struct eval){
        .cases = r->cases, .n = QUESTIONS, .set = {.name = STR("s")}};
}

/* Takes the run as it is now, as its own report says, for the baseline. */
static void run_keep(struct judged_run *r, struct eval_baseline *b)
{
    struct buf report, problem;
    buf_init(&report, &r->arena);
    buf_init(&problem, &r->arena);
    eval_json(&r->arena, &r->e, &report);
    assert_true(eval_baseline_read(&r->arena, buf_view(&report), STR("s"), b,
                                   &problem));
    assert_int_equal(problem.len, 0);
}

static void test_an_equal_run_is_not_worse(void **state)
{
    (void)state;
    struct judged_run r;
    struct eval_baseline b;
    struct eval_changes c;
    run_init(&r);
    r.cases[1].right = false;
    r.cases[2].right = false;
    r.cases[2].verified = true; /* confident and wrong before and after */
    run_keep(&r, &b);
    eval_compare(&r.arena, &r.e, &b, &c);
    assert_false(c.worse);
    assert_int_equal(c.compared, 4);
    assert_int_equal(c.n_right + c.n_wrong + c.n_confident + c.n_fewer, 0);
    arena_done(&r.arena);
}

static void test_fewer_right_in_one_category_is_worse(void **state)
{
    (void)state;
    struct judged_run r;
    struct eval_baseline b;
    struct eval_changes c;
    struct buf out;
    run_init(&r);
    r.cases[2].right = false;
    run_keep(&r, &b);
    r.cases[0].right = false; /* as many right in all */
    r.cases[2].right = true;
    eval_compare(&r.arena, &r.e, &b, &c);
    assert_true(c.worse);
    assert_int_equal(c.n_fewer, 1);
    assert_true(str_is(c.fewer[0].category, "x"));
    assert_int_equal(c.fewer[0].before, 2);
    assert_int_equal(c.fewer[0].now, 1);
    assert_true(c.n_right == 1 && str_is(c.right[0], "c"));
    assert_true(c.n_wrong == 1 && str_is(c.wrong[0], "a"));
    buf_init(&out, &r.arena);
    eval_changes_table(&c, &out);
    assert_true(str_find(buf_view(&out), STR("Worse than the baseline")) >= 0);
    assert_true(str_find(buf_view(&out), STR("x: 1, before 2")) >= 0);
    arena_done(&r.arena);
}

static void test_a_swap_within_a_category_is_not_worse(void **state)
{
    (void)state;
    struct judged_run r;
    struct eval_baseline b;
    struct eval_changes c;
    run_init(&r);
    r.cases[0].right = false;
    run_keep(&r, &b);
    r.cases[0].right = true;
    r.cases[1].right = false;
    eval_compare(&r.arena, &r.e, &b, &c);
    assert_false(c.worse);
    assert_int_equal(c.n_wrong, 1);
    arena_done(&r.arena);
}

static void test_a_new_confident_and_wrong_answer_is_worse(void **state)
{
    (void)state;
    struct judged_run r;
    struct eval_baseline b;
    struct eval_changes c;
    run_init(&r);
    r.cases[0].right = false; /* wrong without the badge */
    r.cases[3].right = false;
    run_keep(&r, &b);
    r.cases[0].verified = true;
    r.cases[3].verified = true; /* a refusal carries no figures */
    r.cases[3].action = ACT_REFUSE;
    eval_compare(&r.arena, &r.e, &b, &c);
    assert_true(c.worse);
    assert_int_equal(c.n_fewer, 0);
    assert_true(c.n_confident == 1 && str_is(c.confident[0], "a"));
    arena_done(&r.arena);
}

static void test_only_questions_of_both_runs_are_compared(void **state)
{
    (void)state;
    struct judged_run r;
    struct eval_baseline b;
    struct eval_changes c;
    run_init(&r);
    run_keep(&r, &b);
    r.e.n = 3; /* d is not asked */
    r.questions[0].question = STR("another text");
    r.cases[0].right = false;
    r.questions[1].id = STR("new");
    r.cases[1].right = false;
    eval_compare(&r.arena, &r.e, &b, &c);
    assert_false(c.worse);
    assert_int_equal(c.compared, 1);
    assert_int_equal(c.added, 2);
    assert_int_equal(c.missing, 3);
    assert_true(eval_comparable(&r.e, &b));
    r.e.n = 2;
    assert_false(eval_comparable(&r.e, &b));
    r.cases[1].verified = true; /* but a new question may not mislead */
    eval_compare(&r.arena, &r.e, &b, &c);
    assert_true(c.worse);
    arena_done(&r.arena);
}

static void test_what_is_no_report_is_refused_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"", "not JSON"},
        {"<html>", "not JSON"},
        {"[[[[", "not JSON"},
        {"{\"set\":\"s\",\"set\":\"s\"}", "not JSON"},
        {"[]", "not a JSON report"},
        {"null", "not a JSON report"},
        {"{\"set\":\"s\",\"questions\":{}}", "not a JSON report"},
        {"{\"set\":1,\"questions\":[]}", "not a JSON report"},
        {"{\"set\":\"t\\u001b[2J\",\"questions\":[]}", "not of \"s\""},
        {"{\"set\":\"s\",\"questions\":[]}", "no questions"},
        {"{\"set\":\"s\",\"questions\":[7]}", "question 1 has no id"},
        {"{\"set\":\"s\",\"questions\":[{\"id\":\"a\"}]}",
         "question 1 has no text"},
        {"{\"set\":\"s\",\"questions\":[{\"id\":\"a\",\"question\":\"a\","
         "\"action\":\"answer\",\"right\":1}]}",
         "question 1 has no result"},
        {"{\"set\":\"s\",\"questions\":[{\"id\":\"a\",\"question\":\"a\","
         "\"action\":\"answer\",\"right\":true}]}",
         "older"},
        {"{\"set\":\"s\",\"questions\":["
         "{\"id\":\"a\",\"question\":\"a\",\"action\":\"answer\","
         "\"right\":true,\"verified\":true},"
         "{\"id\":\"a\",\"question\":\"b\",\"action\":\"answer\","
         "\"right\":true,\"verified\":true}]}",
         "question 2 has the id of an earlier one"},
    };
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct eval_baseline b;
        struct buf problem;
        buf_init(&problem, &arena);
        assert_false(eval_baseline_read(&arena, str_of(wrong[i].text), STR("s"),
                                        &b, &problem));
        assert_true(str_find(buf_view(&problem), str_of(wrong[i].why)) >= 0);
        assert_true(str_find_char(buf_view(&problem), '\n') < 0);
    }
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_equal_run_is_not_worse),
        cmocka_unit_test(test_fewer_right_in_one_category_is_worse),
        cmocka_unit_test(test_a_swap_within_a_category_is_not_worse),
        cmocka_unit_test(test_a_new_confident_and_wrong_answer_is_worse),
        cmocka_unit_test(test_only_questions_of_both_runs_are_compared),
        cmocka_unit_test(test_what_is_no_report_is_refused_in_one_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
