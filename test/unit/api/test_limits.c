#include "limits.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>
#include "base/banned.h"

#define SECOND 1000000ull
#define ANN STR("11111111-1111-4111-8111-111111111111")
#define BOB STR("22222222-2222-4222-8222-222222222222")

static void test_a_whole_quota_may_come_at_once(void **state)
{
    (void)state;
    struct limits *l = limits_open(60);
    for (unsigned i = 0; i < 60; i++) {
        struct limits_verdict v = limits_count(l, ANN, 5 * SECOND);
        assert_true(v.admitted);
        assert_int_equal(v.left, 59 - i);
    }
    assert_false(limits_count(l, ANN, 5 * SECOND).admitted);
    limits_close(&l);
    assert_null(l);
}

static void test_it_trickles_back(void **state)
{
    (void)state;
    struct limits *l = limits_open(60);
    for (int i = 0; i < 60; i++)
        limits_count(l, ANN, SECOND);
    assert_false(limits_count(l, ANN, 2 * SECOND - 1).admitted);
    assert_true(limits_count(l, ANN, 2 * SECOND).admitted);
    assert_false(limits_count(l, ANN, 2 * SECOND).admitted);
    for (int i = 0; i < 60; i++)
        assert_true(limits_count(l, ANN, 62 * SECOND).admitted);
    assert_false(limits_count(l, ANN, 62 * SECOND).admitted);
    limits_close(&l);
}

static void test_a_refusal_says_when_to_come_again(void **state)
{
    (void)state;
    struct limits *l = limits_open(6); /* one each ten seconds */
    for (int i = 0; i < 6; i++)
        limits_count(l, ANN, SECOND);
    struct limits_verdict v = limits_count(l, ANN, 4 * SECOND);
    assert_false(v.admitted);
    assert_int_equal(v.again_s, 7);
    assert_false(limits_count(l, ANN, 10 * SECOND).admitted);
    assert_true(limits_count(l, ANN, 11 * SECOND).admitted);
    limits_close(&l);
}

static void test_users_do_not_spend_for_each_other(void **state)
{
    (void)state;
    struct limits *l = limits_open(1);
    assert_true(limits_count(l, ANN, SECOND).admitted);
    assert_false(limits_count(l, ANN, SECOND).admitted);
    assert_true(limits_count(l, BOB, SECOND).admitted);
    limits_close(&l);
}

static void test_users_of_a_minute_ago_are_forgotten(void **state)
{
    (void)state;
    struct limits *l = limits_open(1);
    char id[40];
    for (unsigned i = 0; i < 100000; i++) {
        snprintf(id, sizeof id, "00000000-0000-4000-8000-%012u", i);
        assert_true(limits_count(l, str_of(id), i * SECOND).admitted);
        assert_true(limits_known(l) <= 256);
    }
    /* The latest one is still known. */
    assert_false(limits_count(l, str_of(id), 100000 * SECOND).admitted);
    limits_close(&l);
}

static void test_no_limit_is_none(void **state)
{
    (void)state;
    struct limits *none = limits_open(0);
    assert_null(none);
    limits_close(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_quota_may_come_at_once),
        cmocka_unit_test(test_it_trickles_back),
        cmocka_unit_test(test_a_refusal_says_when_to_come_again),
        cmocka_unit_test(test_users_do_not_spend_for_each_other),
        cmocka_unit_test(test_users_of_a_minute_ago_are_forgotten),
        cmocka_unit_test(test_no_limit_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
