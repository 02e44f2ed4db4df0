/* Which results are empty, and the answer that code writes about them. */
#include "value_lookup.h"
#include "../arena_test.h"
#include "base/banned.h"

/* Cells of rows of two columns, a text and a number; NULL: SQL's NULL. */
static bool due(const char *const *cells, int rows, int shown)
{
    static struct read_column columns[] = {{{"city", 4}, {"text", 4}},
                                           {{"n", 1}, {"int8", 4}}};
    struct str all[8];
    for (int i = 0; i < shown * 2; i++)
        all[i] = cells[i] ? str_of(cells[i]) : (struct str){NULL, 0};
    return value_lookup_due(&(struct query_tool){.columns = columns,
                                                 .n_columns = 2,
                                                 .cells = all,
                                                 .n_rows = rows,
                                                 .n_shown = shown});
}

static void test_nothing_is_no_row_or_null_or_one_zero(void **state)
{
    (void)state;
    const char *none[] = {NULL, NULL, NULL, NULL};
    const char *zero[] = {NULL, "0", NULL, "0"};
    const char *text[] = {"0", NULL};
    const char *one[] = {NULL, "1"};
    assert_true(due(none, 0, 0));
    assert_true(due(none, 1, 1));
    assert_true(due(none, 2, 2));
    assert_true(due(zero, 1, 1));
    assert_false(due(zero, 2, 2));
    assert_false(due(text, 1, 1));
    assert_false(due(one, 1, 1));
    assert_false(due(none, 3, 2));
}

static void test_only_an_answer_without_any_row_is_by_code(void **state)
{
    struct sql_result missing = {.no_rows = STR("No value of a.b is “x”.")},
                      rows = {.row_count = 1}, empty = {.no_rows = STR("")};
    struct step_result steps[2] = {{.sql_result = &missing}, {.step_id = 2}};
    struct step_results all = {.results = steps, .n_results = 2};
    assert_true(
        str_is(value_lookup_answer(*state, &all), "No value of a.b is “x”."));
    steps[1].sql_result = &empty;
    assert_true(value_lookup_answer(*state, &all).len > 0);
    steps[1].sql_result = &rows;
    assert_int_equal(value_lookup_answer(*state, &all).len, 0);
    steps[0].sql_result = steps[1].sql_result = &empty;
    assert_int_equal(value_lookup_answer(*state, &all).len, 0);
    assert_int_equal(value_lookup_answer(*state, NULL).len, 0);
}

static void test_markdown_in_values_is_escaped(void **state)
{
    struct str text = value_lookup_markdown(
        *state, STR("the nearest is “[x](http://y) **1**|”"));
    assert_true(str_find(text, STR("\\[x\\](http://y) \\*\\*1\\*\\*\\|")) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_no_row_or_null_or_one_zero),
        cmocka_unit_test(test_only_an_answer_without_any_row_is_by_code),
        cmocka_unit_test(test_markdown_in_values_is_escaped),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
