/* How things are related: persons by their full names, references by the names of
 * what they refer to, and verbs for the rows between two things. */
#include "models.h"
#include "base/banned.h"

static const char model[] =
    "semantic_model:\n"
    "- name: surgery\n"
    "  datasets:\n"
    "  - name: owners\n"
    "    source: public.owners\n"
    "    primary_key: [owner_id]\n"
    "    fields:\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "    - {name: first_name, expression: first_name, datatype: String,\n"
    "       ai_context: {examples: [Derek, Anna]}}\n"
    "    - {name: last_name, expression: last_name, datatype: String,\n"
    "       ai_context: {examples: [Clegg, Stone]}}\n"
    "    - {name: city, expression: city, datatype: String}\n"
    "  - name: pets\n"
    "    source: public.pets\n"
    "    primary_key: [pet_id]\n"
    "    fields:\n"
    "    - {name: pet_id, expression: pet_id, datatype: Integer}\n"
    "    - {name: pet_name, expression: pet_name, datatype: String}\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "  - name: vets\n"
    "    source: public.vets\n"
    "    primary_key: [vet_id]\n"
    "    fields:\n"
    "    - {name: vet_id, expression: vet_id, datatype: Integer}\n"
    "    - {name: fname, expression: fname, datatype: String}\n"
    "    - {name: surname, expression: surname, datatype: String}\n"
    "    - {name: salary, expression: salary, datatype: Decimal}\n"
    "    - {name: reports_to, expression: reports_to, datatype: Integer}\n"
    "  - name: rooms\n"
    "    source: public.rooms\n"
    "    primary_key: [room_id]\n"
    "    fields:\n"
    "    - {name: room_id, expression: room_id, datatype: Integer}\n"
    "    - {name: room_name, expression: room_name, datatype: String}\n"
    "    - {name: cleaned_by, expression: cleaned_by, datatype: Integer}\n"
    "    - {name: painted_by, expression: painted_by, datatype: Integer}\n"
    "  relationships:\n"
    "  - {name: pets_owners, from: pets, to: owners,\n"
    "     from_columns: [owner_id], to_columns: [owner_id]}\n"
    "  - {name: vets_reports_to, from: vets, to: vets,\n"
    "     from_columns: [reports_to], to_columns: [vet_id]}\n"
    "  - {name: rooms_cleaned_by, from: rooms, to: vets,\n"
    "     from_columns: [cleaned_by], to_columns: [vet_id]}\n"
    "  - {name: rooms_painted_by, from: rooms, to: vets,\n"
    "     from_columns: [painted_by], to_columns: [vet_id]}\n";

static void check_holds(const char *question, const char *part)
{
    assert_answers(model, question, part);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(model, question, why);
}

/* ---- full names ----------------------------------------------------------- */

static void test_a_full_name_is_looked_up_over_two_fields(void **state)
{
    (void)state;
    const char *both =
        "CONCAT_WS(' ', owners.first_name, owners.last_name)), '";
    check_holds("pets of Luis Lee", both);
    check_holds("how many pets does Luis Lee own", both);
    check_holds("Luis Lee's pets", "= 'luis lee'");
    check_holds("salary of Nora Quinn",
                "CONCAT_WS(' ', vets.fname, vets.surname)");
    check_holds("pets of Luis Lee and Nora Quinn", "= 'nora quinn'");
}

static void test_known_first_and_last_names_are_one_person(void **state)
{
    (void)state;
    struct asked a;
    check_holds("pets of Derek Clegg", "= 'derek clegg'");
    check_holds("number of pets of Anna Stone", "= 'anna stone'");
    ask_one(&a, model, "pets of Derek and Anna");
    assert_true(a.planned);
    assert_lacks(asked_sql(&a), "derek and anna");
    ask_done(&a);
}

static void test_one_word_is_no_full_name(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, model, "pets of Quinn");
    assert_true(a.planned);
    assert_lacks(asked_sql(&a), "CONCAT_WS(' ', owners");
    ask_done(&a);
}

/* A name with accents is looked for as it is written, one without them also among
 * those that have them. */
static void test_accents_may_be_left_out(void **state)
{
    (void)state;
    struct asked a;
    check_holds("pets of Luis Goncalves", "TRANSLATE(LOWER(");
    ask_one(&a, model, "pets of Luís Gonçalves");
    assert_true(a.planned);
    assert_lacks(asked_sql(&a), "TRANSLATE");
    assert_holds(asked_sql(&a), "LOWER('Luís Gonçalves')");
    ask_done(&a);
}

static void test_quotes_in_a_name_are_no_sql(void **state)
{
    (void)state;
    check_holds("pets of \"Sinead O'Connor\"", "= 'sinead o''connor'");
    check_holds("number of rooms where cleaned by is \"x') or ('1' = '1\"",
                "= 'x'') or (''1'' = ''1'");
}

/* ---- references ------------------------------------------------------------ */

static void test_a_reference_is_compared_with_the_name_of_its_row(void **state)
{
    (void)state;
    const char *cleaned = "rooms.cleaned_by IN (SELECT vets.vet_id FROM";
    check_holds("rooms cleaned by Nora Quinn", cleaned);
    check_holds("number of rooms cleaned by Nora Quinn", cleaned);
    check_holds("how many rooms are cleaned by Nora Quinn", "= 'nora quinn')");
    check_holds("rooms painted by Nora Quinn", "rooms.painted_by IN (SELECT");
    check_holds("rooms cleaned by Quinn", "LOWER(vets.surname) = 'quinn')");
    check_holds("rooms not cleaned by Nora Quinn",
                "= 'nora quinn')) IS NOT TR");
    check_holds("number of rooms where cleaned by is 5",
                "rooms.cleaned_by IN (5)");
    check_refused("rooms closed by Nora Quinn", "closed");
}

static void test_rows_may_refer_to_rows_of_their_own(void **state)
{
    (void)state;
    const char *named = "vets.reports_to IN (SELECT vets.vet_id FROM";
    check_holds("vets who report to Nora Quinn", named);
    check_holds("how many vets report to Nora Quinn", named);
    check_holds("number of vets where reports to is Nora Quinn", named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_name_is_looked_up_over_two_fields),
        cmocka_unit_test(test_known_first_and_last_names_are_one_person),
        cmocka_unit_test(test_one_word_is_no_full_name),
        cmocka_unit_test(test_accents_may_be_left_out),
        cmocka_unit_test(test_quotes_in_a_name_are_no_sql),
        cmocka_unit_test(test_a_reference_is_compared_with_the_name_of_its_row),
        cmocka_unit_test(test_rows_may_refer_to_rows_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
