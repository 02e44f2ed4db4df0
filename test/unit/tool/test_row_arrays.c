/* Rows of a result as arrays; what Python returns as rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#undef fail /* cmocka and flow.h both define it */
#include "base/arena.h"
#include "tool/csv_tools.h"
#include <string.h>
#include "base/banned.h"

static const char *arrays(struct arena *a, const char *rows)
{
    static const struct str types[] = {STR("int4"), STR("numeric"),
                                       STR("text")};
    struct row_arrays r;
    struct buf out;
    buf_init(&out, a);
    row_arrays_init(&r, a, str_of(rows), types, 3);
    while (row_arrays_next(&r, &out))
        buf_char(&out, ';');
    return buf_cstr(&out);
}

static void test_rows_become_arrays(void **state)
{
    struct arena *a = *state;
    assert_string_equal(arrays(a, "[]"), "");
    assert_string_equal(arrays(a, ""), "");
    assert_string_equal(
        arrays(a, "[{\"a\":1,\"b\":\"2.50\",\"c\":\"3\"},{\"a\":null,\"b\":"
                  "null,\"c\":\"x ] } \\\" \"}]"),
        "[1,2.50,\"3\"];[null,null,\"x ] } \\\" \"];");
}

static void test_a_numeric_that_a_double_cannot_hold_stays_text(void **state)
{
    struct arena *a = *state;
    assert_string_equal(
        arrays(a, "[{\"a\":1,\"b\":\"-123456789012345\",\"c\":\"\"}]"),
        "[1,-123456789012345,\"\"];");
    assert_string_equal(
        arrays(a, "[{\"a\":1,\"b\":\"1234567890123456\",\"c\":\"\"}]"),
        "[1,\"1234567890123456\",\"\"];");
    assert_string_equal(arrays(a, "[{\"a\":1,\"b\":\"NaN\",\"c\":\"\"}]"),
                        "[1,\"NaN\",\"\"];");
    assert_string_equal(arrays(a, "[{\"a\":1,\"b\":\"1-2\",\"c\":\"\"}]"),
                        "[1,\"1-2\",\"\"];");
}

static const char *returned(struct arena *a, const char *text)
{
    struct python_taken taken = {csv_result_file, str_of(text)};
    struct python_tool p = {.taken = &taken, .n_taken = 1};
    return arena_cstr(a, csv_python_rows(a, &p));
}

static void test_only_rows_of_values_are_taken_from_python(void **state)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{",
        "{\"columns\":[],\"rows\":{}}",
        "{\"columns\":[1],\"rows\":[]}",
        "{\"columns\":[\"a\"],\"rows\":[1]}",
        "{\"columns\":[\"a\"],\"rows\":[[[1]]]}",
        "{\"columns\":[\"a\"],\"rows\":[[{\"x\":1}]]}",
        "{\"rows\":[]}",
    };
    struct arena *a = *state;
    assert_string_equal(
        returned(a, "{\"columns\":[\"a\"],\"rows\":[[1],[null],[\"x\"]],"
                    "\"row_count\":5,\"truncated\":true,\"more\":{}}"),
        "{\"columns\":[\"a\"],\"rows\":[[1],[null],[\"x\"]],\"row_count\":5,"
        "\"truncated\":true}");
    assert_string_equal(
        returned(a, "{\"columns\":[],\"rows\":[],\"row_count\":-1}"),
        "{\"columns\":[],\"rows\":[],\"row_count\":0,\"truncated\":false}");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_string_equal(returned(a, bad[i]), "");
}

static int arena_open(void **state)
{
    static struct arena arena;
    arena_init(&arena, 0);
    *state = &arena;
    return 0;
}

static int arena_close(void **state)
{
    arena_done(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows_become_arrays, arena_open,
                                        arena_close),
        cmocka_unit_test_setup_teardown(
            test_a_numeric_that_a_double_cannot_hold_stays_text, arena_open,
            arena_close),
        cmocka_unit_test_setup_teardown(
            test_only_rows_of_values_are_taken_from_python, arena_open,
            arena_close)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
