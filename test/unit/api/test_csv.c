/* Rows as CSV: what programs read back, and what no spreadsheet runs. */
#include "export/csv.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static void one(struct str cell, const char *line)
{
    struct buf out;
    buf_init(&out, NULL);
    csv_row(&out, &cell, 1);
    assert_string_equal(buf_cstr(&out), line);
    buf_done(&out);
}

static void test_a_row_is_cells_and_commas_and_a_line_end(void **state)
{
    (void)state;
    const struct str cells[] = {
        STR("a"), STR("1"), {NULL, 0}, STR(""), STR("é")};
    struct buf out;
    buf_init(&out, NULL);
    csv_row(&out, cells, 5);
    csv_row(&out, cells, 1);
    assert_string_equal(buf_cstr(&out), "a,1,,\"\",é\r\na\r\n");
    buf_done(&out);
}

static void test_a_cell_is_quoted_when_it_has_to_be(void **state)
{
    (void)state;
    one(STR("plain text"), "plain text\r\n");
    one(STR("a,b"), "\"a,b\"\r\n");
    one(STR("say \"hi\""), "\"say \"\"hi\"\"\"\r\n");
    one(STR("two\nlines"), "\"two\nlines\"\r\n");
    one(STR("two\r\nlines"), "\"two\r\nlines\"\r\n");
    one(STR(" space "), "\" space \"\r\n");
    one((struct str){"a\xff", 2}, "a\xef\xbf\xbd\r\n");
}

static void test_no_cell_begins_a_formula(void **state)
{
    (void)state;
    static const char *const formulas[] = {"=1+1",      "=cmd|' /C calc'!A0",
                                           "+1+1",      "-1+1",
                                           "@SUM(1)",   "\t=1",
                                           "\r=1",      "\n=1",
                                           "-",         "+",
                                           "-e5",       "-1e",
                                           "-.5",       "--1",
                                           "+1 234",    "-1,5",
                                           "\uff1d1+1", "\uff0b1",
                                           "\uff0d1",   "\uff20A"};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        struct buf out;
        struct str cell = str_of(formulas[i]);
        buf_init(&out, NULL);
        csv_row(&out, &cell, 1);
        assert_memory_equal(buf_cstr(&out), "\"'", 2);
        assert_memory_equal(out.ptr + 2, cell.ptr, cell.len);
        buf_done(&out);
    }
}

static void test_numbers_are_numbers(void **state)
{
    (void)state;
    one(STR("-1"), "-1\r\n");
    one(STR("+12.50"), "+12.50\r\n");
    one(STR("-3.7e-12"), "-3.7e-12\r\n");
    one(STR("2026-11-22"), "2026-11-22\r\n");
    one(STR("a=b"), "a=b\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_is_cells_and_commas_and_a_line_end),
        cmocka_unit_test(test_a_cell_is_quoted_when_it_has_to_be),
        cmocka_unit_test(test_no_cell_begins_a_formula),
        cmocka_unit_test(test_numbers_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
