/* The explorer's bridge, its pure parts: chunks, hostile answers of a browser,
 * and the result of an exploration. */
#include "explorer/bridge_state.h"
#include "../run_flow.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena memory;

static int setup(void **state)
{
    (void)state;
    arena_init(&memory, 0);
    loop_open();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    loop_close();
    arena_done(&memory);
    return 0;
}

static bool has(struct str text, const char *part)
{
    return str_find(text, str_of(part)) >= 0;
}

/* ---- chunks ------------------------------------------------------------- */

static void add_chunk(struct chunks *c, const char *type, const char *raw)
{
    struct json_writer *w = chunk_begin(c, type);
    json_field_raw(w, "value", str_of(raw));
    chunk_end(c);
}

static void test_a_chunk_is_a_numbered_frame_on_one_line(void **state)
{
    (void)state;
    struct chunks c = {0};
    size_t at = 0;
    add_chunk(&c, "data-x", "[1,\n\r2]");
    assert_true(str_is(chunks_after(&c, &at, 1000),
                       "id: 1\ndata: {\"type\":\"data-x\",\"value\":[1,  2]}"
                       "\n\n"));
    assert_int_equal(at, 1);
    assert_int_equal(chunks_after(&c, &at, 1000).len, 0);
    chunks_done(&c);
}

static void test_frames_come_in_pieces_and_from_any_place(void **state)
{
    (void)state;
    struct chunks c = {0};
    for (int i = 0; i < 4; i++)
        add_chunk(&c, "x", "\"0123456789\"");
    size_t at = 0, frame = c.frames.len / 4;
    assert_int_equal(chunks_after(&c, &at, 1).len, frame);
    assert_int_equal(at, 1);
    assert_int_equal(chunks_after(&c, &at, 2 * frame).len, 2 * frame);
    assert_int_equal(at, 3);
    assert_true(str_starts(chunks_after(&c, &at, 1000), STR("id: 4\n")));
    at = 2;
    assert_true(str_starts(chunks_after(&c, &at, 1000), STR("id: 3\n")));
    chunks_done(&c);
}

static void test_nothing_follows_the_end(void **state)
{
    (void)state;
    struct chunks c = {0};
    size_t at = 0;
    chunks_end(&c);
    add_chunk(&c, "x", "1");
    chunks_end(&c);
    assert_true(c.over);
    assert_true(str_is(chunks_after(&c, &at, 1000), "id: 1\ndata: [DONE]\n\n"));
    assert_false(chunks_have_room(&c, CHUNKS_BYTES));
    assert_false(chunks_have_room(&c, SIZE_MAX));
    assert_true(chunks_have_room(&c, CHUNKS_BYTES / 2));
    chunks_done(&c);
}

/* ---- answers ------------------------------------------------------------ */

static struct explorer_query two[] = {{.id = "result"}, {.id = "sample"}};

struct answer {
    struct explorer_call call;
    struct str body;
};

static struct next answer_begin(struct flow *f)
{
    struct answer *a = locals(f, struct answer);
    bridge_read_answer(f, &a->call, a->body);
    return back(f);
}

static struct explorer_call read_body(struct str body)
{
    struct answer a = {
        .call = {.memory = &memory, .queries = two, .n_queries = 2},
        .body = body};
    assert_int_equal(run_flow(answer_begin, &a), OK);
    return a.call;
}

#define RESULT(rest) "{\"success\":true,\"result\":{" rest "}}"

static void test_results_are_found_by_id(void **state)
{
    (void)state;
    struct explorer_call c = read_body(
        STR(RESULT("\"results\":[{\"id\":\"sample\",\"error\":\"No such "
                   "column\"},{\"id\":\"result\",\"columns\":[\"a\",\"b\"],"
                   "\"types\":[\"VARCHAR\"],\"rows\":[[\"x\",1],{\"b\":2}],"
                   "\"rowCount\":7,\"truncated\":true}]")));
    assert_int_equal(c.failure.len, 0);
    assert_false(c.found[0].failed);
    assert_int_equal(c.found[0].n_columns, 2);
    assert_true(str_is(c.found[0].types[0], "VARCHAR"));
    assert_int_equal(c.found[0].types[1].len, 0);
    assert_true(str_is(c.found[0].rows, "[[\"x\",1],[null,2]]"));
    assert_int_equal(c.found[0].n_rows, 7);
    assert_true(c.found[0].truncated);
    assert_true(c.found[1].failed);
    assert_true(str_is(c.found[1].error, "No such column"));
}

static void test_data_is_the_result_of_the_first_query(void **state)
{
    (void)state;
    struct explorer_call c =
        read_body(STR(RESULT("\"data\":{\"columns\":[\"a\"],\"rows\":[[1]]}")));
    assert_true(str_is(c.found[0].rows, "[[1]]"));
    assert_true(c.found[1].failed && c.found[1].error.len);
}

static void test_what_is_withheld_has_no_rows(void **state)
{
    (void)state;
    struct explorer_call c = read_body(STR(
        RESULT("\"results\":[{\"id\":\"result\",\"columns\":[\"a\"],"
               "\"rows\":[[\"secret\"]],\"rowCount\":9,\"withheld\":true}]")));
    assert_true(c.found[0].withheld);
    assert_true(str_is(c.found[0].rows, "[]"));
    assert_int_equal(c.found[0].n_rows, 9);
}

static void test_cells_are_scalars_and_rows_are_bounded(void **state)
{
    (void)state;
    struct buf body;
    buf_init(&body, &memory);
    buf_text(&body, "{\"success\":true,\"result\":{\"results\":[{\"id\":"
                    "\"result\",\"columns\":[\"a\"],\"rows\":[[[1]],[{}],7,"
                    "null,[\"x\",\"more\"]");
    for (int i = 0; i < 2 * EXPLORER_ROWS; i++)
        buf_text(&body, ",[1]");
    buf_text(&body, "]}]}}");
    struct explorer_call c = read_body(buf_view(&body));
    assert_true(str_starts(c.found[0].rows,
                           STR("[[null],[null],[null],[null],[\"x\"],[1]")));
    assert_int_equal(c.found[0].n_rows, EXPLORER_ROWS);
    assert_true(c.found[0].truncated);
}

static void test_a_failure_has_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *body, *says;
    } cases[] = {
        {"{\"success\":false,\"error\":\"Out of memory\"}", "Out of memory"},
        {"{\"success\":true,\"result\":{\"success\":false,\"error\":\"Bad\"}}",
         "Bad"},
        {"{\"success\":false}", "The query failed in the browser."},
        {"{\"success\":true,\"result\":7}", "The query failed in the browser."},
        {"not JSON", "The query failed in the browser."},
        {"", "The query failed in the browser."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(
            str_is(read_body(str_of(cases[i].body)).failure, cases[i].says));
}

static void test_odd_results_fail_on_their_own(void **state)
{
    (void)state;
    static const char *const odd[] = {
        RESULT(""), RESULT("\"results\":[7,null,[],{\"id\":7}]"),
        RESULT("\"results\":[{\"id\":\"result\"}]"),
        RESULT("\"results\":[{\"id\":\"result\",\"columns\":7}]"),
        RESULT("\"results\":[{\"id\":\"result\",\"error\":{}}]")};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct explorer_call c = read_body(str_of(odd[i]));
        assert_int_equal(c.failure.len, 0);
        assert_true(c.found[0].failed && c.found[0].error.len);
    }
}

/* ---- what was found ----------------------------------------------------- */

static struct str result_of(const struct explorer_found *found,
                            const struct exploration_end *end)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, &memory);
    json_writer_init(&w, &out);
    explorer_put_result(&w, found, end);
    json_t *v = json_read(buf_view(&out), NULL);
    assert_non_null(v);
    json_decref(v);
    return buf_finish(&out);
}

static void test_a_result_has_what_the_calls_left(void **state)
{
    (void)state;
    struct explorer_found x = {.memory = &memory};
    struct explorer_call c = {
        .query_kept = STR("{\"query\":\"SELECT 1\",\"reason\":\"r\",\"result\":"
                          "{\"columns\":[],\"rows\":[[1]]}}"),
        .chart_kept = STR("{\"chartType\":\"bar\"}"),
        .insight = STR(" Sales rise. ")};
    found_add(&x, &c, STR("the-id"), 0);
    found_add_items(&x,
                    STR("Two things.\n- Sales rise.\n* Costs fall\n 2) Third\n"
                        "-no item\n1999. no item\n- \n"));
    struct str json =
        result_of(&x, &(struct exploration_end){.summary = STR("Two things."),
                                                .steps = 3,
                                                .tokens = 9,
                                                .duration_ms = 5});
    assert_true(has(json, "\"status\":\"exploration_complete\""));
    assert_true(has(json, "{\"id\":\"the-id\",\"chartType\":\"bar\"}"));
    assert_true(
        has(json, "\"insights\":[\"Sales rise.\",\"Costs fall\",\"Third\"]"));
    assert_true(has(json, "\"rows\":[[1]]"));
    assert_true(has(json, "\"stepCount\":3,\"tokensUsed\":9,\"durationMs\":5"));
    assert_false(has(json, "\"error\""));
}

static void add_named(struct explorer_found *x, unsigned place,
                      const char *name)
{
    struct explorer_call c = {
        .query_kept = arena_printf(&memory, "{\"query\":\"%s\"}", name),
        .chart_kept = arena_printf(&memory, "{\"title\":\"%s\"}", name),
        .insight = str_of(name)};
    found_add(x, &c, str_of(name), place);
}

static void test_a_result_is_in_the_order_of_the_calls(void **state)
{
    (void)state;
    struct explorer_found x = {.memory = &memory};
    add_named(&x, 2, "c");
    add_named(&x, 0, "a");
    add_named(&x, 1, "b");
    found_add_items(&x, STR("- d\n- a\n"));
    struct str json = result_of(&x, &(struct exploration_end){0});
    assert_true(has(json, "\"insights\":[\"a\",\"b\",\"c\",\"d\"]"));
    assert_true(has(json, "[{\"query\":\"a\"},{\"query\":\"b\"},"
                          "{\"query\":\"c\"}]"));
    assert_true(has(json, "[{\"id\":\"a\",\"title\":\"a\"},{\"id\":\"b\","
                          "\"title\":\"b\"},{\"id\":\"c\",\"title\":\"c\"}]"));
}

static void test_a_failed_result_has_its_error(void **state)
{
    (void)state;
    struct explorer_found x = {.memory = &memory};
    struct str json = result_of(
        &x, &(struct exploration_end){.error = ERR_TIMEOUT,
                                      .error_text = STR("Too \"long\".")});
    assert_true(has(json, "\"status\":\"error\""));
    assert_true(has(json, "\"error\":{\"code\":\"TIMEOUT\",\"message\":\"Too "
                          "\\\"long\\\".\"}"));
}

static void test_large_queries_lose_their_rows(void **state)
{
    (void)state;
    struct explorer_found x = {.memory = &memory};
    struct buf kept;
    buf_init(&kept, &memory);
    buf_text(&kept, "{\"query\":\"SELECT 1\",\"reason\":\"r\",\"result\":"
                    "{\"columns\":[\"a\"],\"rows\":[[\"");
    while (kept.len < FOUND_BYTES / 2)
        buf_text(&kept, "xxxxxxxxxxxxxxxx");
    buf_text(&kept, "\"]]}}");
    struct explorer_call c = {.query_kept = buf_view(&kept),
                              .chart_kept = buf_view(&kept)};
    for (int i = 0; i < 2 * FOUND_QUERIES; i++)
        found_add(&x, &c, STR("id"), (unsigned)i);
    assert_int_equal(x.n_queries, FOUND_QUERIES);
    assert_int_equal(x.queries[0].len, kept.len);
    assert_true(str_is(x.queries[1],
                       "{\"query\":\"SELECT 1\",\"reason\":\"r\",\"result\":"
                       "{\"columns\":[],\"rows\":[]}}"));
    assert_true(x.n_charts == 1 && x.query_bytes < 2 * FOUND_BYTES);
    result_of(&x, &(struct exploration_end){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_chunk_is_a_numbered_frame_on_one_line),
        cmocka_unit_test(test_frames_come_in_pieces_and_from_any_place),
        cmocka_unit_test(test_nothing_follows_the_end),
        cmocka_unit_test(test_results_are_found_by_id),
        cmocka_unit_test(test_data_is_the_result_of_the_first_query),
        cmocka_unit_test(test_what_is_withheld_has_no_rows),
        cmocka_unit_test(test_cells_are_scalars_and_rows_are_bounded),
        cmocka_unit_test(test_a_failure_has_a_sentence),
        cmocka_unit_test(test_odd_results_fail_on_their_own),
        cmocka_unit_test(test_a_result_has_what_the_calls_left),
        cmocka_unit_test(test_a_result_is_in_the_order_of_the_calls),
        cmocka_unit_test(test_a_failed_result_has_its_error),
        cmocka_unit_test(test_large_queries_lose_their_rows),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
