/* The scientist: which phase comes next, by the names of the seed's functions,
 * what a plan may be, and what comes through of a figure. */
#include "base/json.h"
#include "scientist/plotly.h"
#include "scientist/scientist.h"
#include "../arena_test.h"
#include <stdlib.h>
#include "base/banned.h"

/* ---- routing ------------------------------------------------------------ */

static void test_should_execute_code(void **state)
{
    (void)state;
    struct scientist_plan plan = {.needs_code = true};
    assert_int_equal(should_execute_code(&plan), PHASE_SCIENTIST_CODE);
    plan.needs_code = false;
    assert_int_equal(should_execute_code(&plan), PHASE_SCIENTIST_EXPLAIN);
}

static void test_should_retry_code(void **state)
{
    (void)state;
    for (int attempts = 1; attempts <= 3; attempts++)
        assert_int_equal(should_retry_code(true, attempts),
                         PHASE_SCIENTIST_EVALUATE);
    assert_int_equal(should_retry_code(false, 1), PHASE_SCIENTIST_CODE);
    assert_int_equal(should_retry_code(false, 2), PHASE_SCIENTIST_CODE);
    assert_int_equal(should_retry_code(false, 3), PHASE_SCIENTIST_ERROR);
    assert_int_equal(should_retry_code(false, 4), PHASE_SCIENTIST_ERROR);
}

static void test_should_evaluate(void **state)
{
    (void)state;
    struct scientist_plan plan = {.needs_evaluation = true};
    assert_int_equal(should_evaluate(&plan), PHASE_SCIENTIST_EVALUATE);
    plan.needs_evaluation = false;
    assert_int_equal(should_evaluate(&plan), PHASE_SCIENTIST_EXPLAIN);
}

/* The walk of the seed's five examples: the phases, as words. */
static void check_walk(bool code, bool evaluation, int failures,
                       const char *wanted)
{
    struct scientist_plan plan = {.needs_code = code,
                                  .needs_evaluation = evaluation};
    struct code_execution execution = {.attempt = 1};
    struct scientist s = {.plan = &plan};
    char walk[200] = "";
    scientist_settle_plan(&plan);
    for (enum phase p = PHASE_SCIENTIST_PLAN; p != PHASE_DONE;
         p = scientist_route(&s, p)) {
        size_t at = strlen(walk);
        snprintf(walk + at, sizeof walk - at, "%s%s", at ? " " : "",
                 phase_word(p));
        if (p == PHASE_SCIENTIST_CODE && s.n_attempts++ >= failures)
            s.execution = &execution;
    }
    assert_string_equal(walk, wanted);
}

static void test_walks(void **state)
{
    (void)state;
    check_walk(true, true, 0, "plan code evaluate explain");
    check_walk(true, false, 0, "plan code explain");
    check_walk(true, true, 2, "plan code code code evaluate explain");
    check_walk(true, false, 3, "plan code code code error");
    check_walk(false, false, 0, "plan explain");
    check_walk(false, true, 0, "plan explain"); /* no evaluation without code */
}

static void test_a_plan_without_code_explains(void **state)
{
    (void)state;
    struct scientist_plan plan = {.needs_evaluation = true};
    scientist_settle_plan(&plan);
    assert_false(plan.needs_evaluation);
    assert_true(plan.needs_explanation);
}

/* ---- figures ------------------------------------------------------------ */

static void check_figure(const char *given, const char *wanted)
{
    const char *why;
    struct str out = plotly_read(&arena, str_of(given), &why);
    if (why)
        print_message("%s: %s\n", given, why);
    assert_null(why);
    assert_string_equal(arena_cstr(&arena, out), wanted);
    json_t *v = json_read(out, NULL);
    assert_non_null(v);
    json_decref(v);
    struct str again = plotly_read(&arena, out, &why);
    assert_null(why);
    assert_true(str_eq(again, out));
}

static void check_refused(struct str given, const char *wanted)
{
    const char *why;
    assert_int_equal(plotly_read(&arena, given, &why).len, 0);
    assert_non_null(why);
    assert_string_equal(why, wanted);
}

#define ONE(trace) "{\"data\":[" trace "]}"
#define TITLED(text) \
    "{\"data\":[],\"layout\":{\"title\":{\"text\":\"" text "\"}}}"

static void test_a_plain_figure_comes_through(void **state)
{
    (void)state;
    check_figure("{ \"data\" : [ {\"type\":\"bar\", \"x\":[\"a\",\"b\"], "
                 "\"y\":[1,-2.5e3,null,true]} ], \"layout\":{\"xaxis\":{}} }",
                 "{\"data\":[{\"type\":\"bar\",\"x\":[\"a\",\"b\"],"
                 "\"y\":[1,-2.5e3,null,true]}],\"layout\":{\"xaxis\":{}}}");
    check_figure("{\"data\":[]}", "{\"data\":[]}");
}

static void test_only_data_and_layout_stay(void **state)
{
    (void)state;
    check_figure("{\"config\":{\"plotlyServerURL\":\"https://x\"},"
                 "\"frames\":[{\"data\":[]}],\"data\":[],\"x\":1}",
                 "{\"data\":[]}");
}

static void test_what_loads_or_calls_is_dropped(void **state)
{
    (void)state;
    check_figure("{\"data\":[],\"layout\":{\"images\":[{\"source\":"
                 "\"https://x/y.png\"}],\"updatemenus\":[{}],\"sliders\":[],"
                 "\"mapbox\":{\"style\":\"https://x\"},"
                 "\"template\":\"https://x/t.json\",\"height\":400}}",
                 "{\"data\":[],\"layout\":{\"height\":400}}");
    check_figure(ONE("{\"type\":\"sankey\",\"link\":{\"source\":[0,1],"
                     "\"target\":[1,2]},\"xsrc\":\"a:1\",\"source\":\"//x\","
                     "\"href\":\"x\",\"marker\":{\"src\":\"x\"}}"),
                 ONE("{\"type\":\"sankey\",\"link\":{\"source\":[0,1],"
                     "\"target\":[1,2]},\"marker\":{}}"));
    check_figure("{\"data\":[],\"layout\":{\"template\":\"plotly_white\","
                 "\"width\":1e9,\"height\":99999999999}}",
                 "{\"data\":[],\"layout\":{\"template\":\"plotly_white\"}}");
}

static void test_keys_written_otherwise_are_dropped(void **state)
{
    (void)state;
    check_figure("{\"data\":[],\"layout\":{\"im\\u0061ges\":[1],"
                 "\"__proto__\":{},\"a b\":1,\"\":2,\"dragmode\":\"zoom\"}}",
                 "{\"data\":[],\"layout\":{\"dragmode\":\"zoom\"}}");
    check_figure("{\"data\":[],\"layout\":{\"a\":1,\"a\":2}}",
                 "{\"data\":[],\"layout\":{\"a\":1}}");
}

static void test_script_in_titles_is_text(void **state)
{
    (void)state;
    check_figure(TITLED("<script>alert(1)</script>"),
                 TITLED("&lt;script>alert(1)&lt;/script>"));
    check_figure(TITLED("<a href='x'>y</a> <b>bold</b><br>a < b"),
                 TITLED("&lt;a href='x'>y&lt;/a> <b>bold</b><br>a < b"));
    check_figure(TITLED("<b onclick=x>"), TITLED("&lt;b onclick=x>"));
    check_figure(TITLED("\\u003cimg src=x onerror=y>"),
                 TITLED("&lt;img src=x onerror=y>"));
    check_figure(TITLED("Java\\tScript:alert(1)"), TITLED(""));
    check_figure(TITLED("jjavascript:x"), TITLED(""));
    check_figure(TITLED("javascript\x7f:x"), TITLED(""));
    check_figure(TITLED("description: java"), TITLED("description: java"));
}

static void test_kinds_that_need_a_network_are_refused(void **state)
{
    (void)state;
    static const char *const refused = "has a kind of chart that is not drawn "
                                       "here";
    check_refused(STR(ONE("{\"type\":\"choropleth\"}")), refused);
    check_refused(STR(ONE("{\"type\":\"image\",\"source\":\"x\"}")), refused);
    check_refused(STR(ONE("{\"type\":\"sc\\u0061tter\"}")), refused);
    check_refused(STR(ONE("{\"type\":7}")), refused);
    check_refused(STR(ONE("{\"type\":{\"a\":1}}")), refused);
    check_refused(STR(ONE("{\"type\":\"bar\"},{\"type\":\"x\"}")), refused);
}

static void test_what_is_no_figure_is_refused(void **state)
{
    (void)state;
    check_refused(STR(""), "is not a Plotly figure");
    check_refused(STR("[]"), "is not a Plotly figure");
    check_refused(STR("{}"), "has no list of traces");
    check_refused(STR("{\"data\":{}}"), "has no list of traces");
    check_refused(STR("{\"data\":[1]}"), "has a trace that is no object");
    check_refused(STR("{\"data\":[],\"layout\":[]}"), "is not a Plotly figure");
    check_refused(STR("{\"data\":[]"), "is not valid JSON");
    check_refused(STR("{\"data\":[]} x"), "is not valid JSON");
    check_refused(STR(ONE("{\"y\":[NaN]}")), "is not valid JSON");
    check_refused(STR(ONE("{\"y\":[01]}")), "is not valid JSON");
    check_refused(STR(ONE("{\"y\":[nulll]}")), "is not valid JSON");
}

static void test_numbers_that_no_reader_takes(void **state)
{
    (void)state;
    check_figure(ONE("{\"y\":[1e999,123456789012345678901234,1e-7]}"),
                 ONE("{\"y\":[null,123456789012345678901234.0,1e-7]}"));
}

static struct str repeated(const char *open, const char *part, size_t n,
                           const char *close)
{
    struct buf out;
    buf_init(&out, &arena);
    buf_text(&out, open);
    for (size_t i = 0; i < n; i++) {
        buf_text(&out, i ? "," : "");
        buf_text(&out, part);
    }
    buf_text(&out, close);
    return buf_view(&out);
}

static void test_bounds(void **state)
{
    (void)state;
    const char *why;
    struct buf out;
    assert_true(
        plotly_read(&arena, repeated("{\"data\":[", "{}", 100, "]}"), &why)
            .len > 0);
    check_refused(repeated("{\"data\":[", "{}", 10000, "]}"),
                  "has too many traces");
    check_refused(repeated("{\"data\":[],\"layout\":{\"annotations\":[", "{}",
                           301, "]}}"),
                  "has too many parts");
    check_refused(repeated("{\"data\":[{\"y\":[", "1", PLOTLY_BYTES, "]}]}"),
                  "is larger than 2 MiB");
    assert_true(plotly_read(&arena,
                            repeated("{\"data\":[{\"y\":[", "1",
                                     PLOTLY_BYTES / 2 - 100, "]}]}"),
                            &why)
                    .len > 0);
    buf_init(&out, &arena);
    buf_text(&out, "{\"data\":[],\"layout\":{");
    for (int i = 0; i <= PLOTLY_MEMBERS; i++)
        buf_printf(&out, "%s\"a%d\":1", i ? "," : "", i);
    buf_text(&out, "}}");
    check_refused(buf_view(&out), "has too many members");
    buf_init(&out, &arena);
    buf_text(&out, "{\"data\":[{\"y\":");
    for (int i = 0; i < 60; i++)
        buf_char(&out, '[');
    for (int i = 0; i < 60; i++)
        buf_char(&out, ']');
    buf_text(&out, "}]}");
    check_refused(buf_view(&out), "is nested too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_should_execute_code),
        cmocka_unit_test(test_should_retry_code),
        cmocka_unit_test(test_should_evaluate),
        cmocka_unit_test(test_walks),
        cmocka_unit_test(test_a_plan_without_code_explains),
        ARENA_TEST(test_a_plain_figure_comes_through),
        ARENA_TEST(test_only_data_and_layout_stay),
        ARENA_TEST(test_what_loads_or_calls_is_dropped),
        ARENA_TEST(test_keys_written_otherwise_are_dropped),
        ARENA_TEST(test_script_in_titles_is_text),
        ARENA_TEST(test_kinds_that_need_a_network_are_refused),
        ARENA_TEST(test_what_is_no_figure_is_refused),
        ARENA_TEST(test_numbers_that_no_reader_takes),
        ARENA_TEST(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
