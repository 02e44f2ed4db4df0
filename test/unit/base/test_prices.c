/* What the prices of tokens may look like, and what they make of a run. */
#include "base/prices.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static double cost(const struct token_price *p, int64_t input, int64_t cached,
                   int64_t output)
{
    return amount_real(price_amount(p, input, cached, output));
}

static void test_a_cost_is_that_of_all_kinds_of_tokens(void **state)
{
    (void)state;
    struct token_price p = {0};
    assert_float_equal(cost(&p, 1000, 0, 1000), 0, 0);
    assert_true(price_read(STR("2.50, 10"), ',', &p));
    assert_float_equal(cost(&p, 1000000, 0, 0), 2.5, 1e-9);
    assert_float_equal(cost(&p, 0, 0, 500000), 5, 1e-9);
    assert_float_equal(cost(&p, 1234, 1234, 56), 0.003645, 1e-9);
    assert_true(price_read(STR("0,.3"), ',', &p));
    assert_float_equal(cost(&p, 5000000, 0, 1000000), 0.3, 1e-9);
    assert_true(price_read(STR("2/0.2/10"), '/', &p));
    assert_float_equal(cost(&p, 1000000, 400000, 0), 1.28, 1e-9);
    assert_float_equal(cost(&p, 10, 20, 0), 0.000002, 1e-9);
    assert_float_equal(cost(&p, 1, 0, 0), 0.000002, 1e-9);
}

static void test_the_longest_name_that_fits_has_the_price(void **state)
{
    (void)state;
    struct prices p;
    assert_true(prices_read(STR("gpt-5=1/2, gpt-5.4=3/0.3/4,*=9/9"), &p));
    assert_int_equal(p.n, 3);
    assert_float_equal(prices_of(&p, STR("gpt-5.4-2026-03-01")).input, 3, 0);
    assert_float_equal(prices_of(&p, STR("gpt-5-mini")).input, 1, 0);
    assert_false(prices_of(&p, STR("gpt-4o")).known);
    assert_false(prices_of(NULL, STR("gpt-5")).known);
}

static void test_a_malformed_list_has_no_prices(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "a", "a=1", "=1/2", "a=1,2", "a=1/b", "a=1/2/3/4", "a=1/2,,b=1/2"};
    struct prices p;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (prices_read(str_of(wrong[i]), &p))
            fail_msg("taken: %s", wrong[i]);
}

static void test_an_amount_is_a_decimal_number(void **state)
{
    (void)state;
    int64_t amount;
    assert_true(amount_read(STR("12.5"), &amount));
    assert_int_equal(amount, 12500000000);
    assert_true(amount_read(STR("0"), &amount));
    assert_int_equal(amount, 0);
    assert_false(amount_read(STR("-1"), &amount));
    assert_false(amount_read(STR("1e3"), &amount));
    assert_false(amount_read(STR("$5"), &amount));
    assert_false(amount_read(STR("99999999999"), &amount));
}

static void test_other_texts_are_no_prices(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        ",",
                                        "1",
                                        "1,",
                                        ",1",
                                        "1,2,3,4",
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
        struct token_price p = {0};
        assert_false(price_read(str_of(wrong[i]), ',', &p));
        assert_false(p.known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cost_is_that_of_all_kinds_of_tokens),
        cmocka_unit_test(test_the_longest_name_that_fits_has_the_price),
        cmocka_unit_test(test_a_malformed_list_has_no_prices),
        cmocka_unit_test(test_an_amount_is_a_decimal_number),
        cmocka_unit_test(test_other_texts_are_no_prices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
