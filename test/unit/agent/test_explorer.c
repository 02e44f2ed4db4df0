/* The explorer's tools apart from a place: which queries and charts are let
 * through, what SQL is built, and what is said of results. The engine runs the
 * SQL in test/story/test_explorer.py. */
#include "agent/report.h"
#include "explorer/query_parts.h"
#include "explorer/significance.h"
#include "explorer/slice.h"
#include "explorer/statement.h"
#include "explorer/tools.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena memory;

static struct explorer_column columns[] = {{STR("city"), STR("VARCHAR")},
                                           {STR("amount"), STR("DOUBLE")},
                                           {STR("paid"), STR("BOOLEAN")},
                                           {STR("a \"b\""), STR("BIGINT")}};
static const struct explorer_table table = {
    .columns = columns, .n_columns = 4, .n_rows = -1, .charts_have_rows = true};

static struct explorer_call call_of(const char *name, struct str arguments)
{
    struct explorer_call c = {.table = &table,
                              .name = str_of(name),
                              .arguments = arguments,
                              .memory = &memory};
    explorer_plan(&c);
    return c;
}

static bool says(struct str text, const char *part)
{
    return str_find(text, str_of(part)) >= 0;
}

/* ---- queries ------------------------------------------------------------ */

static const char *const allowed[] = {
    "select * from t_parsed",
    "SELECT city, count(*) FROM main.t_parsed GROUP BY city;",
    "with a as (select * from t_parsed) select * from a",
    "select * exclude (city) from t_parsed group by all",
    "select median(amount) from t_parsed where city is distinct from 'x'",
    "select extract(year from d) from t_parsed",
    "select 1 from t_parsed where city in ('a;b', 'drop table x') -- hi; drop",
    "select a.city from t_parsed a join t_parsed b using (city), t_parsed c",
    "select sum(load), \"update\" from t_parsed",
    "(select list_transform([1, 2], x -> x + 1))",
};

static const char *const refused[] = {
    "",
    "drop table t_parsed",
    "select 1; select 2",
    "select * from other",
    "select * from 'x.csv'",
    "select * from \"x.csv\"",
    "select * from read_csv('http://x')",
    "select * from t_parsed, 'http://e/x.parquet'",
    "select \"read_text\"('x')",
    "with a as (select 1) insert into t_parsed select * from a",
    "with a as (delete from t_parsed returning *) select * from a",
    "copy t_parsed to 'x'",
    "attach 'x'",
    "pragma show_tables",
    "from t_parsed",
    "table t_parsed",
    "describe t_parsed",
    "select getenv('HOME')",
    "select * from duckdb_settings()",
    "select * from query('select 1')",
    "select * from f: read_csv('x')",
    "select * from t_parsed as t(a), 'x.csv'",
    "select * from t_parsed a left join (t_parsed b join 'x' c on true) on true",
    "select 1 where 1 in (from 'x.csv')",
    "select /* /* */ 1 */ 2",
    "select $$x$$",
    "select e'\\'; drop table x; --'",
    "select 1 --\r from read_csv('x')",
    "with\xc2\xa0 a as (select 1)\xc2\xa0insert into t_parsed select 1",
    "select (1",
    "select 'x",
    "select ?",
};

static void test_query_validation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        struct statement_check c = {.table = STR("t_parsed")};
        bool passes = statement_check(&memory, str_of(allowed[i]), &c);
        if (!passes)
            fail_msg("%s: %.*s", allowed[i], STR_ARG(c.problem));
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct statement_check c = {.table = STR("t_parsed")};
        if (statement_check(&memory, str_of(refused[i]), &c))
            fail_msg("let through: %s", refused[i]);
        assert_true(c.problem.len > 0);
    }
}

static void test_a_query_of_hostile_size_is_refused_at_once(void **state)
{
    struct buf sql;
    (void)state;
    buf_init(&sql, &memory);
    buf_text(&sql, "select ");
    for (int i = 0; i < 12000; i++)
        buf_text(&sql, "((");
    struct statement_check c = {.table = STR("t_parsed")};
    assert_false(statement_check(&memory, buf_view(&sql), &c));
    for (int i = 0; i < 1000000; i++)
        buf_text(&sql, "((");
    assert_false(statement_check(&memory, buf_view(&sql), &c));
}

/* ---- parts of a query --------------------------------------------------- */

static struct query_parts parts_of(const char *sql)
{
    struct query_tokens tokens;
    struct query_parts parts;
    assert_true(query_tokens_read(&memory, str_of(sql), &tokens));
    assert_true(query_parts_read(&memory, &tokens, STR("t_parsed"), &parts));
    return parts;
}

static void test_parts_of_a_grouped_query(void **state)
{
    (void)state;
    struct query_parts p =
        parts_of("with b as (select 1) select upper(city) as c, "
                 "round(avg(amount), 2) as m from t_parsed t where paid and "
                 "city is distinct from 'x' group by c order by 2 limit 3");
    assert_true(str_is(p.group, "upper(city)"));
    assert_true(str_is(p.measure, "amount"));
    assert_true(str_is(p.with, "with b as (select 1)"));
    assert_true(str_is(p.rows, "from t_parsed t where paid and city is "
                               "distinct from 'x'"));
    assert_int_equal(p.kind, MEASURE_VALUE);
    assert_true(p.one_table);
    p = parts_of("select city, count(*) from t_parsed group by all");
    assert_true(str_is(p.group, "city"));
    assert_int_equal(p.kind, MEASURE_ROWS);
    p = parts_of("select corr(amount, x) from t_parsed join o using (id)");
    assert_int_equal(p.kind, MEASURE_CORRELATION);
    assert_false(p.one_table);
    p = parts_of("select city, sum(amount) filter (where paid) from t_parsed "
                 "group by 1");
    assert_int_equal(p.kind, MEASURE_NONE);
}

static void test_a_set_operation_has_no_parts(void **state)
{
    struct query_tokens tokens;
    struct query_parts parts;
    (void)state;
    assert_true(query_tokens_read(
        &memory, STR("select 1 from t_parsed union all select 2 from t_parsed"),
        &tokens));
    assert_false(query_parts_read(&memory, &tokens, STR("t_parsed"), &parts));
}

/* ---- chance ------------------------------------------------------------- */

static void assert_near(double found, double wanted)
{
    if (!(fabs(found - wanted) < 1e-6))
        fail_msg("%.9f is not %.9f", found, wanted);
}

/* Of tables of the distributions, with more digits from R. */
static void test_significance(void **state)
{
    (void)state;
    assert_near(significance_of_t(2.228138852, 10), 0.05);
    assert_near(significance_of_t(-12.70620474, 1), 0.05);
    assert_near(significance_of_t(0, 5), 1);
    assert_near(significance_of_f(4.964602744, 1, 10), 0.05);
    assert_near(significance_of_f(3.885293835, 2, 12), 0.05);
    assert_near(significance_of_chi_square(3.841458821, 1), 0.05);
    assert_near(significance_of_chi_square(124.3421134, 100), 0.05);
    assert_near(significance_of_correlation(0.6319, 10), 0.0499985134);
    assert_true(significance_of_t(INFINITY, 3) == 0);
    assert_true(isnan(significance_of_t(1, 0)));
    assert_true(isnan(significance_of_f(NAN, 1, 1)));
    assert_true(isnan(significance_of_correlation(0.5, 2)));
}

/* ---- charts ------------------------------------------------------------- */

static struct explorer_call chart_of(const char *spec)
{
    return call_of("createVisualization",
                   arena_printf(&memory,
                                "{\"chartType\":\"bar\",\"title\":\"T\","
                                "\"reason\":\"r\",\"sqlQuery\":\"select city, "
                                "amount from t_parsed\",\"vegaLiteSpec\":%s}",
                                spec));
}

#define X "{\"x\":{\"field\":\"city\"},\"y\":{\"field\":\"amount\"}}"

static const char *const bad_charts[] = {
    "{\"mark\":\"bar\",\"encoding\":" X ",\"data\":{\"url\":\"http://x\"}}",
    "{\"mark\":\"image\",\"encoding\":" X "}",
    "{\"mark\":{\"type\":\"bar\",\"href\":\"x\"},\"encoding\":" X "}",
    "{\"mark\":\"bar\",\"encoding\":{\"href\":{\"field\":\"city\"}}}",
    "{\"mark\":\"bar\",\"encoding\":" X ",\"transform\":[]}",
    "{\"mark\":\"bar\",\"encoding\":" X ",\"params\":[]}",
    "{\"mark\":{\"color\":{\"expr\":\"x\"}},\"encoding\":" X "}",
    "{\"mark\":\"bar\",\"encoding\":{\"x\":{\"axis\":{\"labelExpr\":\"x\"}}}}",
    "{\"layer\":[{\"mark\":\"bar\",\"data\":{\"url\":\"x\"}}]}",
    "{\"mark\":\"bar\"}",
    "{\"mark\":\"bar\",\"encoding\":{}}",
    "\"bar\"",
    "[]",
    "null",
};

static void test_charts_that_load_link_or_compute_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_charts / sizeof *bad_charts; i++) {
        struct explorer_call c = chart_of(bad_charts[i]);
        if (!c.refused)
            fail_msg("let through: %s", bad_charts[i]);
        assert_true(says(c.result, "\"success\":false,\"error\":\""));
    }
}

static void test_a_chart_of_10_mb_is_refused(void **state)
{
    struct buf spec;
    (void)state;
    buf_init(&spec, &memory);
    buf_text(&spec, "{\"mark\":\"bar\",\"encoding\":" X ",\"x\":\"");
    for (int i = 0; i < 70000; i++)
        buf_char(&spec, 'x');
    size_t small = spec.len;
    buf_text(&spec, "\"}");
    assert_true(says(chart_of(buf_cstr(&spec)).result, "larger than 64 KiB"));
    spec.len = small;
    for (int i = 0; i < 10 * 1024 * 1024; i++)
        buf_char(&spec, 'x');
    buf_text(&spec, "\"}");
    assert_true(chart_of(buf_cstr(&spec)).refused);
}

static void test_a_chart_keeps_what_draws(void **state)
{
    (void)state;
    struct explorer_call c = chart_of(
        "{\"mark\":{\"type\":\"bar\",\"tooltip\":true,\"cursor\":\"x\"},"
        "\"width\":\"huge\",\"data\":{\"values\":[{\"url\":1}]},\"encoding\":"
        "{\"x\":{\"field\":\"a.b\",\"type\":\"nominal\",\"sort\":\"-y\",\"type\":"
        "\"nominal\"},\"color\":{\"value\":\"url(#x)\"}}}");
    assert_false(c.refused);
    assert_true(
        says(c.input,
             "\"vegaLiteSpec\":{\"$schema\":\"https://vega.github.io/"
             "schema/vega-lite/v6.json\",\"title\":\"T\",\"mark\":{\"type\":"
             "\"bar\",\"tooltip\":true},\"encoding\":{\"x\":{\"field\":"
             "\"a\\\\.b\",\"type\":\"nominal\",\"sort\":\"-y\"}}}"));
}

static struct explorer_rows rows_of(const char *id, const char *json)
{
    static struct str names[] = {STR("city"), STR("amount")};
    return (struct explorer_rows){.id = id,
                                  .columns = names,
                                  .types = names,
                                  .n_columns = 2,
                                  .rows = str_of(json),
                                  .n_rows = (int64_t)slice_count(str_of(json))};
}

static void test_a_chart_carries_its_rows(void **state)
{
    (void)state;
    struct explorer_call c = chart_of("{\"mark\":\"bar\",\"encoding\":" X "}");
    struct explorer_rows rows = rows_of("result", "[[\"Rome\",3],[null,4.5]]");
    c.found = &rows;
    explorer_conclude(&c);
    assert_false(c.failed);
    assert_true(says(c.chart_kept,
                     "\"data\":{\"values\":[{\"city\":\"Rome\",\"amount\":3},"
                     "{\"city\":null,\"amount\":4.5}]}"));
    c = chart_of(
        "{\"mark\":\"bar\",\"encoding\":{\"x\":{\"field\":\"nope\"}}}");
    c.found = &rows;
    explorer_conclude(&c);
    assert_true(c.failed && says(c.result, "no column nope"));
    assert_true(says(c.result, "city, amount"));
}

/* ---- calls -------------------------------------------------------------- */

static void test_result_formatting(void **state)
{
    (void)state;
    struct explorer_call c = call_of(
        "executeSQLQuery",
        STR("{\"query\":\"select city, amount from t_parsed;\",\"reason\":\"why\"}"));
    assert_false(c.refused);
    assert_int_equal(c.n_queries, 1);
    assert_false(c.queries[0].aggregate);
    assert_true(str_is(c.queries[0].sql, "select city, amount from t_parsed"));
    struct explorer_rows rows = rows_of("result", "[[\"Rome\",3]]");
    c.found = &rows;
    explorer_conclude(&c);
    assert_true(str_is(c.result,
                       "{\"success\":true,\"data\":{\"columns\":[\"city\","
                       "\"amount\"],\"rows\":[[\"Rome\",3]],\"rowCount\":1}}"));
    assert_true(str_is(
        c.query_kept,
        "{\"query\":\"select city, amount from t_parsed\",\"reason\":\"why\","
        "\"result\":{\"columns\":[\"city\",\"amount\"],\"rows\":[[\"Rome\","
        "3]]}}"));
    rows.withheld = true;
    explorer_conclude(&c);
    assert_false(c.failed);
    assert_true(says(c.result, "\"rows\":[],") && says(c.result, "not share"));
}

static void test_error_handling(void **state)
{
    (void)state;
    static const struct {
        const char *error, *hint;
    } cases[] = {
        {"Binder Error: Referenced column \"x\" not found", "city, amount"},
        {"Parser Error: syntax error at or near", "DuckDB"},
        {"Tool execution timeout after 30000ms", "LIMIT"},
        {"Conversion Error: Could not convert string", "try_cast"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct explorer_call c = call_of(
            "executeSQLQuery", STR("{\"query\":\"select x from t_parsed\"}"));
        struct explorer_rows rows = {
            .id = "result", .failed = true, .error = str_of(cases[i].error)};
        c.found = &rows;
        explorer_conclude(&c);
        assert_true(c.failed && says(c.result, "\"hint\":"));
        assert_true(says(c.result, cases[i].hint));
    }
}

static void test_broken_arguments_are_a_result(void **state)
{
    (void)state;
    assert_true(call_of("executeSQLQuery", STR("")).refused);
    assert_true(call_of("executeSQLQuery", STR("[1]")).refused);
    assert_true(call_of("executeSQLQuery", STR("{\"query\":3}")).refused);
    assert_true(call_of("executeSQLQuery", STR("{\"query\":")).refused);
    assert_true(call_of("dropTable", STR("{}")).refused);
    assert_true(
        call_of("profileData", STR("{\"columns\":[\"nope\"]}")).refused);
    assert_true(
        call_of("validateAnalysis", STR("{\"finding\":\"x\"}")).refused);
}

static void test_a_profile_quotes_names_and_keeps_cells_apart(void **state)
{
    (void)state;
    struct explorer_call c = call_of(
        "profileData",
        STR("{\"columns\":[\"a \\\"b\\\"\"],\"includeDistribution\":true}"));
    assert_int_equal(c.n_queries, 3);
    assert_true(says(c.queries[0].sql, "try_cast(\"a \"\"b\"\"\" as double)"));
    assert_true(c.queries[0].aggregate);
    assert_false(c.queries[1].aggregate || c.queries[2].aggregate);
    assert_false(says(c.queries[0].sql, "min("));
    assert_int_equal(call_of("profileData", STR("{}")).n_queries, 3);
}

static void test_validation_says_how_many_are_too_few(void **state)
{
    static struct str names[] = {STR("n_rows"), STR("n_values"),
                                 STR("n_groups"), STR("tiny")};
    (void)state;
    struct explorer_call c = call_of(
        "validateAnalysis",
        STR("{\"finding\":\"Rome causes most\",\"relatedQuery\":\"select "
            "city, avg(amount) from t_parsed group by city\"}"));
    struct explorer_rows found[20] = {0};
    assert_in_range(c.n_queries, 5, 20);
    for (size_t i = 0; i < c.n_queries; i++) {
        assert_true(c.queries[i].aggregate);
        found[i] = (struct explorer_rows){.id = c.queries[i].id,
                                          .columns = names,
                                          .n_columns = 4,
                                          .rows = STR("[[4,4,2,2]]"),
                                          .n_rows = 1};
    }
    c.found = found;
    explorer_conclude(&c);
    assert_true(says(c.result, "Only 4 rows: too few for any conclusion."));
    assert_true(says(c.result, "\"passed\":false,\"confidence\":\"low\""));
    assert_true(says(c.result, "not that one causes the other"));
    assert_int_equal(c.insight.len, 0);
}

/* What a browser sends may be anything. */
static void test_hostile_rows_do_no_harm(void **state)
{
    static const char *const rows[] = {
        "",       "[",      "[[",        "{}",     "[{}]",
        "[[{}]]", "[null]", "[[1e999]]", "[[[[[[", "[[\"\\ud800\"]]"};
    static const char *const calls[][2] = {
        {"profileData", "{\"includeDistribution\":true}"},
        {"validateAnalysis",
         "{\"finding\":\"x\",\"relatedQuery\":\"select corr(amount, paid) from "
         "t_parsed\"}"},
        {"executeSQLQuery", "{\"query\":\"select 1 from t_parsed\"}"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < 3; k++) {
            struct explorer_call c = call_of(calls[k][0], str_of(calls[k][1]));
            struct explorer_rows found[40];
            for (size_t j = 0; j < c.n_queries; j++)
                found[j] = rows_of(c.queries[j].id, rows[i]);
            c.found = found;
            explorer_conclude(&c);
            assert_true(c.result.len > 0);
        }
}

/* ---- the report --------------------------------------------------------- */

static void test_a_report_by_code_escapes_what_it_quotes(void **state)
{
    (void)state;
    struct str text = report_by_code(
        &memory, &(struct report_input){
                     .question = STR("Why?\n# <b>x</b>"),
                     .results = STR(
                         "{\"summary\":\"It [x](http://e) is.\",\"insights\":"
                         "[\"one\",2],\"executedQueries\":[{\"query\":\"select "
                         "1\\n```\",\"reason\":\"r\",\"result\":{\"columns\":"
                         "[\"a|b\",\"n\"],\"rows\":[[\"<i>\",null]]}}],"
                         "\"charts\":[{\"title\":\"C\"}]}")});
    assert_true(says(text, "# Report: Why? \\# \\<b\\>x"));
    assert_true(says(text, "It \\[x\\]\\(http"));
    assert_true(says(text, "| a\\|b | n |\n|---|---|\n| \\<i\\> |  |"));
    assert_true(says(text, "    select 1\n    ```\n"));
    assert_true(says(text, "- one\n"));
}

static void test_a_report_of_nothing_is_a_report(void **state)
{
    (void)state;
    static const char *const results[] = {"", "{}", "[]", "{\"insights\":3}",
                                          "{\"executedQueries\":[1,null,{}]}"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const struct report_input in = {.question = STR("Q"),
                                        .results = str_of(results[i])};
        assert_true(says(report_by_code(&memory, &in), "# Report: Q"));
        assert_true(report_prompt(&memory, &in)->content.len > 0);
    }
}

static int clear(void **state)
{
    (void)state;
    arena_done(&memory);
    arena_init(&memory, 0);
    return 0;
}

#define CASE(f) cmocka_unit_test_setup(f, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_query_validation),
        CASE(test_a_query_of_hostile_size_is_refused_at_once),
        CASE(test_parts_of_a_grouped_query),
        CASE(test_a_set_operation_has_no_parts),
        CASE(test_significance),
        CASE(test_charts_that_load_link_or_compute_are_refused),
        CASE(test_a_chart_of_10_mb_is_refused),
        CASE(test_a_chart_keeps_what_draws),
        CASE(test_a_chart_carries_its_rows),
        CASE(test_result_formatting),
        CASE(test_error_handling),
        CASE(test_broken_arguments_are_a_result),
        CASE(test_a_profile_quotes_names_and_keeps_cells_apart),
        CASE(test_validation_says_how_many_are_too_few),
        CASE(test_hostile_rows_do_no_harm),
        CASE(test_a_report_by_code_escapes_what_it_quotes),
        CASE(test_a_report_of_nothing_is_a_report),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_done(&memory);
    return failed;
}
