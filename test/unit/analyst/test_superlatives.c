/* Adjectives that rank things by a field of theirs, and their twins that say nothing
 * by which. */
#include "models.h"
#include <stdio.h>
#include "base/banned.h"

static const char fleet_model[] =
    "semantic_model:\n"
    "- name: fleet\n"
    "  datasets:\n"
    "  - name: club\n"
    "    source: public.club\n"
    "    primary_key: [club_id]\n"
    "    fields:\n"
    "    - {name: club_id, expression: club_id, datatype: Integer}\n"
    "    - {name: club_nm, expression: club_nm, datatype: String}\n"
    "    - {name: city, expression: city, datatype: String,\n"
    "       ai_context: {examples: [Bergen, Lyon]}}\n"
    "    - {name: founded_yr, expression: founded_yr, datatype: Integer}\n"
    "    - {name: budget_meur, expression: budget_meur, datatype: Decimal}\n"
    "  - name: player\n"
    "    source: public.player\n"
    "    primary_key: [player_id]\n"
    "    fields:\n"
    "    - {name: player_id, expression: player_id, datatype: Integer}\n"
    "    - {name: fname, expression: fname, datatype: String}\n"
    "    - {name: lname, expression: lname, datatype: String}\n"
    "    - {name: birth_dt, expression: birth_dt, datatype: Date}\n"
    "    - {name: position, expression: position, datatype: String,\n"
    "       ai_context: {examples: [goalkeeper, pivot]}}\n"
    "    - {name: height_cm, expression: height_cm, datatype: Integer}\n"
    "    - {name: weight_kg, expression: weight_kg, datatype: Integer}\n"
    "    - {name: is_active, expression: is_active, datatype: Boolean}\n"
    "  - name: coach\n"
    "    source: public.coach\n"
    "    primary_key: [coach_id]\n"
    "    fields:\n"
    "    - {name: coach_id, expression: coach_id, datatype: Integer}\n"
    "    - {name: coach_nm, expression: coach_nm, datatype: String}\n"
    "    - {name: hired_dt, expression: hired_dt, datatype: Date}\n"
    "    - {name: dismissed_dt, expression: dismissed_dt, datatype: Date}\n"
    "    - {name: mentor_id, expression: mentor_id, datatype: Integer}\n"
    "  - name: horse\n"
    "    source: public.horse\n"
    "    primary_key: [horse_id]\n"
    "    fields:\n"
    "    - {name: horse_id, expression: horse_id, datatype: Integer}\n"
    "    - {name: horse_name, expression: horse_name, datatype: String}\n"
    "    - {name: age, expression: age, datatype: Integer}\n"
    "    - {name: height, expression: height, datatype: Decimal}\n"
    "    - {name: length, expression: length, datatype: Decimal}\n"
    "  - name: hall\n"
    "    source: public.hall\n"
    "    primary_key: [hall_id]\n"
    "    fields:\n"
    "    - {name: hall_id, expression: hall_id, datatype: Integer}\n"
    "    - {name: hall_name, expression: hall_name, datatype: String}\n"
    "    - {name: built_year, expression: built_year, datatype: Integer}\n"
    "    - {name: opened_on, expression: opened_on, datatype: Date}\n"
    "    - {name: list_price_eur, expression: list_price_eur,\n"
    "       datatype: Decimal}\n"
    "  - name: film\n"
    "    source: public.film\n"
    "    primary_key: [film_id]\n"
    "    fields:\n"
    "    - {name: film_id, expression: film_id, datatype: Integer}\n"
    "    - {name: title, expression: title, datatype: String}\n"
    "    - {name: length, expression: length, datatype: Integer}\n"
    "    - {name: release_year, expression: release_year, datatype: Integer}\n"
    "    - {name: last_update, expression: last_update, datatype: Timestamp}\n"
    "  - name: orders\n"
    "    source: public.orders\n"
    "    primary_key: [order_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: order_dt, expression: order_dt, datatype: Date}\n"
    "    - {name: due_dt, expression: due_dt, datatype: Date}\n"
    "    - {name: total_eur, expression: total_eur, datatype: Decimal}\n"
    "  - name: loan\n"
    "    source: public.loan\n"
    "    primary_key: [loan_id]\n"
    "    fields:\n"
    "    - {name: loan_id, expression: loan_id, datatype: Integer}\n"
    "    - {name: lent_on, expression: lent_on, datatype: Date}\n"
    "    - {name: due_on, expression: due_on, datatype: Date}\n"
    "  - name: bill\n"
    "    source: public.bill\n"
    "    primary_key: [bill_id]\n"
    "    fields:\n"
    "    - {name: bill_id, expression: bill_id, datatype: Integer}\n"
    "    - {name: due_on, expression: due_on, datatype: Date}\n"
    "  - name: visit\n"
    "    source: public.visit\n"
    "    primary_key: [visit_id]\n"
    "    fields:\n"
    "    - {name: visit_id, expression: visit_id, datatype: Integer}\n"
    "    - {name: visit_dt, expression: visit_dt, datatype: Date}\n"
    "    - {name: stat_code, expression: stat_code, datatype: String}\n"
    "  - name: trip\n"
    "    source: public.trip\n"
    "    primary_key: [trip_id]\n"
    "    fields:\n"
    "    - {name: trip_id, expression: trip_id, datatype: Integer}\n"
    "    - {name: trip_date, expression: trip_date, datatype: Date}\n"
    "    - {name: status, expression: status, datatype: String,\n"
    "       ai_context: {examples: [done, planned]}}\n"
    "  - name: referee\n"
    "    source: public.referee\n"
    "    primary_key: [ref_id]\n"
    "    fields:\n"
    "    - {name: ref_id, expression: ref_id, datatype: Integer}\n"
    "    - {name: ref_nm, expression: ref_nm, datatype: String}\n"
    "    - {name: licensed_on, expression: licensed_on, datatype: Date}\n"
    "  - name: goal\n"
    "    source: public.goal\n"
    "    primary_key: [goal_id]\n"
    "    fields:\n"
    "    - {name: goal_id, expression: goal_id, datatype: Integer}\n"
    "    - {name: minute, expression: minute, datatype: Integer}\n"
    "    - {name: points, expression: points, datatype: Integer}\n"
    "  - name: card\n"
    "    source: public.card\n"
    "    primary_key: [card_id]\n"
    "    fields:\n"
    "    - {name: card_id, expression: card_id, datatype: Integer}\n"
    "  relationships:\n"
    "  - {name: player_club, from: player, to: club,\n"
    "     from_columns: [club_id], to_columns: [club_id]}\n"
    "  - {name: coach_mentor, from: coach, to: coach,\n"
    "     from_columns: [mentor_id], to_columns: [coach_id]}\n"
    "  - {name: goal_player, from: goal, to: player,\n"
    "     from_columns: [player_id], to_columns: [player_id]}\n"
    "  - {name: card_player, from: card, to: player,\n"
    "     from_columns: [player_id], to_columns: [player_id]}\n"
    "  - {name: card_referee, from: card, to: referee,\n"
    "     from_columns: [ref_id], to_columns: [ref_id]}\n";

static void check_holds(const char *question, const char *part)
{
    assert_answers(fleet_model, question, part);
}

static void check_refused(const char *question)
{
    assert_refused(fleet_model, question, "");
}

/* Of one of the things: the extreme of the column, first of all. */
static void check_ranks(const char *question, const char *call, bool falling,
                        int limit)
{
    struct asked a;
    char end[64];
    ask_one(&a, fleet_model, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(asked_narrative(&a)));
    snprintf(end, sizeof end, "LIMIT %d", limit);
    assert_holds(asked_sql(&a), call);
    assert_holds(asked_sql(&a), end);
    assert_holds(asked_sql(&a), falling ? "DESC NULLS LAST" : "ASC NULLS LAST");
    ask_done(&a);
}

static void test_adjectives_rank_by_the_number_they_are_about(void **state)
{
    (void)state;
    check_ranks("Who is the tallest player?", "MAX(player.height_cm)", true, 1);
    check_ranks("the 3 tallest players", "MAX(player.height_cm)", true, 3);
    check_ranks("the tallest 3 players", "MAX(player.height_cm)", true, 3);
    check_ranks("Which player is the heaviest?", "MAX(player.weight_kg)", true,
                1);
    check_ranks("lightest active player", "MIN(player.weight_kg)", false, 1);
    check_ranks("What is the longest film?", "MAX(film.length)", true, 1);
    check_ranks("shortest film", "MIN(film.length)", false, 1);
    check_ranks("shortest player", "MIN(player.height_cm)", false, 1);
    check_ranks("Which hall is the most expensive?", "MAX(hall.list_price_eur)",
                true, 1);
    check_ranks("Which hall name is the most expensive?",
                "MAX(hall.list_price_eur)", true, 1);
    check_refused("Which city is the most expensive?");
    check_ranks("Who is the tallest goalkeeper?", "MAX(player.height_cm)", true,
                1);
    check_holds("Who is the tallest goalkeeper?", "= 'goalkeeper'");
    check_holds("lightest active player", "player.is_active IS TRUE");
    check_holds("tallest player per club", "PARTITION BY");
}

static void test_the_wrong_number_ranks_nothing(void **state)
{
    (void)state;
    check_refused("shortest horse"); /* of height or of length */
    check_refused("tallest club");
    check_refused("fastest player");
    check_refused("largest club");
    check_refused("tallest players");
    check_refused("Which players are the tallest?");
    check_refused("How many players are the tallest?");
    check_refused("average weight of the tallest player");
    check_refused("the tallest player by weight");
    check_refused("the tallest player with the most goals");
    check_refused("the tallest and heaviest player");
    check_refused("the tallest player's city");
    check_refused("city of the tallest player");
    check_refused("tallest dancing player");
    check_refused("Which club has the tallest players?");
}

static void test_age_is_since_birth_or_since_the_beginning(void **state)
{
    (void)state;
    check_ranks("Who is the youngest player?", "MAX(player.birth_dt)", true, 1);
    check_ranks("oldest active player", "MIN(player.birth_dt)", false, 1);
    check_ranks("the 2 oldest pivots", "MIN(player.birth_dt)", false, 2);
    check_ranks("oldest horse", "MAX(horse.age)", true, 1);
    check_ranks("Which horse is the youngest?", "MIN(horse.age)", false, 1);
    check_ranks("Which club is the oldest?", "MIN(club.founded_yr)", false, 1);
    check_ranks("Which of the clubs is the oldest?", "MIN(club.founded_yr)",
                false, 1);
    check_ranks("Which 2 clubs are the oldest?", "MIN(club.founded_yr)", false,
                2);
    check_ranks("What is the oldest player's date of birth?",
                "MIN(player.birth_dt)", false, 1);
    check_ranks("newest film", "MAX(film.release_year)", true, 1);
    check_ranks("oldest club in Lyon", "MIN(club.founded_yr)", false, 1);
    check_ranks("newest coach", "MAX(coach.hired_dt)", true, 1);
    check_refused("oldest hall"); /* built or opened */
    check_refused("oldest coach");
    check_refused("oldest referee");
    check_refused("newest player");
    check_refused("youngest clubs");
    check_refused("How old is the oldest player?");
    check_refused("Which club has the oldest player's mentor?");
}

static void test_the_latest_is_by_its_own_date(void **state)
{
    (void)state;
    check_ranks("the latest order", "MAX(orders.order_dt)", true, 1);
    check_ranks("the 3 most recent orders", "MAX(orders.order_dt)", true, 3);
    check_ranks("earliest order", "MIN(orders.order_dt)", false, 1);
    check_ranks("the oldest order", "MIN(orders.order_dt)", false, 1);
    check_ranks("the earliest trip", "MIN(trip.trip_date)", false, 1);
    check_refused("latest loan"); /* lent or due */
    check_refused("latest bill"); /* only due */
    check_refused("latest trip"); /* some are planned */
    check_holds("latest visit", "visit.visit_id AS visit_id");
    check_refused("newest trip");
    check_refused("latest player");
    check_refused("most recent coach");
    check_refused("latest orders");
    check_refused("total of the latest order");
}

static void test_who_is_the_only_person_there_is(void **state)
{
    (void)state;
    check_ranks("Who scored the most goals?", "COUNT(", true, 1);
    check_holds("Who scored the most goals?", "player.player_id");
    check_holds("Who scored the most goals for Lyon?", "LOWER(club.city)");
    check_ranks("Who scored the most points?", "SUM(goal.points)", true, 1);
    check_holds("Which club has the most points?", "SUM(goal.points)");
    check_holds("Which player has the most points?", "SUM(goal.points)");
    check_holds("Which player has the highest points?", "MAX(goal.points)");
    check_refused("Who received the most cards?"); /* players or referees */
    check_holds("Who missed the most goals?", "= 'missed'"); /* looked up */
    check_refused("Who scored goals?");
    check_refused("Who has the highest budget?");
    check_refused("Who scored the most goals by club?");
}

static void test_ever_says_nothing_in_a_ranking(void **state)
{
    (void)state;
    check_ranks("What is the longest film ever?", "MAX(film.length)", true, 1);
    check_ranks("Who scored the most goals ever?", "COUNT(", true, 1);
    check_holds("What is the highest weight ever?", "MAX(player.weight_kg)");
    check_holds("number of goals to date", "FROM public.goal");
    check_holds("number of goals so far", "FROM public.goal");
    check_refused("number of goals to date of birth");
    check_refused("number of players ever");
    check_refused("number of players currently");
}

static void test_a_day_that_ranks_is_told_as_a_day(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, fleet_model, "Who is the youngest player?");
    assert_holds(asked_sql(&a), "AS latest_birth_date");
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjectives_rank_by_the_number_they_are_about),
        cmocka_unit_test(test_the_wrong_number_ranks_nothing),
        cmocka_unit_test(test_age_is_since_birth_or_since_the_beginning),
        cmocka_unit_test(test_the_latest_is_by_its_own_date),
        cmocka_unit_test(test_who_is_the_only_person_there_is),
        cmocka_unit_test(test_ever_says_nothing_in_a_ranking),
        cmocka_unit_test(test_a_day_that_ranks_is_told_as_a_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
