/* Days of the week and hours: as a breakdown, and as a part of a period. */
#include "models.h"
#include "base/banned.h"

static void check(const char *question, const char *part)
{
    assert_answers(hotel_model, question, part);
}

static void refuse(const char *question, const char *why)
{
    assert_refused(hotel_model, question, why);
}

static void test_days_of_the_week_make_groups(void **state)
{
    (void)state;
    static const char monday[] =
        "CASE EXTRACT(ISODOW FROM reservation.check_in) WHEN 1 THEN 'Monday'";
    check("number of reservations by day of the week", monday);
    check("revenue per weekday and channel", monday);
    check("which weekday has the most reservations", monday);
    check("which day of the week had the lowest revenue in 2025",
          "ORDER BY revenue ASC NULLS LAST, weekday LIMIT 1");
    check("reservations for each day of the week", "END AS weekday");
    check("reservations by day", "DATE_TRUNC('day'");
    refuse("reservations by hour", "has no time of day");
}

static void test_a_period_may_be_some_of_its_days(void **state)
{
    (void)state;
    check("how many reservations were made on weekends",
          "EXTRACT(ISODOW FROM reservation.check_in) IN (6, 7)");
    check("revenue at the weekend", "IN (6, 7)");
    check("revenue on weekdays in 2025 by channel",
          "DATE '2026-01-01') AND EXTRACT(ISODOW FROM reservation.check_in) IN "
          "(1, 2, 3, 4, 5))");
    check("revenue in 2025 on Mondays and Fridays", "IN (1, 5)");
    check("reservations on a Tuesday", "IN (2)");
    check("guests with reservations on Sundays", "IN (7)");
}

static void test_a_single_day_may_be_the_last_one(void **state)
{
    (void)state;
    struct asked asked;
    ask_one(&asked, hotel_model, "reservations on Friday");
    if (asked.planned)
        assert_lacks(asked_sql(&asked), "ISODOW");
    ask_done(&asked);
    refuse("revenue excluding weekends", "leave out a period");
    refuse("revenue on weekends and on Mondays", "two periods");
    refuse("revenue on weekends and weekdays", "all days of the week");
    refuse("why did revenue fall on weekends in 2025", "one period");
}

static const char market_model[] =
    "semantic_model:\n"
    "- name: market\n"
    "  datasets:\n"
    "  - name: stalls\n"
    "    source: public.stalls\n"
    "    primary_key: [stall_id]\n"
    "    fields:\n"
    "    - {name: stall_id, expression: stall_id, datatype: Integer}\n"
    "    - {name: opened_on, expression: opened_on, datatype: Date}\n"
    "    - {name: weekday, expression: weekday, datatype: String,\n"
    "       ai_context: {examples: [Mondays, Fridays]}}\n";

static void test_a_field_of_days_comes_first(void **state)
{
    (void)state;
    assert_answers(market_model, "number of stalls by weekday",
                   "stalls.weekday AS weekday");
    assert_answers(market_model, "number of stalls on Fridays",
                   "LOWER(stalls.weekday) = 'fridays'");
}

static void test_the_days_are_told(void **state)
{
    (void)state;
    struct asked asked;
    ask_one(&asked, hotel_model, "revenue in 2025 on weekends");
    assert_holds(asked.plan.steps[0].description,
                 "2025-12-31, only Saturday and Sunday");
    ask_done(&asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_days_of_the_week_make_groups),
        cmocka_unit_test(test_a_period_may_be_some_of_its_days),
        cmocka_unit_test(test_a_single_day_may_be_the_last_one),
        cmocka_unit_test(test_a_field_of_days_comes_first),
        cmocka_unit_test(test_the_days_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
