/* Sets of questions, as they are written and as they are written wrongly. */
#include "eval/set.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena arena;
static struct buf problems;
static struct eval_set set;

static bool yaml(const char *text)
{
    buf_init(&problems, &arena);
    return eval_set_read_yaml(&arena, str_of(text), &set, &problems);
}

static bool csv(const char *text)
{
    buf_init(&problems, &arena);
    return eval_set_read_csv(&arena, str_of(text), &set, &problems);
}

static void assert_str(struct str got, const char *wanted)
{
    assert_string_equal(arena_cstr(&arena, got), wanted);
}

static int end(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static void test_yaml_is_read_with_all_it_may_say(void **state)
{
    (void)state;
    assert_true(yaml("name: shop\n"
                     "ontology: retail\n"
                     "questions:\n"
                     "- id: a\n"
                     "  question: How many?\n"
                     "  category: count\n"
                     "  ordered: true\n"
                     "  sql: |\n"
                     "    select 1\n"
                     "  also:\n"
                     "  - select 2\n"
                     "  - select 3\n"
                     "- id: b\n"
                     "  question: Why?\n"
                     "  expect: refuse\n"
                     "  why: no reasons\n"));
    assert_str(set.name, "shop");
    assert_str(set.ontology, "retail");
    assert_int_equal(set.n, 2);
    const struct eval_question *a = &set.questions[0], *b = a + 1;
    assert_str(a->id, "a");
    assert_int_equal(a->n_sql, 3);
    assert_str(a->sql[0], "select 1");
    assert_str(a->sql[2], "select 3");
    assert_true(a->ordered);
    assert_int_equal(a->expect, ACT_ANSWER);
    assert_int_equal(b->expect, ACT_REFUSE);
    assert_str(b->why, "no reasons");
    assert_int_equal(b->line, 13);
}

static void test_every_problem_is_told_with_its_line(void **state)
{
    (void)state;
    assert_false(yaml("questions:\n"
                      "- id: a\n"
                      "  question: One?\n"
                      "- id: a\n"
                      "  question: One?\n"
                      "  sql: select 1\n"
                      "  expect: talk\n"
                      "- colour: red\n"));
    assert_str(
        buf_view(&problems),
        "4: expect must be refuse, clarify or conversational, not \"talk\"\n"
        "8: a question has no colour\n"
        "2: sql or expect is required\n"
        "4: duplicate id: a\n"
        "4: duplicate question: One?\n"
        "8: the question has no id\n"
        "8: the question has no text\n"
        "8: sql or expect is required\n");
}

static void test_what_is_no_set_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "a",
        "- a",
        "questions: 1",
        "questions: []",
        "{",
        "questions: [1]",
        "questions:\n- &a {id: x}\n- *a\n",
        "colour: red",
        "questions:\n- id: [a]\n  question: q\n  sql: select 1\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(yaml(texts[i]));
        assert_true(problems.len > 0);
    }
}

static void test_csv_has_its_names_in_the_first_line(void **state)
{
    (void)state;
    assert_true(csv("id,question,sql,also,also,expect,ordered\r\n"
                    "a,\"How many, \"\"all\"\"?\",\"select 1,\n2\",select 2,"
                    ",,true\r\n"
                    "b,Hello,,,,conversational,\r\n"));
    assert_int_equal(set.n, 2);
    const struct eval_question *a = &set.questions[0], *b = a + 1;
    assert_str(a->question, "How many, \"all\"?");
    assert_str(a->sql[0], "select 1,\n2");
    assert_int_equal(a->n_sql, 2);
    assert_true(a->ordered);
    assert_int_equal(b->expect, ACT_TALK);
    assert_int_equal(b->line, 4);
}

static void test_csv_that_is_wrong_says_where(void **state)
{
    (void)state;
    assert_false(csv("id,question,colour\na,b,c\n"));
    assert_non_null(strstr(buf_cstr(&problems), "1: a question has no colour"));
    assert_false(csv("id,question,sql\na,b,c,d\n"));
    assert_non_null(strstr(buf_cstr(&problems), "2: more fields than names"));
    assert_false(csv("id,question,sql\na,b,\"c\n"));
    assert_non_null(strstr(buf_cstr(&problems), "a quote is not closed"));
    assert_false(csv(""));
    assert_false(csv("id,question,sql\n\n\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yaml_is_read_with_all_it_may_say),
        cmocka_unit_test(test_every_problem_is_told_with_its_line),
        cmocka_unit_test(test_what_is_no_set_is_refused),
        cmocka_unit_test(test_csv_has_its_names_in_the_first_line),
        cmocka_unit_test(test_csv_that_is_wrong_says_where),
    };
    arena_init(&arena, 0);
    return cmocka_run_group_tests(tests, NULL, end);
}
