/* What is stored with a message: metadata, digest, the terminal event. */
#include "agent_test.h"
#include "ontology/osi.h"
#include "base/banned.h"

static struct plan plan;
static struct plan_step step;
static struct join_plan joins;
static struct join_plan_path path;
static struct join_plan_edge edge;
static struct dataset_detail dataset;
static struct query_specs queries;
static struct query_spec query;
static struct step_results results;
static struct step_result result;
static struct sql_result sql;
static struct verification_report report;
static struct explainer_output output;
static struct str columns[] = {STR("city_id"), STR("day")};
static struct ontology ontology;

/* As after a whole run. */
static void fill_run(void)
{
    struct run *r = test.run;
    plan = (struct plan){.intent = STR("Revenue by city"),
                         .grain = STR("city"),
                         .steps = &step,
                         .n_steps = 1};
    step = (struct plan_step){.id = 1, .description = STR("d")};
    edge = (struct join_plan_edge){.from_dataset = STR("orders"),
                                   .to_dataset = STR("cities"),
                                   .from_columns = columns,
                                   .n_from_columns = 2,
                                   .to_columns = columns,
                                   .n_to_columns = 2};
    path = (struct join_plan_path){.edges = &edge, .n_edges = 1};
    dataset = (struct dataset_detail){.name = STR("orders")};
    joins = (struct join_plan){&dataset, 1, &path, 1, STR("")};
    query = (struct query_spec){.step_id = 1, .full_sql = STR("select 1")};
    queries = (struct query_specs){&query, 1};
    sql = (struct sql_result){
        .row_count = 3, .truncated = true, .data = STR("[{\"a\":1}]")};
    result = (struct step_result){.step_id = 1, .sql_result = &sql};
    results = (struct step_results){&result, 1};
    report =
        (struct verification_report){.status = CHECKS_PASSED, .passed = true};
    output = (struct explainer_output){.narrative = STR("**42**")};
    test.held.model = &ontology;
    pipeline_of(r)->plan = &plan;
    pipeline_of(r)->join_plan = &joins;
    pipeline_of(r)->queries = &queries;
    r->results = &results;
    r->report = &report;
    r->output = &output;
    output.data_lineage = pipeline_lineage(r);
    struct tracked_call *c =
        run_tool_started(r, PHASE_EXECUTOR, 1, STR(""), STR("query_database"),
                         STR("{\"sql\":\"select 1\"}"));
    run_tool_ended(r, c, STR("| a |"), false);
    r->revision = 2;
    r->call_index = 5;
    r->tokens = (struct llm_usage){.prompt = 10, .completion = 5, .total = 15};
}

static json_t *metadata(void)
{
    json_t *v = json_read(run_metadata(test.run, true), NULL);
    assert_non_null(v);
    return v;
}

static void assert_keys(const json_t *v, const char *const *keys)
{
    for (; *keys; keys++) {
        if (!json_object_get(v, *keys))
            print_message("# no %s\n", *keys);
        assert_non_null(json_object_get(v, *keys));
    }
}

static void test_metadata_of_an_answer_has_all_its_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "toolCalls",   "tokensUsed",      "llmCallCount",  "startedAt",
        "durationMs",  "datasetsUsed",    "discovery",     "plan",
        "joinPlan",    "querySpecs",      "stepResults",   "verificationReport",
        "dataLineage", "explainerOutput", "revisionsUsed", "claimed",
        NULL};
    fill_run();
    json_t *v = metadata();
    assert_keys(v, keys);
    assert_null(json_object_get(v, "error"));
    assert_null(json_object_get(v, "cannotAnswer"));
    assert_null(json_object_get(v, "clarificationQuestions"));
    assert_true(json_is_array(json_object_get(v, "querySpecs")));
    assert_true(json_is_array(json_object_get(v, "stepResults")));
    assert_int_equal(json_get_int(v, "revisionsUsed", 0), 2);
    assert_int_equal(json_get_int(v, "llmCallCount", 0), 5);
    assert_int_equal(json_get_int(json_object_get(v, "tokensUsed"), "total", 0),
                     15);
    const json_t *call = json_array_get(json_object_get(v, "toolCalls"), 0);
    assert_true(str_is(json_get_text(call, "phase"), "executor"));
    assert_int_equal(json_get_int(call, "stepId", 0), 1);
    assert_true(str_is(json_get_text(json_object_get(call, "args"), "sql"),
                       "select 1"));
    json_decref(v);
}

static void test_lineage_says_how_datasets_were_joined(void **state)
{
    (void)state;
    fill_run();
    json_t *v = metadata();
    const json_t *l = json_object_get(v, "dataLineage");
    const json_t *join = json_array_get(json_object_get(l, "joins"), 0);
    assert_true(str_is(json_get_text(join, "on"),
                       "orders.city_id = cities.city_id AND "
                       "orders.day = cities.day"));
    assert_int_equal(json_get_int(l, "rowCount", 0), 3);
    assert_true(json_get_bool(l, "truncated", false));
    json_decref(v);
    result.sql_result = NULL;
    assert_int_equal(pipeline_lineage(test.run)->row_count, ROW_COUNT_NULL);
}

static const char two_ways[] =
    "datasets:\n"
    "- name: orders\n"
    "  table: orders\n"
    "  fields: [{name: city_id}, {name: day}, {name: sold_in}]\n"
    "- name: cities\n"
    "  table: cities\n"
    "  primary_key: [city_id, day]\n"
    "  fields: [{name: city_id}, {name: day}]\n"
    "relationships:\n"
    "- {name: of, from: orders, to: cities,\n"
    "   from_columns: [city_id, day], to_columns: [city_id, day]}\n"
    "- {name: sold, from: orders, to: cities,\n"
    "   from_columns: [sold_in, day], to_columns: [city_id, day]}\n";

/* Of several paths, what the query joins along; and what they share, once. */
static void test_lineage_shows_the_joins_that_were_made(void **state)
{
    (void)state;
    static struct str sold[] = {STR("sold_in"), STR("day")};
    struct osi_report read;
    struct ontology *model;
    fill_run();
    assert_true(osi_read(&test.run->arena, str_of(two_ways), &model, &read));
    test.held.model = model;
    struct join_plan_edge other = edge;
    other.from_columns = sold;
    struct join_plan_path paths[] = {
        path, path, {.edges = &other, .n_edges = 1}};
    joins.join_paths = paths;
    joins.n_join_paths = 3;
    sql.sql = STR("select count(o.sold_in) from orders o join cities c on "
                  "o.city_id = c.city_id and o.day = c.day");
    const struct data_lineage *l = pipeline_lineage(test.run);
    assert_int_equal(l->n_joins, 1);
    assert_true(str_is(l->joins[0].on, "orders.city_id = cities.city_id AND "
                                       "orders.day = cities.day"));
    analysis_cache_done(&test.held.judged);
    test.held.judged.n = 0;
}

static void test_a_run_that_failed_early_has_metadata_too(void **state)
{
    (void)state;
    static const char *const keys[] = {"toolCalls", "tokensUsed", "startedAt",
                                       "error",     "claimed",    NULL};
    test.run->ontology = NULL;
    test.run->end.error = ERR_NO_DATASETS;
    test.run->end.error_text = STR("The ontology is \"empty\".");
    json_t *v = metadata();
    assert_keys(v, keys);
    const json_t *e = json_object_get(v, "error");
    assert_true(str_is(json_get_text(e, "code"), "NO_DATASETS"));
    assert_true(
        str_is(json_get_text(e, "message"), "The ontology is \"empty\"."));
    assert_int_equal(json_get_text(e, "timestamp").len, 24);
    assert_null(json_object_get(v, "plan"));
    assert_null(json_object_get(v, "discovery"));
    json_decref(v);
}

static void test_the_last_words_need_no_memory_of_the_run(void **state)
{
    (void)state;
    fill_run();
    arena_fail_block(1);
    run_end_without_memory(test.run);
    struct str frame = run_terminal_frame(test.run);
    arena_fail_block(0);
    json_t *v = json_read(test.run->end.metadata, NULL);
    assert_true(
        str_is(json_get_text(json_object_get(v, "error"), "code"), "INTERNAL"));
    assert_string_equal(test.run->end.status, "failed");
    assert_true(str_starts(frame, STR("event: message_error\ndata: {\"type\":"
                                      "\"message_error\",\"message\":\"The "
                                      "memory limit was exceeded")));
    json_decref(v);
}

static void test_the_digest_tells_later_questions_what_was_done(void **state)
{
    (void)state;
    assert_int_equal(run_digest(test.run).len, 0); /* there is no plan */
    fill_run();
    struct str digest = run_digest(test.run);
    assert_true(str_is(digest, "Plan: Revenue by city. Datasets: orders. "
                               "SQL: select 1. Joined: orders.city_id = "
                               "cities.city_id AND orders.day = cities.day. "
                               "Rows: 3 and more\x1e. query_database: | a |"));
}

static void test_the_digest_has_a_bound(void **state)
{
    (void)state;
    char large[20000];
    memset(large, 'x', sizeof large);
    fill_run();
    query.full_sql = (struct str){large, sizeof large};
    for (int i = 0; i < 300; i++) {
        struct tracked_call *c =
            run_tool_started(test.run, PHASE_EXECUTOR, 1, STR(""),
                             STR("query_database"), STR("{}"));
        run_tool_ended(test.run, c, (struct str){large, sizeof large}, false);
    }
    assert_true(run_digest(test.run).len < 5000);
    assert_int_equal(test.run->calls.first->next->result.len,
                     2002); /* quoted */
}

static size_t calls_in(struct str record)
{
    json_t *v = json_read(record, NULL);
    size_t n = json_array_size(v);
    json_decref(v);
    return n;
}

static void one_call(const char *result)
{
    struct tracked_call *c =
        run_tool_started(test.run, PHASE_NAVIGATOR, 0, STR(""),
                         STR("get_sample_data"), STR("{}"));
    run_tool_ended(test.run, c, str_of(result), false);
}

static void test_each_tool_call_goes_on_record_once(void **state)
{
    (void)state;
    struct run *r = test.run;
    assert_int_equal(run_unrecorded_calls(r, &test.memory).len, 0);
    one_call("first");
    one_call("second");
    assert_int_equal(calls_in(run_unrecorded_calls(r, &test.memory)), 2);
    run_calls_recorded(r);
    assert_int_equal(run_unrecorded_calls(r, &test.memory).len, 0);
    one_call("\"third\"\n");
    struct str record = run_unrecorded_calls(r, &test.memory);
    assert_int_equal(calls_in(record), 1);
    assert_true(str_find(record, STR("\"result\":\"\\\"third\\\"\\n\"")) > 0);
    run_calls_recorded(r);
    assert_int_equal(r->calls.n_records, 2);
}

static void test_calls_on_record_come_first_in_the_metadata(void **state)
{
    (void)state;
    struct run *r = test.run;
    struct str records[3];
    fill_run();
    records[0] = run_unrecorded_calls(r, &test.memory);
    run_calls_recorded(r);
    one_call("second");
    one_call("third");
    records[1] = run_unrecorded_calls(r, &test.memory);
    run_calls_recorded(r);
    records[2] = STR("[]");
    one_call("fourth");
    struct run_calls told = {.records = records, .n = 3};
    r->calls.read_back = &told;
    json_t *v = metadata();
    const json_t *calls = json_object_get(v, "toolCalls");
    static const char *const results[] = {"| a |", "second", "third", "fourth"};
    assert_int_equal(json_array_size(calls), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(str_is(json_get_text(json_array_get(calls, i), "result"),
                           results[i]));
    json_decref(v);
    r->calls.read_back = NULL;
}

/* A run that goes back often: the last record takes what is left. */
static void test_no_tool_call_is_lost_beyond_the_last_record(void **state)
{
    (void)state;
    struct run *r = test.run;
    for (int i = 0; i < CALL_RECORDS - 1; i++) {
        one_call("before");
        run_calls_recorded(r);
    }
    assert_string_equal(run_call_record_name(r->calls.n_records).text,
                        "calls_15");
    for (size_t n = 1; n < 4; n++) {
        one_call("after");
        assert_int_equal(calls_in(run_unrecorded_calls(r, &test.memory)), n);
        run_calls_recorded(r);
        assert_int_equal(r->calls.n_records, CALL_RECORDS - 1);
    }
}

static void test_terminal_events_are_made_from_the_row(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, &test.memory);
    message_terminal_frame(&out, STR("id"), STR("complete"), STR("a\nb"),
                           STR("{\"x\":1}"), 9);
    assert_true(str_is(
        buf_view(&out),
        "event: message_complete\ndata: {\"type\":\"message_complete\","
        "\"messageId\":\"id\",\"content\":\"a\\nb\",\"status\":\"complete\","
        "\"metadata\":{\"x\":1}}\nid: 9\n\n"));
    buf_clear(&out);
    message_terminal_frame(
        &out, STR("id"), STR("failed"), STR(""),
        STR("{\"error\":{\"message\":\"no\",\"code\":\"BUDGET\"}}"), 1);
    assert_true(str_is(
        buf_view(&out),
        "event: message_error\ndata: {\"type\":\"message_error\",\"message\":"
        "\"no\",\"error\":\"no\",\"code\":\"BUDGET\"}\nid: 1\n\n"));
    buf_clear(&out);
    message_terminal_frame(&out, STR("id"), STR("failed"), STR(""), STR(""), 1);
    assert_true(str_find(buf_view(&out), STR("\"code\":\"INTERNAL\"")) > 0);
    buf_clear(&out);
    message_terminal_frame(&out, STR("id"), STR("clarification_needed"),
                           STR("?"), STR(""), 2);
    assert_true(str_find(buf_view(&out), STR("\"metadata\":null")) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AGENT_TEST(test_metadata_of_an_answer_has_all_its_keys),
        AGENT_TEST(test_lineage_says_how_datasets_were_joined),
        AGENT_TEST(test_lineage_shows_the_joins_that_were_made),
        AGENT_TEST(test_a_run_that_failed_early_has_metadata_too),
        AGENT_TEST(test_the_last_words_need_no_memory_of_the_run),
        AGENT_TEST(test_the_digest_tells_later_questions_what_was_done),
        AGENT_TEST(test_the_digest_has_a_bound),
        AGENT_TEST(test_each_tool_call_goes_on_record_once),
        AGENT_TEST(test_calls_on_record_come_first_in_the_metadata),
        AGENT_TEST(test_no_tool_call_is_lost_beyond_the_last_record),
        AGENT_TEST(test_terminal_events_are_made_from_the_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
