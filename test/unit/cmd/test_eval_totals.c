/* What the report counts: answers with the badge that are wrong. */
#include "eval/eval.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_wrong_answers_with_the_badge_are_counted(void **state)
{
    (void)state;
    struct eval_question answer = {.expect = ACT_ANSWER, .category = STR("a")};
    struct eval_question refuse = {.expect = ACT_REFUSE, .category = STR("b")};
    struct eval_case cases[] = {
        {.question = &answer,
         .action = ACT_ANSWER,
         .verified = true,
         .right = true},
        {.question = &answer, .action = ACT_ANSWER, .verified = true},
        {.question = &answer, .action = ACT_ANSWER},
        {.question = &answer, .action = ACT_REFUSE, .verified = true},
        {.question = &refuse, .action = ACT_ANSWER, .verified = true},
    };
    struct eval e = {.cases = cases, .n = 5};
    struct eval_totals t;
    struct arena arena;
    struct buf out;
    arena_init(&arena, 0);
    eval_count(&arena, &e, STR(""), &t);
    assert_int_equal(t.verified, 3);
    assert_int_equal(t.verified_wrong, 2);
    eval_count(&arena, &e, STR("a"), &t);
    assert_int_equal(t.verified_wrong, 1);
    buf_init(&out, &arena);
    eval_table(&arena, &e, &out);
    assert_true(str_find(buf_view(&out), STR("3, of which 2 wrong")) >= 0);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_answers_with_the_badge_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
