#include "agent/admission.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define ANN STR("11111111-1111-4111-8111-111111111111")
#define BOB STR("22222222-2222-4222-8222-222222222222")
#define CAT STR("33333333-3333-4333-8333-333333333333")

static void test_beyond_the_bound_places_wait(void **state)
{
    (void)state;
    struct admission a;
    admission_init(&a, 2, 10);
    struct ticket *p[3];
    for (int i = 0; i < 3; i++)
        p[i] = admission_enter(&a, ANN);
    assert_true(ticket_runs(p[0]) && ticket_runs(p[1]));
    assert_false(ticket_runs(p[2]));
    assert_int_equal(a.running, 2);
    assert_int_equal(a.waiting, 1);
    ticket_leave(&p[0]);
    assert_null(p[0]);
    assert_true(ticket_runs(p[2]));
    assert_true(ticket_wake(p[2])->pending);
    ticket_leave(&p[1]);
    ticket_leave(&p[2]);
    assert_int_equal(a.running + a.waiting, 0);
}

static void test_users_take_turns(void **state)
{
    (void)state;
    struct admission a;
    admission_init(&a, 1, 100);
    struct ticket *now = admission_enter(&a, ANN);
    struct str users[] = {ANN, ANN, ANN, BOB, CAT, BOB};
    const int turns[] = {0, 3, 4, 1, 5, 2};
    struct ticket *p[6];
    for (int i = 0; i < 6; i++)
        p[i] = admission_enter(&a, users[i]);
    for (int i = 0; i < 6; i++) {
        ticket_leave(&now);
        assert_int_equal(a.running, 1);
        assert_true(ticket_runs(p[turns[i]]));
        now = p[turns[i]];
    }
    ticket_leave(&now);
    assert_int_equal(a.running + a.waiting, 0);
}

static void test_whoever_leaves_the_line_lets_others_up(void **state)
{
    (void)state;
    struct admission a;
    admission_init(&a, 1, 100);
    struct ticket *now = admission_enter(&a, ANN);
    struct ticket *first = admission_enter(&a, BOB);
    struct ticket *middle = admission_enter(&a, BOB);
    struct ticket *last = admission_enter(&a, BOB);
    ticket_leave(&middle);
    ticket_leave(&first);
    assert_int_equal(a.waiting, 1);
    ticket_leave(&now);
    assert_true(ticket_runs(last));
    ticket_leave(&last);
    assert_int_equal(a.running + a.waiting, 0);
}

static void test_the_lines_have_a_bound(void **state)
{
    (void)state;
    struct admission a;
    admission_init(&a, 1, 4);
    struct ticket *p[5];
    p[0] = admission_enter(&a, ANN);
    p[1] = admission_enter(&a, ANN);
    p[2] = admission_enter(&a, ANN);
    /* One user may take half of the tickets. */
    assert_null(admission_enter(&a, ANN));
    p[3] = admission_enter(&a, BOB);
    p[4] = admission_enter(&a, CAT);
    assert_non_null(p[4]);
    assert_null(admission_enter(&a, STR("somebody else")));
    for (int i = 4; i >= 0; i--)
        ticket_leave(&p[i]);
    assert_int_equal(a.running + a.waiting, 0);
}

static void test_without_a_line_there_is_none(void **state)
{
    (void)state;
    struct admission a;
    admission_init(&a, 1, 0);
    struct ticket *p = admission_enter(&a, ANN);
    assert_null(admission_enter(&a, BOB));
    ticket_leave(&p);
}

static void test_what_is_taken_up_again_runs_whatever_the_bound(void **state)
{
    (void)state;
    struct admission a;
    admission_init(&a, 1, 10);
    struct ticket *p = admission_enter(&a, ANN), *waits, *again;
    again = admission_resume(&a);
    waits = admission_enter(&a, BOB);
    assert_true(ticket_runs(again));
    ticket_leave(&p);
    assert_false(ticket_runs(waits)); /* there is still one too many */
    ticket_leave(&again);
    assert_true(ticket_runs(waits));
    ticket_leave(&waits);
}

static void test_no_bound_is_none(void **state)
{
    (void)state;
    struct admission a;
    struct ticket *p[100];
    admission_init(&a, 0, 0);
    for (int i = 0; i < 100; i++) {
        p[i] = admission_enter(&a, ANN);
        assert_true(ticket_runs(p[i]));
    }
    for (int i = 0; i < 100; i++)
        ticket_leave(&p[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beyond_the_bound_places_wait),
        cmocka_unit_test(test_users_take_turns),
        cmocka_unit_test(test_whoever_leaves_the_line_lets_others_up),
        cmocka_unit_test(test_the_lines_have_a_bound),
        cmocka_unit_test(test_without_a_line_there_is_none),
        cmocka_unit_test(test_what_is_taken_up_again_runs_whatever_the_bound),
        cmocka_unit_test(test_no_bound_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
