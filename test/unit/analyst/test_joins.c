/* Joins that keep every figure correct, and those that are refused. */
#include "models.h"
#include "base/banned.h"

static void check_sql(const char *model, const char *question, const char *sql)
{
    struct asked a;
    ask_one(&a, model, question);
    assert_str(asked_sql(&a), sql);
    ask_done(&a);
}

static void check_refused(const char *model, const char *question,
                          const char *why)
{
    struct asked a;
    ask_one(&a, model, question);
    assert_false(a.planned);
    assert_int_equal(a.plan.complexity, PLAN_CONVERSATIONAL);
    assert_holds(a.plan.intent, why);
    assert_holds(asked_narrative(&a), why);
    ask_done(&a);
}

static void test_a_sum_is_never_doubled_by_a_join(void **state)
{
    (void)state;
    check_refused(shop_model, "freight by product",
                  "one order may have several rows in order_items");
    check_refused(shop_model, "freight by category", "cannot be split by");
    check_refused(shop_model, "average freight by category",
                  "cannot be split by");
    check_refused(shop_model, "sales density by category",
                  "cannot be split by");
}

static void test_what_duplicates_do_not_change_may_fan_out(void **state)
{
    (void)state;
    check_sql(shop_model, "number of customers by category",
              "SELECT products.category AS category, COUNT(DISTINCT "
              "customers.customer_id) AS customer_count FROM "
              "public.order_items AS order_items LEFT JOIN public.products "
              "AS products ON order_items.product_id = products.product_id "
              "LEFT JOIN public.orders AS orders ON order_items.order_id = "
              "orders.order_id LEFT JOIN public.customers AS customers ON "
              "orders.customer_id = customers.customer_id GROUP BY 1 ORDER "
              "BY customer_count DESC NULLS LAST, category");
    check_sql(shop_model, "maximum freight by category",
              "SELECT products.category AS category, MAX(orders.freight) AS "
              "maximum_freight FROM public.order_items AS order_items LEFT "
              "JOIN public.products AS products ON order_items.product_id = "
              "products.product_id LEFT JOIN public.orders AS orders ON "
              "order_items.order_id = orders.order_id GROUP BY 1 ORDER BY "
              "maximum_freight DESC NULLS LAST, category");
}

static void test_two_ways_down_are_not_guessed(void **state)
{
    (void)state;
    check_refused(shop_model, "number of stores by category",
                  "joined in several ways");
    struct asked a;
    ask_one(&a, shop_model, "number of stores by category in stockouts");
    assert_holds(asked_sql(&a), "FROM public.stockouts AS stockouts");
    assert_holds(asked_sql(&a), "COUNT(DISTINCT stores.store_id)");
    ask_done(&a);
}

static void test_a_filter_below_is_asked_for_by_exists(void **state)
{
    (void)state;
    check_sql(shop_model, "freight by channel where category is Garden",
              "SELECT orders.channel AS channel, SUM(orders.freight) AS "
              "total_freight FROM public.orders AS orders WHERE EXISTS "
              "(SELECT 1 FROM public.order_items AS order_items LEFT JOIN "
              "public.products AS products ON order_items.product_id = "
              "products.product_id WHERE order_items.order_id = "
              "orders.order_id AND LOWER(products.category) = 'garden') GROUP "
              "BY 1 ORDER BY total_freight DESC NULLS LAST, channel");
    /* Both conditions hold for the same line. */
    check_sql(
        shop_model,
        "number of orders where category is Garden and unit price over 50",
        "SELECT COUNT(DISTINCT orders.order_id) AS order_count FROM "
        "public.orders AS orders WHERE EXISTS (SELECT 1 FROM "
        "public.order_items AS order_items LEFT JOIN public.products AS "
        "products ON order_items.product_id = products.product_id WHERE "
        "order_items.order_id = orders.order_id AND "
        "LOWER(products.category) = 'garden' AND products.unit_price > "
        "50)");
    check_sql(shop_model, "number of customers with orders in 2025",
              "SELECT COUNT(*) AS customer_count FROM public.customers AS "
              "customers WHERE EXISTS (SELECT 1 FROM public.orders AS orders "
              "WHERE orders.customer_id = customers.customer_id AND "
              "(orders.order_date >= DATE '2025-01-01' AND orders.order_date "
              "< DATE '2026-01-01'))");
}

static void test_measures_of_different_grain_are_summed_apart(void **state)
{
    (void)state;
    check_sql(shop_model, "revenue and number of stockouts by city",
              "WITH part_1 AS ( SELECT stores.city AS city, "
              "SUM(order_items.line_total) AS m1_1 FROM public.order_items AS "
              "order_items LEFT JOIN public.orders AS orders ON "
              "order_items.order_id = orders.order_id LEFT JOIN public.stores "
              "AS stores ON orders.store_id = stores.store_id GROUP BY 1 ), "
              "part_2 AS ( SELECT stores.city AS city, COUNT(*) AS m2_1 FROM "
              "public.stockouts AS stockouts LEFT JOIN public.stores AS "
              "stores ON stockouts.store_id = stores.store_id GROUP BY 1 ), "
              "groups AS ( SELECT city FROM part_1 UNION SELECT city FROM "
              "part_2 ) SELECT groups.city, part_1.m1_1 AS revenue, "
              "COALESCE(part_2.m2_1, 0) AS stockout_count FROM groups LEFT "
              "JOIN part_1 ON groups.city IS NOT DISTINCT FROM part_1.city "
              "LEFT JOIN part_2 ON groups.city IS NOT DISTINCT FROM "
              "part_2.city ORDER BY revenue DESC NULLS LAST, city");
}

/* A ratio whose halves have different grain: each half is summed over its own
 * rows, and nothing may restrict only one of them. */
static void test_the_halves_of_a_ratio_stay_together(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "sales density by city");
    assert_holds(asked_sql(&a), "part_1.m1_1 / part_2.m1_2 AS sales_density");
    ask_done(&a);
    check_refused(shop_model, "sales density by city in 2025",
                  "does not fit all of them");
    check_refused(shop_model, "sales density for online orders",
                  "does not fit all of them");
}

static void test_a_metric_may_stand_on_other_metrics(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "margin of margins by channel");
    assert_holds(asked_sql(&a), "(SUM(order_items.line_total)) / "
                                "(COUNT(DISTINCT orders.order_id)) AS "
                                "margin_of_margins");
    ask_done(&a);
    check_refused(shop_model, "faulty by city", "outside an aggregate");
}

static void test_one_to_one_may_be_walked_both_ways(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "revenue by language");
    assert_holds(asked_sql(&a), "LEFT JOIN public.profiles AS profiles ON "
                                "profiles.customer_id = customers.customer_id");
    ask_done(&a);
}

static void test_composite_keys_are_joined_by_all_their_columns(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, odd_model, "visit count by user");
    assert_holds(asked_sql(&a), "ON visits.tenant = \"user\".tenant AND "
                                "visits.user_id = \"user\".id");
    /* People of the same name stay separate. */
    assert_holds(asked_sql(&a), "GROUP BY 1, \"user\".tenant, \"user\".id");
    ask_done(&a);
    /* Part of a key does not identify one row. */
    check_refused(odd_model, "visits by unit price", "no way from visits");
}

static void test_a_word_chooses_between_two_relationships(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, flight_model, "passengers by destination city");
    assert_holds(asked_sql(&a), "ON flights.destination_airport_id = "
                                "airports.airport_id");
    ask_done(&a);
    ask_one(&a, shop_model, "revenue by shipping country");
    assert_holds(asked_sql(&a), "orders.shipping_address_id");
    ask_done(&a);
    check_refused(flight_model, "passengers by city", "in several ways");
    check_refused(flight_model,
                  "passengers by origin city and destination city",
                  "two ways to the same dataset");
}

static void test_a_dataset_without_a_part_is_not_passed_over(void **state)
{
    (void)state;
    check_refused(shop_model, "revenue of stockouts by city",
                  "how “stockouts” belongs to revenue");
    check_refused(shop_model, "revenue by reason", "no way from");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sum_is_never_doubled_by_a_join),
        cmocka_unit_test(test_what_duplicates_do_not_change_may_fan_out),
        cmocka_unit_test(test_two_ways_down_are_not_guessed),
        cmocka_unit_test(test_a_filter_below_is_asked_for_by_exists),
        cmocka_unit_test(test_measures_of_different_grain_are_summed_apart),
        cmocka_unit_test(test_the_halves_of_a_ratio_stay_together),
        cmocka_unit_test(test_a_metric_may_stand_on_other_metrics),
        cmocka_unit_test(test_one_to_one_may_be_walked_both_ways),
        cmocka_unit_test(test_composite_keys_are_joined_by_all_their_columns),
        cmocka_unit_test(test_a_word_chooses_between_two_relationships),
        cmocka_unit_test(test_a_dataset_without_a_part_is_not_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
