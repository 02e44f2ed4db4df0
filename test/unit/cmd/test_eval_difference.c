/* What the report says about two results that are not alike. */
#include "eval/difference.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* "a|1;b|2" as rows; "-" is NULL. */
static struct eval_rows rows_of(struct arena *arena, const char *text)
{
    struct eval_rows rows = {0};
    struct str rest = str_of(text), row, cell;
    rows.cells = arena_new_array(arena, struct str, strlen(text) + 1);
    size_t n = 0;
    while (str_split(&rest, ';', &row)) {
        rows.n_rows++;
        while (str_split(&row, '|', &cell))
            rows.cells[n++] = str_is(cell, "-") ? (struct str){NULL, 0} : cell;
    }
    rows.n_columns = rows.n_rows ? n / rows.n_rows : 0;
    return rows;
}

static void test_the_first_difference_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *gold, *found;
        bool ordered;
        const char *text;
    } cases[] = {
        {"a|1;b|2", "b|2;a|1", false, ""},
        {"a|1;b|2", "1|a;2|b", false, ""},
        {"a|1;b|2", "x|1|a;x|2|b", false, ""},
        {"a|1;b|2", "a|1;b|3", false, "(b, 3) where (b, 2) is expected"},
        {"a|1;b|2", "3|b;1|a", false, "(b, 3) where (b, 2) is expected"},
        {"a|1;b|2", "b|2;a|1", true, "(b, 2) where (a, 1) is expected"},
        {"a|1;b|2", "a|1", false,
         "1 row where 2 are expected; (b, 2) is missing"},
        {"a|1", "a|1;c|7", false,
         "2 rows where 1 is expected; (c, 7) is not expected"},
        {"a|1", "a", false, "1 column where 2 are expected"},
        {"a|-", "a|0", false, "(a, 0) where (a, NULL) is expected"},
        {"12.3456", "12.35", false, ""},
        {"12.3456", "12.4", false, "(12.4) where (12.3456) is expected"},
    };
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct eval_rows gold = rows_of(&arena, cases[i].gold);
        struct eval_rows found = rows_of(&arena, cases[i].found);
        struct str got =
            eval_difference(&arena, &gold, &found, cases[i].ordered);
        assert_string_equal(got.len ? arena_cstr(&arena, got) : "",
                            cases[i].text);
    }
    arena_done(&arena);
}

static struct eval_rows many_cells(struct arena *arena, size_t n_rows,
                                   size_t n_columns)
{
    struct eval_rows rows = {.n_rows = n_rows, .n_columns = n_columns};
    rows.cells = arena_new_array(arena, struct str, n_rows * n_columns + 1);
    for (size_t i = 0; i < n_rows * n_columns; i++)
        rows.cells[i] = arena_printf(arena, "%zu", i * 7919 % 1000);
    return rows;
}

static void test_large_results_and_cells_are_bounded(void **state)
{
    (void)state;
    struct arena arena;
    struct str names[1600], got;
    arena_init(&arena, 0);
    for (size_t i = 0; i < 1600; i++)
        names[i] = STR("name");
    struct eval_rows wide = many_cells(&arena, 100, 1600);
    struct eval_rows other = many_cells(&arena, 99, 1600);
    got = eval_difference(&arena, &wide, &other, false);
    assert_true(got.len > 0 && got.len < 1000);
    struct eval_rows tall = many_cells(&arena, 100000, 3);
    other = many_cells(&arena, 99999, 3);
    got = eval_difference(&arena, &tall, &other, false);
    assert_true(str_is(got, "99999 rows where 100000 are expected"));
    wide.cells[0] = arena_printf(&arena, "%0100d", 7);
    struct eval_sample sample = eval_sample_take(&arena, &wide, names, 5000);
    assert_int_equal(sample.rows.n_rows, 10);
    assert_int_equal(sample.rows.n_columns, 10);
    assert_int_equal(sample.all_rows, 5000);
    assert_int_equal(sample.all_columns, 1600);
    assert_int_equal(sample.rows.cells[0].len, 60 + 3);
    assert_true(str_eq(sample.rows.cells[10], wide.cells[1600]));
    arena_done(&arena);
}

static void test_empty_results_have_no_rows_to_show(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct eval_rows none = {.n_columns = 1};
    struct eval_rows one = rows_of(&arena, "a");
    struct str got = eval_difference(&arena, &one, &none, false);
    assert_true(str_is(got, "0 rows where 1 is expected; (a) is missing"));
    got = eval_difference(&arena, &none, &none, false);
    assert_int_equal(got.len, 0);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_difference_is_found),
        cmocka_unit_test(test_large_results_and_cells_are_bounded),
        cmocka_unit_test(test_empty_results_have_no_rows_to_show)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
