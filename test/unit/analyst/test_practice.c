/* Questions of a practice that sees animals: its owner has named dates, persons and
 * values, and what they are called by must not be taken for something else. */
#include "models.h"
#include "base/banned.h"

static const char model[] =
    "semantic_model:\n"
    "- name: practice\n"
    "  datasets:\n"
    "  - name: owners\n"
    "    source: public.owners\n"
    "    primary_key: [owner_id]\n"
    "    ai_context: {synonyms: [clients]}\n"
    "    fields:\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "    - {name: first_name, expression: first_name, datatype: String}\n"
    "    - {name: last_name, expression: last_name, datatype: String}\n"
    "    - {name: town, expression: town, datatype: String}\n"
    "  - name: animals\n"
    "    source: public.animals\n"
    "    primary_key: [animal_id]\n"
    "    fields:\n"
    "    - {name: animal_id, expression: animal_id, datatype: Integer}\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "    - {name: name, expression: name, datatype: String}\n"
    "    - {name: species, expression: species, datatype: String,\n"
    "       ai_context: {examples: [dog, cat, rabbit]}}\n"
    "    - {name: weight_kg, expression: weight_kg, datatype: Decimal}\n"
    "  - name: staff\n"
    "    source: public.staff\n"
    "    primary_key: [staff_id]\n"
    "    fields:\n"
    "    - {name: staff_id, expression: staff_id, datatype: Integer}\n"
    "    - {name: full_name, expression: full_name, datatype: String}\n"
    "    - {name: role, expression: role, datatype: String,\n"
    "       ai_context: {examples: [nurse, receptionist]}}\n"
    "    - {name: left_on, expression: left_on, datatype: Date}\n"
    "    - {name: monthly_pay, expression: monthly_pay, datatype: Decimal}\n"
    "  - name: appointments\n"
    "    source: public.appointments\n"
    "    primary_key: [appointment_id]\n"
    "    ai_context: {synonyms: [visits]}\n"
    "    fields:\n"
    "    - {name: appointment_id, expression: appointment_id,\n"
    "       datatype: Integer}\n"
    "    - {name: animal_id, expression: animal_id, datatype: Integer}\n"
    "    - {name: vet_id, expression: vet_id, datatype: Integer,\n"
    "       ai_context: {synonyms: [vet]}}\n"
    "    - {name: entered_on, expression: entered_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: starts_at, expression: starts_at, datatype: DateTime,\n"
    "       dimension: {is_time: true},\n"
    "       ai_context: {synonyms: [date of the visit]}}\n"
    "    - {name: reason, expression: reason, datatype: String,\n"
    "       ai_context: {examples: [dental, surgery]}}\n"
    "    - {name: noted, expression: noted, datatype: String,\n"
    "       ai_context: {examples: [by, after]}}\n"
    "  - name: treatments\n"
    "    source: public.treatments\n"
    "    primary_key: [treatment_id]\n"
    "    fields:\n"
    "    - {name: treatment_id, expression: treatment_id,\n"
    "       datatype: Integer}\n"
    "    - {name: category, expression: category, datatype: String,\n"
    "       ai_context: {examples: [dental]}}\n"
    "  - name: treated\n"
    "    source: public.treated\n"
    "    primary_key: [appointment_id, treatment_id]\n"
    "    fields:\n"
    "    - {name: appointment_id, expression: appointment_id,\n"
    "       datatype: Integer}\n"
    "    - {name: treatment_id, expression: treatment_id,\n"
    "       datatype: Integer}\n"
    "  - name: invoices\n"
    "    source: public.invoices\n"
    "    primary_key: [invoice_id]\n"
    "    fields:\n"
    "    - {name: invoice_id, expression: invoice_id, datatype: Integer}\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "    - {name: appointment_id, expression: appointment_id,\n"
    "       datatype: Integer}\n"
    "    - {name: issued_on, expression: issued_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: status, expression: status, datatype: String,\n"
    "       ai_context: {examples: [paid, open]}}\n"
    "    - {name: amount, expression: amount, datatype: Decimal,\n"
    "       ai_context: {synonyms: [turnover, bill]}}\n"
    "  relationships:\n"
    "  - {name: animals_owners, from: animals, to: owners,\n"
    "     from_columns: [owner_id], to_columns: [owner_id]}\n"
    "  - {name: appointments_animals, from: appointments, to: animals,\n"
    "     from_columns: [animal_id], to_columns: [animal_id]}\n"
    "  - {name: appointments_vet, from: appointments, to: staff,\n"
    "     from_columns: [vet_id], to_columns: [staff_id]}\n"
    "  - {name: treated_appointments, from: treated, to: appointments,\n"
    "     from_columns: [appointment_id], to_columns: [appointment_id]}\n"
    "  - {name: treated_treatments, from: treated, to: treatments,\n"
    "     from_columns: [treatment_id], to_columns: [treatment_id]}\n"
    "  - {name: invoices_owners, from: invoices, to: owners,\n"
    "     from_columns: [owner_id], to_columns: [owner_id]}\n"
    "  - {name: invoices_appointments, from: invoices, to: appointments,\n"
    "     from_columns: [appointment_id], to_columns: [appointment_id]}\n";

static void check_holds(const char *question, const char *part)
{
    assert_answers(model, question, part);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(model, question, why);
}

static void test_the_highest_turnover_is_a_total(void **state)
{
    (void)state;
    check_holds("which client has the highest turnover",
                "SUM(invoices.amount)");
    check_holds("best year by turnover", "SUM(invoices.amount)");
    check_holds("which client has the highest bill", "MAX(invoices.amount)");
    check_refused("best year by bill", "the total of the period");
    check_refused("clients by turnover", "makes no groups");
}

static void test_the_date_that_the_owner_names_counts(void **state)
{
    (void)state;
    check_holds("visits in 2025", "appointments.starts_at >=");
    check_holds("number of visits by month", "appointments.starts_at");
    check_holds("visits entered in 2025", "appointments.entered_on >=");
}

static void test_a_period_after_a_deed_is_of_the_deed(void **state)
{
    (void)state;
    check_refused("invoices paid in 2025", "when they were paid");
    check_holds("paid invoices in 2025", "invoices.issued_on >=");
}

static void test_who_has_left_is_not_there(void **state)
{
    (void)state;
    check_refused("how many nurses do we have", "still there");
    check_holds("how many nurses are there", "'nurse'");
    check_holds("how many dogs do we have", "'dog'");
    check_refused("how many vets do we have", "refer to");
    check_holds("number of different vets by reason", "DISTINCT");
}

static void test_a_list_is_no_sum(void **state)
{
    (void)state;
    check_refused("list nurses and their monthly pay", "to be listed");
    check_refused("names and weights of the rabbits", "share a name");
    check_holds("total monthly pay of the nurses", "SUM(staff.monthly_pay)");
    check_holds("list animals with their weight", "animals.weight_kg");
}

static void test_values_are_found_where_they_are(void **state)
{
    (void)state;
    check_refused("dental turnover in 2025", "and of treatments.category");
    check_holds("turnover of dental appointments in 2025",
                "appointments.reason");
    check_holds("turnover of surgery in 2025", "appointments.reason");
    /* A word of the grammar is one, though a column holds it. */
    check_holds("number of cats by town", "GROUP BY 1");
    check_holds("number of animals by client name", "GROUP BY 1, owners.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_highest_turnover_is_a_total),
        cmocka_unit_test(test_the_date_that_the_owner_names_counts),
        cmocka_unit_test(test_a_period_after_a_deed_is_of_the_deed),
        cmocka_unit_test(test_who_has_left_is_not_there),
        cmocka_unit_test(test_a_list_is_no_sum),
        cmocka_unit_test(test_values_are_found_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
