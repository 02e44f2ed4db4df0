/* What is asked of the things next to their figure: columns that group nothing. */
#include "models.h"
#include "base/banned.h"

static void check(const char *question, const char *part)
{
    assert_answers(hotel_model, question, part);
}

static void check_lacks(const char *question, const char *part)
{
    struct asked asked;
    ask_one(&asked, hotel_model, question);
    assert_true(asked.planned);
    assert_lacks(asked_sql(&asked), part);
    ask_done(&asked);
}

static void refuse(const char *question, const char *why)
{
    assert_refused(hotel_model, question, why);
}

static void test_what_the_things_have_stands_beside_their_figure(void **state)
{
    (void)state;
    static const char question[] =
        "top 3 hotels by revenue with their city and stars";
    check(question, "hotel.city AS city, hotel.stars AS stars, SUM(");
    check(question, "GROUP BY 1, hotel.hotel_id, 2, 3 ORDER BY revenue DESC");
    check(question, "LIMIT 3");
    check_lacks(question, "IS NOT NULL AND hotel.city");
    check_lacks(question, "PARTITION BY");
    check("which hotel has the highest revenue and what is its city",
          "hotel.city AS city");
    check("the 3 guests with the most reservations and their nationality",
          "guest.nationality AS nationality");
    check("top 5 rooms by revenue along with their hotel",
          "hotel.hotel_name AS hotel_name");
    check("top 3 hotels by revenue with their city and number of reservations",
          "COUNT(*) AS reservation_count");
    check("number of rooms by hotel with their stars", "hotel.stars AS stars");
}

static void test_it_may_be_asked_first(void **state)
{
    (void)state;
    check("name and city of the hotel with the highest revenue",
          "hotel.city AS city, SUM(");
    check("what is the name and nationality of the guest who made the most "
          "reservations",
          "guest.nationality AS nationality, COUNT(*)");
    check("names, cities and stars of the top 5 hotels by revenue", "LIMIT 5");
    check("hotel name and stars of hotels with more than 10 rooms",
          "hotel.stars AS stars, COUNT(*)");
    check("name and total salary of each hotel",
          "GROUP BY 1, hotel.hotel_id ORDER BY");
    check("id and city of the two hotels with the most rooms",
          "hotel.hotel_id AS hotel_id");
}

static void test_it_must_be_theirs(void **state)
{
    (void)state;
    refuse("top 3 guests by revenue with their city", "may have several");
    refuse("top 3 hotels by revenue with their guests", "may have several");
    refuse("top 3 hotels by revenue with their floor", "may have several");
    refuse("total revenue and their city", "I do not see of what");
    refuse("revenue by city with their country", "I do not see of what");
}

static void test_within_groups_each_of_them_has_its_own_first(void **state)
{
    (void)state;
    /* Guests may be called the same. */
    check("top 2 rooms by revenue for each guest",
          "PARTITION BY q.guest_name, q.k2_1 ORDER BY");
    check("top 2 rooms by revenue and number of reservations for each guest",
          "PARTITION BY q.guest_name, q.k2_1 ORDER BY");
    check("top 2 rooms by revenue in each country with their floor",
          "PARTITION BY q.country ORDER BY");
}

static void test_a_number_of_things_is_no_field_of_theirs(void **state)
{
    (void)state;
    check("number of rooms in Lisbon", "SELECT COUNT(*)");
    check("number of rooms by hotel", "COUNT(*) AS room_count");
}

static void test_a_follow_up_keeps_what_is_beside(void **state)
{
    (void)state;
    struct asked asked;
    ask(&asked, hotel_model,
        (const char *const[]){"top 3 hotels by revenue with their city",
                              "and in 2025?", NULL});
    assert_true(asked.planned);
    assert_holds(asked_sql(&asked), "hotel.city AS city, SUM(");
    ask_done(&asked);
}

static void test_it_is_told_apart_from_the_groups(void **state)
{
    (void)state;
    struct asked asked;
    ask_one(&asked, hotel_model, "top 3 hotels by revenue with their city");
    assert_holds(asked.plan.steps[0].description,
                 "revenue by hotel, with city, the 3 highest");
    ask_done(&asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_things_have_stands_beside_their_figure),
        cmocka_unit_test(test_it_may_be_asked_first),
        cmocka_unit_test(test_it_must_be_theirs),
        cmocka_unit_test(test_within_groups_each_of_them_has_its_own_first),
        cmocka_unit_test(test_a_number_of_things_is_no_field_of_theirs),
        cmocka_unit_test(test_a_follow_up_keeps_what_is_beside),
        cmocka_unit_test(test_it_is_told_apart_from_the_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
