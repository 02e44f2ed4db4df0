/* The pull reader for JSON, against jansson. */
#include "base/scan.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The decoded text of a JSON string; "BAD" if it is not one. */
static void expect_text(struct str json, const char *text)
{
    struct buf out = {0};
    struct scan s = scan_of(json);
    bool well = scan_string(&s, &out);
    assert_string_equal(well ? buf_cstr(&out) : "BAD", text);
    buf_done(&out);
}

static void test_escapes_are_resolved(void **state)
{
    (void)state;
    expect_text(STR("\"plain\""), "plain");
    expect_text(STR(" \"a\\n\\t\\\"\\\\\\/b\" "), "a\n\t\"\\/b");
    expect_text(STR("\"\\u00e9\\u20ac\""), "\xc3\xa9\xe2\x82\xac");
    expect_text(STR("\"\\ud83d\\ude00\""), "\xf0\x9f\x98\x80");
    expect_text(STR("\"\""), "");
}

static void test_what_is_no_character_is_replaced(void **state)
{
    (void)state;
    expect_text(STR("\"a\\ud83dz\""), "a\xef\xbf\xbdz");
    expect_text(STR("\"\\ude00\""), "\xef\xbf\xbd");
    expect_text(STR("\"\\ud83d\\u0041\""), "\xef\xbf\xbd"
                                           "A");
    expect_text(STR("\"\\u0000\""), "\xef\xbf\xbd");
    expect_text(STR("\"\\u12\""), "\xef\xbf\xbd"
                                  "12");
}

static void test_a_cut_string_is_bad(void **state)
{
    (void)state;
    expect_text(STR("\"abc"), "BAD");
    expect_text(STR("\"abc\\\""), "BAD");
    expect_text(STR("\"abc\\"), "BAD");
    expect_text(STR("12"), "BAD");
    expect_text(STR(""), "BAD");
}

static void test_members_are_walked_and_skipped(void **state)
{
    (void)state;
    struct scan s = scan_of(
        STR(" {\"a\" : [1, {\"b\": \"}]\\\"\"}, []] , \"n\": -12, \"t\":true,"
            "\"o\":{\"x\":1}, \"e\":{} , \"z\":\"end\"} "));
    struct str key, values[6];
    int n = 0;
    assert_true(scan_object(&s));
    while (scan_member(&s, &key))
        values[n++] = scan_skip(&s);
    assert_int_equal(n, 6);
    assert_false(s.bad);
    assert_true(str_is(values[0], "[1, {\"b\": \"}]\\\"\"}, []]"));
    assert_true(str_is(values[1], "-12"));
    assert_true(str_is(values[3], "{\"x\":1}"));
    assert_true(str_is(values[5], "\"end\""));
}

static void test_every_cut_of_a_text_is_bad(void **state)
{
    (void)state;
    struct str whole = STR("{\"a\":[1,{\"b\":\"c\"}],\"d\":null,\"e\":1.5}");
    for (size_t len = 0; len <= whole.len; len++) {
        char *copy = malloc(len + 1); /* a copy of the exact size, for ASan */
        memcpy(copy, whole.ptr, len);
        struct scan s = scan_of((struct str){copy, len});
        struct str key;
        bool entered = scan_object(&s);
        while (entered && scan_member(&s, &key))
            scan_skip(&s);
        assert_int_equal(!s.bad && entered, len == whole.len);
        free(copy);
    }
}

static void test_deep_nesting_is_bad(void **state)
{
    (void)state;
    char deep[400];
    memset(deep, '[', sizeof deep);
    struct scan s = scan_of((struct str){deep, sizeof deep});
    scan_skip(&s);
    assert_true(s.bad);
}

static double real(struct str text)
{
    struct scan s = scan_of(text);
    return scan_real(&s, NAN);
}

static void test_numbers_are_exact(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0.5",
                                        "1.5",
                                        "0.0123456789012",
                                        "-0.023741267621517181",
                                        "123456789.987654321",
                                        "1e-5",
                                        "-2.5E+3",
                                        "1.7976931348623157e308",
                                        "0.1",
                                        "9007199254740993",
                                        "12345678901234567890"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(real(str_of(texts[i])) == strtod(texts[i], NULL));
    assert_true(isnan(real(STR("null"))));
    assert_true(isnan(real(STR("\"1\""))));
    struct scan s = scan_of(STR("42"));
    assert_int_equal(scan_int(&s, -1), 42);
    s = scan_of(STR("4.2"));
    assert_int_equal(scan_int(&s, -1), -1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escapes_are_resolved),
        cmocka_unit_test(test_what_is_no_character_is_replaced),
        cmocka_unit_test(test_a_cut_string_is_bad),
        cmocka_unit_test(test_members_are_walked_and_skipped),
        cmocka_unit_test(test_every_cut_of_a_text_is_bad),
        cmocka_unit_test(test_deep_nesting_is_bad),
        cmocka_unit_test(test_numbers_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
