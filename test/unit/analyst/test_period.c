/* Relative periods: the calendar's days at the borders of weeks, months,
 * quarters and years, the data's last complete period, and what the SQL and the
 * answer say of them. */
#include "analyst/period.h"
#include "base/json.h"
#include "models.h"
#include "../arena_test.h"

static int64_t day(const char *text)
{
    int64_t out;
    if (!period_day_read(str_of(text), &out))
        fail_msg("%s is no day", text);
    return out;
}

struct calendar_case {
    const char *today;
    enum time_unit unit;
    size_t count, back;
    const char *days;
};

static void test_periods_follow_the_calendar(void **state)
{
    static const struct calendar_case cases[] = {
        /* 2025-11-21 is a Friday; weeks begin on Monday */
        {"2025-11-21", UNIT_DAY, 1, 0, "2025-11-21 to 2025-11-21"},
        {"2025-11-21", UNIT_DAY, 1, 1, "2025-11-20 to 2025-11-20"},
        {"2025-11-21", UNIT_DAY, 30, 0, "2025-10-23 to 2025-11-21"},
        {"2025-11-21", UNIT_WEEK, 1, 0, "2025-11-17 to 2025-11-23"},
        {"2025-11-21", UNIT_WEEK, 1, 1, "2025-11-10 to 2025-11-16"},
        {"2025-11-23", UNIT_WEEK, 1, 0, "2025-11-17 to 2025-11-23"},
        {"2025-11-24", UNIT_WEEK, 1, 0, "2025-11-24 to 2025-11-30"},
        {"2025-11-24", UNIT_WEEK, 1, 1, "2025-11-17 to 2025-11-23"},
        /* the week 1 of 2026 begins in 2025 */
        {"2026-01-01", UNIT_WEEK, 1, 0, "2025-12-29 to 2026-01-04"},
        {"2026-01-05", UNIT_WEEK, 1, 1, "2025-12-29 to 2026-01-04"},
        {"2025-11-21", UNIT_MONTH, 1, 1, "2025-10-01 to 2025-10-31"},
        {"2025-11-01", UNIT_MONTH, 1, 1, "2025-10-01 to 2025-10-31"},
        {"2025-11-30", UNIT_MONTH, 1, 1, "2025-10-01 to 2025-10-31"},
        {"2025-12-01", UNIT_MONTH, 1, 1, "2025-11-01 to 2025-11-30"},
        {"2026-01-31", UNIT_MONTH, 1, 1, "2025-12-01 to 2025-12-31"},
        {"2024-03-31", UNIT_MONTH, 1, 1, "2024-02-01 to 2024-02-29"},
        {"2025-03-31", UNIT_MONTH, 1, 1, "2025-02-01 to 2025-02-28"},
        {"2025-11-21", UNIT_MONTH, 6, 0, "2025-06-01 to 2025-11-30"},
        {"2026-01-01", UNIT_MONTH, 12, 0, "2025-02-01 to 2026-01-31"},
        {"2025-11-21", UNIT_QUARTER, 1, 0, "2025-10-01 to 2025-12-31"},
        {"2025-11-21", UNIT_QUARTER, 1, 1, "2025-07-01 to 2025-09-30"},
        {"2026-01-01", UNIT_QUARTER, 1, 1, "2025-10-01 to 2025-12-31"},
        {"2025-12-31", UNIT_QUARTER, 1, 0, "2025-10-01 to 2025-12-31"},
        {"2025-04-01", UNIT_QUARTER, 2, 0, "2025-01-01 to 2025-06-30"},
        {"2025-12-31", UNIT_YEAR, 1, 1, "2024-01-01 to 2024-12-31"},
        {"2026-01-01", UNIT_YEAR, 1, 1, "2025-01-01 to 2025-12-31"},
        {"2026-01-01", UNIT_YEAR, 1, 0, "2026-01-01 to 2026-12-31"},
        {"2025-11-21", UNIT_YEAR, 100000, 0, "0001-01-01 to 2025-12-31"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct calendar_case *c = &cases[i];
        struct str days = period_days_text(
            *state, period_relative(c->unit, c->count, c->back, day(c->today)));
        if (!str_is(days, c->days))
            fail_msg("%s, %zu %s: %.*s", c->today, c->count,
                     unit_words[c->unit], STR_ARG(days));
    }
}

/* The data end clearly earlier, or they do not; then their last complete
 * period. */
static void test_only_data_that_end_clearly_earlier_move_a_period(void **state)
{
    static const struct {
        const char *today, *last;
        enum time_unit unit;
        size_t count;
        const char *moved; /* NULL: the period stays */
    } cases[] = {
        {"2025-11-21", "2025-11-20", UNIT_MONTH, 1, NULL},
        {"2025-11-21", "2025-10-01", UNIT_MONTH, 1, NULL},
        {"2025-11-21", "2025-09-30", UNIT_MONTH, 1, "2025-09-01 to 2025-09-30"},
        {"2025-11-21", "2025-09-29", UNIT_MONTH, 1, "2025-08-01 to 2025-08-31"},
        {"2025-11-21", "2013-12-22", UNIT_YEAR, 1, "2012-01-01 to 2012-12-31"},
        {"2025-11-21", "2013-12-31", UNIT_YEAR, 1, "2013-01-01 to 2013-12-31"},
        {"2025-11-21", "2024-01-01", UNIT_YEAR, 1, NULL},
        {"2026-01-01", "2025-06-30", UNIT_QUARTER, 1,
         "2025-04-01 to 2025-06-30"},
        {"2026-01-01", "2025-10-01", UNIT_QUARTER, 1, NULL},
        {"2025-11-24", "2025-11-17", UNIT_WEEK, 1, NULL},
        {"2025-11-24", "2025-11-16", UNIT_WEEK, 1, "2025-11-10 to 2025-11-16"},
        {"2025-11-24", "2025-11-15", UNIT_WEEK, 1, "2025-11-03 to 2025-11-09"},
        {"2025-11-21", "2025-11-20", UNIT_DAY, 1, NULL},
        {"2025-11-21", "2025-11-18", UNIT_DAY, 1, "2025-11-18 to 2025-11-18"},
        {"2025-11-21", "2025-05-31", UNIT_MONTH, 6, NULL},
        {"2025-11-21", "2024-10-31", UNIT_MONTH, 6, "2024-05-01 to 2024-10-31"},
        {"2025-11-21", "2025-09-24", UNIT_DAY, 30, NULL},
        {"2025-11-21", "2025-09-22", UNIT_DAY, 30, "2025-08-24 to 2025-09-22"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t last = day(cases[i].last);
        bool moved = last < period_limit(cases[i].unit, cases[i].count,
                                         day(cases[i].today));
        if (moved != (cases[i].moved != NULL))
            fail_msg("%s, today %s", cases[i].last, cases[i].today);
        struct str days = period_days_text(
            *state, period_complete(cases[i].unit, cases[i].count, last));
        if (moved && !str_is(days, cases[i].moved))
            fail_msg("%s: %.*s", cases[i].last, STR_ARG(days));
    }
}

static void test_days_are_read_exactly(void **state)
{
    static const char *const none[] = {
        "2025-02-29", "2025-13-01",  "2025-00-10", "2025-1-01", "2025-01-1",
        "20250101",   "2025-01-01 ", "0000-01-01", "",          "2o25-01-01"};
    int64_t read;
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (period_day_read(str_of(none[i]), &read))
            fail_msg("%s", none[i]);
    assert_int_equal(day("1970-01-02"), 1);
    assert_int_equal(day("2024-02-29"), day("2024-03-01") - 1);
}

static void test_the_calendar_for_prompts_has_every_period(void **state)
{
    struct str text =
        period_calendar(*state, day("2026-01-01"), STR("Europe/Berlin"));
    assert_holds(text, "Today is Thursday, 2026-01-01, in the time zone "
                       "Europe/Berlin.");
    assert_holds(text, "- yesterday: 2025-12-31\n");
    assert_holds(text, "- this week: 2025-12-29 to 2026-01-04\n");
    assert_holds(text, "- last week: 2025-12-22 to 2025-12-28\n");
    assert_holds(text, "- last month: 2025-12-01 to 2025-12-31\n");
    assert_holds(text, "- last quarter: 2025-10-01 to 2025-12-31\n");
    assert_holds(text, "- last year: 2025-01-01 to 2025-12-31\n");
    assert_holds(text, "- last 6 months: 2025-08-01 to 2026-01-31\n");
    assert_holds(text, "- last 12 months: 2025-02-01 to 2026-01-31\n");
    assert_holds(text, "- year to date: 2026-01-01 to 2026-01-01\n");
    assert_holds(text, "- last 30 days: 2025-12-03 to 2026-01-01");
}

/* ---- the analyst -------------------------------------------------------- */

#define ROWS_UP_TO_TODAY \
    "FROM public.orders AS orders WHERE orders.order_date < DATE '2025-11-22')"

static void assert_sql(const char *question, const char *holds)
{
    struct asked a;
    ask_one(&a, shop_model, question);
    struct str sql = asked_sql(&a);
    if (str_find(sql, str_of(holds)) < 0)
        fail_msg("%s: %.*s\nlacks %s", question, STR_ARG(sql), holds);
    ask_done(&a);
}

static void test_periods_are_counted_from_today(void **state)
{
    (void)state;
    assert_sql("revenue last month",
               "orders.order_date >= (SELECT CASE WHEN MAX(orders.order_date) "
               "< DATE '2025-10-01' THEN DATE_TRUNC('month', "
               "MAX(orders.order_date) + INTERVAL '1 day') - INTERVAL '1 "
               "month' ELSE DATE '2025-10-01' END " ROWS_UP_TO_TODAY);
    assert_sql("revenue last month",
               "orders.order_date < (SELECT CASE WHEN MAX(orders.order_date) < "
               "DATE '2025-10-01' THEN DATE_TRUNC('month', "
               "MAX(orders.order_date) + INTERVAL '1 day') ELSE DATE "
               "'2025-11-01' END " ROWS_UP_TO_TODAY);
    assert_sql("revenue this quarter", "ELSE DATE '2026-01-01' END");
    assert_sql("revenue last year", "ELSE DATE '2024-01-01' END");
    assert_sql("revenue in the past 30 days", "ELSE DATE '2025-10-23' END");
    assert_sql("revenue in the last 2 quarters",
               "- INTERVAL '6 month' ELSE DATE '2025-07-01' END");
    assert_sql("revenue in the latest month",
               "orders.order_date >= (SELECT DATE_TRUNC('month', "
               "MAX(orders.order_date)) " ROWS_UP_TO_TODAY);
}

static void told_is(const char *question, const char *rows, const char *holds,
                    const char *lacks)
{
    struct asked a;
    ask_one(&a, shop_model, question);
    const struct query_spec *spec = &a.specs.queries[a.specs.n_queries - 1];
    json_t *read = json_read(str_of(rows), NULL);
    struct sql_result answer = {.columns = a.specs.queries[0].expected_columns,
                                .n_columns = 1,
                                .data = STR("[{\"revenue\":5}]"),
                                .row_count = 1};
    struct sql_result days = {.columns = spec->expected_columns,
                              .n_columns = spec->n_expected_columns,
                              .data = str_of(rows),
                              .row_count = (int64_t)json_array_size(read)};
    json_decref(read);
    struct step_result steps[] = {
        {.step_id = 1, .sql_result = &answer},
        {.step_id = spec->step_id, .sql_result = &days}};
    struct step_results all = {.results = steps, .n_results = 2};
    struct analyst_findings found = {.plan = &a.plan, .results = &all};
    struct str text = analyst_narrative(&a.arena, &a.context, &found);
    assert_holds(text, holds);
    if (lacks)
        assert_lacks(text, lacks);
    ask_done(&a);
}

#define DAYS(from, to, end, moved) \
    "[{\"place\":1,\"period\":\"last month\",\"field\":\"orders.order_date\"," \
    "\"first_day\":\"" from "\",\"last_day\":\"" to "\",\"data_end\":\"" end \
    "\",\"moved\":" moved "}]"

static void test_the_answer_prints_from_and_to(void **state)
{
    (void)state;
    told_is("revenue last month",
            DAYS("2025-10-01", "2025-10-31", "2025-11-20", "false"),
            "The period “last month” is 2025-10-01 to 2025-10-31.", "data end");
    told_is("revenue last month",
            DAYS("2025-05-01", "2025-05-31", "2025-06-17", "true"),
            "The period “last month” is 2025-05-01 to 2025-05-31. The data end "
            "on 2025-06-17 (orders.order_date), so this is their last "
            "complete period instead of 2025-10-01 to 2025-10-31.",
            NULL);
    told_is("revenue this month",
            "[{\"place\":1,\"period\":\"this month\",\"field\":\"orders.order_"
            "date\",\"first_day\":\"2025-11-01\",\"last_day\":\"2025-11-30\","
            "\"data_end\":\"2025-10-20\",\"moved\":false}]",
            "The data end before it, on 2025-10-20", "instead of");
}

static void test_open_periods_get_their_other_end(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "revenue since March 2025");
    struct str sql = a.specs.queries[a.specs.n_queries - 1].full_sql;
    assert_holds(sql, "CAST(DATE '2025-03-01' AS date) AS first_day");
    assert_holds(sql, "CAST(MAX(orders.order_date) AS date) AS last_day");
    ask_done(&a);
    ask_one(&a, shop_model, "revenue by city in 2025");
    assert_lacks(a.specs.queries[a.specs.n_queries - 1].full_sql, "first_day");
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periods_follow_the_calendar),
        cmocka_unit_test(test_only_data_that_end_clearly_earlier_move_a_period),
        cmocka_unit_test(test_days_are_read_exactly),
        cmocka_unit_test(test_the_calendar_for_prompts_has_every_period),
        cmocka_unit_test(test_periods_are_counted_from_today),
        cmocka_unit_test(test_the_answer_prints_from_and_to),
        cmocka_unit_test(test_open_periods_get_their_other_end),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
