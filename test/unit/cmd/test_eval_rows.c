/* Two results that say the same, or do not. */
#include "eval/rows.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena arena;

/* "a,b;c,~": rows of cells; ~ is NULL. */
static struct eval_rows rows(const char *text)
{
    struct eval_rows out = {0};
    struct str rest = str_of(text), row, cell;
    out.cells = arena_new_array(&arena, struct str, 100);
    while (str_split(&rest, ';', &row)) {
        size_t n = 0;
        while (str_split(&row, ',', &cell)) {
            if (!str_is(cell, "~"))
                out.cells[out.n_rows * out.n_columns + n] =
                    arena_str(&arena, cell);
            n++;
            if (out.n_rows == 0)
                out.n_columns = n;
        }
        out.n_rows++;
    }
    return out;
}

static bool alike(const char *gold, const char *result, bool ordered)
{
    struct eval_rows a = rows(gold), b = rows(result);
    return eval_rows_alike(&arena, &a, &b, ordered);
}

static bool same(const char *gold, const char *part, bool ordered)
{
    struct eval_rows a = rows(gold), b = rows(part);
    return eval_rows_same(&arena, &a, &b, ordered);
}

static int end(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static void test_order_counts_only_where_it_is_asked_for(void **state)
{
    (void)state;
    assert_true(alike("x,1;y,2", "y,2;x,1", false));
    assert_false(alike("x,1;y,2", "y,2;x,1", true));
    assert_true(alike("x,1;y,2", "x,1;y,2", true));
}

static void test_columns_may_stand_in_any_order_and_be_more(void **state)
{
    (void)state;
    assert_true(alike("x,1;y,2", "1,x;2,y", false));
    assert_true(alike("x,1;y,2", "9,1,x;9,2,y", true));
    assert_false(alike("x,1;y,2", "x;y", false));
}

static void
test_columns_with_the_same_values_are_told_apart_by_rows(void **state)
{
    (void)state;
    /* All three columns hold 1, 2, 3; only one assignment fits the rows. */
    assert_true(alike("1,2,3;2,3,1;3,1,2", "3,1,2;1,2,3;2,3,1", false));
    assert_false(alike("1,1;2,2;3,3", "1,2;2,3;3,1", false));
}

static void test_rows_are_a_bag_and_not_a_set(void **state)
{
    (void)state;
    assert_false(alike("x;x;y", "x;y;y", false));
    assert_false(alike("x", "x;x", false));
    assert_true(alike("x;x;y", "x;y;x", false));
}

static void test_what_is_rounded_is_like_what_is_not(void **state)
{
    (void)state;
    assert_true(alike("12.3456", "12.35", false));
    assert_true(alike("12.5,a;12.499,b", "12.50,a;12.50,b", false));
    assert_true(alike("0.1", "0.10000000001", false));
    assert_true(alike("3", "3.00", false));
    assert_false(alike("12.3456", "12.4", false));
    assert_false(alike("12.3456", "12", false));
    assert_false(alike("1000001", "1000000", false));
    assert_false(alike("12.34", "12.36", false));
}

static void test_null_is_like_null_alone(void **state)
{
    (void)state;
    assert_true(alike("~,1", "~,1", false));
    assert_false(alike("~", "0", false));
    assert_true(alike("x,~;y,1", "y,1;x,~", false));
}

static void test_a_day_is_like_its_midnight(void **state)
{
    (void)state;
    assert_true(alike("2025-01-31", "2025-01-31 00:00:00+00", false));
    assert_true(alike("2025-01-31 10:00:00", "2025-01-31T10:00:00Z", false));
    assert_false(alike("2025-01-31", "2025-01-31 10:00:00", false));
    assert_true(alike("t", "true", false));
}

static void test_a_code_with_zeros_in_front_is_no_number(void **state)
{
    (void)state;
    assert_false(alike("01234", "1234", false));
}

static void test_the_same_is_exact_and_in_its_columns(void **state)
{
    (void)state;
    assert_true(same("x,1.5;y,~", "y,~;x,1.5", false));
    assert_false(same("x,1.50001", "x,1.5", false));
    assert_false(same("x,1", "1,x", false));
    assert_false(same("x;y", "y;x", true));
    assert_false(same("12345678901234567890", "12345678901234567891", false));
}

static void test_a_part_is_the_first_rows_or_some_of_them(void **state)
{
    (void)state;
    assert_true(same("x;y;z", "z;x", false));
    assert_true(same("x;y;z", "x;y", true));
    assert_false(same("x;y;z", "y;z", true));
    assert_false(same("x;y;z", "x;x", false));
    assert_false(same("x", "x;y", false));
}

static void test_nothing_is_like_nothing(void **state)
{
    (void)state;
    struct eval_rows none = {.n_columns = 2}, other = {.n_columns = 3};
    assert_true(eval_rows_alike(&arena, &none, &other, true));
    assert_true(eval_rows_same(&arena, &none, &none, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_counts_only_where_it_is_asked_for),
        cmocka_unit_test(test_columns_may_stand_in_any_order_and_be_more),
        cmocka_unit_test(
            test_columns_with_the_same_values_are_told_apart_by_rows),
        cmocka_unit_test(test_rows_are_a_bag_and_not_a_set),
        cmocka_unit_test(test_what_is_rounded_is_like_what_is_not),
        cmocka_unit_test(test_null_is_like_null_alone),
        cmocka_unit_test(test_a_day_is_like_its_midnight),
        cmocka_unit_test(test_a_code_with_zeros_in_front_is_no_number),
        cmocka_unit_test(test_the_same_is_exact_and_in_its_columns),
        cmocka_unit_test(test_a_part_is_the_first_rows_or_some_of_them),
        cmocka_unit_test(test_nothing_is_like_nothing),
    };
    arena_init(&arena, 0);
    return cmocka_run_group_tests(tests, NULL, end);
}
