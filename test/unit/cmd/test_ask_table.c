/* Rows for a terminal. */
#include "ask_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct buf out;

static const char *table(const char *columns, const char *rows, int64_t total)
{
    json_t *c = json_read(str_of(columns), NULL);
    json_t *r = json_read(str_of(rows), NULL);
    assert_non_null(c);
    assert_non_null(r);
    buf_done(&out);
    buf_init(&out, NULL);
    ask_table(&out, c, r, total);
    json_decref(c);
    json_decref(r);
    return buf_cstr(&out);
}

static int end(void **state)
{
    (void)state;
    buf_done(&out);
    return 0;
}

static void test_numbers_stand_right_and_texts_left(void **state)
{
    (void)state;
    assert_string_equal(table("[\"city\",\"sum\"]",
                              "[{\"city\":\"Houston\",\"sum\":\"1250.50\"},"
                              "{\"city\":\"El\",\"sum\":7}]",
                              2),
                        " city    |     sum\n"
                        "---------+---------\n"
                        " Houston | 1250.50\n"
                        " El      |       7\n"
                        "(2 rows)\n");
}

static void test_null_is_said_and_breaks_do_not_break_the_table(void **state)
{
    (void)state;
    assert_string_equal(
        table("[\"a\"]", "[{\"a\":null},{\"a\":\"x\\ny\\u001b[2J\"}]", 2),
        " a      \n"
        "---------\n"
        " (none) \n"
        " x y [2J\n"
        "(2 rows)\n");
}

static void test_many_rows_are_cut_and_it_is_said(void **state)
{
    struct buf rows;
    (void)state;
    buf_init(&rows, NULL);
    buf_char(&rows, '[');
    for (int i = 0; i < 100; i++)
        buf_printf(&rows, "%s{\"n\":%d}", i ? "," : "", i);
    buf_char(&rows, ']');
    const char *text = table("[\"n\"]", buf_cstr(&rows), 1234);
    assert_non_null(strstr(text, "(1234 rows, the first 40 shown)"));
    assert_null(strstr(text, " 40\n"));
    buf_done(&rows);
}

static void test_widths_are_of_characters_not_of_bytes(void **state)
{
    (void)state;
    assert_string_equal(
        table("[\"n\"]", "[{\"n\":\"Zürich\"},{\"n\":\"Bonn\"}]", 2),
        " n     \n"
        "--------\n"
        " Zürich\n"
        " Bonn  \n"
        "(2 rows)\n");
}

static void test_no_rows_are_a_table_too(void **state)
{
    (void)state;
    assert_string_equal(table("[\"n\"]", "[]", 0), " n\n---\n(0 rows)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_stand_right_and_texts_left),
        cmocka_unit_test(test_null_is_said_and_breaks_do_not_break_the_table),
        cmocka_unit_test(test_many_rows_are_cut_and_it_is_said),
        cmocka_unit_test(test_widths_are_of_characters_not_of_bytes),
        cmocka_unit_test(test_no_rows_are_a_table_too),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
