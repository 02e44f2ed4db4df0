/* Adjectives, verbs and participles that name their measure, condition or date, and
 * shares that one condition leaves. Each form has twins that must be refused. */
#include "models.h"
#include "base/banned.h"

static const char clinic_model[] =
    "semantic_model:\n"
    "- name: clinic\n"
    "  datasets:\n"
    "  - name: doctors\n"
    "    source: public.doctors\n"
    "    primary_key: [doctor_id]\n"
    "    fields:\n"
    "    - {name: doctor_id, expression: doctor_id, datatype: Integer}\n"
    "    - {name: doctor_name, expression: doctor_name, datatype: String}\n"
    "    - {name: hire_date, expression: hire_date, datatype: Date}\n"
    "  - name: patients\n"
    "    source: public.patients\n"
    "    primary_key: [patient_id]\n"
    "    fields:\n"
    "    - {name: patient_id, expression: patient_id, datatype: Integer}\n"
    "    - {name: patient_name, expression: patient_name, datatype: String,\n"
    "       ai_context: {synonyms: [patient]}}\n"
    "    - {name: gender, expression: gender, datatype: String,\n"
    "       description: female or male.}\n"
    "    - {name: birth_date, expression: birth_date, datatype: Date}\n"
    "    - {name: registered_on, expression: registered_on, datatype: Date}\n"
    "  - name: bookings\n"
    "    source: public.bookings\n"
    "    primary_key: [booking_id]\n"
    "    fields:\n"
    "    - {name: booking_id, expression: booking_id, datatype: Integer}\n"
    "    - {name: booked_on, expression: booked_on, datatype: Date}\n"
    "    - {name: status, expression: status, datatype: String,\n"
    "       description: attended or cancelled.}\n"
    "    - {name: channel, expression: channel, datatype: String,\n"
    "       description: phone or online.}\n"
    "    - {name: cost, expression: cost, datatype: Decimal}\n"
    "  relationships:\n"
    "  - {name: bookings_doctors, from: bookings, to: doctors,\n"
    "     from_columns: [doctor_id], to_columns: [doctor_id]}\n"
    "  - {name: bookings_patients, from: bookings, to: patients,\n"
    "     from_columns: [patient_id], to_columns: [patient_id]}\n"
    "  metrics:\n"
    "  - {name: turnover, expression: SUM(bookings.cost)}\n"
    "  - {name: booking_count,\n"
    "     expression: 'COUNT(DISTINCT bookings.booking_id)',\n"
    "     ai_context: {synonyms: [number of bookings]}}\n";

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void check_sql(const char *model, const char *question, const char *sql)
{
    struct asked a;
    ask_one(&a, model, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(a.plan.intent));
    assert_str(asked_sql(&a), sql);
    ask_done(&a);
}

static void check_refused(const char *model, const char *question)
{
    struct asked a;
    ask_one(&a, model, question);
    if (a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(asked_sql(&a)));
    ask_done(&a);
}

static void test_expensive_things_are_ranked_by_their_price(void **state)
{
    (void)state;
    check_sql(shop_model, "what is the most expensive product?",
              "SELECT products.product_name AS product_name, "
              "MAX(products.unit_price) AS maximum_unit_price FROM "
              "public.products AS products GROUP BY 1 ORDER BY "
              "maximum_unit_price DESC NULLS LAST, product_name LIMIT 1");
    check_sql(shop_model, "what are the 5 cheapest products?",
              "SELECT products.product_name AS product_name, "
              "MIN(products.unit_price) AS minimum_unit_price FROM "
              "public.products AS products GROUP BY 1 ORDER BY "
              "minimum_unit_price ASC NULLS LAST, product_name LIMIT 5");
    check_refused(shop_model, "cheapest products");
    check_refused(shop_model, "cheapest store");
    check_refused(shop_model, "most expensive order");
    check_refused(shop_model, "revenue of the cheapest product");
    check_refused(shop_model, "how many products are the cheapest");
}

static void test_what_was_sold_is_the_metric_sales(void **state)
{
    (void)state;
    check_sql(shop_model, "how much did we sell in 2025?",
              "SELECT SUM(order_items.line_total) AS revenue FROM "
              "public.order_items AS order_items JOIN public.orders AS orders "
              "ON order_items.order_id = orders.order_id WHERE "
              "(orders.order_date >= DATE '2025-01-01' AND orders.order_date < "
              "DATE '2026-01-01')");
    check_refused(shop_model, "how much did we sell in quantity");
    check_refused(shop_model, "how many products did we sell");
    check_refused(clinic_model, "how much did we sell");
}

static void test_a_verb_of_a_figure_needs_its_ranking(void **state)
{
    (void)state;
    check_sql(shop_model, "which city generated the most revenue?",
              "SELECT stores.city AS city, SUM(order_items.line_total) AS "
              "revenue FROM public.order_items AS order_items LEFT JOIN "
              "public.orders AS orders ON order_items.order_id = "
              "orders.order_id LEFT JOIN public.stores AS stores ON "
              "orders.store_id = stores.store_id WHERE stores.city IS NOT NULL "
              "GROUP BY 1 ORDER BY revenue DESC NULLS LAST, city LIMIT 1");
    check_refused(shop_model, "how many products generate revenue");
    check_refused(shop_model, "which stores generate revenue");
}

static void test_persons_who_did_something_exist(void **state)
{
    (void)state;
    check_sql(shop_model, "how many customers have never ordered anything?",
              "SELECT COUNT(*) AS customer_count FROM public.customers AS "
              "customers WHERE NOT EXISTS (SELECT 1 FROM public.orders AS "
              "orders WHERE orders.customer_id = customers.customer_id)");
    check_sql(shop_model, "how many customers ordered in 2025?",
              "SELECT COUNT(*) AS customer_count FROM public.customers AS "
              "customers WHERE EXISTS (SELECT 1 FROM public.orders AS orders "
              "WHERE orders.customer_id = customers.customer_id AND "
              "(orders.order_date >= DATE '2025-01-01' AND orders.order_date < "
              "DATE '2026-01-01'))");
    check_refused(shop_model, "how many customers ordered more than once");
    check_refused(shop_model, "how many customers ordered in Houston");
    check_refused(shop_model, "how many customers did not order in 2025");
    check_refused(shop_model, "how many stores never ordered anything");
}

static void test_a_participle_is_a_date_of_the_things_before_it(void **state)
{
    (void)state;
    check_sql(clinic_model, "how many patients were born after 1999?",
              "SELECT COUNT(*) AS patient_count FROM public.patients AS "
              "patients WHERE (patients.birth_date >= DATE '2000-01-01')");
    check_sql(clinic_model, "how many patients signed up in 2024?",
              "SELECT COUNT(*) AS patient_count FROM public.patients AS "
              "patients WHERE (patients.registered_on >= DATE '2024-01-01' AND "
              "patients.registered_on < DATE '2025-01-01')");
    check_refused(clinic_model, "how many doctors were born after 1999");
    check_refused(clinic_model, "how many patients were hired in 2024");
    check_refused(clinic_model, "how many patients were born in Houston");
    check_refused(clinic_model,
                  "number of bookings by doctors hired before 2015");
}

/* The orders are dated by their own date, not by that of their customer. */
static void test_what_exists_has_a_date_of_its_own(void **state)
{
    (void)state;
    check_sql(clinic_model,
              "how many patients with bookings in 2025 registered in 2023",
              "SELECT COUNT(*) AS patient_count FROM public.patients AS "
              "patients WHERE (patients.registered_on >= DATE '2023-01-01' AND "
              "patients.registered_on < DATE '2024-01-01') AND EXISTS (SELECT "
              "1 FROM public.bookings AS bookings WHERE bookings.patient_id = "
              "patients.patient_id AND (bookings.booked_on >= DATE "
              "'2025-01-01' AND bookings.booked_on < DATE '2026-01-01'))");
}

static void test_a_known_value_is_not_a_name_of_things(void **state)
{
    (void)state;
    check_sql(clinic_model, "how many patients are female?",
              "SELECT COUNT(*) AS patient_count FROM public.patients AS "
              "patients WHERE LOWER(patients.gender) = 'female'");
}

/* Customers who have no order at all have no channel either. */
static void test_what_is_set_below_is_set_in_some_row(void **state)
{
    (void)state;
    check_sql(shop_model, "how many customers have a channel?",
              "SELECT COUNT(*) AS customer_count FROM public.customers AS "
              "customers WHERE EXISTS (SELECT 1 FROM public.orders AS orders "
              "WHERE orders.customer_id = customers.customer_id AND "
              "orders.channel IS NOT NULL)");
    check_sql(shop_model, "how many customers have no channel?",
              "SELECT COUNT(*) AS customer_count FROM public.customers AS "
              "customers WHERE NOT EXISTS (SELECT 1 FROM public.orders AS "
              "orders WHERE orders.customer_id = customers.customer_id AND "
              "orders.channel IS NOT NULL)");
    check_sql(shop_model, "how many orders have no channel?",
              "SELECT COUNT(DISTINCT orders.order_id) AS order_count FROM "
              "public.orders AS orders WHERE orders.channel IS NULL");
}

/* In 2025 the patients registered, or the bookings were made that are online. */
static void test_a_period_of_two_things_is_refused(void **state)
{
    (void)state;
    check_refused(clinic_model, "number of patients with a channel in 2025");
    check_refused(clinic_model,
                  "number of patients where channel is online by month");
    check_sql(clinic_model, "number of patients with bookings in 2025",
              "SELECT COUNT(*) AS patient_count FROM public.patients AS "
              "patients WHERE EXISTS (SELECT 1 FROM public.bookings AS "
              "bookings WHERE bookings.patient_id = patients.patient_id AND "
              "(bookings.booked_on >= DATE '2025-01-01' AND "
              "bookings.booked_on < DATE '2026-01-01'))");
}

static void test_verbs_of_several_words(void **state)
{
    (void)state;
    check_sql(clinic_model, "how many bookings took place in 2025?",
              "SELECT COUNT(DISTINCT bookings.booking_id) AS booking_count "
              "FROM public.bookings AS bookings WHERE (bookings.booked_on >= "
              "DATE '2025-01-01' AND bookings.booked_on < DATE '2026-01-01')");
    check_sql(clinic_model, "turnover by channel, lowest first",
              "SELECT bookings.channel AS channel, SUM(bookings.cost) AS "
              "turnover FROM public.bookings AS bookings GROUP BY 1 ORDER BY "
              "turnover ASC NULLS LAST, channel");
    check_refused(clinic_model, "how many doctors work");
    check_refused(clinic_model, "first turnover by channel");
}

static void test_outside_excludes(void **state)
{
    (void)state;
    check_sql(shop_model, "number of orders outside Houston",
              "SELECT COUNT(DISTINCT orders.order_id) AS order_count FROM "
              "public.orders AS orders LEFT JOIN public.stores AS stores ON "
              "orders.store_id = stores.store_id WHERE (LOWER(stores.city) = "
              "'houston') IS NOT TRUE");
    check_refused(shop_model, "number of orders outside 2025");
    check_refused(shop_model, "revenue outside of anything");
}

static void test_periods_are_compared(void **state)
{
    (void)state;
    check_sql(shop_model, "number of orders in 2025 compared with 2024",
              "SELECT DATE_TRUNC('year', orders.order_date)::date AS year, "
              "COUNT(DISTINCT orders.order_id) AS order_count FROM "
              "public.orders AS orders WHERE ((orders.order_date >= DATE "
              "'2025-01-01' AND orders.order_date < DATE '2026-01-01') OR "
              "(orders.order_date >= DATE '2024-01-01' AND orders.order_date < "
              "DATE '2025-01-01')) GROUP BY 1 ORDER BY year");
    check_refused(shop_model, "revenue in 2025 compared");
    check_refused(shop_model, "revenue in 2025 compared with the target");
    check_refused(shop_model, "revenue in Q1 2025 compared with 2024");
}

/* ---- shares ----------------------------------------------------------------- */

static const char online_share[] =
    "WITH part_1 AS ( SELECT COUNT(DISTINCT orders.order_id) AS m1_1 FROM "
    "public.orders AS orders WHERE LOWER(orders.channel) = 'online' ), part_2 "
    "AS ( SELECT COUNT(DISTINCT orders.order_id) AS m1_2 FROM public.orders AS "
    "orders ) SELECT 100.0 * COALESCE(part_1.m1_1, 0) / "
    "NULLIF(COALESCE(part_2.m1_2, 0), 0) AS share_percent FROM part_1 CROSS "
    "JOIN part_2";

static void test_a_share_is_the_part_that_a_condition_leaves(void **state)
{
    (void)state;
    check_sql(shop_model, "what share of the number of orders was online?",
              online_share);
    check_sql(clinic_model, "what share of turnover was online in 2025?",
              "WITH part_1 AS ( SELECT SUM(bookings.cost) AS m1_1 FROM "
              "public.bookings AS bookings WHERE (bookings.booked_on >= DATE "
              "'2025-01-01' AND bookings.booked_on < DATE '2026-01-01') AND "
              "LOWER(bookings.channel) = 'online' ), part_2 AS ( SELECT "
              "SUM(bookings.cost) AS m1_2 FROM public.bookings AS bookings "
              "WHERE (bookings.booked_on >= DATE '2025-01-01' AND "
              "bookings.booked_on < DATE '2026-01-01') ) SELECT 100.0 * "
              "COALESCE(part_1.m1_1, 0) / NULLIF(part_2.m1_2, 0) AS "
              "share_percent FROM part_1 CROSS JOIN part_2");
    check_sql(clinic_model, "what percentage of female patients",
              "WITH part_1 AS ( SELECT COUNT(*) AS m1_1 FROM public.patients "
              "AS patients WHERE LOWER(patients.gender) = 'female' ), part_2 "
              "AS ( SELECT COUNT(*) AS m1_2 FROM public.patients AS patients ) "
              "SELECT 100.0 * COALESCE(part_1.m1_1, 0) / "
              "NULLIF(COALESCE(part_2.m1_2, 0), 0) AS share_percent FROM "
              "part_1 CROSS JOIN part_2");
}

/* The condition of the noun holds for both, that of the verb for the part. */
static void test_a_share_of_some_is_of_those(void **state)
{
    (void)state;
    check_sql(clinic_model, "what share of online bookings was cancelled?",
              "WITH part_1 AS ( SELECT COUNT(*) AS m1_1 FROM public.bookings "
              "AS bookings WHERE LOWER(bookings.channel) = 'online' AND "
              "LOWER(bookings.status) = 'cancelled' ), part_2 AS ( SELECT "
              "COUNT(*) AS m1_2 FROM public.bookings AS bookings WHERE "
              "LOWER(bookings.channel) = 'online' ) SELECT 100.0 * "
              "COALESCE(part_1.m1_1, 0) / NULLIF(COALESCE(part_2.m1_2, 0), 0) "
              "AS share_percent FROM part_1 CROSS JOIN part_2");
}

static void test_a_share_of_a_value_is_taken_in_each_group(void **state)
{
    (void)state;
    struct asked a;
    check_sql(shop_model, "online share of the number of orders", online_share);
    ask_one(&a, shop_model, "online share of revenue by city");
    assert_holds(asked_sql(&a), "AS share_percent");
    assert_holds(asked_sql(&a), "part_1");
    assert_lacks(asked_sql(&a), "OVER ()");
    ask_done(&a);
    /* Each group's part of the whole. */
    ask_one(&a, shop_model, "share of revenue by city");
    assert_holds(asked_sql(&a), "OVER ()");
    ask_done(&a);
}

static void test_a_share_of_several_totals_is_refused(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "share of cancelled bookings by doctor",
        "what share of bookings was online, phone and cancelled",
        "what share of the number of bookings is turnover",
        "share of bookings in 2024 that were in 2025",
        "what percentage of average cost is online",
        "percentage of bookings",
    };
    for (size_t i = 0; i < LENGTH(questions); i++)
        check_refused(clinic_model, questions[i]);
    check_refused(shop_model, "what share of orders was online in Houston?");
}

/* ---- lists of values, names in a row ---------------------------------------- */

static void test_values_of_two_columns_are_no_list(void **state)
{
    (void)state;
    check_refused(clinic_model, "how many bookings were cancelled, online");
    check_refused(clinic_model, "number of online and cancelled bookings");
    check_sql(
        clinic_model, "number of online or cancelled bookings",
        "SELECT COUNT(*) AS booking_count FROM public.bookings AS "
        "bookings WHERE (LOWER(bookings.channel) = 'online' OR LOWER(bookings.status) = "
        "'cancelled')");
}

static void test_two_names_in_a_row_are_another_figure(void **state)
{
    (void)state;
    check_refused(shop_model, "freight revenue by city");
    check_refused(clinic_model, "staff turnover");
    check_refused(clinic_model, "patient turnover per doctor");
    check_refused(clinic_model, "cost turnover in 2025");
}

static void test_polite_words_say_nothing(void **state)
{
    (void)state;
    assert_answers(shop_model, "can you tell me how many orders we had in 2025",
                   "COUNT(");
    assert_answers(shop_model, "how are we doing on revenue in 2025",
                   "order_date >=");
    assert_answers(shop_model, "I'd like to see revenue by city",
                   "stores.city");
    assert_answers(shop_model, "we would like to know the revenue by month",
                   "'month'");
    assert_answers(shop_model, "what does revenue by month look like",
                   "'month'");
    assert_answers(shop_model, "can you break down revenue by city",
                   "stores.city");
    assert_answers(shop_model, "total freight so far in 2025",
                   "SUM(orders.freight)");
    assert_answers(shop_model, "total freight broken down by channel",
                   "orders.channel");
    assert_answers(shop_model, "I need the list of products",
                   "products.product_name");
    assert_answers(shop_model, "give me a list of stores in Houston",
                   "'houston'");
    assert_answers(shop_model, "orders that are neither cancelled nor returned",
                   "= 'returned')) IS NOT TRUE");
}

static void test_polite_words_hide_no_other_question(void **state)
{
    (void)state;
    assert_refused(shop_model, "how are we doing on freight in 2025",
                   "their total or their average");
    assert_refused(shop_model, "how are we doing", "");
    assert_refused(shop_model, "list customers with how many orders",
                   "for a figure");
    assert_refused(shop_model, "what does a store look like", "");
    assert_refused(shop_model, "revenue look like", "");
    assert_refused(shop_model, "orders that break down", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expensive_things_are_ranked_by_their_price),
        cmocka_unit_test(test_what_was_sold_is_the_metric_sales),
        cmocka_unit_test(test_a_verb_of_a_figure_needs_its_ranking),
        cmocka_unit_test(test_persons_who_did_something_exist),
        cmocka_unit_test(test_a_participle_is_a_date_of_the_things_before_it),
        cmocka_unit_test(test_what_exists_has_a_date_of_its_own),
        cmocka_unit_test(test_a_known_value_is_not_a_name_of_things),
        cmocka_unit_test(test_what_is_set_below_is_set_in_some_row),
        cmocka_unit_test(test_a_period_of_two_things_is_refused),
        cmocka_unit_test(test_verbs_of_several_words),
        cmocka_unit_test(test_outside_excludes),
        cmocka_unit_test(test_periods_are_compared),
        cmocka_unit_test(test_a_share_is_the_part_that_a_condition_leaves),
        cmocka_unit_test(test_a_share_of_some_is_of_those),
        cmocka_unit_test(test_a_share_of_a_value_is_taken_in_each_group),
        cmocka_unit_test(test_a_share_of_several_totals_is_refused),
        cmocka_unit_test(test_values_of_two_columns_are_no_list),
        cmocka_unit_test(test_two_names_in_a_row_are_another_figure),
        cmocka_unit_test(test_polite_words_say_nothing),
        cmocka_unit_test(test_polite_words_hide_no_other_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
