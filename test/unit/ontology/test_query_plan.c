/* QueryPlans: the SQL of good ones, and what is said about bad ones. */
#include "model_help.h"
#include "ontology/query_plan.h"
#include "base/banned.h"

static const char shop[] =
    "name: shop\n"
    "datasets:\n"
    "  - name: orders\n"
    "    source: orders\n"
    "    primary_key: [id]\n"
    "    fields:\n"
    "      - {name: id, expression: id, datatype: bigint}\n"
    "      - {name: city, expression: city, datatype: text}\n"
    "      - {name: status, expression: status, datatype: varchar(20)}\n"
    "      - {name: Amount, expression: '\"Total Amount\"', datatype: "
    "'numeric(10,2)'}\n"
    "      - {name: net, expression: amount - rebate, datatype: numeric}\n"
    "      - {name: paid, expression: paid, datatype: bool}\n"
    "      - {name: day, expression: day, datatype: date}\n"
    "      - {name: at, expression: at, datatype: timestamptz}\n"
    "      - {name: opens, expression: opens, datatype: time}\n"
    "      - {name: notes, expression: notes}\n"
    "  - name: recent\n"
    "    source: select id, city from orders\n"
    "    fields:\n"
    "      - {name: id, expression: id, datatype: bigint}\n";

#define FROM " from \"public\".\"orders\" as t"
#define ID "{\"table\":\"orders\",\"select\":[{\"column\":\"id\"}]"
#define WHERE(filter) ID ",\"filters\":[" filter "]}"
#define VALUE(column, operator, value) \
    WHERE("{\"column\":\"" column "\",\"operator\":\"" operator \
          "\",\"value\":" value "}")
#define WHERE_SQL(condition) \
    "select \"id\"" FROM " where " condition " limit 200"
#define SELECT(items) "{\"table\":\"orders\",\"select\":[" items "]}"

static const struct {
    const char *plan, *sql;
} good[] = {
    {ID "}", "select \"id\"" FROM " limit 200"},
    {"{\"table\":\"ORDERS\",\"select\":[{\"column\":\"ID\"}]}",
     "select \"id\"" FROM " limit 200"},
    {"{\"dataset_id\":\"x\",\"table\":\"orders\",\"select\":[{\"column\":"
     "\"id\"}],\"filters\":null,\"group_by\":null,\"order_by\":null,"
     "\"limit\":null}",
     "select \"id\"" FROM " limit 200"},
    {"{\"table\":\"recent\",\"select\":[{\"column\":\"id\"}]}",
     "select \"id\" from (\nselect id, city from orders\n) as t limit 200"},
    {SELECT("{\"column\":\"Total Amount\"}"),
     "select \"Total Amount\" as \"Amount\"" FROM " limit 200"},
    {SELECT("{\"column\":\"net\"}"),
     "select (amount - rebate) as \"net\"" FROM " limit 200"},
    {SELECT("{\"column\":\"id\",\"alias\":\"a \\\"b\\\"\"}"),
     "select \"id\" as \"a \"\"b\"\"\"" FROM " limit 200"},
    {SELECT("{\"column\":\"id\"},{\"column\":\"id\",\"alias\":\"again\"}"),
     "select \"id\", \"id\" as \"again\"" FROM " limit 200"},
    {SELECT("{\"function\":\"count\",\"column\":\"*\",\"alias\":\"total\"}"),
     "select count(*) as \"total\"" FROM " limit 200"},
    {SELECT("{\"function\":\"COUNT\",\"column\":\"city\"}"),
     "select count(\"city\") as \"count_city\"" FROM " limit 200"},
    {SELECT("{\"function\":\"count distinct\",\"column\":\"city\"}"),
     "select count(distinct \"city\") as \"count_distinct_city\"" FROM
     " limit 200"},
    {SELECT("{\"function\":\"count_distinct\",\"column\":\"city\"}"),
     "select count(distinct \"city\") as \"count_distinct_city\"" FROM
     " limit 200"},
    {SELECT("{\"function\":\"sum\",\"column\":\"amount\"},"
            "{\"function\":\"avg\",\"column\":\"net\"}"),
     "select sum(\"Total Amount\") as \"sum_Amount\", avg((amount - rebate)) "
     "as \"avg_net\"" FROM " limit 200"},
    {SELECT("{\"function\":\"mean\",\"column\":\"id\"}"),
     "select avg(\"id\") as \"avg_id\"" FROM " limit 200"},
    {SELECT("{\"function\":\"min\",\"column\":\"day\"},"
            "{\"function\":\"max\",\"column\":\"city\"}"),
     "select min(\"day\") as \"min_day\", max(\"city\") as \"max_city\"" FROM
     " limit 200"},
    {SELECT("{\"function\":\"median\",\"column\":\"id\"}"),
     "select percentile_cont(0.5) within group (order by \"id\") as "
     "\"median_id\"" FROM " limit 200"},
    {SELECT("{\"function\":\"stddev\",\"column\":\"id\"},"
            "{\"function\":\"variance\",\"column\":\"id\"}"),
     "select stddev_samp(\"id\") as \"stddev_id\", var_samp(\"id\") as "
     "\"variance_id\"" FROM " limit 200"},
    {SELECT("{\"function\":\"sum\",\"column\":\"notes\"}"),
     "select sum(\"notes\") as \"sum_notes\"" FROM " limit 200"},
    {VALUE("city", "=", "\"Rome\""), WHERE_SQL("\"city\" = 'Rome'")},
    {VALUE("city", "!=", "\"O'Hara\\\\\""),
     WHERE_SQL("\"city\" <> 'O''Hara\\'")},
    {VALUE("city", "=", "\"'; drop table orders; --\""),
     WHERE_SQL("\"city\" = '''; drop table orders; --'")},
    {VALUE("city", "=", "7"), WHERE_SQL("\"city\" = '7'")},
    {VALUE("city", "<>", "\"x\""), WHERE_SQL("\"city\" <> 'x'")},
    {VALUE("id", "<", "-5"), WHERE_SQL("\"id\" < -5")},
    {VALUE("id", "<=", "\"12\""), WHERE_SQL("\"id\" <= 12")},
    {VALUE("amount", ">", "1.5"), WHERE_SQL("\"Total Amount\" > 1.5")},
    {VALUE("amount", ">=", "\"-0.25\""),
     WHERE_SQL("\"Total Amount\" >= -0.25")},
    {VALUE("id", "in", "[1,2,\"3\"]"), WHERE_SQL("\"id\" in (1, 2, 3)")},
    {VALUE("city", "NOT IN", "[\"a\",\"b\"]"),
     WHERE_SQL("\"city\" not in ('a', 'b')")},
    {VALUE("city", "like", "\"R%\""), WHERE_SQL("\"city\" like 'R%'")},
    {VALUE("city", "ILIKE", "\"%o_e\""), WHERE_SQL("\"city\" ilike '%o_e'")},
    {VALUE("city", "not like", "\"%\""), WHERE_SQL("\"city\" not like '%'")},
    {VALUE("notes", "ilike", "\"a\""), WHERE_SQL("\"notes\" ilike 'a'")},
    {VALUE("id", "between", "[1,9]"), WHERE_SQL("\"id\" between 1 and 9")},
    {VALUE("day", "between", "[\"2024-02-29\",\"2024-12-31\"]"),
     WHERE_SQL("\"day\" between date '2024-02-29' and date '2024-12-31'")},
    {VALUE("at", ">=", "\"2024-01-31\""),
     WHERE_SQL("\"at\" >= timestamp '2024-01-31'")},
    {VALUE("at", "<", "\"2024-01-31T10:30:05.25Z\""),
     WHERE_SQL("\"at\" < timestamptz '2024-01-31T10:30:05.25Z'")},
    {VALUE("at", "<", "\"2024-01-31 10:30+02:00\""),
     WHERE_SQL("\"at\" < timestamptz '2024-01-31 10:30+02:00'")},
    {VALUE("opens", ">", "\"09:30\""), WHERE_SQL("\"opens\" > time '09:30'")},
    {VALUE("paid", "=", "true"), WHERE_SQL("\"paid\" = true")},
    {VALUE("paid", "!=", "\"False\""), WHERE_SQL("\"paid\" <> false")},
    {VALUE("notes", "=", "5"), WHERE_SQL("\"notes\" = 5")},
    {VALUE("notes", "=", "true"), WHERE_SQL("\"notes\" = true")},
    {VALUE("notes", "=", "\"5\""), WHERE_SQL("\"notes\" = '5'")},
    {WHERE("{\"column\":\"city\",\"operator\":\"is null\"}"),
     WHERE_SQL("\"city\" is null")},
    {WHERE("{\"column\":\"city\",\"operator\":\"IS_NOT_NULL\"}"),
     WHERE_SQL("\"city\" is not null")},
    {WHERE("{\"column\":\"city\",\"operator\":\"=\",\"value\":\"a\"},"
           "{\"column\":\"net\",\"operator\":\">\",\"value\":0}"),
     WHERE_SQL("\"city\" = 'a' and (amount - rebate) > 0")},
    {"{\"table\":\"orders\",\"select\":[{\"column\":\"city\"},"
     "{\"function\":\"count\",\"column\":\"*\",\"alias\":\"n\"}],"
     "\"group_by\":[\"city\",\"CITY\"],\"order_by\":[{\"column\":\"n\","
     "\"direction\":\"DESC\"},{\"column\":\"city\"}],\"limit\":5}",
     "select \"city\", count(*) as \"n\"" FROM
     " group by \"city\" order by \"n\" desc, \"city\" asc limit 5"},
    {"{\"table\":\"orders\",\"select\":[{\"function\":\"sum\",\"column\":"
     "\"id\"}],\"group_by\":[\"city\"],\"order_by\":[\"city\"]}",
     "select sum(\"id\") as \"sum_id\"" FROM
     " group by \"city\" order by t.\"city\" asc limit 200"},
    {ID ",\"order_by\":[{\"column\":\"day\",\"direction\":null}]}",
     "select \"id\"" FROM " order by t.\"day\" asc limit 200"},
    {ID ",\"limit\":100000}", "select \"id\"" FROM " limit 100000"},
};

static const struct {
    const char *plan, *problem;
} bad[] = {
    {"[]", "plan: It must be an object."},
    {"7", "plan: It must be an object."},
    {"{}", "plan.table: Give the name of a table."},
    {"{\"table\":7}", "plan.table: Give the name of a table."},
    {"{\"table\":\"order\",\"select\":[{\"column\":\"id\"}]}",
     "plan.table: There is no table \"order\". Did you mean orders?"},
    {"{\"table\":\"pg_shadow; --\",\"select\":[{\"column\":\"id\"}]}",
     "plan.table: There is no table \"pg_shadow; --\"."},
    {"{\"table\":\"orders\"}", "plan.select: Give at least one column."},
    {SELECT(""), "plan.select: Give at least one column."},
    {"{\"table\":\"orders\",\"select\":\"id\"}",
     "plan.select: It must be a list."},
    {SELECT("\"id\""), "plan.select[0]: It must be an object."},
    {SELECT("{}"), "plan.select[0].column: Give the name of a column."},
    {SELECT("{\"column\":\"id\"},{\"column\":\"citi\"}"),
     "plan.select[1].column: orders has no column \"citi\". Did you mean "
     "city?"},
    {SELECT("{\"column\":\"*\"}"),
     "plan.select[0].column: orders has no column \"*\"."},
    {SELECT("{\"column\":\"id\",\"expr\":\"1\"}"),
     "plan.select[0]: \"expr\" is not known here."},
    {SELECT("{\"function\":\"pg_sleep\",\"column\":\"id\"}"),
     "plan.select[0].function: It must be count, count distinct, sum, avg, "
     "min, max, median, stddev or variance."},
    {SELECT("{\"function\":7,\"column\":\"id\"}"),
     "plan.select[0].function: It must be count, count distinct, sum, avg, "
     "min, max, median, stddev or variance."},
    {SELECT("{\"function\":\"sum\",\"column\":\"*\"}"),
     "plan.select[0].column: Only count takes \"*\"."},
    {SELECT("{\"function\":\"sum\",\"column\":\"city\"}"),
     "plan.select[0].column: sum takes numbers, and city has none."},
    {SELECT("{\"function\":\"avg\",\"column\":\"day\"}"),
     "plan.select[0].column: avg takes numbers, and day has none."},
    {SELECT("{\"function\":\"median\",\"column\":\"paid\"}"),
     "plan.select[0].column: median takes numbers, and paid has none."},
    {SELECT("{\"function\":\"count\"}"),
     "plan.select[0].column: Give the name of a column."},
    {SELECT("{\"column\":\"id\"},{\"column\":\"ID\"}"),
     "plan.select[1]: There is a column \"id\" already; give another alias."},
    {SELECT("{\"column\":\"id\",\"alias\":\"\"}"),
     "plan.select[0].alias: It must be a name of 1 to 63 bytes."},
    {SELECT("{\"column\":\"id\",\"alias\":7}"),
     "plan.select[0].alias: It must be a name of 1 to 63 bytes."},
    {SELECT("{\"column\":\"id\",\"alias\":\"a\\nb\"}"),
     "plan.select[0].alias: It must be a name of 1 to 63 bytes."},
    {SELECT(
         "{\"column\":\"id\",\"alias\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}"),
     "plan.select[0].alias: It must be a name of 1 to 63 bytes."},
    {SELECT("{\"column\":\"city\"},{\"function\":\"count\",\"column\":\"*\"}"),
     "plan.select[0]: city must be in group_by, or have a function."},
    {"{\"table\":\"orders\",\"select\":[{\"column\":\"id\"}],\"group_by\":["
     "\"city\"]}",
     "plan.select[0]: id must be in group_by, or have a function."},
    {ID ",\"group_by\":\"city\"}", "plan.group_by: It must be a list."},
    {ID ",\"group_by\":[7]}", "plan.group_by[0]: Give the name of a column."},
    {ID ",\"group_by\":[\"town\"]}",
     "plan.group_by[0]: orders has no column \"town\"."},
    {ID ",\"filters\":{}}", "plan.filters: It must be a list."},
    {WHERE("\"city = 1\""), "plan.filters[0]: It must be an object."},
    {WHERE("{\"column\":\"city\",\"operator\":\"=\",\"value\":\"a\"},"
           "{\"column\":\"x\",\"operator\":\"=\",\"value\":1}"),
     "plan.filters[1].column: orders has no column \"x\"."},
    {WHERE("{\"column\":\"city\",\"value\":1}"),
     "plan.filters[0].operator: It must be =, !=, <, <=, >, >=, in, not in, "
     "like, ilike, not like, not ilike, between, is null or is not null."},
    {VALUE("city", "= 1 or", "1"),
     "plan.filters[0].operator: It must be =, !=, <, <=, >, >=, in, not in, "
     "like, ilike, not like, not ilike, between, is null or is not null."},
    {WHERE("{\"column\":\"city\",\"operator\":\"=\",\"value\":1,\"or\":1}"),
     "plan.filters[0]: \"or\" is not known here."},
    {WHERE("{\"column\":\"city\",\"operator\":\"=\"}"),
     "plan.filters[0].value: Give a value; for NULL the operator is \"is "
     "null\" or \"is not null\"."},
    {VALUE("city", "=", "null"),
     "plan.filters[0].value: Give a value; for NULL the operator is \"is "
     "null\" or \"is not null\"."},
    {VALUE("city", "=", "[1]"), "plan.filters[0].value: It must be one value."},
    {VALUE("city", "=", "{}"), "plan.filters[0].value: It must be one value."},
    {VALUE("city", "=", "true"), "plan.filters[0].value: It must be a text."},
    {VALUE("id", "=", "\"1 or 1=1\""),
     "plan.filters[0].value: It must be a number."},
    {VALUE("id", "=", "\"1.\""), "plan.filters[0].value: It must be a number."},
    {VALUE("id", "=", "\"\""), "plan.filters[0].value: It must be a number."},
    {VALUE("id", "=", "true"), "plan.filters[0].value: It must be a number."},
    {VALUE("paid", "=", "1"),
     "plan.filters[0].value: It must be true or false."},
    {VALUE("paid", ">", "true"),
     "plan.filters[0].operator: paid is true or false."},
    {VALUE("day", "=", "\"2023-02-29\""),
     "plan.filters[0].value: It must have the form YYYY-MM-DD."},
    {VALUE("day", "=", "\"31.12.2023\""),
     "plan.filters[0].value: It must have the form YYYY-MM-DD."},
    {VALUE("day", "=", "20240131"),
     "plan.filters[0].value: It must have the form YYYY-MM-DD."},
    {VALUE("day", "=", "\"2024-13-01\""),
     "plan.filters[0].value: It must have the form YYYY-MM-DD."},
    {VALUE("at", "=", "\"2024-01-01 25:00\""),
     "plan.filters[0].value: It must have the form YYYY-MM-DD or YYYY-MM-DD "
     "HH:MM:SS."},
    {VALUE("at", "=", "\"2024-01-01 10:00'\""),
     "plan.filters[0].value: It must have the form YYYY-MM-DD or YYYY-MM-DD "
     "HH:MM:SS."},
    {VALUE("opens", "=", "\"9\""),
     "plan.filters[0].value: It must have the form HH:MM:SS."},
    {VALUE("id", "in", "5"),
     "plan.filters[0].value: It must be a list of 1 to 1000 values."},
    {VALUE("id", "in", "[]"),
     "plan.filters[0].value: It must be a list of 1 to 1000 values."},
    {VALUE("id", "in", "[1,null]"),
     "plan.filters[0].value: Give a value; for NULL the operator is \"is "
     "null\" or \"is not null\"."},
    {VALUE("id", "between", "[1]"),
     "plan.filters[0].value: It must be a list of two values."},
    {VALUE("id", "like", "\"1%\""),
     "plan.filters[0].value: A pattern needs a text, and id is none."},
    {VALUE("city", "like", "5"),
     "plan.filters[0].value: It must be a pattern."},
    {VALUE("city", "is null", "1"),
     "plan.filters[0].value: \"is null\" takes no value."},
    {ID ",\"order_by\":[7]}", "plan.order_by[0]: It must be an object."},
    {ID ",\"order_by\":[{\"column\":\"id\",\"direction\":\"up\"}]}",
     "plan.order_by[0].direction: It must be asc or desc."},
    {ID ",\"order_by\":[{\"column\":\"nothing\"}]}",
     "plan.order_by[0].column: orders has no column \"nothing\"."},
    {ID ",\"order_by\":[{\"column\":\"net\"}]}",
     "plan.order_by[0].column: net must be selected."},
    {"{\"table\":\"orders\",\"select\":[{\"function\":\"count\",\"column\":"
     "\"*\"}],\"order_by\":[{\"column\":\"day\"}]}",
     "plan.order_by[0].column: day is neither selected nor in group_by."},
    {ID ",\"limit\":0}",
     "plan.limit: It must be a whole number from 1 to 100000."},
    {ID ",\"limit\":-1}",
     "plan.limit: It must be a whole number from 1 to 100000."},
    {ID ",\"limit\":2.5}",
     "plan.limit: It must be a whole number from 1 to 100000."},
    {ID ",\"limit\":\"all\"}",
     "plan.limit: It must be a whole number from 1 to 100000."},
    {ID ",\"limit\":9223372036854775807}",
     "plan.limit: It must be a whole number from 1 to 100000."},
    {ID ",\"having\":[]}", "plan: \"having\" is not known here."},
};

static bool compile(struct arena *a, const char *text, struct query_plan *out)
{
    json_t *plan = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!plan)
        fail_msg("the test's plan is not JSON: %s", text);
    *out = (struct query_plan){
        .ontology = model_read(a, str_of(shop)), .plan = plan, .arena = a};
    bool compiled = query_plan_compile(out);
    json_decref(plan);
    return compiled;
}

static void test_a_good_plan_has_its_sql(void **state)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct query_plan q;
        if (!compile(*state, good[i].plan, &q))
            fail_msg("%s\n%.*s", good[i].plan, STR_ARG(q.problem));
        assert_str(q.sql, good[i].sql);
        assert_int_equal(q.problem.len, 0);
    }
}

static void test_a_bad_plan_is_refused_with_the_path(void **state)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct query_plan q;
        if (compile(*state, bad[i].plan, &q))
            fail_msg("%s\n%.*s", bad[i].plan, STR_ARG(q.sql));
        assert_str(q.problem, bad[i].problem);
        assert_int_equal(q.sql.len, 0);
    }
}

static void put_many(struct buf *out, const char *one, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? "," : "", one);
}

static void test_a_plan_of_hostile_size_is_refused(void **state)
{
    static const char filter[] =
        "{\"column\":\"id\",\"operator\":\"=\",\"value\":1}";
    struct query_plan q;
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, ID ",\"filters\":[");
    put_many(&text, filter, QUERY_PLAN_ITEMS + 1);
    buf_text(&text, "]}");
    assert_false(compile(*state, buf_cstr(&text), &q));
    assert_str(q.problem, "plan.filters: It may have 100 entries at most.");
    buf_clear(&text);
    buf_text(&text, ID ",\"filters\":[{\"column\":\"id\",\"operator\":\"in\","
                       "\"value\":[");
    put_many(&text, "1", QUERY_PLAN_VALUES + 1);
    buf_text(&text, "]}]}");
    assert_false(compile(*state, buf_cstr(&text), &q));
    assert_str(q.problem, "plan.filters[0].value: It must be a list of 1 to "
                          "1000 values.");
    buf_clear(&text);
    buf_text(&text, ID ",\"filters\":[{\"column\":\"city\",\"operator\":\"=\","
                       "\"value\":\"");
    for (size_t i = 0; i <= QUERY_PLAN_TEXT; i++)
        buf_char(&text, 'x');
    buf_text(&text, "\"}]}");
    assert_false(compile(*state, buf_cstr(&text), &q));
    assert_str(q.problem, "plan.filters[0].value: A text may have 10000 bytes "
                          "at most.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_a_good_plan_has_its_sql),
        model_test(test_a_bad_plan_is_refused_with_the_path),
        model_test(test_a_plan_of_hostile_size_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
