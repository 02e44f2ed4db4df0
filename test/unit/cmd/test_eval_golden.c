/* Golden queries: how they are written, and what results fit them. */
#include "eval/golden.h"
#include "eval/set.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena arena;
static struct buf problems;
static struct eval_set set;

static bool read_set(const char *questions)
{
    buf_init(&problems, &arena);
    struct str text =
        arena_printf(&arena, "dataset: Sales\nquestions:\n%s", questions);
    return eval_set_read_yaml(&arena, text, &set, &problems);
}

static int end(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

/* What is wrong with a result under the only query of a set. */
static const char *judge(const char *query, const char *status,
                         const char *json)
{
    json_t *kept = json_read(str_of(json), NULL);
    assert_non_null(kept);
    if (!read_set(arena_printf(&arena, "- %s\n", query).ptr))
        fail_msg("%s: %s", query, buf_cstr(&problems));
    struct golden_result result = {.status = str_of(status),
                                   .error = json_get_text(kept, "error"),
                                   .columns = json_object_get(kept, "columns"),
                                   .rows = json_object_get(kept, "rows"),
                                   .row_count =
                                       json_get_int(kept, "row_count", 0)};
    struct str why = golden_judge(&arena, set.questions[0].golden, &result,
                                  set.questions[0].ordered);
    const char *text = arena_cstr(&arena, why);
    json_decref(kept);
    return text;
}

#define TWO \
    "{\"columns\":[\"city\",\"n\"],\"rows\":[[\"Rome\",3],[\"Oslo\",1.5]]," \
    "\"row_count\":2}"
#define ONE "{\"columns\":[\"total\"],\"rows\":[[10.004]],\"row_count\":1}"
#define NOTHING "{\"columns\":[\"n\"],\"rows\":[],\"row_count\":0}"

static const struct {
    const char *query, *status, *result, *wrong; /* "": it fits */
} cases[] = {
    {"{question: q}", "succeeded", TWO, ""},
    {"{question: q}", "succeeded", NOTHING, "there are 0 rows"},
    {"{question: q, min_rows: 0}", "succeeded", NOTHING, ""},
    {"{question: q, rows: []}", "succeeded", NOTHING, ""},
    {"{question: q, rows: []}", "succeeded", TWO, "2 rows, not 0"},
    {"{question: q}", "failed", "{\"error\":\"SQL_ERROR\"}", "SQL_ERROR"},
    {"{question: q, status: rejected}", "rejected", "{}", ""},
    {"{question: q, status: rejected}", "succeeded", TWO, "not rejected"},
    {"{question: q, columns: [n]}", "succeeded", TWO, ""},
    {"{question: q, columns: [n, N]}", "succeeded", TWO, "no column \"N\""},
    {"{question: q, row_count: 2}", "succeeded", TWO, ""},
    {"{question: q, row_count: 3}", "succeeded", TWO, "2 rows, not 3"},
    {"{question: q, min_rows: 3}", "succeeded", TWO, "3 are the fewest"},
    {"{question: q, value: 10, tolerance: 0.01}", "succeeded", ONE, ""},
    {"{question: q, value: 10, tolerance: 0.001}", "succeeded", ONE, "no cell"},
    {"{question: q, value: 10.00}", "succeeded", ONE, ""},
    {"{question: q, value: 10}", "succeeded", TWO, "2 rows, not one"},
    {"{question: q, value: null}", "succeeded",
     "{\"columns\":[\"a\"],\"rows\":[[null]],\"row_count\":1}", ""},
    {"{question: q, value: 'null'}", "succeeded",
     "{\"columns\":[\"a\"],\"rows\":[[null]],\"row_count\":1}", "no cell"},
    {"{question: q, columns: [b], value: 1}", "succeeded",
     "{\"columns\":[\"a\",\"b\"],\"rows\":[[1,2]],\"row_count\":1}", "no cell"},
    {"{question: q, rows: [[Oslo, 1.5], [Rome, 3]]}", "succeeded", TWO, ""},
    {"{question: q, ordered: true, rows: [[Oslo, 1.5], [Rome, 3]]}",
     "succeeded", TWO, "row 1 of the set is not in the result at its place"},
    {"{question: q, rows: [{n: 3, city: Rome}, {city: Oslo, n: 1.5}]}",
     "succeeded", TWO, ""},
    {"{question: q, rows: [{n: 3}, {n: 1}]}", "succeeded", TWO, "row 2"},
    {"{question: q, rows: [{n: 3}, {n: 1}], tolerance: 0.5}", "succeeded", TWO,
     ""},
    {"{question: q, rows: [[Rome], [Rome]]}", "succeeded", TWO, "row 2"},
    {"{question: q, rows: [{x: 3}, {x: 1}]}", "succeeded", TWO,
     "no column \"x\""},
    {"{question: q, rows: [[1, 2, 3], [1, 2, 3]]}", "succeeded", TWO,
     "2 columns, not 3"},
    {"{question: q, rows: [[Rome, 3]]}", "succeeded",
     "{\"columns\":[\"city\",\"n\"],\"rows\":[],\"row_count\":1}",
     "0 of 1 rows were kept"},
};

static void test_a_result_fits_or_it_is_said_why_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why =
            judge(cases[i].query, cases[i].status, cases[i].result);
        bool as_told =
            *cases[i].wrong ? strstr(why, cases[i].wrong) != NULL : !*why;
        if (!as_told)
            fail_msg("%s of %s: \"%s\"", cases[i].query, cases[i].result, why);
    }
}

static const char *message_of(const char *query)
{
    if (!read_set(arena_printf(&arena, "- %s\n", query).ptr))
        fail_msg("%s: %s", query, buf_cstr(&problems));
    return arena_cstr(&arena, set.questions[0].golden->message);
}

static void test_what_runs(void **state)
{
    (void)state;
    assert_string_equal(message_of("{question: How many?}"), "How many?");
    assert_string_equal(message_of("{message: 'SQL: select 1'}"),
                        "SQL: select 1");
    assert_string_equal(message_of("{sql: select 1, query_type: sql}"),
                        "SQL: select 1");
    assert_string_equal(
        message_of("{question: One?, python_code: result_df = 1}"),
        "PYTHON: result_df = 1");
    assert_string_equal(
        message_of("{plan: {table: orders, limit: 5, select: [{column: '7'}],"
                   " filters: [{column: a, operator: '=', value: null},"
                   " {column: b, operator: in, value: [1, 'x', true]}]}}"),
        "PLAN: {\"table\":\"orders\",\"limit\":5,\"select\":[{\"column\":\"7\"}],"
        "\"filters\":[{\"column\":\"a\",\"operator\":\"=\",\"value\":null},"
        "{\"column\":\"b\",\"operator\":\"in\",\"value\":[1,\"x\",true]}]}");
    assert_true(str_is(set.questions[0].id, "query 1"));
    assert_true(str_is(set.agent, "csv") && str_is(set.ontology, "Sales"));
}

static void test_the_names_of_the_request_are_taken_too(void **state)
{
    (void)state;
    buf_init(&problems, &arena);
    assert_true(eval_set_read_yaml(
        &arena,
        STR("{\"dataset_id\": \"x\", \"agent\": \"scientist\", "
            "\"golden_queries\": [{\"message\": \"a\", \"expected_columns\": "
            "[\"n\"], \"expected_rows\": [[1]], \"expected_row_count\": 1, "
            "\"expected_status\": \"succeeded\"}, {\"prompt\": \"b\", "
            "\"expected_value\": 2}]}"),
        &set, &problems));
    assert_int_equal(set.n, 2);
    assert_true(str_is(set.agent, "scientist"));
    assert_int_equal(set.questions[0].golden->n_columns, 1);
    assert_true(set.questions[1].golden->has_value);
}

static void test_a_bad_query_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *query, *problem;
    } bad[] = {
        {"{}", "the question has no text"},
        {"{question: q, colums: [a]}", "a golden query has no colums"},
        {"{question: q, columns: a}", "columns must be a list"},
        {"{question: q, columns: []}", "columns must be a list"},
        {"{question: q, rows: 3}", "rows must be a list"},
        {"{question: q, rows: [[1], [1, 2]]}", "equally many cells"},
        {"{question: q, rows: [[]]}", "1 to 200 cells"},
        {"{question: q, rows: [[[1]]]}", "a cell is one value"},
        {"{question: q, rows: [{a: 1}, {b: 1}]}", "the same columns"},
        {"{question: q, rows: [{a: 1}, 4]}", "equally many cells"},
        {"{question: q, value: [1]}", "a cell is one value"},
        {"{question: q, row_count: -1}", "a number of rows"},
        {"{question: q, min_rows: many}", "a number of rows"},
        {"{question: q, tolerance: -1}", "tolerance must be"},
        {"{question: q, tolerance: nan}", "tolerance must be"},
        {"{question: q, tolerance: }", "tolerance must be"},
        {"{question: q, status: fine}", "status must be"},
        {"{question: q, query_type: shell}", "query_type must be"},
        {"{sql: select 1, python_code: x}", "only one of"},
        {"{sql: }", "must be a text"},
        {"{plan: x}", "plan must be a QueryPlan"},
        {"{question: q, plan: {a: [[[[[[[[[[[[[[1]]]]]]]]]]]]]]}}",
         "so deeply"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bool good = read_set(arena_printf(&arena, "- %s\n", bad[i].query).ptr);
        if (good || !strstr(buf_cstr(&problems), bad[i].problem))
            fail_msg("%s: %s", bad[i].query, buf_cstr(&problems));
    }
    buf_init(&problems, &arena);
    assert_false(eval_set_read_yaml(&arena,
                                    STR("agent: react\nquestions: [{message: "
                                        "a}]\n"),
                                    &set, &problems));
    assert_non_null(strstr(buf_cstr(&problems), "agent must be"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_result_fits_or_it_is_said_why_not),
        cmocka_unit_test(test_what_runs),
        cmocka_unit_test(test_the_names_of_the_request_are_taken_too),
        cmocka_unit_test(test_a_bad_query_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
