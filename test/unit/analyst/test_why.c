/* "Why is Houston underperforming?" */
#include "models.h"
#include "base/banned.h"

static void test_a_why_is_looked_at_from_several_sides(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model,
            "Why is Houston underperforming in the second half of 2025?");
    assert_true(a.planned);
    assert_int_equal(a.plan.complexity, PLAN_ANALYTICAL);
    assert_in_range(a.plan.n_steps, 4, 6);
    assert_int_equal(a.specs.n_queries, a.plan.n_steps - 1);
    const struct plan_step *last = &a.plan.steps[a.plan.n_steps - 1];
    assert_int_equal(last->strategy, STEP_PYTHON);
    assert_int_equal(last->depends_on[0], 1);
    assert_holds(analyst_python(&a.arena, &a.context, &a.plan, last),
                 "\\\"indexed\\\":true");
    assert_str(
        asked_sql(&a),
        "SELECT DATE_TRUNC('month', orders.order_date)::date AS month, "
        "CASE WHEN LOWER(stores.city) = 'houston' THEN 'Houston' ELSE "
        "'all others' END AS side, SUM(order_items.line_total) AS "
        "revenue FROM public.order_items AS order_items LEFT JOIN "
        "public.orders AS orders ON order_items.order_id = "
        "orders.order_id LEFT JOIN public.stores AS stores ON "
        "orders.store_id = stores.store_id GROUP BY 1, 2 ORDER BY month, "
        "revenue DESC NULLS LAST, side");
    ask_done(&a);
}

/* Both periods are filtered by dates and separated; the earlier one ends with
 * the day of the year with which the data ends. */
static void test_a_period_is_compared_with_the_year_before(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "why is Houston falling in 2025");
    struct str sql = a.specs.queries[1].full_sql;
    assert_holds(sql, "DATE '2025-01-01' AND orders.order_date < DATE "
                      "'2026-01-01') THEN 'now' ELSE 'a year before' END");
    assert_holds(sql,
                 "orders.order_date >= DATE '2025-01-01' - INTERVAL '1 year'");
    assert_holds(sql, "LEAST(DATE '2026-01-01', DATE_TRUNC('day', (SELECT "
                      "MAX(orders.order_date)");
    ask_done(&a);
    ask_one(&a, shop_model, "why is Houston falling");
    assert_holds(a.plan.time_window, "the last 6 months");
    ask_done(&a);
}

static void test_breakdowns_leave_out_what_the_side_already_says(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "why is Houston falling in 2025");
    for (size_t i = 2; i < a.specs.n_queries; i++)
        assert_lacks(a.specs.queries[i].expected_columns[0], "state");
    ask_done(&a);
    ask_one(&a, shop_model, "why is Houston falling in 2025 by category");
    assert_int_equal(a.specs.n_queries, 3);
    assert_str(a.specs.queries[2].expected_columns[0], "category");
    ask_done(&a);
}

/* A season that has ended explains no difference from the year before. */
static void test_a_span_of_time_is_no_reason(void **state)
{
    (void)state;
    static const char seasons[] =
        "semantic_model:\n"
        "- name: league\n"
        "  datasets:\n"
        "  - name: seasons\n"
        "    source: public.seasons\n"
        "    primary_key: [season_id]\n"
        "    fields:\n"
        "    - {name: season_id, expression: season_id, datatype: Integer}\n"
        "    - {name: label, expression: label, datatype: String}\n"
        "  - name: arenas\n"
        "    source: public.arenas\n"
        "    primary_key: [arena_id]\n"
        "    fields:\n"
        "    - {name: arena_id, expression: arena_id, datatype: Integer}\n"
        "    - {name: arena_name, expression: arena_name, datatype: String}\n"
        "  - name: matches\n"
        "    source: public.matches\n"
        "    primary_key: [match_id]\n"
        "    fields:\n"
        "    - {name: match_id, expression: match_id, datatype: Integer}\n"
        "    - {name: played_on, expression: played_on, datatype: Date,\n"
        "       dimension: {is_time: true}}\n"
        "    - {name: attendance, expression: attendance, datatype: Integer}\n"
        "  relationships:\n"
        "  - {name: a, from: matches, to: seasons, from_columns: [season_id],\n"
        "     to_columns: [season_id]}\n"
        "  - {name: b, from: matches, to: arenas, from_columns: [arena_id],\n"
        "     to_columns: [arena_id]}\n";
    struct asked a;
    bool arenas = false;
    ask_one(&a, seasons, "why is total attendance falling");
    assert_true(a.planned);
    for (size_t i = 0; i < a.specs.n_queries; i++) {
        assert_lacks(a.specs.queries[i].full_sql, "seasons");
        arenas = arenas ||
                 str_find(a.specs.queries[i].full_sql, STR("arena_name")) >= 0;
    }
    assert_true(arenas);
    ask_done(&a);
}

static void test_the_story_says_where_the_gap_lies(void **state)
{
    (void)state;
    struct asked a;
    struct sql_result sql[4] = {{.row_count = 0}};
    struct step_result results[4] = {{.step_id = 0}};
    static const char *const rows[] = {
        "[]",
        "[{\"period\":\"now\",\"side\":\"Houston\",\"revenue\":\"60\"},"
        "{\"period\":\"a year before\",\"side\":\"Houston\",\"revenue\":\"100\"},"
        "{\"period\":\"now\",\"side\":\"all others\",\"revenue\":\"1100\"},"
        "{\"period\":\"a year before\",\"side\":\"all others\",\"revenue\":1000}]",
        "[{\"category\":\"A\",\"period\":\"now\",\"side\":\"Houston\",\"revenue\":5},"
        "{\"category\":\"A\",\"period\":\"a year before\",\"side\":\"Houston\","
        "\"revenue\":50},"
        "{\"category\":\"B\",\"period\":\"now\",\"side\":\"Houston\",\"revenue\":55},"
        "{\"category\":\"B\",\"period\":\"a year before\",\"side\":\"Houston\","
        "\"revenue\":50}]"};
    ask_one(&a, shop_model, "why is Houston growing in 2025 by category");
    for (size_t i = 0; i < 3; i++) {
        sql[i] = (struct sql_result){
            .columns = a.specs.queries[i].expected_columns,
            .n_columns = a.specs.queries[i].n_expected_columns,
            .data = str_of(rows[i])};
        results[i] = (struct step_result){.step_id = a.specs.queries[i].step_id,
                                          .sql_result = &sql[i]};
    }
    struct step_results list = {results, 3};
    struct analyst_findings findings = {.plan = &a.plan, .results = &list};
    struct str text = analyst_narrative(&a.arena, &a.context, &findings);
    assert_holds(text,
                 "Revenue of Houston is **60** (2025-01-01 to 2025-12-31), a "
                 "year before it was **100**: **-40.0 %**. All others moved "
                 "by +10.0 %. Had Houston moved like them, it would be "
                 "50 higher. So it did not rise against them.");
    assert_holds(text, "**By category** most of it lies in **A**: -45 of -50.");
    assert_holds(text, "| A | 50 | 5 | -90.0 % | not known | -45 |");
    assert_holds(text, "these figures alone do not say");
    ask_done(&a);
}

static void test_why_may_lean_on_the_last_answer(void **state)
{
    (void)state;
    struct asked a;
    ask(&a, shop_model,
        (const char *const[]){"revenue for Houston in 2025", "why?", NULL});
    assert_true(a.planned);
    assert_holds(a.plan.intent, "revenue of Houston departs");
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_why_is_looked_at_from_several_sides),
        cmocka_unit_test(test_a_period_is_compared_with_the_year_before),
        cmocka_unit_test(test_breakdowns_leave_out_what_the_side_already_says),
        cmocka_unit_test(test_a_span_of_time_is_no_reason),
        cmocka_unit_test(test_the_story_says_where_the_gap_lies),
        cmocka_unit_test(test_why_may_lean_on_the_last_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
