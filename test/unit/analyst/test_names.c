/* Short names of columns, their units, and what things are called. */
#include "models.h"
#include "base/banned.h"

static const char model[] =
    "semantic_model:\n"
    "- name: short_names\n"
    "  datasets:\n"
    "  - name: referee\n"
    "    source: public.referee\n"
    "    primary_key: [ref_id]\n"
    "    fields:\n"
    "    - {name: ref_id, expression: ref_id, datatype: Integer}\n"
    "    - {name: ref_nm, expression: ref_nm, datatype: String}\n"
    "    - {name: licence_lvl, expression: licence_lvl, datatype: Integer}\n"
    "  - name: club\n"
    "    source: public.club\n"
    "    primary_key: [club_id]\n"
    "    fields:\n"
    "    - {name: club_id, expression: club_id, datatype: Integer}\n"
    "    - {name: club_nm, expression: club_nm, datatype: String}\n"
    "    - {name: short_cd, expression: short_cd, datatype: String,\n"
    "       ai_context: {examples: [NHK, SGR]}}\n"
    "    - {name: budget_meur, expression: budget_meur, datatype: Decimal}\n"
    "    - {name: founded_yr, expression: founded_yr, datatype: Integer}\n"
    "    - {name: ticket_eur, expression: ticket_eur, datatype: Decimal}\n"
    "    - {name: disc_pct, expression: disc_pct, datatype: Decimal}\n"
    "    - {name: weight, expression: weight, datatype: Integer}\n"
    "    - {name: weight_lb, expression: weight_lb, datatype: Integer}\n"
    "  - name: player\n"
    "    source: public.player\n"
    "    primary_key: [player_id]\n"
    "    fields:\n"
    "    - {name: player_id, expression: player_id, datatype: Integer}\n"
    "    - {name: surname, expression: surname, datatype: String}\n"
    "    - {name: given_nm, expression: given_nm, datatype: String}\n"
    "    - {name: dob, expression: dob, datatype: Date}\n"
    "    - {name: weight_kg, expression: weight_kg, datatype: Integer}\n"
    "    - {name: height_cm, expression: height_cm, datatype: Integer}\n"
    "    - {name: reach_cm, expression: reach_cm, datatype: Integer}\n"
    "    - {name: reach_mm, expression: reach_mm, datatype: Integer}\n"
    "    - {name: order_eur, expression: order_eur, datatype: Decimal}\n"
    "    - {name: temp_min, expression: temp_min, datatype: Decimal}\n"
    "    - {name: check_in, expression: check_in, datatype: Integer}\n"
    "    - {name: dist_km, expression: dist_km, datatype: Decimal}\n"
    "    - {name: dur_min, expression: dur_min, datatype: Integer}\n"
    "  - name: squad\n"
    "    source: public.squad\n"
    "    primary_key: [squad_id]\n"
    "    fields:\n"
    "    - {name: squad_id, expression: squad_id, datatype: Integer}\n"
    "    - {name: shirt_no, expression: shirt_no, datatype: Integer}\n"
    "    - {name: joined_dt, expression: joined_dt, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: salary_eur, expression: salary_eur, datatype: Integer}\n"
    "  - name: ward\n"
    "    source: public.ward\n"
    "    primary_key: [ward_cd]\n"
    "    fields:\n"
    "    - {name: ward_cd, expression: ward_cd, datatype: String}\n"
    "    - {name: ward_nm, expression: ward_nm, datatype: String}\n"
    "    - {name: n_beds, expression: n_beds, datatype: Integer}\n"
    "    - {name: no_of_windows, expression: no_of_windows, datatype: Integer}\n"
    "    - {name: num_orders, expression: num_orders, datatype: Integer}\n"
    "    - {name: no_show, expression: no_show, datatype: Integer}\n"
    "    - {name: floor_no, expression: floor_no, datatype: Integer}\n"
    "  - name: orders\n"
    "    source: public.orders\n"
    "    primary_key: [order_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: ordered_on, expression: ordered_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "  - name: dept\n"
    "    source: public.dept\n"
    "    primary_key: [dept_id]\n"
    "    fields:\n"
    "    - {name: dept_id, expression: dept_id, datatype: Integer}\n"
    "    - {name: weight, expression: weight, datatype: Integer}\n"
    "    - {name: dept_nm, expression: dept_nm, datatype: String}\n"
    "  - name: season\n"
    "    source: public.season\n"
    "    primary_key: [season_id]\n"
    "    fields:\n"
    "    - {name: season_id, expression: season_id, datatype: Integer}\n"
    "    - {name: label, expression: label, datatype: String,\n"
    "       ai_context: {examples: [2021/22, 2022/23]}}\n"
    "    - {name: start_dt, expression: start_dt, datatype: Date}\n"
    "  - name: match\n"
    "    source: public.match\n"
    "    primary_key: [match_id]\n"
    "    fields:\n"
    "    - {name: match_id, expression: match_id, datatype: Integer}\n"
    "    - {name: kickoff, expression: kickoff, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: attendance, expression: attendance, datatype: Integer}\n"
    "    - {name: goals, expression: goals, datatype: Integer}\n"
    "  relationships:\n"
    "  - {name: squad_club, from: squad, to: club,\n"
    "     from_columns: [club_id], to_columns: [club_id]}\n"
    "  - {name: squad_player, from: squad, to: player,\n"
    "     from_columns: [player_id], to_columns: [player_id]}\n"
    "  - {name: match_season, from: match, to: season,\n"
    "     from_columns: [season_id], to_columns: [season_id]}\n"
    "  - {name: match_referee, from: match, to: referee,\n"
    "     from_columns: [ref_id], to_columns: [ref_id]}\n"
    "  - {name: player_dept, from: player, to: dept,\n"
    "     from_columns: [dept_id], to_columns: [dept_id]}\n"
    "  - {name: orders_ward, from: orders, to: ward,\n"
    "     from_columns: [ward_cd], to_columns: [ward_cd]}\n"
    "  metrics:\n"
    "  - {name: number_of_match, expression: COUNT(match.match_id)}\n";

static void check_holds(const char *question, const char *part)
{
    assert_answers(model, question, part);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(model, question, why);
}

static void test_short_forms_are_read_as_their_words(void **state)
{
    (void)state;
    check_holds("number of clubs by name", "club.club_nm");
    check_holds("average licence level of referees",
                "AVG(referee.licence_lvl)");
    check_holds("number of squads by shirt number", "squad.shirt_no");
    check_holds("number of squads by shirt no", "squad.shirt_no");
    check_holds("number of squads joined in 2024",
                "squad.joined_dt >= DATE '2024-01-01'");
    check_holds("How many players were born in 1990?",
                "player.dob >= DATE '1990-01-01'");
    check_holds("number of players by department", "dept.dept_nm");
    check_holds("number of clubs by short code", "club.short_cd");
    /* Who did not come has no number. */
    check_refused("average show number", "show number");
}

static void test_a_number_is_called_without_its_unit(void **state)
{
    (void)state;
    check_holds("average height of players", "AVG(player.height_cm)");
    check_holds("total salary by club", "SUM(squad.salary_eur)");
    check_holds("average distance of players", "AVG(player.dist_km)");
    check_holds("average duration of players", "AVG(player.dur_min)");
    check_holds("number of players with weight over 90",
                "player.weight_kg > 90");
    check_holds("average discount of clubs", "AVG(club.disc_pct)");
    /* The name itself comes first, and of two units neither is the one. */
    check_holds("average weight of clubs", "AVG(club.weight)");
    check_refused("average reach of players", "reach");
    check_refused("average temp of players", "temp");
    check_refused("average check of players", "check");
}

static void test_an_amount_counts_nothing(void **state)
{
    (void)state;
    check_holds("average ticket of clubs", "AVG(club.ticket_eur)");
    check_refused("How many tickets are there?", "no count");
    check_refused("Which club has the most tickets?", "counts nothing");
    check_refused("number of clubs with more than 5 tickets", "tickets");
    check_refused("total discount of clubs", "percentage");
    /* The orders, and not an order_eur. */
    check_holds("How many orders are there?", "FROM public.orders");
}

static void test_a_number_of_things(void **state)
{
    (void)state;
    check_holds("total number of beds", "SUM(ward.n_beds)");
    check_holds("Which ward has the most beds?", "ward.ward_nm");
    check_holds("average beds of wards", "AVG(ward.n_beds)");
    check_holds("number of windows by ward", "SUM(ward.no_of_windows)");
    check_holds("number of orders by ward", "FROM public.orders");
    check_refused("average shows of wards", "shows");
}

static void test_things_are_called_by_their_names(void **state)
{
    (void)state;
    check_holds("Which club has the largest budget?", "club.club_nm");
    check_holds("Which referee has the most matches?", "referee.ref_nm");
    check_holds("Which player has the highest weight?",
                "CONCAT_WS(' ', player.given_nm, player.surname)");
    check_holds("number of matches by season", "season.label");
    check_holds("Which ward has the most beds?", "ward.ward_nm");
}

static void test_a_season_is_no_date(void **state)
{
    (void)state;
    check_holds("number of matches in 2022/23",
                "LOWER(season.label) = '2022/23'");
    check_holds("number of matches in season 2022-23",
                "LOWER(season.label) = '2022/23'");
    check_holds("total attendance in 2022/23",
                "LOWER(season.label) = '2022/23'");
    /* Not among the examples, and no December. */
    check_holds("number of matches in season 2011/12", "= '2011/12'");
    check_holds("number of matches in 2024-05",
                "match.kickoff >= DATE '2024-05-01'");
    check_refused("number of matches in 2022/24", "is no date");
}

static void test_what_is_taller_is_compared_by_its_height(void **state)
{
    (void)state;
    check_holds("How many players are taller than 200?",
                "player.height_cm > 200");
    check_holds("How many players are taller than 200 cm?",
                "player.height_cm > 200");
    check_holds("number of players lighter than 90 kilograms",
                "player.weight_kg < 90");
    check_holds("average weight of players taller than 190 by department",
                "player.height_cm > 190");
    check_holds("number of players shorter than 180 cm",
                "player.height_cm < 180");
    check_refused("How many players are taller than 2 m?", "taller than 2 m");
    check_refused("How many players are taller than 6 feet?", "taller");
    /* No age, no height, and another player. */
    check_refused("How many players are older than 30?", "older than 30");
    check_refused("How many referees are taller than 200?", "taller");
    check_refused("How many players are taller than average?", "taller");
    check_refused("How many players are not taller than 200?", "not");
    check_holds("How many departments have players taller than 200?",
                "player.dept_id = dept.dept_id AND player.height_cm > 200");
    check_refused("number of departments with players heavier than 90",
                  "heavier");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_forms_are_read_as_their_words),
        cmocka_unit_test(test_a_number_is_called_without_its_unit),
        cmocka_unit_test(test_an_amount_counts_nothing),
        cmocka_unit_test(test_a_number_of_things),
        cmocka_unit_test(test_things_are_called_by_their_names),
        cmocka_unit_test(test_a_season_is_no_date),
        cmocka_unit_test(test_what_is_taller_is_compared_by_its_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
