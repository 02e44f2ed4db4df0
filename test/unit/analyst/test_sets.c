/* Differences and intersections of what was done: "in 2024 but not in 2025", "both
 * online and phone", "never booked"; and values of which each has its own figure. */
#include "models.h"
#include "base/banned.h"

static const char in_2024[] = "check_in < DATE '2025-01-01')";

static void check(const char *question, const char *part)
{
    assert_answers(hotel_model, question, part);
}

static void refuse(const char *question, const char *why)
{
    assert_refused(hotel_model, question, why);
}

static void test_a_period_may_be_excepted(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "guests with reservations in 2024 but not in 2025",
        "list guests with reservations in 2024 but not in 2025",
        "how many guests have a reservation in 2024 but not in 2025"};
    for (size_t i = 0; i < 3; i++) {
        check(questions[i], in_2024);
        check(questions[i], "AND NOT EXISTS (SELECT 1 FROM public.reservation");
    }
    refuse("guests without reservations in 2024 but not in 2025",
           "each of the periods");
    refuse("guests with reservations in 2024 but not in Lisbon", "but");
}

static void test_both_periods_are_told_from_either(void **state)
{
    (void)state;
    static const char both[] =
        "2025-01-01')) AND EXISTS (SELECT 1 FROM public.reservation";
    check("guests with reservations in both 2024 and 2025", both);
    check("guests with reservations in 2024 and in 2025", both);
    check("guests with reservations in 2024 or 2025", ") OR (");
    refuse("guests with reservations in 2024 and 2025", "in both");
    refuse("guests with reservations in both 2024", "both");
}

static void test_both_values_may_be_of_different_rows(void **state)
{
    (void)state;
    static const char cancelled[] =
        "LOWER(reservation.status) = 'cancelled') AND EXISTS";
    check("guests with both cancelled and completed reservations", cancelled);
    check("how many guests have both cancelled and completed reservations",
          cancelled);
    check("hotels with both Single and Suite rooms",
          "LOWER(room_type.type_name) = 'single') AND EXISTS");
    check("guests with cancelled or completed reservations", " OR ");
    refuse("guests with cancelled and completed reservations",
           "“both” or “or”");
    refuse("reservations with both cancelled and completed reservations",
           "no row has two values");
    refuse("guests with both cancelled and strange reservations", "both");
}

static void test_what_was_never_done_has_no_row(void **state)
{
    (void)state;
    check("which rooms were never reserved", "WHERE NOT EXISTS");
    check("room types that were never booked",
          "WHERE room.type_id = room_type.type_id)");
    check("how many reservations have not been reviewed", "NOT EXISTS");
    check("how many guests never left a review", "NOT EXISTS");
    /* The verb has a date of its own. */
    check("which hotels were not booked in 2025", "reservation.booked_on >=");
    refuse("which guests were never reviewed in Lisbon", "reviewed");
    refuse("which rooms were reserved", "reserved");
    refuse("which rooms were never ordered", "ordered");
}

static void test_each_of_several_values_has_its_figure(void **state)
{
    (void)state;
    check("number of male and female guests",
          "SELECT guest.gender AS gender, COUNT(*)");
    check("revenue from online and phone reservations",
          "SELECT reservation.channel AS channel, SUM(");
    check("number of cancelled and completed reservations by hotel",
          "reservation.status AS status, COUNT(*)");
    check("how many reservations were cancelled and completed",
          "reservation.status AS status");
    check("number of online or phone reservations", "SELECT COUNT(*)");
    check("revenue in Lisbon and Porto", "SELECT SUM(");
    check("number of rooms of hotels in Lisbon and Porto", "SELECT COUNT(*)");
}

static void test_no_row_has_a_flag_and_has_it_not(void **state)
{
    (void)state;
    refuse("number of loyalty members and non-loyalty members", "at once");
    check("number of guests by loyalty member", "guest.loyalty_member");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_period_may_be_excepted),
        cmocka_unit_test(test_both_periods_are_told_from_either),
        cmocka_unit_test(test_both_values_may_be_of_different_rows),
        cmocka_unit_test(test_what_was_never_done_has_no_row),
        cmocka_unit_test(test_each_of_several_values_has_its_figure),
        cmocka_unit_test(test_no_row_has_a_flag_and_has_it_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
