/* Averages over things and periods, and things compared with an average. */
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

static void test_things_are_compared_with_the_average_of_all(void **state)
{
    (void)state;
    static const char above[] =
        "staff.salary > (SELECT AVG(staff.salary) FROM public.staff AS staff)";
    check("staff who earn more than the average salary", above);
    check("which staff have a salary above average", above);
    check("how many staff earn above the average salary", above);
    check(
        "list staff whose salary is higher than the average salary of all staff",
        above);
    check("room types with a rate below the average",
          "room_type.rate < (SELECT AVG(room_type.rate)");
    check("hotels with above-average stars", "hotel.stars > (SELECT AVG");
}

static void test_the_average_of_some_is_not_that_of_all(void **state)
{
    (void)state;
    refuse("staff with a salary above the average in Lisbon", "above");
    refuse("cooks with a salary above the average", "above");
    refuse("staff in Lisbon with a salary above the average", "only of those");
    refuse("staff with a salary above the average of their hotel", "above");
    refuse("staff with a salary above the average by hotel", "above");
    refuse("staff with a rate above the average", "above");
    refuse("staff whose salary is not above the average", "above");
}

static void test_an_average_over_periods_is_one_figure(void **state)
{
    (void)state;
    static const char months[] =
        "NULLIF(COUNT(DISTINCT DATE_TRUNC('month', reservation.check_in)), 0)";
    check("average number of reservations per month", months);
    check("how many reservations per month on average", months);
    check("average monthly revenue in 2024", months);
    check("average monthly revenue by hotel", months);
    check("average revenue per day in 2025", "DATE_TRUNC('day'");
    check("average yearly revenue by country",
          "hotel.country AS country, 1.0 *");
    check("average rating per month", "AVG(review.rating)");
    refuse("average revenue by month", "say “per …”");
    refuse("average monthly revenue by month", "say “per …”");
    refuse("average number of reservations per month and channel",
           "“per” once");
    refuse("average number of rooms per month", "which date");
    refuse("average number of guests per month", "which date");
    refuse("top 3 hotels by average monthly revenue", "average");
}

static void test_an_average_over_things_may_be_broken_down(void **state)
{
    (void)state;
    check("average number of staff per hotel by country",
          "hotel.country AS country, 1.0 * (COUNT(*)) / "
          "NULLIF(COUNT(DISTINCT hotel.hotel_id), 0)");
    check("average number of reservations per guest by channel",
          "reservation.channel AS channel, 1.0 *");
    refuse("number of staff per hotel by country", "may ask for a ratio");
    refuse("average number of reservations per guest per hotel", "“per” once");
}

static void test_a_request_may_come_after_the_breakdown(void **state)
{
    (void)state;
    check("for each country show the number of hotels", "COUNT(*)");
    check("for each hotel, list the number of rooms and the total salary",
          "SUM(staff.salary)");
    refuse("revenue in 2025 show the number of hotels", "show");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_are_compared_with_the_average_of_all),
        cmocka_unit_test(test_the_average_of_some_is_not_that_of_all),
        cmocka_unit_test(test_an_average_over_periods_is_one_figure),
        cmocka_unit_test(test_an_average_over_things_may_be_broken_down),
        cmocka_unit_test(test_a_request_may_come_after_the_breakdown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
