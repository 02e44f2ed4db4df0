/* What the prices of tokens may look like, and what they make of a run. */
#include "eval/prices.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_a_cost_is_that_of_both_kinds_of_tokens(void **state)
{
    (void)state;
    struct eval_prices p = {0};
    assert_float_equal(eval_cost(&p, 1000, 1000), 0, 0);
    assert_true(eval_prices_read(STR("2.50, 10"), &p));
    assert_float_equal(eval_cost(&p, 1000000, 0), 2.5, 1e-6);
    assert_float_equal(eval_cost(&p, 0, 500000), 5, 1e-6);
    assert_float_equal(eval_cost(&p, 1234, 56), 0.003645, 1e-6);
    assert_true(eval_prices_read(STR("0,.3"), &p));
    assert_float_equal(eval_cost(&p, 5000000, 1000000), 0.3, 1e-6);
}

static void test_other_texts_are_no_prices(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        ",",
                                        "1",
                                        "1,",
                                        ",1",
                                        "1,2,3",
                                        "-1,2",
                                        "1,a",
                                        "nan,1",
                                        "inf,1",
                                        "0x1,2",
                                        "1e9,2",
                                        ".,1",
                                        "1.2.3,4",
                                        "1,2 EUR",
                                        "1 0,2",
                                        "1000000000000000,1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct eval_prices p = {0};
        assert_false(eval_prices_read(str_of(wrong[i]), &p));
        assert_false(p.known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cost_is_that_of_both_kinds_of_tokens),
        cmocka_unit_test(test_other_texts_are_no_prices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
