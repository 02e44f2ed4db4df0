/* Questions and the SQL they become. */
#include "models.h"
#include "base/banned.h"

struct pair {
    const char *question, *sql;
};

static void check_pairs(const char *model, const struct pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct asked a;
        ask_one(&a, model, pairs[i].question);
        assert_str(asked_sql(&a), pairs[i].sql);
        ask_done(&a);
    }
}

#define CHECK_PAIRS(model, pairs) \
    check_pairs((model), (pairs), sizeof(pairs) / sizeof *(pairs))

static void test_a_question_becomes_one_query(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"revenue by city",
         "SELECT stores.city AS city, SUM(order_items.line_total) AS "
         "revenue FROM public.order_items AS order_items LEFT JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "LEFT JOIN public.stores AS stores ON orders.store_id = "
         "stores.store_id GROUP BY 1 ORDER BY revenue DESC NULLS LAST, city"},
        {"Total sales by City in 2025",
         "SELECT stores.city AS city, SUM(order_items.line_total) AS "
         "revenue FROM public.order_items AS order_items JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "LEFT JOIN public.stores AS stores ON orders.store_id = "
         "stores.store_id WHERE (orders.order_date >= DATE '2025-01-01' AND "
         "orders.order_date < DATE '2026-01-01') GROUP BY 1 ORDER BY "
         "revenue DESC NULLS LAST, city"},
        {"monthly revenue",
         "SELECT DATE_TRUNC('month', orders.order_date)::date AS month, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items LEFT JOIN public.orders AS orders ON "
         "order_items.order_id = orders.order_id GROUP BY 1 ORDER BY month"},
        {"revenue by month for Houston since 2025-07-01",
         "SELECT DATE_TRUNC('month', orders.order_date)::date AS month, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items JOIN public.orders AS orders ON "
         "order_items.order_id = orders.order_id JOIN public.stores AS "
         "stores ON orders.store_id = stores.store_id WHERE "
         "(orders.order_date >= DATE '2025-07-01') AND LOWER(stores.city) = "
         "'houston' GROUP BY 1 ORDER BY month"},
        {"top 5 products by revenue",
         "SELECT products.product_name AS product_name, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items LEFT JOIN public.products AS products ON "
         "order_items.product_id = products.product_id WHERE "
         "products.product_name IS NOT NULL GROUP BY 1 ORDER BY revenue "
         "DESC NULLS LAST, product_name LIMIT 5"},
        {"which city has the highest revenue",
         "SELECT stores.city AS city, SUM(order_items.line_total) AS "
         "revenue FROM public.order_items AS order_items LEFT JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "LEFT JOIN public.stores AS stores ON orders.store_id = "
         "stores.store_id WHERE stores.city IS NOT NULL GROUP BY 1 ORDER BY "
         "revenue DESC NULLS LAST, city LIMIT 1"},
        {"the 2 worst stores by average order value",
         "SELECT stores.store_name AS store_name, "
         "SUM(order_items.line_total) / NULLIF(COUNT(DISTINCT "
         "orders.order_id), 0) AS average_order_value FROM "
         "public.order_items AS order_items LEFT JOIN public.orders AS "
         "orders ON order_items.order_id = orders.order_id LEFT JOIN "
         "public.stores AS stores ON orders.store_id = stores.store_id "
         "WHERE stores.store_name IS NOT NULL GROUP BY 1 ORDER BY "
         "average_order_value ASC NULLS LAST, store_name LIMIT 2"},
        {"AOV by channel",
         "SELECT orders.channel AS channel, SUM(order_items.line_total) / "
         "NULLIF(COUNT(DISTINCT orders.order_id), 0) AS average_order_value "
         "FROM public.order_items AS order_items LEFT JOIN public.orders AS "
         "orders ON order_items.order_id = orders.order_id GROUP BY 1 ORDER "
         "BY average_order_value DESC NULLS LAST, channel"},
        {"number of orders by status in Q3 2025",
         "SELECT orders.status AS status, COUNT(DISTINCT orders.order_id) "
         "AS order_count FROM public.orders AS orders WHERE "
         "(orders.order_date >= DATE '2025-07-01' AND orders.order_date < "
         "DATE '2025-10-01') GROUP BY 1 ORDER BY order_count DESC NULLS "
         "LAST, status"},
    };
    CHECK_PAIRS(shop_model, pairs);
}

static void test_filters_keep_the_rows_that_are_meant(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"how many customers are loyalty members",
         "SELECT COUNT(*) AS customer_count FROM public.customers AS "
         "customers WHERE customers.loyalty_member IS TRUE"},
        {"revenue by segment for online orders",
         "SELECT customers.segment AS segment, SUM(order_items.line_total) "
         "AS revenue FROM public.order_items AS order_items JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "LEFT JOIN public.customers AS customers ON orders.customer_id = "
         "customers.customer_id WHERE LOWER(orders.channel) = 'online' "
         "GROUP BY 1 ORDER BY revenue DESC NULLS LAST, segment"},
        {"completed orders by city",
         "SELECT stores.city AS city, COUNT(DISTINCT orders.order_id) AS "
         "order_count FROM public.orders AS orders LEFT JOIN public.stores "
         "AS stores ON orders.store_id = stores.store_id WHERE "
         "LOWER(orders.status) = 'completed' GROUP BY 1 ORDER BY "
         "order_count DESC NULLS LAST, city"},
        {"revenue where channel is online and status is completed or returned",
         "SELECT SUM(order_items.line_total) AS revenue FROM "
         "public.order_items AS order_items JOIN public.orders AS "
         "orders ON order_items.order_id = orders.order_id WHERE "
         "LOWER(orders.channel) = 'online' AND (LOWER(orders.status) = "
         "'completed' OR LOWER(orders.status) = 'returned')"},
        {"revenue by category excluding cancelled orders",
         "SELECT products.category AS category, SUM(order_items.line_total) "
         "AS revenue FROM public.order_items AS order_items LEFT JOIN "
         "public.products AS products ON order_items.product_id = "
         "products.product_id LEFT JOIN public.orders AS orders ON "
         "order_items.order_id = orders.order_id WHERE "
         "(LOWER(orders.status) = 'cancelled') IS NOT TRUE GROUP BY 1 ORDER "
         "BY revenue DESC NULLS LAST, category"},
        {"orders with freight over 100 by channel",
         "SELECT orders.channel AS channel, COUNT(DISTINCT orders.order_id) "
         "AS order_count FROM public.orders AS orders WHERE orders.freight "
         "> 100 GROUP BY 1 ORDER BY order_count DESC NULLS LAST, channel"},
        {"orders with quantity between 2 and 5 by status",
         "SELECT orders.status AS status, COUNT(DISTINCT orders.order_id) "
         "AS order_count FROM public.orders AS orders WHERE EXISTS (SELECT "
         "1 FROM public.order_items AS order_items WHERE "
         "order_items.order_id = orders.order_id AND order_items.quantity "
         "BETWEEN 2 AND 5) GROUP BY 1 ORDER BY order_count DESC NULLS LAST, "
         "status"},
        {"number of customers without orders",
         "SELECT COUNT(*) AS customer_count FROM public.customers AS "
         "customers WHERE NOT EXISTS (SELECT 1 FROM public.orders AS orders "
         "WHERE orders.customer_id = customers.customer_id)"},
        {"how many customers are loyalty members",
         "SELECT COUNT(*) AS customer_count FROM public.customers AS "
         "customers WHERE customers.loyalty_member IS TRUE"},
        {"number of customers who have never placed an order",
         "SELECT COUNT(*) AS customer_count FROM public.customers AS "
         "customers WHERE NOT EXISTS (SELECT 1 FROM public.orders AS orders "
         "WHERE orders.customer_id = customers.customer_id)"},
        {"orders in Houston in July 2025",
         "SELECT COUNT(DISTINCT orders.order_id) AS order_count FROM "
         "public.orders AS orders JOIN public.stores AS stores ON "
         "orders.store_id = stores.store_id WHERE (orders.order_date >= "
         "DATE '2025-07-01' AND orders.order_date < DATE '2025-08-01') AND "
         "LOWER(stores.city) = 'houston'"},
        {"revenue for store 7",
         "SELECT SUM(order_items.line_total) AS revenue FROM "
         "public.order_items AS order_items JOIN public.orders AS "
         "orders ON order_items.order_id = orders.order_id JOIN "
         "public.stores AS stores ON orders.store_id = stores.store_id "
         "WHERE stores.store_id IN (7)"},
    };
    CHECK_PAIRS(shop_model, pairs);
}

static void test_groups_are_ranked_shared_and_compared(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"share of revenue by category",
         "SELECT q.category, 100.0 * q.revenue / NULLIF(SUM(q.revenue) OVER "
         "(), 0) AS share_percent FROM ( SELECT products.category AS "
         "category, SUM(order_items.line_total) AS revenue FROM "
         "public.order_items AS order_items LEFT JOIN public.products AS "
         "products ON order_items.product_id = products.product_id GROUP BY "
         "1 ) AS q ORDER BY share_percent DESC NULLS LAST, category"},
        {"cities with revenue over 1m",
         "SELECT q.* FROM ( SELECT stores.city AS city, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items LEFT JOIN public.orders AS orders ON "
         "order_items.order_id = orders.order_id LEFT JOIN public.stores AS "
         "stores ON orders.store_id = stores.store_id WHERE stores.city IS "
         "NOT NULL GROUP BY 1 ) AS q WHERE q.revenue > 1000000 ORDER BY "
         "revenue DESC NULLS LAST, city"},
        {"top 2 products by revenue for each city",
         "SELECT p.product_name, p.city, p.revenue FROM ( SELECT q.*, "
         "ROW_NUMBER() OVER (PARTITION BY q.city ORDER BY q.revenue DESC "
         "NULLS LAST, q.product_name) AS place FROM ( SELECT "
         "products.product_name AS product_name, stores.city AS city, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items LEFT JOIN public.products AS products ON "
         "order_items.product_id = products.product_id LEFT JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "LEFT JOIN public.stores AS stores ON orders.store_id = "
         "stores.store_id WHERE products.product_name IS NOT NULL GROUP BY "
         "1, 2 ) AS q ) AS p WHERE p.place <= 2 ORDER BY city, revenue DESC "
         "NULLS LAST, product_name"},
        {"top 2 products by revenue for each city sorted by product",
         "SELECT p.product_name, p.city, p.revenue FROM ( SELECT q.*, "
         "ROW_NUMBER() OVER (PARTITION BY q.city ORDER BY q.revenue DESC "
         "NULLS LAST, q.product_name) AS place FROM ( SELECT "
         "products.product_name AS product_name, stores.city AS city, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items LEFT JOIN public.products AS products ON "
         "order_items.product_id = products.product_id LEFT JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "LEFT JOIN public.stores AS stores ON orders.store_id = "
         "stores.store_id WHERE products.product_name IS NOT NULL GROUP BY "
         "1, 2 ) AS q ) AS p WHERE p.place <= 2 ORDER BY city, revenue DESC "
         "NULLS LAST, product_name"},
        {"top 3 products by revenue alphabetically",
         "SELECT products.product_name AS product_name, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items LEFT JOIN public.products AS products ON "
         "order_items.product_id = products.product_id WHERE "
         "products.product_name IS NOT NULL GROUP BY 1 ORDER BY revenue "
         "DESC NULLS LAST, product_name LIMIT 3"},
        {"revenue by city status, top 3",
         "SELECT stores.city AS city, orders.status AS status, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items LEFT JOIN public.orders AS orders ON "
         "order_items.order_id = orders.order_id LEFT JOIN public.stores AS "
         "stores ON orders.store_id = stores.store_id GROUP BY 1, 2 ORDER BY "
         "revenue DESC NULLS LAST, city, status LIMIT 3"},
        {"average unit price by category",
         "SELECT products.category AS category, AVG(products.unit_price) AS "
         "average_unit_price FROM public.products AS products GROUP BY 1 "
         "ORDER BY average_unit_price DESC NULLS LAST, category"},
        {"highest unit price by category",
         "SELECT products.category AS category, MAX(products.unit_price) AS "
         "maximum_unit_price FROM public.products AS products GROUP BY 1 "
         "ORDER BY maximum_unit_price DESC NULLS LAST, category"},
        {"median freight by channel",
         "SELECT orders.channel AS channel, PERCENTILE_CONT(0.5) WITHIN "
         "GROUP (ORDER BY orders.freight) AS median_freight FROM "
         "public.orders AS orders GROUP BY 1 ORDER BY median_freight DESC "
         "NULLS LAST, channel"},
        {"revenue 2024 vs 2025",
         "SELECT DATE_TRUNC('year', orders.order_date)::date AS year, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items JOIN public.orders AS orders ON "
         "order_items.order_id = orders.order_id WHERE ((orders.order_date "
         ">= DATE '2024-01-01' AND orders.order_date < DATE '2025-01-01') "
         "OR (orders.order_date >= DATE '2025-01-01' AND orders.order_date "
         "< DATE '2026-01-01')) GROUP BY 1 ORDER BY year"},
        {"compare Houston and Dallas revenue",
         "SELECT stores.city AS city, SUM(order_items.line_total) AS "
         "revenue FROM public.order_items AS order_items JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "JOIN public.stores AS stores ON orders.store_id = "
         "stores.store_id WHERE (LOWER(stores.city) = 'houston' OR "
         "LOWER(stores.city) = 'dallas') GROUP BY 1 ORDER BY revenue DESC "
         "NULLS LAST, city"},
        {"revenue in the last 6 months by month",
         "SELECT DATE_TRUNC('month', orders.order_date)::date AS month, "
         "SUM(order_items.line_total) AS revenue FROM public.order_items AS "
         "order_items JOIN public.orders AS orders ON "
         "order_items.order_id = orders.order_id WHERE (orders.order_date "
         ">= (SELECT CASE WHEN MAX(orders.order_date) < DATE '2024-12-01' "
         "THEN DATE_TRUNC('month', MAX(orders.order_date) + INTERVAL '1 day') "
         "- INTERVAL '6 month' ELSE DATE '2025-06-01' END FROM public.orders "
         "AS orders WHERE orders.order_date < DATE '2025-11-22') AND "
         "orders.order_date < (SELECT CASE WHEN MAX(orders.order_date) < DATE "
         "'2024-12-01' THEN DATE_TRUNC('month', MAX(orders.order_date) + "
         "INTERVAL '1 day') ELSE DATE '2025-12-01' END FROM public.orders AS "
         "orders WHERE orders.order_date < DATE '2025-11-22')) GROUP BY 1 "
         "ORDER BY month"},
        {"revenue by status, sorted by status",
         "SELECT orders.status AS status, SUM(order_items.line_total) AS "
         "revenue FROM public.order_items AS order_items LEFT JOIN "
         "public.orders AS orders ON order_items.order_id = orders.order_id "
         "GROUP BY 1 ORDER BY status"},
    };
    CHECK_PAIRS(shop_model, pairs);
}

static void test_names_that_need_quotes_get_them(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"gross sales by qty",
         "SELECT \"Order Details\".\"Qty\" AS \"Qty\", SUM(\"Order "
         "Details\".\"Unit Price\" * \"Order Details\".\"Qty\") AS "
         "\"Gross_Sales\" FROM \"Sales\".\"Order Details\" AS \"Order "
         "Details\" GROUP BY 1 ORDER BY \"Gross_Sales\" DESC NULLS LAST, "
         "\"Qty\""},
        {"visit count by user",
         "SELECT NULLIF(CONCAT_WS(' ', \"user\".first_name, "
         "\"user\".last_name), '') AS \"user\", COUNT(*) AS visit_count FROM crm.visits AS visits LEFT "
         "JOIN crm.\"user\" AS \"user\" ON visits.tenant = \"user\".tenant "
         "AND visits.user_id = \"user\".id GROUP BY 1, \"user\".tenant, "
         "\"user\".id ORDER BY visit_count DESC NULLS LAST, \"user\", "
         "\"user\".tenant, \"user\".id"},
        {"visits by initials and month",
         "SELECT (left(\"user\".first_name, 1) || left(\"user\".last_name, "
         "1)) AS initials, DATE_TRUNC('month', visits.visit_date)::date AS "
         "month, COUNT(*) AS visit_count FROM crm.visits AS visits LEFT "
         "JOIN crm.\"user\" AS \"user\" ON visits.tenant = \"user\".tenant "
         "AND visits.user_id = \"user\".id GROUP BY 1, 2 ORDER BY month, "
         "visit_count DESC NULLS LAST, initials"},
        {"minutes by select",
         "SELECT \"user\".\"select\" AS \"select\", SUM(visits.minutes) AS "
         "total_minutes FROM crm.visits AS visits LEFT JOIN crm.\"user\" AS "
         "\"user\" ON visits.tenant = \"user\".tenant AND visits.user_id = "
         "\"user\".id GROUP BY 1 ORDER BY total_minutes DESC NULLS LAST, "
         "\"select\""},
        {"number of order details",
         "SELECT COUNT(*) AS order_detail_count FROM \"Sales\".\"Order "
         "Details\" AS \"Order Details\""},
    };
    CHECK_PAIRS(odd_model, pairs);
}

static void test_a_column_of_years_serves_where_there_is_no_date(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"passengers by year",
         "SELECT flights.flight_year AS year, SUM(flights.passengers) AS "
         "total_passengers FROM public.flights AS flights GROUP BY 1 ORDER "
         "BY year"},
        {"passengers in 2024 by origin city",
         "SELECT airports.city AS city, SUM(flights.passengers) AS "
         "total_passengers FROM public.flights AS flights LEFT JOIN "
         "public.airports AS airports ON flights.origin_airport_id = "
         "airports.airport_id WHERE ((CAST(flights.flight_year AS integer) "
         ">= 2024 AND CAST(flights.flight_year AS integer) < 2025)) GROUP "
         "BY 1 ORDER BY total_passengers DESC NULLS LAST, city"},
    };
    CHECK_PAIRS(flight_model, pairs);
}

/* The debut of a player does not date a salary; the number of a game is not a
 * measure. */
static void test_what_is_near_and_spelled_so_is_meant(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"average salary by year",
         "SELECT salaries.yearid AS yearid, AVG(salaries.salary) AS "
         "average_salary FROM public.salaries AS salaries GROUP BY 1 ORDER BY "
         "yearid"},
        {"average salary in 2015",
         "SELECT AVG(salaries.salary) AS average_salary FROM public.salaries AS "
         "salaries WHERE ((CAST(salaries.yearid AS integer) >= 2015 AND "
         "CAST(salaries.yearid AS integer) < 2016))"},
        {"which park has the most games",
         "SELECT games.park AS park, COUNT(*) AS game_count FROM "
         "public.games AS games WHERE games.park IS NOT NULL GROUP BY 1 "
         "ORDER BY game_count DESC NULLS LAST, park LIMIT 1"},
        {"number of games by seat",
         "SELECT games.seat AS seat, COUNT(*) AS game_count FROM public.games AS "
         "games GROUP BY 1 ORDER BY game_count DESC NULLS LAST, seat"},
    };
    CHECK_PAIRS(league_model, pairs);
    struct asked a;
    ask_one(&a, league_model, "average salary by month");
    assert_false(a.planned);
    ask_done(&a);
}

/* The year of a car's model is not the year of its sale. */
static void test_a_year_of_the_thing_itself_is_no_date(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"revenue in 2024",
         "SELECT SUM(sales.amount) AS revenue FROM public.sales AS sales JOIN "
         "public.orders AS orders ON sales.order_id = orders.order_id WHERE "
         "(orders.order_date >= DATE '2024-01-01' AND orders.order_date < DATE "
         "'2025-01-01')"},
        {"revenue by year",
         "SELECT DATE_TRUNC('year', orders.order_date)::date AS year, "
         "SUM(sales.amount) AS revenue FROM public.sales AS sales LEFT JOIN "
         "public.orders AS orders ON sales.order_id = orders.order_id GROUP BY 1 "
         "ORDER BY year"},
        {"revenue by model year",
         "SELECT sales.model_year AS model_year, SUM(sales.amount) AS revenue FROM "
         "public.sales AS sales GROUP BY 1 ORDER BY model_year"},
        {"fees by year",
         "SELECT rentals.year AS year, SUM(rentals.fee) AS fees FROM "
         "public.rentals AS rentals GROUP BY 1 ORDER BY year"},
        {"which region has the most sales",
         "SELECT orders.region AS region, COUNT(*) AS sale_count FROM "
         "public.sales AS sales LEFT JOIN public.orders AS orders ON "
         "sales.order_id = orders.order_id WHERE orders.region IS NOT NULL "
         "GROUP BY 1 ORDER BY sale_count DESC NULLS LAST, region LIMIT 1"},
        {"which region has the highest sales",
         "SELECT orders.region AS region, SUM(sales.amount) AS "
         "total_amount FROM public.sales AS sales LEFT JOIN public.orders "
         "AS orders ON sales.order_id = orders.order_id WHERE orders.region "
         "IS NOT NULL GROUP BY 1 ORDER BY total_amount DESC NULLS LAST, "
         "region LIMIT 1"},
    };
    CHECK_PAIRS(dealer_model, pairs);
    struct asked a;
    ask_one(&a, dealer_model, "revenue and fees by year");
    assert_holds(asked_sql(&a), "DATE_TRUNC('year', orders.order_date)");
    ask_done(&a);
}

/* The same question gives the same text, whatever was asked in between. */
static void test_an_answer_is_always_the_same(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "revenue by city", "top 5 products by revenue", "revenue for Atlantis",
        "revenue and number of stockouts by month",
        "number of customers by city"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        struct asked a, b;
        ask_one(&a, shop_model, questions[i]);
        ask_one(&b, shop_model, questions[i]);
        struct str plan = artifact_json(&a.arena, &plan_type, &a.plan);
        struct str again = artifact_json(&b.arena, &plan_type, &b.plan);
        assert_true(str_eq(plan, again));
        assert_true(str_eq(asked_sql(&a), asked_sql(&b)));
        ask_done(&a);
        ask_done(&b);
    }
}

/* Where the ontology does not name the field of a value, the query looks into the
 * data. */
static void test_the_data_says_which_field_holds_a_value(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "revenue in Texas by city");
    struct str sql = asked_sql(&a);
    assert_holds(sql,
                 "WHEN EXISTS (SELECT 1 FROM public.stores AS stores WHERE "
                 "LOWER(stores.state) IN ('texas', 'tx')) THEN "
                 "LOWER(stores.state) IN ('texas', 'tx')");
    assert_holds(sql, "ELSE FALSE END");
    assert_int_equal(a.plan.n_steps, 3);
    assert_holds(a.specs.queries[2].full_sql, "'Texas' AS value");
    assert_holds(a.specs.queries[2].full_sql, "'stores.state' AS field");
    ask_done(&a);
}

static void test_a_value_cannot_leave_its_quotes(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model,
            "revenue for \"x'); DROP TABLE orders; --\" by city");
    assert_holds(asked_sql(&a), "'x''); drop table orders; --'");
    ask_done(&a);
    ask_one(&a, shop_model, "revenue where city contains \"50%_\\\"");
    assert_holds(asked_sql(&a), "ILIKE '%50\\%\\_\\\\%'");
    ask_done(&a);
}

static void test_a_breakdown_comes_with_its_total(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "top 3 cities by revenue in 2025 as a chart");
    assert_int_equal(a.plan.complexity, PLAN_ANALYTICAL);
    assert_int_equal(a.plan.n_steps, 4);
    assert_int_equal(a.plan.steps[3].strategy, STEP_PYTHON);
    assert_int_equal(a.plan.steps[3].depends_on[0], 1);
    assert_int_equal(a.specs.n_queries, 3);
    struct str total = a.specs.queries[1].full_sql;
    assert_holds(total, "SUM(order_items.line_total) AS revenue");
    assert_holds(total, "DATE '2025-01-01'");
    assert_lacks(total, "GROUP BY");
    /* Of all cities, as what is ranked. */
    assert_holds(total, "stores.city IS NOT NULL");
    assert_lacks(total, "LIMIT");
    ask_done(&a);
    ask_one(&a, shop_model, "revenue by city in 2025");
    assert_lacks(a.specs.queries[1].full_sql, "stores");
    ask_done(&a);
    /* Averages do not add up. */
    ask_one(&a, shop_model, "average order value by city");
    assert_int_equal(a.plan.n_steps, 2);
    struct str keys = a.specs.queries[1].full_sql;
    assert_holds(keys, "COUNT(*) AS joined_rows");
    assert_holds(keys, "COUNT(DISTINCT (order_items.order_id, "
                       "order_items.product_id))");
    assert_holds(keys, "LEFT JOIN public.stores AS stores");
    ask_done(&a);
}

static void test_a_pilot_has_at_most_ten_rows(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "revenue by product");
    assert_true(str_ends(a.specs.queries[0].pilot_sql, STR("LIMIT 10")));
    assert_lacks(a.specs.queries[0].full_sql, "LIMIT");
    ask_done(&a);
    ask_one(&a, shop_model, "top 3 products by revenue");
    assert_true(str_ends(a.specs.queries[0].pilot_sql, STR("LIMIT 3")));
    ask_done(&a);
    ask_one(&a, shop_model, "top 50 products by revenue");
    assert_true(str_ends(a.specs.queries[0].pilot_sql, STR("LIMIT 10")));
    assert_true(str_ends(a.specs.queries[0].full_sql, STR("LIMIT 50")));
    ask_done(&a);
}

/* Step `id` counts ties. */
static void assert_ties(const char *question, int64_t id, const char *begins,
                        const char *ends)
{
    struct asked a;
    const struct query_spec *ties = NULL;
    ask_one(&a, shop_model, question);
    for (size_t i = 0; i < a.specs.n_queries; i++)
        if (a.specs.queries[i].step_id == id)
            ties = &a.specs.queries[i];
    assert_non_null(ties);
    assert_int_equal(ties->n_expected_columns, 1);
    assert_str(ties->expected_columns[0], "ties");
    assert_true(str_starts(ties->full_sql, str_of(begins)));
    assert_true(str_ends(ties->full_sql, str_of(ends)));
    ask_done(&a);
}

static void test_what_equals_the_last_of_a_top_is_counted(void **state)
{
    (void)state;
    assert_ties(
        "top 5 cities by revenue", 3,
        "SELECT COUNT(*) AS ties\nFROM (\n"
        "SELECT RANK() OVER (ORDER BY q.revenue DESC NULLS LAST) AS rank,"
        "\n  ROW_NUMBER() OVER (ORDER BY q.revenue DESC NULLS LAST) AS "
        "place\nFROM (\nSELECT stores.city AS city",
        "GROUP BY 1\n) AS q\n) AS p\n"
        "WHERE p.rank <= 5 AND p.place > 5");
    assert_ties("lowest 2 products by revenue for each city", 3,
                "SELECT COUNT(*) AS ties\nFROM (\n"
                "SELECT RANK() OVER (PARTITION BY q.city\n"
                "  ORDER BY q.revenue ASC NULLS LAST) AS rank",
                "WHERE p.rank <= 2 AND p.place > 2");
    struct asked a;
    ask_one(&a, shop_model, "revenue by city");
    assert_int_equal(a.plan.n_steps, 2);
    ask_done(&a);
}

static void test_how_many_of_those_that_have_the_most(void **state)
{
    (void)state;
    static const struct {
        const char *question, *order, *limit;
    } cases[] = {
        {"which 3 customers have the most orders", "DESC", "LIMIT 3"},
        {"which two customers have the fewest orders", "ASC", "LIMIT 2"},
        {"the customer with the most orders", "DESC", "LIMIT 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct asked a;
        ask_one(&a, shop_model, cases[i].question);
        if (!a.planned)
            fail_msg("%s: %.*s", cases[i].question, STR_ARG(a.plan.intent));
        assert_holds(asked_sql(&a), "GROUP BY 1, customers.customer_id");
        assert_holds(asked_sql(&a), cases[i].order);
        assert_holds(asked_sql(&a), cases[i].limit);
        ask_done(&a);
    }
}

/* The plan goes to the run as a copy that needs nothing of the analyst's arena. */
static void test_a_copied_plan_outlives_its_arena(void **state)
{
    (void)state;
    struct asked a;
    struct arena kept;
    struct plan plan;
    struct query_specs specs;
    arena_init(&kept, 0);
    ask_one(&a, shop_model, "top 3 stores by revenue in 2025 as a chart");
    artifact_copy(&kept, &plan_type, &a.plan, &plan);
    artifact_copy(&kept, &query_specs_type, &a.specs, &specs);
    struct str plan_json =
        arena_str(&kept, artifact_json(&a.arena, &plan_type, &a.plan));
    struct str specs_json =
        arena_str(&kept, artifact_json(&a.arena, &query_specs_type, &a.specs));
    ask_done(&a);
    assert_true(str_eq(artifact_json(&kept, &plan_type, &plan), plan_json));
    assert_true(
        str_eq(artifact_json(&kept, &query_specs_type, &specs), specs_json));
    assert_true(plan.n_steps > 1 && specs.n_queries > 0);
    arena_done(&kept);
}

/* A field of which the model has only the mean is not added up. */
static void test_marks_are_not_added_up(void **state)
{
    static const char school[] =
        "semantic_model:\n"
        "- name: school\n"
        "  datasets:\n"
        "  - name: exams\n"
        "    source: public.exams\n"
        "    primary_key: [exam_id]\n"
        "    fields:\n"
        "    - {name: exam_id, expression: exam_id, datatype: Integer}\n"
        "    - {name: subject, expression: subject, datatype: String}\n"
        "    - {name: nota, expression: nota, datatype: Decimal}\n"
        "    - {name: effort, expression: effort, datatype: Integer}\n"
        "  metrics:\n"
        "  - {name: average_exams_nota, expression: avg(exams.nota)}\n"
        "  - {name: average_exams_effort, expression: avg(exams.effort)}\n"
        "  - {name: total_exams_effort, expression: sum(exams.effort)}\n";
    struct asked a;
    (void)state;
    ask_one(&a, school, "nota by subject");
    assert_true(str_find(asked_sql(&a), STR("AVG(exams.nota)")) > 0);
    ask_done(&a);
    ask_one(&a, school, "effort by subject");
    assert_true(str_find(asked_sql(&a), STR("AVG(")) < 0);
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_copied_plan_outlives_its_arena),
        cmocka_unit_test(test_marks_are_not_added_up),
        cmocka_unit_test(test_what_equals_the_last_of_a_top_is_counted),
        cmocka_unit_test(test_how_many_of_those_that_have_the_most),
        cmocka_unit_test(test_a_question_becomes_one_query),
        cmocka_unit_test(test_filters_keep_the_rows_that_are_meant),
        cmocka_unit_test(test_groups_are_ranked_shared_and_compared),
        cmocka_unit_test(test_names_that_need_quotes_get_them),
        cmocka_unit_test(test_a_column_of_years_serves_where_there_is_no_date),
        cmocka_unit_test(test_what_is_near_and_spelled_so_is_meant),
        cmocka_unit_test(test_a_year_of_the_thing_itself_is_no_date),
        cmocka_unit_test(test_an_answer_is_always_the_same),
        cmocka_unit_test(test_the_data_says_which_field_holds_a_value),
        cmocka_unit_test(test_a_value_cannot_leave_its_quotes),
        cmocka_unit_test(test_a_breakdown_comes_with_its_total),
        cmocka_unit_test(test_a_pilot_has_at_most_ten_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
