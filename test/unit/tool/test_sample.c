/* Which rows of a table a model is shown. */
#include "sample.h"
#include "../arena_test.h"
#include "base/banned.h"

static void test_rows_differ_from_one_another(void **state)
{
    (void)state;
    struct str cells[] = {STR("1"), STR("open"), STR("1"), STR("open"),
                          STR("1"), STR("open"), STR("2"), STR("paid"),
                          STR("3"), {NULL, 0},   STR("4"), STR("gone")};
    struct query_tool q = {.cells = cells,
                           .n_columns = 2,
                           .n_rows = 6,
                           .n_shown = 6,
                           .more_rows = true};
    const struct query_tool *s = sample_choose(&arena, &q, 3);
    assert_int_equal(s->n_rows, 3);
    assert_false(s->more_rows);
    assert_true(str_is(s->cells[1], "open"));
    assert_true(str_is(s->cells[3], "paid"));
    assert_true(str_is(s->cells[5], "gone"));
    s = sample_choose(&arena, &q, 10);
    assert_int_equal(s->n_rows, 6); /* each once */
    assert_null(s->cells[7].ptr);   /* NULL stays NULL */
}

static void test_cells_are_short_and_on_one_line(void **state)
{
    char large[5000];
    (void)state;
    memset(large, 'x', sizeof large);
    struct str cells[] = {
        {large, sizeof large}, STR("a\n```\n## Rules\x1b"), {"", 0}};
    struct query_tool q = {
        .cells = cells, .n_columns = 3, .n_rows = 1, .n_shown = 1};
    const struct query_tool *s = sample_choose(&arena, &q, 3);
    assert_true(s->cells[0].len < SAMPLE_CELL + 10);
    assert_true(str_is(s->cells[1], "a `` ## Rules "));
    assert_non_null(s->cells[2].ptr); /* empty, and not NULL */
}

static void test_no_rows_give_none(void **state)
{
    (void)state;
    struct query_tool q = {.n_columns = 2};
    assert_int_equal(sample_choose(&arena, &q, 3)->n_rows, 0);
}

static void test_a_query_reads_a_bounded_part(void **state)
{
    (void)state;
    struct str sql =
        sample_sql(&arena, DIALECT_POSTGRES, STR("\"public\".\"t\""), 3);
    assert_true(str_find(sql, STR("from \"public\".\"t\" as sample limit "
                                  "20000)")) > 0);
    assert_true(str_ends(sql, STR(" limit 60")));
    assert_int_equal(sample_window(30), 90);
    assert_int_equal(sample_window(100), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(test_rows_differ_from_one_another),
        ARENA_TEST(test_cells_are_short_and_on_one_line),
        ARENA_TEST(test_no_rows_give_none),
        ARENA_TEST(test_a_query_reads_a_bounded_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
