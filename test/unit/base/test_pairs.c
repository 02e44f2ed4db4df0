/* Lists of names and values, as OpenTelemetry's settings have them. */
#include "base/pairs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "base/banned.h"

static void test_pairs_are_read_one_by_one(void **state)
{
    (void)state;
    struct arena a;
    struct str list = STR("one=1, two = b%20c ,,three=x=y,four=");
    static const char *const wanted[][2] = {
        {"one", "1"}, {"two", "b c"}, {"three", "x=y"}, {"four", ""}};
    struct str name, value;
    arena_init(&a, 0);
    for (int i = 0; i < 4; i++) {
        assert_true(pairs_next(&a, &list, &name, &value));
        assert_true(str_is(name, wanted[i][0]));
        assert_true(str_is(value, wanted[i][1]));
    }
    assert_false(pairs_next(&a, &list, &name, &value));
    assert_int_equal(name.len, 0);
    arena_done(&a);
}

static void test_a_malformed_list_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "one",     "=1",      "a b=1",  "a:b=1",       "a=%0d%0aevil: 1",
        "a=%",     "a=%2",    "a=%zz",  "a=%ff",       "a=%00",
        "a=1,two", "a\x7f=1", "a=1\n1", "a=1,\"b\"=2", "\xc3\xa4=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (pairs_good(str_of(bad[i]), 100))
            fail_msg("taken: %s", bad[i]);
}

static void test_a_list_has_a_bound(void **state)
{
    (void)state;
    assert_true(pairs_good(STR(""), 0));
    assert_true(pairs_good(STR("a=1,b=2"), 2));
    assert_false(pairs_good(STR("a=1,b=2"), 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_are_read_one_by_one),
        cmocka_unit_test(test_a_malformed_list_is_refused),
        cmocka_unit_test(test_a_list_has_a_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
