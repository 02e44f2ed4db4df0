/* Words that could have been read as a value, a date or a sum that the question does
 * not mean, and what things have or have done. */
#include "models.h"
#include "base/banned.h"

static const char energy_model[] =
    "semantic_model:\n"
    "- name: energy\n"
    "  datasets:\n"
    "  - name: customers\n"
    "    source: public.customers\n"
    "    primary_key: [customer_id]\n"
    "    fields:\n"
    "    - {name: customer_id, expression: customer_id, datatype: Integer}\n"
    "    - {name: full_name, expression: full_name, datatype: String}\n"
    "    - {name: country, expression: country, datatype: String,\n"
    "       ai_context: {examples: [US, FR]}}\n"
    "    - {name: pages_read, expression: pages_read, datatype: Integer}\n"
    "    - {name: home_depot, expression: home_depot, datatype: Integer}\n"
    "    - {name: birth_date, expression: birth_date, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: left_on, expression: left_on, datatype: Date}\n"
    "    - {name: customer_since, expression: customer_since,\n"
    "       datatype: Date}\n"
    "  - name: depots\n"
    "    source: public.depots\n"
    "    primary_key: [depot_id]\n"
    "    fields:\n"
    "    - {name: depot_id, expression: depot_id, datatype: Integer}\n"
    "    - {name: depot_name, expression: depot_name, datatype: String,\n"
    "       ai_context: {examples: [Riverside, Northgate]}}\n"
    "    - {name: district, expression: district, datatype: String,\n"
    "       ai_context: {examples: [Riverside, Old Town]}}\n"
    "  - name: contracts\n"
    "    source: public.contracts\n"
    "    primary_key: [contract_id]\n"
    "    fields:\n"
    "    - {name: contract_id, expression: contract_id, datatype: Integer}\n"
    "    - {name: signed_on, expression: signed_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: due_date, expression: due_date, datatype: Date}\n"
    "    - {name: ended_on, expression: ended_on, datatype: Date}\n"
    "    - {name: cost, expression: cost, datatype: Decimal}\n"
    "    - {name: town, expression: town, datatype: String,\n"
    "       ai_context: {examples: [Reading, Contract]}}\n"
    "    - {name: end_reason, expression: end_reason, datatype: String,\n"
    "       description: \"moved, left or switched; NULL if unknown or still "
    "running\"}\n"
    "  - name: fines\n"
    "    source: public.fines\n"
    "    primary_key: [fine_id]\n"
    "    fields:\n"
    "    - {name: fine_id, expression: fine_id, datatype: Integer}\n"
    "    - {name: asked_on, expression: asked_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: paid_on, expression: paid_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: amount, expression: amount, datatype: Decimal}\n"
    "    - {name: paid_amount, expression: paid_amount, datatype: Decimal}\n"
    "  relationships:\n"
    "  - {name: contracts_customers, from: contracts, to: customers,\n"
    "     from_columns: [customer_id], to_columns: [customer_id]}\n"
    "  - {name: customers_depots, from: customers, to: depots,\n"
    "     from_columns: [home_depot], to_columns: [depot_id]}\n"
    "  - {name: fines_customers, from: fines, to: customers,\n"
    "     from_columns: [customer_id], to_columns: [customer_id]}\n"
    "  metrics:\n"
    "  - {name: revenue, expression: SUM(contracts.cost)}\n";

static const char league_of_goals[] =
    "semantic_model:\n"
    "- name: goals_of_a_league\n"
    "  datasets:\n"
    "  - name: clubs\n"
    "    source: public.clubs\n"
    "    primary_key: [club_id]\n"
    "    fields:\n"
    "    - {name: club_id, expression: club_id, datatype: Integer}\n"
    "    - {name: club_name, expression: club_name, datatype: String}\n"
    "    - {name: colour, expression: colour, datatype: String,\n"
    "       ai_context: {examples: [Amber, Blue]}}\n"
    "    - {name: founded_year, expression: founded_year, datatype: Integer}\n"
    "  - name: players\n"
    "    source: public.players\n"
    "    primary_key: [player_id]\n"
    "    fields:\n"
    "    - {name: player_id, expression: player_id, datatype: Integer}\n"
    "    - {name: full_name, expression: full_name, datatype: String}\n"
    "    - {name: nationality, expression: nationality, datatype: String}\n"
    "    - {name: stars, expression: stars, datatype: Integer}\n"
    "    - {name: caps, expression: caps, datatype: Integer}\n"
    "  - name: referees\n"
    "    source: public.referees\n"
    "    primary_key: [referee_id]\n"
    "    fields:\n"
    "    - {name: referee_id, expression: referee_id, datatype: Integer}\n"
    "    - {name: whistle_name, expression: whistle_name, datatype: String}\n"
    "    - {name: is_retired, expression: is_retired, datatype: Boolean}\n"
    "    - {name: flag, expression: flag, datatype: String,\n"
    "       ai_context: {examples: [Amber, Green]}}\n"
    "    - {name: licensed_on, expression: licensed_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "  - name: matches\n"
    "    source: public.matches\n"
    "    primary_key: [match_id]\n"
    "    fields:\n"
    "    - {name: match_id, expression: match_id, datatype: Integer}\n"
    "    - {name: kickoff, expression: kickoff, datatype: Timestamp,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: attendance, expression: attendance, datatype: Integer}\n"
    "    - {name: status, expression: status, datatype: String,\n"
    "       ai_context: {examples: [retired, played]}}\n"
    "  - name: goals\n"
    "    source: public.goals\n"
    "    primary_key: [goal_id]\n"
    "    fields:\n"
    "    - {name: goal_id, expression: goal_id, datatype: Integer}\n"
    "    - {name: minute, expression: minute, datatype: Integer}\n"
    "  - name: transfers\n"
    "    source: public.transfers\n"
    "    primary_key: [transfer_id]\n"
    "    fields:\n"
    "    - {name: transfer_id, expression: transfer_id, datatype: Integer}\n"
    "    - {name: announced_on, expression: announced_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: transfer_date, expression: transfer_date, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: fee, expression: fee, datatype: Decimal}\n"
    "  relationships:\n"
    "  - {name: players_clubs, from: players, to: clubs,\n"
    "     from_columns: [club_id], to_columns: [club_id]}\n"
    "  - {name: matches_referees, from: matches, to: referees,\n"
    "     from_columns: [referee_id], to_columns: [referee_id]}\n"
    "  - {name: matches_clubs, from: matches, to: clubs,\n"
    "     from_columns: [host_id], to_columns: [club_id]}\n"
    "  - {name: goals_matches, from: goals, to: matches,\n"
    "     from_columns: [match_id], to_columns: [match_id]}\n"
    "  - {name: goals_scorers, from: goals, to: players,\n"
    "     from_columns: [scorer_id], to_columns: [player_id]}\n"
    "  - {name: goals_assists, from: goals, to: players,\n"
    "     from_columns: [assist_id], to_columns: [player_id]}\n"
    "  metrics:\n"
    "  - {name: number_of_matches, expression: COUNT(matches.match_id)}\n";

static const char *model = energy_model;

static int ask_of_energy(void **state)
{
    (void)state;
    model = energy_model;
    return 0;
}

static int ask_of_goals(void **state)
{
    (void)state;
    model = league_of_goals;
    return 0;
}

static void check_holds(const char *question, const char *part)
{
    assert_answers(model, question, part);
}

static void check_lacks(const char *question, const char *part)
{
    struct asked a;
    ask_one(&a, model, question);
    if (a.planned)
        assert_lacks(asked_sql(&a), part);
    ask_done(&a);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(model, question, why);
}

static void test_what_happened_is_a_date_that_is_set(void **state)
{
    (void)state;
    check_holds("How many customers left?", "customers.left_on IS NOT NULL");
    check_holds("How many customers have left us?",
                "customers.left_on IS NOT NULL");
    check_holds("number of customers who have not left yet",
                "customers.left_on IS NULL");
    check_holds("How many fines have never been paid?",
                "fines.paid_on IS NULL");
    check_holds("How many customers left us in 2024?",
                "customers.left_on >= DATE '2024-01-01'");
    /* A value of the things themselves stays one. */
    check_holds("number of contracts where end reason is left",
                "LOWER(contracts.end_reason) = 'left'");
    check_refused("How many fines were paid late?", "late");
}

static void test_since_is_no_date_of_that_name(void **state)
{
    (void)state;
    check_holds("number of contracts since January 2026",
                "contracts.signed_on >= DATE '2026-01-01'");
    check_lacks("number of contracts since January 2026", "customer_since");
    check_lacks("contracts by month since 2025", "customer_since");
    check_holds("number of contracts by month of customer since",
                "customers.customer_since");
}

static void test_what_refers_is_not_added_up(void **state)
{
    (void)state;
    check_refused("total home depot", "which is a key");
    check_refused("average home depot of customers", "which is a key");
}

static void test_a_name_and_a_field_of_it_are_no_two_groups(void **state)
{
    (void)state;
    check_refused("number of matches by whistle flag",
                  "nothing that is called both");
    check_holds("number of matches by whistle and flag", "GROUP BY 1, 2");
    check_holds("number of matches by referee flag", "GROUP BY 1 ORDER");
}

static void test_what_others_have_is_not_had(void **state)
{
    (void)state;
    check_refused("number of clubs with a flag",
                  "is of referees, which the question does not name");
    check_holds("number of matches with a flag", "referees.flag IS NOT NULL");
}

static void test_what_says_that_there_is_no_value_is_none(void **state)
{
    (void)state;
    check_lacks("How many contracts are still running?", "still running");
}

static void test_the_date_that_is_grouped(void **state)
{
    (void)state;
    check_holds("number of contracts by month of due date",
                "DATE_TRUNC('month', contracts.due_date)");
    check_holds("number of contracts by month of the due date in 2024",
                "contracts.due_date >= DATE '2024-01-01'");
    check_holds("number of contracts by month",
                "DATE_TRUNC('month', contracts.signed_on)");
}

static void test_a_measure_is_of_the_date_that_shares_its_name(void **state)
{
    (void)state;
    check_holds("total paid amount in 2024",
                "fines.paid_on >= DATE '2024-01-01'");
    check_holds("average amount in 2024",
                "fines.asked_on >= DATE '2024-01-01'");
}

static void test_a_birthday_dates_nothing_else(void **state)
{
    (void)state;
    check_lacks("How many customers in 2024?", "birth_date");
    check_holds("How many customers were born in 1980?",
                "customers.birth_date >= DATE '1980-01-01'");
}

static void test_what_lasts_may_be_had_before_and_after(void **state)
{
    (void)state;
    check_refused("How many contracts did we have in 2024?",
                  "or all that there were");
    check_holds("How many contracts were there in 2024?",
                "contracts.signed_on >= DATE '2024-01-01'");
    check_holds("How many fines did we have in 2024?", "fines.asked_on");
}

static void test_pronouns_are_no_countries(void **state)
{
    (void)state;
    check_lacks("How many customers were with us?", "country");
    check_holds("number of customers with US", "country");
    check_holds("number of customers in us", "country");
}

static void test_a_namesake_of_the_things_is_a_place(void **state)
{
    (void)state;
    check_holds("number of contracts in Contract", "contracts.town");
    check_lacks("number of contracts in contracts", "contracts.town");
}

static void test_the_one_of_a_name_and_those_in_a_place(void **state)
{
    (void)state;
    check_holds("number of customers at Riverside depot",
                "LOWER(depots.depot_name) = 'riverside'");
    check_refused("number of customers at Riverside", "depots.depot_name");
    check_holds("number of customers in Old Town",
                "LOWER(depots.district) = 'old town'");
}

static void test_a_reference_is_shown_by_name(void **state)
{
    (void)state;
    check_holds("number of customers by home depot", "depots.depot_name");
}

static void test_totals_of_money_things(void **state)
{
    (void)state;
    check_refused("total fines in 2024", "may be their number or a sum");
    check_holds("number of fines in 2024", "COUNT(*)");
    check_holds("total amount of fines in 2024", "SUM(fines.amount)");
}

static void test_a_figure_of_their_own(void **state)
{
    (void)state;
    check_refused("How many customers cost more than 500?", "contracts.cost");
    check_holds("How many customers have more than 500 pages read?",
                "customers.pages_read > 500");
    check_holds("number of contracts with cost over 500",
                "contracts.cost > 500");
}

static void test_the_nearest_event_dates_what_belongs_to_it(void **state)
{
    (void)state;
    check_holds("number of goals in 2024",
                "matches.kickoff >= DATE '2024-01-01'");
    check_lacks("How many players were there in 2024?", "founded_year");
    check_holds("total fee in 2024",
                "transfers.transfer_date >= DATE '2024-01-01'");
}

static void test_one_of_two_ways_is_not_taken_unasked(void **state)
{
    (void)state;
    check_refused("number of players without goals", "several ways");
    check_refused("average number of goals per player", "several ways");
}

static void test_an_average_is_over_those_that_have_one(void **state)
{
    (void)state;
    check_holds("average number of matches per referee",
                "JOIN public.referees AS referees ON");
    check_lacks("average number of matches per referee", "LEFT JOIN");
    check_refused("average number of stars per club", "do not add up");
    /* A player without caps has no number, not 0. */
    check_holds("average number of caps per player in each club",
                "AVG(players.caps)");
}

static void test_among_things_is_no_breakdown(void **state)
{
    (void)state;
    check_lacks("number of different nationalities among the players",
                "GROUP BY");
}

static void test_a_flag_of_others_is_no_value_of_the_things(void **state)
{
    (void)state;
    check_holds("How many matches are retired?",
                "LOWER(matches.status) = 'retired'");
    check_holds("number of retired matches",
                "LOWER(matches.status) = 'retired'");
    check_holds("total attendance of retired matches",
                "LOWER(matches.status) = 'retired'");
    check_holds("How many referees are retired?",
                "referees.is_retired IS TRUE");
    check_holds("number of retired referees", "referees.is_retired IS TRUE");
}

static void test_a_value_of_two_things_as_near(void **state)
{
    (void)state;
    check_refused("number of matches with Amber", "which is meant");
    check_holds("number of matches with Green", "referees.flag");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_since_is_no_date_of_that_name,
                               ask_of_energy),
        cmocka_unit_test_setup(test_what_refers_is_not_added_up, ask_of_energy),
        cmocka_unit_test_setup(test_what_others_have_is_not_had, ask_of_goals),
        cmocka_unit_test_setup(test_a_name_and_a_field_of_it_are_no_two_groups,
                               ask_of_goals),
        cmocka_unit_test_setup(test_what_happened_is_a_date_that_is_set,
                               ask_of_energy),
        cmocka_unit_test_setup(test_what_says_that_there_is_no_value_is_none,
                               ask_of_energy),
        cmocka_unit_test_setup(test_the_date_that_is_grouped, ask_of_energy),
        cmocka_unit_test_setup(
            test_a_measure_is_of_the_date_that_shares_its_name, ask_of_energy),
        cmocka_unit_test_setup(test_a_birthday_dates_nothing_else,
                               ask_of_energy),
        cmocka_unit_test_setup(test_what_lasts_may_be_had_before_and_after,
                               ask_of_energy),
        cmocka_unit_test_setup(test_pronouns_are_no_countries, ask_of_energy),
        cmocka_unit_test_setup(test_a_namesake_of_the_things_is_a_place,
                               ask_of_energy),
        cmocka_unit_test_setup(test_the_one_of_a_name_and_those_in_a_place,
                               ask_of_energy),
        cmocka_unit_test_setup(test_a_reference_is_shown_by_name,
                               ask_of_energy),
        cmocka_unit_test_setup(test_totals_of_money_things, ask_of_energy),
        cmocka_unit_test_setup(test_a_figure_of_their_own, ask_of_energy),
        cmocka_unit_test_setup(test_the_nearest_event_dates_what_belongs_to_it,
                               ask_of_goals),
        cmocka_unit_test_setup(test_one_of_two_ways_is_not_taken_unasked,
                               ask_of_goals),
        cmocka_unit_test_setup(test_an_average_is_over_those_that_have_one,
                               ask_of_goals),
        cmocka_unit_test_setup(test_among_things_is_no_breakdown, ask_of_goals),
        cmocka_unit_test_setup(test_a_flag_of_others_is_no_value_of_the_things,
                               ask_of_goals),
        cmocka_unit_test_setup(test_a_value_of_two_things_as_near,
                               ask_of_goals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
