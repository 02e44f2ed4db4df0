/* Answers in words, from results of the form that the executor makes. */
#include "models.h"
#include "tell/data_frame.h"
#include "base/json.h"
#include "base/banned.h"

enum { RESULTS_MOST = 4 };

struct told {
    struct asked asked;
    struct step_result results[RESULTS_MOST];
    struct sql_result sql[RESULTS_MOST];
    struct step_results list;
    struct verification_report report;
    struct analyst_findings findings;
};

static void tell_begin(struct told *t, const char *question)
{
    *t = (struct told){.list = {.n_results = 0}};
    ask_one(&t->asked, shop_model, question);
    if (!t->asked.planned)
        fail_msg("%s: %.*s", question, STR_ARG(t->asked.plan.intent));
    t->list.results = t->results;
    t->findings =
        (struct analyst_findings){.plan = &t->asked.plan, .results = &t->list};
}

/* The rows of a step; its columns are those that its query expects. */
static void tell_rows(struct told *t, int64_t step, const char *json)
{
    size_t i = t->list.n_results++;
    const struct query_spec *spec = NULL;
    for (size_t q = 0; q < t->asked.specs.n_queries; q++)
        if (t->asked.specs.queries[q].step_id == step)
            spec = &t->asked.specs.queries[q];
    assert_non_null(spec);
    json_t *rows = json_read(str_of(json), NULL);
    t->sql[i] =
        (struct sql_result){.columns = spec->expected_columns,
                            .n_columns = spec->n_expected_columns,
                            .data = str_of(json),
                            .row_count = (int64_t)json_array_size(rows)};
    json_decref(rows);
    t->results[i] =
        (struct step_result){.step_id = step, .sql_result = &t->sql[i]};
}

static struct str tell(struct told *t)
{
    return analyst_narrative(&t->asked.arena, &t->asked.context, &t->findings);
}

static void tell_done(struct told *t)
{
    ask_done(&t->asked);
}

/* Customers without an order count for the average, or do not. */
static void test_an_average_tells_of_those_without_any(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "average number of orders per customer");
    tell_rows(&t, 1, "[{\"average_order_count_per_customer\":\"2.5\"}]");
    tell_rows(&t, 3, "[{\"over_all\":\"1.25\",\"of_all\":8,\"of_these\":4}]");
    assert_holds(tell(&t), "is **2.5**. That is over the 4 customers that "
                           "have any; over all 8 of them, it is **1.25**.");
    tell_done(&t);
    tell_begin(&t, "average number of orders per customer");
    tell_rows(&t, 1, "[{\"average_order_count_per_customer\":\"2.5\"}]");
    tell_rows(&t, 3, "[{\"over_all\":\"2.5\",\"of_all\":4,\"of_these\":4}]");
    assert_lacks(tell(&t), "over all");
    tell_done(&t);
}

static void test_minus_zero_is_told_as_zero(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "revenue by city in 2025");
    tell_rows(&t, 1,
              "[{\"city\":\"Dallas\",\"revenue\":-0},"
              "{\"city\":\"Austin\",\"revenue\":-2.5}]");
    assert_holds(tell(&t), "| Dallas | 0 |");
    tell_done(&t);
}

static void test_a_day_that_ranks_is_told_as_a_day(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "Which store is the oldest?");
    tell_rows(&t, 1,
              "[{\"store_name\":\"Elm\",\"earliest_opened_date\":"
              "\"2001-05-09\"}]");
    struct str text = tell(&t);
    assert_holds(text, "**Elm** has the earliest opened date: **2001-05-09**.");
    tell_done(&t);
}

static void test_groups_are_told_with_their_extremes(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "revenue by city in 2025");
    tell_rows(&t, 1,
              "[{\"city\":\"Dallas\",\"revenue\":\"1504034.14\"},"
              "{\"city\":null,\"revenue\":\"1056047.27\"},"
              "{\"city\":\"A|B\",\"revenue\":\"-2.5\"}]");
    tell_rows(&t, 2, "[{\"revenue\":\"2560078.91\"}]");
    struct str text = tell(&t);
    assert_holds(text, "**Dallas** has the highest revenue (2025-01-01 to "
                       "2025-12-31): **1,504,034.14** (58.7 % of the total); "
                       "A\\|B has the lowest, -2.5.");
    assert_holds(text, "| city | revenue |\n|---|---:|\n| Dallas | "
                       "1,504,034.14 |\n| (none) | 1,056,047.27 |\n| A\\|B | "
                       "-2.5 |");
    assert_holds(text, "In total, over all groups: 2,560,078.91.");
    assert_holds(text, "not verified");
    tell_done(&t);
}

static void test_rows_of_no_group_are_not_the_first_group(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "revenue by city");
    tell_rows(&t, 1,
              "[{\"city\":null,\"revenue\":90},"
              "{\"city\":\"Dallas\",\"revenue\":40},"
              "{\"city\":\"Austin\",\"revenue\":10}]");
    tell_rows(&t, 2, "[{\"revenue\":\"140\"}]");
    struct str text = tell(&t);
    assert_holds(text, "**Dallas** has the highest revenue: **40**");
    assert_holds(text, "Austin has the lowest, 10. For rows without one it is "
                       "higher, 90.");
    tell_done(&t);
    tell_begin(&t, "revenue by city");
    tell_rows(&t, 1,
              "[{\"city\":\"Dallas\",\"revenue\":40},"
              "{\"city\":null,\"revenue\":20},"
              "{\"city\":\"Austin\",\"revenue\":10}]");
    assert_lacks(tell(&t), "without one");
    tell_done(&t);
    tell_begin(&t, "revenue by city");
    tell_rows(&t, 1, "[{\"city\":null,\"revenue\":90}]");
    assert_holds(tell(&t), "**(none)** has the highest revenue: **90**");
    tell_done(&t);
}

static void test_groups_that_are_equal_share_their_place(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "revenue by city");
    tell_rows(&t, 1,
              "[{\"city\":\"Dallas\",\"revenue\":40},"
              "{\"city\":\"Waco\",\"revenue\":40},"
              "{\"city\":\"Austin\",\"revenue\":10},"
              "{\"city\":\"Tyler\",\"revenue\":10},"
              "{\"city\":null,\"revenue\":10}]");
    assert_holds(tell(&t), "**Dallas** and 1 more share the highest revenue: "
                           "**40**; Austin and 1 more share the lowest, 10.");
    tell_done(&t);
}

/* A city without an order is in no row, and has fewer. */
static void test_the_lowest_count_is_of_those_that_have_any(void **state)
{
    (void)state;
    static const char rows[] = "[{\"city\":\"Dallas\",\"order_count\":4},"
                               "{\"city\":\"Waco\",\"order_count\":1}]";
    struct told t;
    tell_begin(&t, "number of orders by city");
    tell_rows(&t, 1, rows);
    assert_holds(tell(&t), "Waco has the lowest of those that have any, 1.");
    tell_done(&t);
    tell_begin(&t, "number of stores by city");
    tell_rows(&t, 1,
              "[{\"city\":\"Dallas\",\"store_count\":4},"
              "{\"city\":\"Waco\",\"store_count\":1}]");
    assert_holds(tell(&t), "Waco has the lowest, 1.");
    tell_done(&t);
}

static void test_a_series_is_told_by_its_change(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "monthly revenue");
    tell_rows(&t, 1,
              "[{\"month\":\"2025-01-01\",\"revenue\":100},"
              "{\"month\":\"2025-02-01\",\"revenue\":50},"
              "{\"month\":\"2025-03-01\",\"revenue\":150}]");
    struct str text = tell(&t);
    assert_holds(text, "Revenue went from **100** in 2025-01 to **150** in "
                       "2025-03 (+50.0 %).");
    assert_holds(text,
                 "Highest in 2025-03 with 150, lowest in 2025-02 with 50.");
    tell_done(&t);
}

static void test_a_top_is_told_with_its_share(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "top 2 products by revenue");
    tell_rows(&t, 1,
              "[{\"product_name\":\"Tent\",\"revenue\":\"30\"},"
              "{\"product_name\":\"Pen\",\"revenue\":\"20\"}]");
    tell_rows(&t, 2, "[{\"revenue\":\"200\"}]");
    struct str text = tell(&t);
    assert_holds(text, "The highest revenue: **Tent** with **30**, then Pen "
                       "(20).");
    assert_holds(text, "The rows shown make up 25.0 % of it.");
    tell_done(&t);
    tell_begin(&t, "which city has the lowest revenue");
    tell_rows(&t, 1, "[{\"city\":\"Waco\",\"revenue\":\"3\"}]");
    assert_holds(tell(&t), "**Waco** has the lowest revenue: **3**.");
    tell_done(&t);
}

static void test_what_equals_the_last_of_a_top_is_told(void **state)
{
    (void)state;
    static const char rows[] =
        "[{\"product_name\":\"Tent\",\"revenue\":\"30\"},"
        "{\"product_name\":\"Pen\",\"revenue\":\"20\"}]";
    struct told t;
    tell_begin(&t, "top 2 products by revenue");
    tell_rows(&t, 1, rows);
    tell_rows(&t, 3, "[{\"ties\":1200}]");
    assert_holds(tell(&t),
                 "\n- Not shown: 1,200 more with the same revenue as the "
                 "last one shown.");
    tell_done(&t);
    tell_begin(&t, "top 2 products by revenue");
    tell_rows(&t, 1, rows);
    tell_rows(&t, 3, "[{\"ties\":0}]");
    assert_lacks(tell(&t), "Not shown");
    tell_done(&t);
    tell_begin(&t, "which city has the lowest revenue");
    tell_rows(&t, 1, "[{\"city\":\"Waco\",\"revenue\":\"3\"}]");
    tell_rows(&t, 3, "[{\"ties\":2}]");
    assert_holds(tell(&t), "**Waco** and 2 more share the lowest revenue: "
                           "**3**.");
    tell_done(&t);
    tell_begin(&t, "top product by revenue for each city");
    tell_rows(&t, 1,
              "[{\"product_name\":\"Tea\",\"city\":\"A\",\"revenue\":\"5\"}]");
    tell_rows(&t, 3, "[{\"ties\":1}]");
    assert_holds(tell(&t),
                 "\n- Not shown: 1 more with the same revenue as the last "
                 "one shown for its city.");
    tell_done(&t);
}

/* The first row is of the first group, and not the highest of all. */
static void test_a_top_of_each_group_is_told_by_group(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "top 2 products by revenue for each city");
    tell_rows(
        &t, 1,
        "[{\"product_name\":\"Tea\",\"city\":\"Austin\",\"revenue\":\"5\"},"
        "{\"product_name\":\"Jam\",\"city\":\"Austin\",\"revenue\":\"4\"},"
        "{\"product_name\":\"Jam\",\"city\":\"Dallas\",\"revenue\":\"70\"}]");
    tell_rows(&t, 2, "[{\"revenue\":\"90\"}]");
    struct str text = tell(&t);
    assert_holds(text,
                 "The highest revenue for each city: **Austin**: Tea with "
                 "**5**; **Dallas**: Jam with **70**.");
    assert_true(str_find(text, STR("make up")) < 0);
    tell_done(&t);
    tell_begin(&t, "top product by revenue for each city");
    tell_rows(&t, 1,
              "[{\"product_name\":\"Tea\",\"city\":\"A\",\"revenue\":\"5\"},"
              "{\"product_name\":\"Tea\",\"city\":\"B\",\"revenue\":\"4\"},"
              "{\"product_name\":\"Jam\",\"city\":\"C\",\"revenue\":\"3\"},"
              "{\"product_name\":\"Jam\",\"city\":\"D\",\"revenue\":\"2\"}]");
    assert_holds(tell(&t), "**B**: Tea with **4**; **C**: Jam with **3**; …\n");
    tell_done(&t);
}

static void test_a_single_figure_needs_no_table(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "average order value for online orders");
    tell_rows(&t, 1, "[{\"average_order_value\":\"215.64648837387767\"}]");
    struct str text = tell(&t);
    assert_holds(text, "Average order value where orders.channel is online is "
                       "**215.65**.");
    assert_lacks(text, "|---");
    tell_done(&t);
}

static void test_nothing_found_is_said_as_such(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "revenue by city in 2019");
    tell_rows(&t, 1, "[]");
    assert_holds(tell(&t), "There is nothing to show: no row matches");
    assert_holds(tell(&t), "The period may lie outside the data.");
    tell_done(&t);
    tell_begin(&t, "revenue in 2019");
    tell_rows(&t, 1, "[{\"revenue\":null}]");
    assert_holds(tell(&t), "There is nothing to show");
    tell_done(&t);
}

static void test_a_value_that_no_field_holds_gets_no_figure(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "number of orders for Atlantis");
    tell_rows(&t, 1, "[{\"order_count\":0}]");
    tell_rows(
        &t, 3,
        "[{\"value\":\"Atlantis\",\"field\":\"stores.city\",\"matches\":0}]");
    struct str text = tell(&t);
    assert_holds(text, "I did not find “Atlantis” in ");
    assert_holds(text, "so it may be in another one");
    assert_lacks(text, "**0**");
    tell_done(&t);
    tell_begin(&t, "number of orders where store city is Atlantis");
    tell_rows(&t, 1, "[{\"order_count\":0}]");
    tell_rows(
        &t, 3,
        "[{\"value\":\"Atlantis\",\"field\":\"stores.city\",\"matches\":0}]");
    assert_holds(tell(&t),
                 "I did not find “Atlantis”, so there is no figure for it.");
    tell_done(&t);
    tell_begin(&t, "number of orders for Waco");
    tell_rows(&t, 1, "[{\"order_count\":7}]");
    tell_rows(&t, 3,
              "[{\"value\":\"Waco\",\"field\":\"stores.state\",\"matches\":0},"
              "{\"value\":\"Waco\",\"field\":\"stores.city\",\"matches\":2}]");
    assert_holds(tell(&t), "is **7**.");
    assert_holds(tell(&t), "“Waco” was found in stores.city.");
    assert_lacks(tell(&t), "are called");
    tell_done(&t);
}

/* The sum of two persons of one name is not passed off as that of one. */
static void test_two_of_one_name_are_said_to_be_two(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "number of orders for Ada Lovelace");
    tell_rows(&t, 1, "[{\"order_count\":7}]");
    tell_rows(&t, 3,
              "[{\"value\":\"Ada Lovelace\","
              "\"field\":\"customers.full_name\",\"matches\":2}]");
    assert_holds(tell(&t), "2 of the customers are called “Ada Lovelace”, and "
                           "all of them are meant here.");
    tell_done(&t);
    tell_begin(&t, "number of orders for Ada Lovelace");
    tell_rows(&t, 1, "[{\"order_count\":7}]");
    tell_rows(&t, 3,
              "[{\"value\":\"Ada Lovelace\","
              "\"field\":\"customers.full_name\",\"matches\":1}]");
    assert_lacks(tell(&t), "are called");
    tell_done(&t);
}

/* The lookup may show that a value has no one meaning. */
static void test_a_value_of_several_fields_gets_no_figure(void **state)
{
    (void)state;
    static const char both[] =
        "[{\"value\":\"Waco\",\"field\":\"stores.city\",\"matches\":2},"
        "{\"value\":\"Waco\",\"field\":\"customers.home_city\","
        "\"matches\":9}]";
    struct told t;
    tell_begin(&t, "number of orders for Waco");
    tell_rows(&t, 1, "[{\"order_count\":7}]");
    tell_rows(&t, 3, both);
    assert_holds(tell(&t), "a value of stores.city and of customers.home_city");
    assert_lacks(tell(&t), "**7**");
    tell_done(&t);
    tell_begin(&t, "number of orders of stores in Waco");
    tell_rows(&t, 1, "[{\"order_count\":7}]");
    tell_rows(&t, 3, both);
    assert_holds(tell(&t), "is **7**.");
    tell_done(&t);
    tell_begin(&t, "number of orders for Waco for Tyler");
    tell_rows(&t, 1, "[{\"order_count\":0}]");
    tell_rows(&t, 3,
              "[{\"value\":\"Waco\",\"field\":\"stores.city\",\"matches\":2},"
              "{\"value\":\"Tyler\",\"field\":\"stores.city\","
              "\"matches\":1}]");
    assert_holds(tell(&t), "say “or” to have both");
    assert_lacks(tell(&t), "**0**");
    tell_done(&t);
    tell_begin(&t, "number of orders for Peru");
    tell_rows(&t, 1, "[{\"order_count\":3}]");
    tell_rows(&t, 3,
              "[{\"value\":\"Peru\",\"field\":\"addresses.country\","
              "\"matches\":1}]");
    assert_holds(tell(&t), "lead in several ways");
    tell_done(&t);
}

/* A single figure, 0 orders, does not show that the data begin later. */
static void test_a_period_outside_the_data_has_no_figure(void **state)
{
    (void)state;
    static const char *const periods[][2] = {
        {"2020-01-01\",\"data_end\":\"2025-06-30", "**0**"},
        {"2026-02-01\",\"data_end\":\"2026-06-30",
         "The data begin on 2026-02-01 (orders.order_date), so they have no "
         "figure for “in 2025”."},
        {"2020-01-01\",\"data_end\":\"2024-12-31",
         "The data end on 2024-12-31"},
    };
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        struct told t;
        char rows[400];
        tell_begin(&t, "number of orders in 2025");
        assert_holds(
            t.asked.specs.queries[t.asked.specs.n_queries - 1].full_sql,
            "AS data_begin");
        tell_rows(&t, 1, "[{\"order_count\":0}]");
        snprintf(rows, sizeof rows,
                 "[{\"place\":1,\"period\":\"in 2025\","
                 "\"field\":\"orders.order_date\","
                 "\"first_day\":\"2025-01-01\",\"last_day\":\"2025-12-31\","
                 "\"data_begin\":\"%s\",\"moved\":false}]",
                 periods[i][0]);
        tell_rows(&t, 3, rows);
        assert_holds(tell(&t), periods[i][1]);
        if (i)
            assert_lacks(tell(&t), "**0**");
        tell_done(&t);
    }
}

static void test_many_rows_are_cut_and_counted(void **state)
{
    (void)state;
    struct told t;
    struct buf json;
    tell_begin(&t, "revenue by product");
    buf_init(&json, &t.asked.arena);
    for (int i = 0; i < 30; i++)
        buf_printf(&json, "%s{\"product_name\":\"p%d\",\"revenue\":%d}",
                   i ? "," : "[", i, 100 - i);
    buf_char(&json, ']');
    tell_rows(&t, 1, buf_cstr(&json));
    t.sql[0].row_count = 1000;
    t.sql[0].truncated = true;
    struct str text = tell(&t);
    assert_holds(text, "| p19 | 81 |");
    assert_lacks(text, "| p20 | 80 |");
    assert_holds(text, "… and 980 more rows.");
    assert_holds(text, "There are more than the 1000 rows fetched");
    assert_holds(text, "among the rows that were fetched");
    tell_done(&t);
}

static void test_a_failed_step_is_told(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "revenue by city");
    t.results[0] =
        (struct step_result){.step_id = 1, .error = STR("column is missing")};
    t.list.n_results = 1;
    assert_holds(tell(&t), "I could not compute revenue by city. The query "
                           "failed: column is missing");
    tell_done(&t);
}

static void test_the_verdict_of_the_checks_is_told(void **state)
{
    (void)state;
    struct told t;
    struct verification_check checks[] = {
        {.name = STR("a"), .passed = true},
        {.name = STR("grain"), .message = STR("2 rows repeat")}};
    tell_begin(&t, "revenue by city");
    tell_rows(&t, 1, "[{\"city\":\"Waco\",\"revenue\":\"3\"}]");
    t.report = (struct verification_report){.status = CHECKS_PASSED,
                                            .passed = true,
                                            .checks = checks,
                                            .n_checks = 1};
    t.findings.report = &t.report;
    assert_holds(tell(&t), "Verified: all 1 checks of the result passed.");
    t.report.n_checks = 2;
    t.report.status = CHECKS_FAILED;
    t.report.passed = false;
    assert_holds(tell(&t), "**The checks of this result failed");
    assert_holds(tell(&t), "- grain: 2 rows repeat");
    t.report.status = CHECKS_SKIPPED;
    assert_holds(tell(&t), "This result was not verified.");
    tell_done(&t);
}

static void test_what_the_model_cannot_answer_is_told(void **state)
{
    (void)state;
    struct told t;
    struct str missing[] = {STR("weather")}, there[] = {STR("orders")};
    struct cannot_answer cannot = {.reason = STR("There is no weather."),
                                   .missing_datasets = missing,
                                   .n_missing_datasets = 1,
                                   .available_datasets = there,
                                   .n_available_datasets = 1};
    tell_begin(&t, "revenue by city");
    t.findings.cannot = &cannot;
    struct str text = tell(&t);
    assert_holds(text, "There is no weather.");
    assert_holds(text, "Missing datasets: weather.");
    tell_done(&t);
}

static void test_numbers_keep_their_digits(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"0", "0"},
        {"1234567", "1,234,567"},
        {"-1234.50", "-1,234.50"},
        {"999.99999", "1,000.00"},
        {"0.354050473", "0.3541"},
        {"0.00004", "0.0000"},
        {"12345678901234567890123", "12,345,678,901,234,567,890,123"},
        {"1.2345", "1.2345"},
        {"NaN", "NaN"},
        {"1e+20", "1e+20"},
        {"2025-01-01", "2025-01-01"}};
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct cell cell = {.text = str_of(pairs[i][0])};
        assert_str(number_text(&arena, &cell), pairs[i][1]);
    }
    struct cell none = {.null = true};
    struct cell date = {.text = STR("2025-08-01")};
    assert_str(number_text(&arena, &none), "(none)");
    assert_str(group_text(&arena, &date, UNIT_QUARTER), "2025 Q3");
    assert_str(group_text(&arena, &date, UNIT_YEAR), "2025");
    assert_str(group_text(&arena, &date, UNIT_NONE), "2025-08-01");
    arena_done(&arena);
}

/* Programs are shown inside Markdown fences, so data from outside is one JSON
 * literal without backticks. */
static void test_a_program_holds_its_data_in_one_literal(void **state)
{
    (void)state;
    struct told t;
    tell_begin(&t, "revenue by city for “a``` ' \\\" b” as a chart");
    struct str code = analyst_verification(&t.asked.arena, &t.asked.context,
                                           &t.asked.plan, &t.list);
    const struct plan_step *chart =
        &t.asked.plan.steps[t.asked.plan.n_steps - 1];
    struct str drawing =
        analyst_python(&t.asked.arena, &t.asked.context, &t.asked.plan, chart);
    struct str both[] = {code, drawing};
    for (size_t i = 0; i < 2; i++) {
        assert_lacks(both[i], "`");
        ptrdiff_t from = str_find(both[i], STR("CONFIG = json.loads("));
        assert_true(from > 0);
        struct str literal = str_from(both[i], (size_t)from + 20);
        literal = str_cut(literal, 0, (size_t)str_find(literal, STR(")\n\n")));
        json_t *text = json_read(
            arena_printf(&t.asked.arena, "[%.*s]", STR_ARG(literal)), NULL);
        assert_non_null(text);
        json_t *config = json_read(json_text(json_array_get(text, 0)), NULL);
        assert_true(json_is_object(config));
        json_decref(config);
        json_decref(text);
    }
    assert_int_equal(analyst_python(&t.asked.arena, &t.asked.context,
                                    &t.asked.plan, &t.asked.plan.steps[0])
                         .len,
                     0);
    tell_done(&t);
}

/* Steps of a plan that the analyst did not make, and whose columns it does not know. */
static void test_steps_of_any_plan_are_told_by_their_rows(void **state)
{
    (void)state;
    static struct str columns[] = {{"region", 6}, {"x|y", 3}}, one = {"n", 1};
    struct sql_result table = {.columns = columns,
                               .n_columns = 2,
                               .row_count = 40,
                               .truncated = true,
                               .data = STR("[{\"region\":\"No*rth\",\"x|y\":"
                                           "\"1234567.50\"},{\"region\":null,"
                                           "\"x|y\":2025}]")};
    struct sql_result figure = {.columns = &one,
                                .n_columns = 1,
                                .row_count = 1,
                                .data = STR("[{\"n\":\"7\"}]")};
    struct sql_result none = {
        .columns = &one, .n_columns = 1, .data = STR("[]")};
    struct python_result printed = {.out = STR("slope **3**\nend\n")};
    struct step_result steps[] = {
        {.step_id = 4, .description = STR("By region"), .sql_result = &table},
        {.step_id = 9, .description = STR("How many"), .sql_result = &figure},
        {.step_id = 2, .description = STR("Lost ones"), .sql_result = &none},
        {.step_id = 3, .description = STR("Trend"), .python_result = &printed},
        {.step_id = 5,
         .description = STR("Broken"),
         .error = STR("no | such")}};
    struct step_results results = {steps, 5};
    struct arena arena;
    arena_init(&arena, 0);
    struct str text = analyst_results_narrative(
        &arena, &(struct analyst_findings){.results = &results});
    assert_holds(text, "**By region**\n\n| region | x\\|y |\n|---|---|\n"
                       "| No\\*rth | 1234567.50 |\n| (none) | 2025 |");
    assert_holds(text, "first 2 of more than 40 rows");
    assert_holds(text, "**How many**\n\nn: **7**");
    assert_holds(text, "**Lost ones**\n\nNo row was found.");
    assert_holds(text, "**Trend**\n\n    slope **3**\n    end");
    assert_holds(text, "**Broken**\n\nThis step failed: no \\| such");
    assert_holds(text, "not verified");
    struct cannot_answer cannot = {.reason = STR("No unicorns here.")};
    text = analyst_results_narrative(
        &arena,
        &(struct analyst_findings){.results = &results, .cannot = &cannot});
    assert_holds(text, "No unicorns here.");
    assert_true(str_find(text, STR("By region")) < 0);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_average_tells_of_those_without_any),
        cmocka_unit_test(test_a_day_that_ranks_is_told_as_a_day),
        cmocka_unit_test(test_groups_are_told_with_their_extremes),
        cmocka_unit_test(test_minus_zero_is_told_as_zero),
        cmocka_unit_test(test_rows_of_no_group_are_not_the_first_group),
        cmocka_unit_test(test_groups_that_are_equal_share_their_place),
        cmocka_unit_test(test_the_lowest_count_is_of_those_that_have_any),
        cmocka_unit_test(test_a_series_is_told_by_its_change),
        cmocka_unit_test(test_a_top_is_told_with_its_share),
        cmocka_unit_test(test_what_equals_the_last_of_a_top_is_told),
        cmocka_unit_test(test_a_top_of_each_group_is_told_by_group),
        cmocka_unit_test(test_a_single_figure_needs_no_table),
        cmocka_unit_test(test_nothing_found_is_said_as_such),
        cmocka_unit_test(test_a_value_that_no_field_holds_gets_no_figure),
        cmocka_unit_test(test_a_value_of_several_fields_gets_no_figure),
        cmocka_unit_test(test_two_of_one_name_are_said_to_be_two),
        cmocka_unit_test(test_a_period_outside_the_data_has_no_figure),
        cmocka_unit_test(test_many_rows_are_cut_and_counted),
        cmocka_unit_test(test_a_failed_step_is_told),
        cmocka_unit_test(test_the_verdict_of_the_checks_is_told),
        cmocka_unit_test(test_what_the_model_cannot_answer_is_told),
        cmocka_unit_test(test_numbers_keep_their_digits),
        cmocka_unit_test(test_a_program_holds_its_data_in_one_literal),
        cmocka_unit_test(test_steps_of_any_plan_are_told_by_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
