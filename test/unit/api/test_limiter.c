/* Who has tried too often of late. */
#include "auth/limiter.h"
#include "base/crypto.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

enum { WINDOW_MS = 60000, MOST = 3, NAMES = 100000 };

static struct limiter *a;
static unsigned retry_s;

static int setup(void **state)
{
    (void)state;
    crypto_init();
    a = limiter_new(WINDOW_MS);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    limiter_free(&a);
    return a != NULL;
}

static bool take(const char *name, uint64_t now)
{
    return limiter_acquire(a, str_of(name), MOST, now, &retry_s);
}

static void test_a_name_has_so_many_attempts_in_a_window(void **state)
{
    (void)state;
    for (int i = 0; i < MOST; i++)
        assert_true(take("ann", 1000 + (uint64_t)i));
    assert_false(take("ann", 2000));
    assert_int_equal(retry_s, 59);
    assert_true(take("bob", 2000)); /* each user has their own */
    assert_false(take("ann", 1000 + WINDOW_MS - 1));
    assert_true(take("ann", 1000 + WINDOW_MS));
}

static void test_what_was_good_does_not_count(void **state)
{
    (void)state;
    for (int i = 0; i < 10 * MOST; i++) {
        assert_true(take("ann", 1000));
        limiter_refund(a, STR("ann"), 1000);
    }
    limiter_refund(a, STR("nobody"), 1000);
    assert_true(take("nobody", 1000));
}

/* The memory is fixed: a flood of names may push out those of few attempts, not
 * one that is being tried again and again. */
static void test_a_flood_of_names_does_not_free_the_busiest(void **state)
{
    (void)state;
    char name[16];
    for (int i = 0; i < MOST; i++)
        assert_true(take("ann", 1000));
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "n%d", i);
        take(name, 1000);
    }
    assert_false(take("ann", 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_a_name_has_so_many_attempts_in_a_window, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_was_good_does_not_count,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_flood_of_names_does_not_free_the_busiest, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
