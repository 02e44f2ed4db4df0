/* Fields that hold codes: flags that are no Booleans, codes that a description
 * explains, signs, and values in the plural. */
#include "models.h"
#include <stdio.h>
#include "base/banned.h"

static const char laboratory[] =
    "semantic_model:\n"
    "- name: laboratory\n"
    "  datasets:\n"
    "  - name: patients\n"
    "    source: public.patients\n"
    "    primary_key: [patient_id]\n"
    "    fields:\n"
    "    - {name: patient_id, expression: patient_id, datatype: Integer}\n"
    "    - {name: surname, expression: surname, datatype: String}\n"
    "    - {name: city, expression: city, datatype: String}\n"
    "    - {name: sex, expression: sex, datatype: String,\n"
    "       description: \"F female, M male, U unknown.\"}\n"
    "    - {name: blood_group, expression: blood_group, datatype: String,\n"
    "       description: \"A, B, AB or 0; NULL if unknown.\"}\n"
    "    - {name: rh, expression: rh, label: Rhesus Factor, datatype: String,\n"
    "       description: \"+ positive or - negative; NULL if unknown.\"}\n"
    "    - {name: smoker_yn, expression: smoker_yn, label: Smoker,\n"
    "       datatype: String, ai_context: {synonyms: [smokes]},\n"
    "       description: \"Y smokes, N does not smoke; NULL if not asked.\"}\n"
    "    - {name: is_insured, expression: is_insured, datatype: Integer}\n"
    "    - {name: grade, expression: grade, datatype: String,\n"
    "       ai_context: {examples: [A, B, C, S, I]}}\n"
    "  - name: staff\n"
    "    source: public.staff\n"
    "    primary_key: [staff_id]\n"
    "    fields:\n"
    "    - {name: staff_id, expression: staff_id, datatype: Integer}\n"
    "    - {name: position, expression: position, datatype: String,\n"
    "       ai_context: {examples: [receptionist, nurse, lab assistant]}}\n"
    "    - {name: salary, expression: salary, datatype: Decimal}\n"
    "    - {name: is_active, expression: is_active, datatype: String,\n"
    "       ai_context: {examples: ['1', '0']}}\n"
    "    - {name: is_retired, expression: is_retired, datatype: Boolean}\n"
    "    - {name: standing, expression: standing, datatype: String,\n"
    "       description: \"H hired, R retired\"}\n"
    "  - name: diseases\n"
    "    source: public.diseases\n"
    "    primary_key: [disease_id]\n"
    "    fields:\n"
    "    - {name: disease_id, expression: disease_id, datatype: Integer}\n"
    "    - {name: disease_name, expression: disease_name, datatype: String}\n"
    "    - {name: chronic_yn, expression: chronic_yn, datatype: String,\n"
    "       ai_context: {examples: [Y, N]}}\n"
    "  - name: orders\n"
    "    source: public.orders\n"
    "    primary_key: [order_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: ordered_on, expression: ordered_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: sent_out_on, expression: sent_out_on, datatype: Date}\n"
    "    - {name: progress, expression: progress, datatype: String,\n"
    "       description: \"WIP in progress, OUT sent out\"}\n"
    "    - {name: priority, expression: priority, datatype: String,\n"
    "       description: \"Priority: R = routine, U = urgent, S = stat (at once)\"}\n"
    "    - {name: state, expression: state, datatype: String,\n"
    "       description: \"pending (P), closed (C) or cancelled (X)\"}\n"
    "    - {name: channel, expression: channel, datatype: String,\n"
    "       ai_context: {examples: [paper, phone]},\n"
    "       description: \"P by post, F faxed\"}\n"
    "    - {name: shift, expression: shift, datatype: String,\n"
    "       description: \"D day shift, the first one, or N at night\"}\n"
    "  - name: results\n"
    "    source: public.results\n"
    "    primary_key: [result_id]\n"
    "    fields:\n"
    "    - {name: result_id, expression: result_id, datatype: Integer}\n"
    "    - {name: measured, expression: measured, datatype: Decimal}\n"
    "    - {name: flag, expression: flag, datatype: String,\n"
    "       ai_context: {synonyms: [abnormal flag], examples: [H, L]},\n"
    "       description: \"H too high, L too low; NULL if not measured.\"}\n"
    "    - {name: repeat_yn, expression: repeat_yn, label: Repeated,\n"
    "       datatype: String,\n"
    "       description: \"Y if the measurement was repeated, else N.\"}\n"
    "  relationships:\n"
    "  - {name: orders_patients, from: orders, to: patients,\n"
    "     from_columns: [patient_id], to_columns: [patient_id]}\n"
    "  - {name: results_orders, from: results, to: orders,\n"
    "     from_columns: [order_id], to_columns: [order_id]}\n";

static void check_holds(const char *question, const char *part)
{
    assert_answers(laboratory, question, part);
}

/* Whole, so that nothing is counted or left out besides. */
static void check_sql(const char *question, const char *sql)
{
    struct asked a;
    ask_one(&a, laboratory, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(a.plan.intent));
    assert_str(asked_sql(&a), sql);
    ask_done(&a);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(laboratory, question, why);
}

static void check_lacks(const char *question, const char *part)
{
    struct asked a;
    ask_one(&a, laboratory, question);
    if (a.planned)
        assert_lacks(asked_sql(&a), part);
    ask_done(&a);
}

#define COUNTED(table, condition) \
    "SELECT COUNT(*) AS " table "_count FROM public." table "s AS " table \
    "s WHERE " condition

static void test_a_flag_counts_those_whose_flag_is_yes(void **state)
{
    (void)state;
    check_sql("How many chronic diseases are there?",
              COUNTED("disease", "LOWER(diseases.chronic_yn) = 'y'"));
    check_sql("number of repeated results",
              COUNTED("result", "LOWER(results.repeat_yn) = 'y'"));
    check_sql("How many results were repeated?",
              COUNTED("result", "LOWER(results.repeat_yn) = 'y'"));
    check_sql("How many patients are smokers?",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'y'"));
    check_sql("How many patients smoke?",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'y'"));
    check_sql("How many insured patients are there?",
              COUNTED("patient", "patients.is_insured IN (1)"));
    check_holds("How many smokers live in Bern?",
                "WHERE LOWER(patients.smoker_yn) = 'y' AND");
    check_sql("number of male smokers",
              COUNTED("patient", "LOWER(patients.sex) = 'm' AND "
                                 "LOWER(patients.smoker_yn) = 'y'"));
    check_holds("average salary of active staff",
                "LOWER(staff.is_active) = '1'");
    check_holds("Which city has the most smokers?",
                "WHERE LOWER(patients.smoker_yn) = 'y'");
}

static void test_a_flag_that_is_no(void **state)
{
    (void)state;
    check_sql("How many results were not repeated?",
              COUNTED("result", "LOWER(results.repeat_yn) = 'n'"));
    check_sql("How many patients do not smoke?",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'n'"));
    check_sql("How many non-smokers are there?",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'n'"));
    check_sql("number of non-smokers",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'n'"));
}

static void test_a_flag_compared_with_its_code(void **state)
{
    (void)state;
    check_sql("number of patients with smoker Y",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'y'"));
    check_sql("number of patients where smoker is N",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'n'"));
    check_sql("number of patients where smoker is no",
              COUNTED("patient", "LOWER(patients.smoker_yn) = 'n'"));
}

static void test_a_flag_of_others_counts_nothing(void **state)
{
    (void)state;
    check_refused("number of chronic patients",
                  "known of diseases, and not of");
    check_refused("number of repeated orders", "known of results, and not of");
}

static void test_a_flag_and_a_value_of_one_name(void **state)
{
    (void)state;
    check_refused("number of retired staff",
                  "staff.is_retired or a value of staff.standing");
    check_holds("number of hired staff", "LOWER(staff.standing) = 'h'");
}

static void test_codes_are_no_things(void **state)
{
    (void)state;
    check_refused("how many abnormal flags were there", "no things");
    check_refused("number of priorities", "no things");
    check_refused("number of city", "no things");
    check_refused("number of priority orders", "does not say which");
    check_lacks("number of smoker patients", "DISTINCT");
    check_holds("number of different priorities",
                "COUNT(DISTINCT orders.priority)");
    check_holds("number of cities", "COUNT(DISTINCT patients.city)");
}

static void test_what_a_code_means(void **state)
{
    (void)state;
    check_sql("number of female patients",
              COUNTED("patient", "LOWER(patients.sex) = 'f'"));
    check_sql("number of patients where sex is male",
              COUNTED("patient", "LOWER(patients.sex) = 'm'"));
    check_sql("number of negative patients",
              COUNTED("patient", "LOWER(patients.rh) = '-'"));
    check_sql("number of urgent or stat orders",
              COUNTED("order", "(LOWER(orders.priority) = 'u' OR "
                               "LOWER(orders.priority) = 's')"));
    check_sql("How many results were too low?",
              COUNTED("result", "LOWER(results.flag) = 'l'"));
    check_sql("number of cancelled orders",
              COUNTED("order", "LOWER(orders.state) = 'x'"));
    check_sql("number of orders that are not urgent",
              COUNTED("order", "(LOWER(orders.priority) = 'u') IS NOT TRUE"));
}

static void test_a_code_that_is_not_certain(void **state)
{
    (void)state;
    /* The examples are other values than the codes. */
    check_lacks("number of faxed orders", "orders.channel) = 'f'");
    /* "The first one" belongs to no code. */
    check_lacks("number of orders at night", "= 'n'");
    check_refused("number of patients where sex is unknown",
                  "may be the code U");
    check_refused("number of patients with unknown sex", "may be the code U");
}

static void test_a_code_that_is_called_like_a_date(void **state)
{
    (void)state;
    check_sql("number of orders in progress",
              COUNTED("order", "LOWER(orders.progress) = 'wip'"));
    check_sql("How many orders were sent out?",
              COUNTED("order", "LOWER(orders.progress) = 'out'"));
    check_refused("How many orders were sent out in 2024?",
                  "orders.ordered_on or of orders.sent_out_on");
    check_holds("number of orders in progress in 2024",
                "orders.ordered_on >= DATE '2024-01-01'");
    check_refused("number of patients in progress", "the code WIP");
}

static void test_a_sign_is_a_value(void **state)
{
    (void)state;
    check_sql("number of patients with rhesus factor -",
              COUNTED("patient", "LOWER(patients.rh) = '-'"));
    check_sql("number of patients with rhesus factor +",
              COUNTED("patient", "LOWER(patients.rh) = '+'"));
    check_sql("number of patients where rhesus factor is -",
              COUNTED("patient", "LOWER(patients.rh) = '-'"));
    check_refused("number of patients with blood group A-", "-");
    check_refused("number of patients with city -", "-");
    check_refused("number of patients with city $", "$");
    check_refused("number of results with measured below -5", "-");
    check_refused("number of patients -", "-");
    check_holds("number of patients - by city", "GROUP BY 1");
    check_holds("number of patients by city - top 5", "LIMIT 5");
    check_holds("- number of patients by city", "GROUP BY 1");
}

static void test_the_plural_of_a_value(void **state)
{
    (void)state;
    check_holds("average salary of receptionists",
                "LOWER(staff.\"position\") = 'receptionist'");
    check_holds("number of staff that are nurses",
                "LOWER(staff.\"position\") = 'nurse'");
    check_holds("How many lab assistants are there?",
                "COUNT(*) AS staff_count FROM public.staff AS staff WHERE "
                "LOWER(staff.\"position\") = 'lab assistant'");
    check_holds("number of staff where position is nurses",
                "LOWER(staff.\"position\") = 'nurse'");
    /* A channel is no kind of orders. */
    check_refused("How many phones are there?", "");
    check_refused("Which receptionists have the highest salary?",
                  "of which things");
    check_refused("Which nurse has the highest salary?", "of which things");
}

/* "A" is an article, and a grade. */
static void test_a_lone_capital_letter(void **state)
{
    (void)state;
    static const char *const letters[] = {"Aa", "Ss", "Ii", "Bb"};
    for (size_t i = 0; i < 4; i++) {
        char question[64], part[48];
        snprintf(question, sizeof question,
                 "number of patients with grade %c by city", letters[i][0]);
        snprintf(part, sizeof part, "LOWER(patients.grade) = '%c'",
                 letters[i][1]);
        assert_answers(laboratory, question, part);
    }
    assert_answers(laboratory, "number of patients with a grade",
                   "grade IS NOT NULL");
    assert_answers(laboratory, "NUMBER OF PATIENTS WITH A GRADE",
                   "grade IS NOT NULL");
    assert_answers(laboratory, "How many patients do I have by city?",
                   "GROUP BY");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_flag_counts_those_whose_flag_is_yes),
        cmocka_unit_test(test_a_flag_that_is_no),
        cmocka_unit_test(test_a_flag_compared_with_its_code),
        cmocka_unit_test(test_a_flag_of_others_counts_nothing),
        cmocka_unit_test(test_a_flag_and_a_value_of_one_name),
        cmocka_unit_test(test_codes_are_no_things),
        cmocka_unit_test(test_what_a_code_means),
        cmocka_unit_test(test_a_code_that_is_not_certain),
        cmocka_unit_test(test_a_code_that_is_called_like_a_date),
        cmocka_unit_test(test_a_sign_is_a_value),
        cmocka_unit_test(test_the_plural_of_a_value),
        cmocka_unit_test(test_a_lone_capital_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
