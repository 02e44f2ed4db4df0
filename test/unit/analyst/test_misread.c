/* What a question seems to say and does not: each was once answered by rows, dates or
 * groups that no one had asked for, and has a twin that is answered. */
#include "models.h"
#include "base/banned.h"

#define ID "datatype: Integer}\n"

static const char registry[] =
    "semantic_model:\n"
    "- name: registry\n"
    "  datasets:\n"
    "  - name: doctors\n"
    "    source: public.doctors\n"
    "    primary_key: [doc_id]\n"
    "    fields:\n"
    "    - {name: doc_id, expression: doc_id, " ID
    "    - {name: first_nm, expression: first_nm, datatype: String}\n"
    "    - {name: last_nm, expression: last_nm, datatype: String}\n"
    "    - {name: hire_dt, expression: hire_dt, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: left_dt, expression: left_dt, datatype: Date}\n"
    "  - name: salesperson\n"
    "    source: public.salesperson\n"
    "    primary_key: [sp_id]\n"
    "    fields:\n"
    "    - {name: sp_id, expression: sp_id, " ID
    "    - {name: hire_date, expression: hire_date, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: term_date, expression: term_date, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "  - name: guides\n"
    "    source: public.guides\n"
    "    primary_key: [guide_id]\n"
    "    fields:\n"
    "    - {name: guide_id, expression: guide_id, " ID
    "    - {name: left_on, expression: left_on, datatype: Date}\n"
    "  - name: patients\n"
    "    source: public.patients\n"
    "    primary_key: [pat_id]\n"
    "    fields:\n"
    "    - {name: pat_id, expression: pat_id, " ID
    "    - {name: first_nm, expression: first_nm, datatype: String,\n"
    "       ai_context: {examples: [Omar, Wei]}}\n"
    "    - {name: last_nm, expression: last_nm, datatype: String,\n"
    "       ai_context: {examples: [Smith, Perez]}}\n"
    "    - {name: gender, expression: gender, datatype: String}\n"
    "    - {name: email, expression: email, datatype: String}\n"
    "    - {name: enroll_dt, expression: enroll_dt, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: withdrawn_dt, expression: withdrawn_dt, datatype: Date}\n"
    "    - {name: primary_doc_id, expression: primary_doc_id, " ID
    "  - name: sales\n"
    "    source: public.sales\n"
    "    primary_key: [sale_id]\n"
    "    fields:\n"
    "    - {name: sale_id, expression: sale_id, " ID
    "    - {name: pat_id, expression: pat_id, " ID
    "    - {name: sp_id, expression: sp_id, " ID
    "    - {name: sale_dt, expression: sale_dt, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: sale_status, expression: sale_status, datatype: String,\n"
    "       ai_context: {examples: [completed, cancelled]}}\n"
    "  - name: payments\n"
    "    source: public.payments\n"
    "    primary_key: [payment_id]\n"
    "    fields:\n"
    "    - {name: payment_id, expression: payment_id, " ID
    "    - {name: sale_id, expression: sale_id, " ID
    "    - {name: amount, expression: amount, datatype: Decimal}\n"
    "  - name: diagnoses\n"
    "    source: public.diagnoses\n"
    "    primary_key: [diag_id]\n"
    "    fields:\n"
    "    - {name: diag_id, expression: diag_id, " ID
    "    - {name: diag_nm, expression: diag_nm, datatype: String}\n"
    "  - name: pat_diag\n"
    "    source: public.pat_diag\n"
    "    primary_key: [pat_id, diag_id]\n"
    "    fields:\n"
    "    - {name: pat_id, expression: pat_id, " ID
    "    - {name: diag_id, expression: diag_id, " ID
    "    - {name: severity, expression: severity, datatype: String,\n"
    "       ai_context: {examples: [mild, severe]}}\n"
    "    - {name: resolved_dt, expression: resolved_dt, datatype: Date}\n"
    "  - name: freq_lkp\n"
    "    source: public.freq_lkp\n"
    "    primary_key: [freq_cd]\n"
    "    fields:\n"
    "    - {name: freq_cd, expression: freq_cd, datatype: String}\n"
    "    - {name: freq_desc, expression: freq_desc, datatype: String,\n"
    "       ai_context: {examples: [Once daily, Weekly]}}\n"
    "  - name: treatments\n"
    "    source: public.treatments\n"
    "    primary_key: [trt_id]\n"
    "    fields:\n"
    "    - {name: trt_id, expression: trt_id, " ID
    "    - {name: pat_id, expression: pat_id, " ID
    "    - {name: diag_id, expression: diag_id, " ID
    "    - {name: doc_id, expression: doc_id, " ID
    "    - {name: freq_cd, expression: freq_cd, datatype: String}\n"
    "    - {name: start_dt, expression: start_dt, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: trt_status, expression: trt_status, datatype: String,\n"
    "       ai_context: {examples: [ongoing, stopped]}}\n"
    "  - name: adverse_events\n"
    "    source: public.adverse_events\n"
    "    primary_key: [ae_id]\n"
    "    fields:\n"
    "    - {name: ae_id, expression: ae_id, " ID
    "    - {name: trt_id, expression: trt_id, " ID
    "    - {name: onset_dt, expression: onset_dt, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: ae_grade, expression: ae_grade, " ID
    "    - {name: resolved_dt, expression: resolved_dt, datatype: Date}\n"
    "  - name: inventory_snapshot\n"
    "    source: public.inventory_snapshot\n"
    "    primary_key: [snapshot_dt, sale_id]\n"
    "    fields:\n"
    "    - {name: snapshot_dt, expression: snapshot_dt, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: sale_id, expression: sale_id, " ID
    "    - {name: asking_price, expression: asking_price,\n"
    "       datatype: Decimal}\n"
    "  - name: accounts\n"
    "    source: public.accounts\n"
    "    primary_key: [account_id]\n"
    "    fields:\n"
    "    - {name: account_id, expression: account_id, " ID
    "  - name: account_days\n"
    "    source: public.account_days\n"
    "    primary_key: [account_id, day]\n"
    "    fields:\n"
    "    - {name: account_id, expression: account_id, " ID
    "    - {name: day, expression: day, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: closing_balance, expression: closing_balance,\n"
    "       datatype: Decimal}\n"
    "    - {name: turnover, expression: turnover, datatype: Decimal}\n"
    "  relationships:\n"
    "  - {name: account_days_accounts, from: account_days, to: accounts,\n"
    "     from_columns: [account_id], to_columns: [account_id]}\n"
    "  - {name: patients_doctors, from: patients, to: doctors,\n"
    "     from_columns: [primary_doc_id], to_columns: [doc_id]}\n"
    "  - {name: sales_patients, from: sales, to: patients,\n"
    "     from_columns: [pat_id], to_columns: [pat_id]}\n"
    "  - {name: sales_salesperson, from: sales, to: salesperson,\n"
    "     from_columns: [sp_id], to_columns: [sp_id]}\n"
    "  - {name: payments_sales, from: payments, to: sales,\n"
    "     from_columns: [sale_id], to_columns: [sale_id]}\n"
    "  - {name: pat_diag_patients, from: pat_diag, to: patients,\n"
    "     from_columns: [pat_id], to_columns: [pat_id]}\n"
    "  - {name: pat_diag_diagnoses, from: pat_diag, to: diagnoses,\n"
    "     from_columns: [diag_id], to_columns: [diag_id]}\n"
    "  - {name: treatments_pat_diag, from: treatments, to: pat_diag,\n"
    "     from_columns: [pat_id, diag_id], to_columns: [pat_id, diag_id]}\n"
    "  - {name: treatments_patients, from: treatments, to: patients,\n"
    "     from_columns: [pat_id], to_columns: [pat_id]}\n"
    "  - {name: treatments_diagnoses, from: treatments, to: diagnoses,\n"
    "     from_columns: [diag_id], to_columns: [diag_id]}\n"
    "  - {name: treatments_doctors, from: treatments, to: doctors,\n"
    "     from_columns: [doc_id], to_columns: [doc_id]}\n"
    "  - {name: treatments_freq_lkp, from: treatments, to: freq_lkp,\n"
    "     from_columns: [freq_cd], to_columns: [freq_cd]}\n"
    "  - {name: adverse_events_treatments, from: adverse_events,\n"
    "     to: treatments, from_columns: [trt_id], to_columns: [trt_id]}\n"
    "  - {name: inventory_snapshot_sales, from: inventory_snapshot,\n"
    "     to: sales, from_columns: [sale_id], to_columns: [sale_id]}\n";

static void assert_sql_lacks(const char *question, const char *part)
{
    struct asked a;
    ask_one(&a, registry, question);
    if (a.planned)
        assert_lacks(asked_sql(&a), part);
    ask_done(&a);
}

/* "Recorded" says that there is one, and not that something was sold. */
static void test_recorded(void **state)
{
    (void)state;
    assert_answers(registry, "How many patients have no gender recorded?",
                   "WHERE patients.gender IS NULL");
    assert_sql_lacks("How many patients have no gender recorded?", "EXISTS");
    assert_sql_lacks("How many patients have an email recorded?", "EXISTS");
    assert_sql_lacks("How many patients have no sale recorded?", "AND EXISTS");
    assert_answers(registry, "How many patients have no sale recorded?",
                   "NOT EXISTS");
    assert_answers(registry, "How many patients have a sale recorded in 2023?",
                   "sales.sale_dt >= DATE '2023-01-01'");
    assert_refused(registry,
                   "How many patients have an email recorded in 2023?", "when");
    assert_refused(registry, "How many patients recorded in 2023?", "recorded");
    assert_refused(registry, "How many patients sold in 2023?", "sold");
    assert_refused(registry, "How many patients with no sale have a sale?",
                   "at once");
}

/* The function before a condition is that of the things after it. */
static void test_average_of_some(void **state)
{
    (void)state;
    assert_answers(registry,
                   "average number of completed sales per salesperson",
                   "/ NULLIF(");
    assert_answers(
        registry,
        "What is the average number of ongoing treatments per doctor?",
        "/ NULLIF(");
    assert_refused(registry, "average number of cancelled sales per month",
                   "average");
    assert_answers(registry, "number of completed sales per salesperson",
                   "GROUP BY");
}

/* The day on which persons leave says nothing of those who are there. */
static void test_ends(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "number of salespersons in 2024",
        "How many salespersons since 2020?",
        "number of salespersons by year",
        "How many doctors in 2015?",
        "number of salespersons per month in 2024",
        "number of patients in 2025",
        NULL};
    for (size_t i = 0; questions[i]; i++)
        assert_refused(registry, questions[i], "or all that there were");
    assert_refused(registry, "number of guides in 2024", "no date");
    assert_answers(registry, "number of salespersons by hire date",
                   "hire_date");
    assert_answers(registry, "number of patients with withdrawn date in 2024",
                   "withdrawn_dt >= DATE '2024-01-01'");
    assert_answers(registry, "number of sales in 2024", "sale_dt >=");
    assert_answers(registry, "number of treatments by month", "start_dt");
}

/* The stock of several days is no stock. */
static void test_snapshots(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "Total asking price",
        "Total asking price by sale status",
        "Total asking price in 2025",
        "Which salesperson has the highest total asking price?",
        "Total asking price by month",
        "Total closing balance by account",
        NULL};
    for (size_t i = 0; questions[i]; i++)
        assert_refused(registry, questions[i], "of which day");
    assert_answers(registry, "Total asking price on 2025-06-30",
                   "SUM(inventory_snapshot.asking_price)");
    assert_answers(registry, "Total asking price by snapshot dt", "GROUP BY 1");
    assert_answers(registry, "Average asking price",
                   "AVG(inventory_snapshot.asking_price)");
    assert_answers(registry, "Total turnover by account",
                   "SUM(account_days.turnover)");
    assert_answers(registry, "Total amount of payments",
                   "SUM(payments.amount)");
}

/* A state before things is theirs, and not that of what they belong to. */
static void test_state_of_others(void **state)
{
    (void)state;
    assert_refused(registry, "How many severe adverse events?",
                   "pat_diag.severity, and not one of adverse_events");
    assert_refused(registry, "mild adverse events by diagnosis",
                   "pat_diag.severity, and not one of adverse_events");
    assert_refused(registry, "How many completed payments?",
                   "sales.sale_status, and not one of payments");
    assert_refused(registry, "Number of adverse events by severity",
                   "ae grade of their own");
    assert_answers(registry, "Number of treatments by severity",
                   "pat_diag.severity");
    assert_answers(registry, "How many ongoing treatments?",
                   "treatments.trt_status");
    assert_answers(registry, "number of payments of completed sales",
                   "sales.sale_status");
}

/* Rows without a person are in no group of a person. */
static void test_without_name(void **state)
{
    (void)state;
    assert_answers(
        registry, "Number of patients by doctor",
        "NULLIF(CONCAT_WS(' ', doctors.first_nm, doctors.last_nm), '')");
}

/* Weekly treatments are given each week; orders that come each week are none. */
static void test_frequency(void **state)
{
    (void)state;
    assert_refused(registry, "How many weekly treatments?", "how often");
    assert_refused(registry, "Number of daily treatments by doctor",
                   "how often");
    assert_refused(registry, "monthly treatments", "how often");
    assert_answers(registry, "monthly sales", "DATE_TRUNC('month'");
    assert_answers(registry, "number of treatments by week",
                   "DATE_TRUNC('week'");
}

/* The noun before a name says whose name it is. */
static void test_named_thing(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, registry, "How many treatments by doctor Smith?");
    assert_true(a.planned);
    assert_holds(asked_sql(&a), "LOWER(doctors.last_nm) = 'smith'");
    assert_lacks(asked_sql(&a), "patients");
    assert_lacks(asked_sql(&a), "GROUP BY");
    ask_done(&a);
    assert_refused(registry, "treatments by Smith", "say which");
    assert_answers(registry, "treatments of patient Smith",
                   "LOWER(patients.last_nm) = 'smith'");
    assert_answers(registry, "How many treatments by doctor?", "GROUP BY");
}

/* What others have resolved says nothing of the things. */
static void test_deed_of_others(void **state)
{
    (void)state;
    assert_refused(registry, "How many diagnoses have not resolved?",
                   "a date of other things");
    assert_answers(registry, "How many adverse events have not resolved?",
                   "adverse_events.resolved_dt IS NULL");
}

static void assert_told(const char *question, const char *part)
{
    struct asked a;
    ask_one(&a, registry, question);
    assert_holds(asked_narrative(&a), part);
    ask_done(&a);
}

/* A question that is offered says what it leaves out. */
static void test_left_out(void **state)
{
    (void)state;
    assert_told("How many patients died?",
                "which leaves out “died”:\n\n- number of patients");
    struct asked a;
    ask_one(&a, registry, "How many sales were shipped in March 2025?");
    assert_lacks(asked_narrative(&a), "nearest question");
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_average_of_some),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_snapshots),
        cmocka_unit_test(test_state_of_others),
        cmocka_unit_test(test_without_name),
        cmocka_unit_test(test_frequency),
        cmocka_unit_test(test_named_thing),
        cmocka_unit_test(test_deed_of_others),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
