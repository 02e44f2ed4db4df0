/* What things do not have, and what is not known of them. */
#include "models.h"
#include "base/banned.h"

static const char school_model[] =
    "semantic_model:\n"
    "- name: school\n"
    "  datasets:\n"
    "  - name: coach\n"
    "    source: public.coach\n"
    "    primary_key: [coach_id]\n"
    "    fields:\n"
    "    - {name: coach_id, expression: coach_id, datatype: Integer}\n"
    "    - {name: coach_nm, expression: coach_nm, datatype: String}\n"
    "    - {name: birth_dt, expression: birth_dt, datatype: Date}\n"
    "    - {name: left_dt, expression: left_dt, datatype: Date}\n"
    "    - {name: mentor_id, expression: mentor_id, datatype: Integer}\n"
    "    - {name: club_id, expression: club_id, datatype: Integer}\n"
    "    - {name: height_cm, expression: height_cm, datatype: Integer}\n"
    "    - {name: bonus_eur, expression: bonus_eur, datatype: Decimal}\n"
    "    - {name: sex, expression: sex, datatype: String,\n"
    "       description: \"F female, M male, U unknown\"}\n"
    "    - {name: is_licensed, expression: is_licensed, datatype: Boolean}\n"
    "  - name: club\n"
    "    source: public.club\n"
    "    primary_key: [club_id]\n"
    "    fields:\n"
    "    - {name: club_id, expression: club_id, datatype: Integer}\n"
    "    - {name: club_name, expression: club_name, datatype: String}\n"
    "    - {name: city, expression: city, datatype: String}\n"
    "    - {name: parent_club_id, expression: parent_club_id,\n"
    "       datatype: Integer}\n"
    "  - name: match\n"
    "    source: public.match\n"
    "    primary_key: [match_id]\n"
    "    fields:\n"
    "    - {name: match_id, expression: match_id, datatype: Integer}\n"
    "    - {name: played_on, expression: played_on, datatype: Date}\n"
    "    - {name: home_id, expression: home_id, datatype: Integer}\n"
    "    - {name: away_id, expression: away_id, datatype: Integer}\n"
    "  - name: contract\n"
    "    source: public.contract\n"
    "    primary_key: [contract_id]\n"
    "    fields:\n"
    "    - {name: contract_id, expression: contract_id, datatype: Integer}\n"
    "    - {name: coach_id, expression: coach_id, datatype: Integer}\n"
    "    - {name: signed_on, expression: signed_on, datatype: Date}\n"
    "  relationships:\n"
    "  - {name: coach_mentor, from: coach, to: coach,\n"
    "     from_columns: [mentor_id], to_columns: [coach_id]}\n"
    "  - {name: coach_club, from: coach, to: club,\n"
    "     from_columns: [club_id], to_columns: [club_id]}\n"
    "  - {name: club_parent, from: club, to: club,\n"
    "     from_columns: [parent_club_id], to_columns: [club_id]}\n"
    "  - {name: match_home, from: match, to: club,\n"
    "     from_columns: [home_id], to_columns: [club_id]}\n"
    "  - {name: match_away, from: match, to: club,\n"
    "     from_columns: [away_id], to_columns: [club_id]}\n"
    "  - {name: contract_coach, from: contract, to: coach,\n"
    "     from_columns: [coach_id], to_columns: [coach_id]}\n";

static void check_holds(const char *question, const char *part)
{
    assert_answers(school_model, question, part);
}

static void check_lacks(const char *question, const char *part)
{
    struct asked a;
    ask_one(&a, school_model, question);
    if (a.planned)
        assert_lacks(asked_sql(&a), part);
    ask_done(&a);
}

static void check_refused(const char *question)
{
    assert_refused(school_model, question, "");
}

static void test_short_negations_are_two_words(void **state)
{
    (void)state;
    check_holds("How many coaches don't have a contract?", "NOT EXISTS");
    check_holds("How many coaches don\xe2\x80\x99t have any contracts?",
                "NOT EXISTS");
    check_holds("How many coaches did not have a contract?", "NOT EXISTS");
    check_holds("How many coaches haven't left?", "coach.left_dt IS NULL");
    check_holds("How many coaches aren't licensed?", "IS NOT TRUE");
    check_holds("number of coaches that weren't licensed", "IS NOT TRUE");
    check_refused("How many coaches don't have no contract?");
    check_refused("How many coaches can't have a contract?");
    check_refused("How many coaches don't swim?");
}

static void test_what_is_not_known(void **state)
{
    static const char *const heights[] = {
        "number of coaches with unknown height",
        "number of coaches with an unknown height",
        "number of coaches with a missing height",
        "number of coaches of unknown height",
        "How many coaches have an unknown height?",
        "How many coaches whose height is unknown?",
        "How many coaches whose height is not known?",
        "number of coaches whose height isn't recorded",
        "number of coaches with height missing",
        "How many coaches have no height?",
        "number of coaches without height",
        "number of coaches without a height",
        "How many coaches don't have a height?",
        "How many coaches are missing a height?",
        NULL};
    (void)state;
    for (size_t i = 0; heights[i]; i++)
        check_holds(heights[i], "WHERE coach.height_cm IS NULL");
    check_holds("number of coaches whose height is known",
                "WHERE coach.height_cm IS NOT NULL");
    check_holds("number of coaches excluding unknown heights",
                "WHERE coach.height_cm IS NOT NULL");
    check_holds("number of coaches by club excluding unknown birth dates",
                "coach.birth_dt IS NOT NULL");
    check_holds("How many coaches have a missing birth date?",
                "coach.birth_dt IS NULL");
    check_holds("number of coaches with unknown bonus",
                "coach.bonus_eur IS NULL");
    check_refused("number of coaches without a bonus"); /* or one of 0 */
    check_lacks("number of coaches of unknown sex",
                "IS NULL"); /* U, or nothing */
    check_refused("number of coaches with unknown contracts");
    check_refused("number of coaches not without unknown height");
    check_lacks("number of coaches with unknown height over 200",
                "height_cm IS NULL");
}

static void test_references_are_called_without_their_key(void **state)
{
    (void)state;
    check_holds("number of coaches without a mentor",
                "coach.mentor_id IS NULL");
    check_holds("How many coaches don't have a mentor?",
                "coach.mentor_id IS NULL");
    check_holds("How many coaches have no mentor?", "coach.mentor_id IS NULL");
    check_holds("number of coaches with a mentor",
                "coach.mentor_id IS NOT NULL");
    check_holds("number of clubs without a parent club",
                "club.parent_club_id IS NULL");
    check_holds("number of coaches without a club", "coach.club_id IS NULL");
    check_holds("How many coaches have a club?", "coach.club_id IS NOT NULL");
    check_refused("number of clubs without a mentor");
    check_refused("number of coaches without a mentor in 2024");
    /* No mentor at all is not meant. */
    check_lacks("number of coaches without a mentor like Kim", "mentor_id");
    check_refused("number of matches without a club"); /* home or away */
    check_refused("number of coaches without a friend");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_negations_are_two_words),
        cmocka_unit_test(test_what_is_not_known),
        cmocka_unit_test(test_references_are_called_without_their_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
