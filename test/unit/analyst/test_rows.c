/* "Rows", "records" and "entries" count a dataset without its name: the only one,
 * the one that is named, or the one that has what they are broken down by. */
#include "models.h"
#include "base/banned.h"

static const char one_table[] =
    "semantic_model:\n"
    "- name: bicycles\n"
    "  datasets:\n"
    "  - name: stations\n"
    "    source: main.stations\n"
    "    primary_key: [station_id]\n"
    "    fields:\n"
    "    - {name: station_id, expression: station_id, datatype: Integer}\n"
    "    - {name: city, expression: city, datatype: String}\n"
    "    - {name: docks, expression: docks, datatype: Integer}\n"
    "    - {name: opened_on, expression: opened_on, datatype: Date}\n";

static const char keeps_records[] =
    "semantic_model:\n"
    "- name: music\n"
    "  datasets:\n"
    "  - name: shops\n"
    "    source: main.shops\n"
    "    fields:\n"
    "    - {name: city, expression: city, datatype: String}\n"
    "    - {name: records, expression: records, datatype: Integer}\n";

static void assert_asked(const char *model, const char *question,
                         const char *sql)
{
    struct asked a;
    ask_one(&a, model, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(asked_narrative(&a)));
    assert_str(asked_sql(&a), sql);
    ask_done(&a);
}

static void assert_question_back(const char *model, const char *question,
                                 const char *wanted)
{
    struct asked a;
    ask_one(&a, model, question);
    if (a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(asked_sql(&a)));
    assert_true(a.plan.should_clarify);
    assert_str(a.plan.clarification_questions[0].question, wanted);
    ask_done(&a);
}

static void assert_not_answered(const char *model, const char *question)
{
    struct asked a;
    ask_one(&a, model, question);
    if (a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(asked_sql(&a)));
    ask_done(&a);
}

#define BY_CITY \
    "SELECT stations.city AS city, COUNT(*) AS station_count FROM " \
    "main.stations AS stations GROUP BY 1 ORDER BY station_count DESC NULLS " \
    "LAST, city"

static void test_rows_of_the_only_dataset(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "how many rows per city",
        "How many rows are there per city?",
        "how many records by city",
        "number of entries for each city",
        "number of rows by city",
        "count of rows per city",
        "count rows by city",
        "rows per city",
        "how many rows per city are in the file?",
        "how many rows in this table per city",
        "how many rows are there in the dataset by city",
        "how many rows does the file have per city",
        "How many rows per city in the CSV file?",
        "how many station records per city",
        "number of stations rows by city",
        "show me the number of rows per city",
    };
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        assert_asked(one_table, questions[i], BY_CITY);
    assert_asked(one_table, "how many rows",
                 "SELECT COUNT(*) AS station_count FROM main.stations AS "
                 "stations");
    assert_asked(one_table, "how many rows have docks over 10",
                 "SELECT COUNT(*) AS station_count FROM main.stations AS "
                 "stations WHERE stations.docks > 10");
    assert_asked(one_table, "cities with more than 3 rows",
                 "SELECT q.* FROM ( SELECT stations.city AS city, COUNT(*) AS "
                 "station_count FROM main.stations AS stations WHERE "
                 "stations.city IS NOT NULL GROUP BY 1 ) AS q WHERE "
                 "q.station_count > 3 ORDER BY station_count DESC NULLS LAST, "
                 "city");
}

static void test_what_has_the_name_keeps_it(void **state)
{
    (void)state;
    assert_asked(keeps_records, "total records by city",
                 "SELECT shops.city AS city, SUM(shops.records) AS "
                 "total_records FROM main.shops AS shops GROUP BY 1 ORDER BY "
                 "total_records DESC NULLS LAST, city");
    assert_asked(
        keeps_records, "how many rows per city",
        "SELECT shops.city AS city, COUNT(*) AS shop_count FROM "
        "main.shops AS shops GROUP BY 1 ORDER BY shop_count DESC NULLS "
        "LAST, city");
}

static void test_rows_of_one_of_several_datasets(void **state)
{
    (void)state;
    assert_asked(shop_model, "how many rows per segment",
                 "SELECT customers.segment AS segment, COUNT(*) AS "
                 "customer_count FROM public.customers AS customers GROUP BY 1 "
                 "ORDER BY customer_count DESC NULLS LAST, segment");
    assert_asked(shop_model, "how many rows of stockouts by reason",
                 "SELECT stockouts.reason AS reason, COUNT(*) AS "
                 "stockout_count FROM public.stockouts AS stockouts GROUP BY 1 "
                 "ORDER BY stockout_count DESC NULLS LAST, reason");
    assert_asked(shop_model, "how many records in the products table",
                 "SELECT COUNT(*) AS product_count FROM public.products AS "
                 "products");
    /* The dimension may be one that the named dataset reaches. */
    assert_asked(shop_model, "number of rows in stockouts by category",
                 "SELECT products.category AS category, COUNT(*) AS "
                 "stockout_count FROM public.stockouts AS stockouts LEFT JOIN "
                 "public.products AS products ON stockouts.product_id = "
                 "products.product_id GROUP BY 1 ORDER BY stockout_count DESC "
                 "NULLS LAST, category");
}

static void test_rows_of_which_dataset(void **state)
{
    (void)state;
    struct asked a;
    assert_question_back(
        shop_model, "how many rows",
        "Which “rows” are meant: stores, customers, profiles, products, "
        "addresses or orders?");
    assert_question_back(
        shop_model, "how many rows per month",
        "Which “rows” are meant: stores, orders or stockouts?");
    ask_one(&a, shop_model,
            "how many rows\n\nClarifications:\n- Which?: products");
    assert_true(a.planned);
    assert_holds(asked_sql(&a), "FROM public.products");
    ask_done(&a);
    ask_one(&a, shop_model, "how many rows per segment");
    assert_int_equal(a.plan.n_ambiguities, 1);
    assert_str(a.plan.ambiguities[0].assumption, "Those of customers.");
    ask_done(&a);
}

static void test_no_more_than_that(void **state)
{
    (void)state;
    assert_not_answered(one_table, "average rows per city");
    assert_not_answered(one_table, "how many rows per city and file");
    assert_not_answered(shop_model, "total rows per segment");
    assert_not_answered(shop_model, "how many orders per row");
}

static void test_a_mistyped_column_is_put_right(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, one_table, "how many rows per citty");
    assert_false(a.planned);
    assert_holds(asked_narrative(&a), "\n- how many rows per city\n");
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_the_only_dataset),
        cmocka_unit_test(test_what_has_the_name_keeps_it),
        cmocka_unit_test(test_rows_of_one_of_several_datasets),
        cmocka_unit_test(test_rows_of_which_dataset),
        cmocka_unit_test(test_no_more_than_that),
        cmocka_unit_test(test_a_mistyped_column_is_put_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
