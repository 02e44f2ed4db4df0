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

static struct str report_of(struct arena *arena, const struct eval *e,
                            void (*format)(struct arena *, const struct eval *,
                                           struct buf *))
{
    struct buf out;
    buf_init(&out, arena);
    format(arena, e, &out);
    return buf_finish(&out);
}

static void test_tokens_cost_what_the_prices_say(void **state)
{
    (void)state;
    struct eval e = {.n = 2};
    struct eval_question q = {.id = STR("q"), .category = STR("a")};
    struct eval_case cases[] = {{.eval = &e,
                                 .question = &q,
                                 .prompt_tokens = 1000000,
                                 .completion_tokens = 200000,
                                 .estimated = true},
                                {.eval = &e,
                                 .question = &q,
                                 .prompt_tokens = 2000000,
                                 .completion_tokens = 300000}};
    struct arena arena;
    arena_init(&arena, 0);
    e.cases = cases;
    struct str json = report_of(&arena, &e, eval_json);
    struct str table = report_of(&arena, &e, eval_table);
    struct str page = report_of(&arena, &e, eval_html);
    assert_true(str_find(table, STR("tokens     3000000 prompt, 500000 "
                                    "completion;  1750000 a question;  "
                                    "estimated for 1 question")) >= 0);
    assert_true(str_find(json, STR("\"cost\"")) < 0);
    assert_true(str_find(table, STR("cost")) < 0);
    assert_true(str_find_nocase(page, STR("cost")) < 0);
    assert_true(price_read(STR("2.50,10"), ',', &e.price));
    json = report_of(&arena, &e, eval_json);
    table = report_of(&arena, &e, eval_table);
    page = report_of(&arena, &e, eval_html);
    assert_true(str_find(json, STR("\"cost\":12.5")) >= 0);
    assert_true(str_find(json, STR("\"cost\":4.5")) >= 0);
    assert_true(str_find(table, STR("cost       12.5000;  6.250000")) >= 0);
    assert_true(str_find(page, STR("Cost 12.5000")) >= 0);
    assert_true(str_find(page, STR("cost 8.000000")) >= 0);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_answers_with_the_badge_are_counted),
        cmocka_unit_test(test_tokens_cost_what_the_prices_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
