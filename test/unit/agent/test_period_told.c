/* The period of an answer, as the date literals of its queries tell it. */
#include "period_told.h"
#include "../arena_test.h"
#include "base/banned.h"

static void test_the_days_of_a_query_are_told(void **state)
{
    static const char *const cases[][2] = {
        {"d >= date '2026-10-01' and d < date '2026-11-01'",
         "2026-10-01 to 2026-10-31 (d)"},
        {"d between '2026-10-01' and '2026-10-31'",
         "2026-10-01 to 2026-10-31 (d)"},
        {"d > '2026-09-30' and d <= '2026-10-31'",
         "2026-10-01 to 2026-10-31 (d)"},
        {"d >= '2026-10-01 00:00:00' and d < '2026-11-01T00:00:00Z'",
         "2026-10-01 to 2026-10-31 (d)"},
        {"d >= '2026-10-01' and d <= '2026-10-31 23:59:59'",
         "2026-10-01 to 2026-10-31 (d)"},
        {"d::date >= '2026-10-01' and d::date < '2026-10-08'",
         "2026-10-01 to 2026-10-07 (d)"},
        {"d = '2026-10-05'", "2026-10-05 to 2026-10-05 (d)"},
        {"d >= '2026-10-01'", "from 2026-10-01 on (d)"},
        {"d < '2026-10-01'", "until 2026-09-30 (d)"},
        {"(d >= '2026-01-01' and d < '2026-02-01') or (d >= '2025-01-01' and d "
         "< '2025-02-01')",
         "2026-01-01 to 2026-01-31 (d); 2025-01-01 to 2025-01-31 (d)"},
        {"d >= '2026-10-01' and d < '2026-11-01' and e < '2026-12-24'",
         "2026-10-01 to 2026-10-31 (d); until 2026-12-23 (e)"},
        {"date_trunc('month', d) = '2026-10-01'", ""},
        {"name = 'x' and d >= 'soon' and n > '5' and d < '2026-02-30'", ""},
        {"d >= current_date", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sql_result result = {
            .sql = arena_printf(*state, "select sum(x) from t where %s",
                                cases[i][0])};
        struct step_result step = {.sql_result = &result};
        struct step_results all = {.results = &step, .n_results = 1};
        struct str text = period_of_results(*state, &all);
        if (!str_is(text, cases[i][1]))
            fail_msg("%s: %.*s", cases[i][0], STR_ARG(text));
    }
    assert_int_equal(period_of_results(*state, NULL).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_days_of_a_query_are_told),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
