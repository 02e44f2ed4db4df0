/* The model as JSON: nothing is lost, and wrong JSON is refused. */
#include "model_help.h"
#include "ontology/graph_json.h"
#include "ontology/model_json.h"
#include "../leave_out.h"
#include "base/banned.h"

static struct str written(struct arena *arena, const struct ontology *o)
{
    struct buf out;
    buf_init(&out, arena);
    ontology_to_json(o, &out);
    return buf_view(&out);
}

static struct ontology *read_back(struct arena *arena, struct str text,
                                  struct str *problem)
{
    json_t *json = json_read(text, NULL);
    assert_non_null(json);
    struct ontology *o = ontology_from_json(arena, json, problem);
    json_decref(json);
    return o;
}

static void comes_back(struct arena *arena, const struct ontology *o)
{
    struct str problem, text = written(arena, o);
    const struct ontology *again = read_back(arena, text, &problem);
    if (!again)
        fail_msg("%.*s", STR_ARG(problem));
    assert_true(str_eq(written(arena, again), text));
    assert_int_equal(again->n_datasets, o->n_datasets);
    for (size_t i = 0; i < o->n_datasets; i++) {
        const struct dataset *a = &again->datasets[i], *b = &o->datasets[i];
        assert_true(str_eq(a->yaml, b->yaml));
        assert_int_equal(a->n_fields, b->n_fields);
        for (size_t j = 0; j < b->n_fields; j++) {
            assert_int_equal(a->fields[j].is_time, b->fields[j].is_time);
            assert_int_equal(a->fields[j].required, b->fields[j].required);
        }
    }
    for (size_t i = 0; i < o->n_relationships; i++) {
        assert_int_equal(again->relationships[i].from,
                         o->relationships[i].from);
        assert_int_equal(again->relationships[i].to, o->relationships[i].to);
        assert_int_equal(again->relationships[i].to_is_key,
                         o->relationships[i].to_is_key);
    }
}

static const char everything[] =
    "version: 0.2.0.dev0\n"
    "semantic_model:\n"
    "- name: m\n"
    "  description: \"tab\\t quote\\\" \\u263a\"\n"
    "  ai_context: {instructions: i, synonyms: [s], examples: [e, f]}\n"
    "  datasets:\n"
    "  - name: a\n"
    "    source: a\n"
    "    primary_key: [k, l]\n"
    "    unique_keys: [[u], [v, w]]\n"
    "    ai_context: {synonyms: [x]}\n"
    "    fields:\n"
    "    - name: k\n"
    "      expression: [{dialect: SNOWFLAKE, expression: k || 1}]\n"
    "      label: K\n"
    "      description: d\n"
    "      datatype: Date\n"
    "      ai_context: {synonyms: [y], instructions: z}\n"
    "  - {name: q, source: select 1 as k from b}\n"
    "  relationships:\n"
    "  - {name: r, from: q, to: a, from_columns: [k, l], to_columns: [k, l],\n"
    "     description: rd, ai_context: {synonyms: [rs]}}\n"
    "  - {name: s, from: a, to: a, from_columns: u, to_columns: u}\n"
    "  metrics:\n"
    "  - {name: n, expression: sum(a.k) + sum(q.k), description: md}\n";

static void test_every_part_comes_back(void **state)
{
    comes_back(*state, model_read(*state, str_of(everything)));
}

static void test_an_almost_empty_model_comes_back(void **state)
{
    comes_back(*state, model_read(*state, STR("{name: a, table: a}")));
}

static void test_the_models_of_osi_and_the_demo_come_back(void **state)
{
    struct str texts[] = {
        model_shared(*state, "osi/sales-0.2.0.dev0.yaml"),
        model_shared(*state, "osi/tpcds-1.0.yaml"),
        model_demo(*state),
    };
    size_t n = 0;
    for (size_t i = 0; i < 3; i++)
        if (texts[i].len && ++n)
            comes_back(*state, model_read(*state, texts[i]));
    if (!n)
        leave_out("SEXTANT_SHARED_DATA is not set");
}

static void test_the_json_is_no_slice_of_what_was_read(void **state)
{
    struct arena own;
    arena_init(&own, 0);
    struct str text = written(*state, model_read(*state, str_of(everything)));
    const struct ontology *o = read_back(&own, text, NULL);
    assert_non_null(o);
    arena_done(*state);
    assert_str(o->datasets[0].fields[0].dialect, "SNOWFLAKE");
    assert_str(o->metrics[0].description, "md");
    arena_done(&own);
}

static void test_what_is_not_as_written_is_refused(void **state)
{
    static const struct {
        const char *json, *problem;
    } cases[] = {
        {"[]", "format"},
        {"{}", "format"},
        {"{\"format\":2}", "format"},
        {"{\"format\":1,\"datasets\":{}}", "datasets is not a list"},
        {"{\"format\":1,\"datasets\":[7]}", "name is missing"},
        {"{\"format\":1,\"datasets\":[{\"name\":7}]}", "name is not a text"},
        {"{\"format\":1,\"datasets\":[{\"name\":\"a\",\"synonyms\":[1]}]}",
         "not a text"},
        {"{\"format\":1,\"datasets\":[{\"name\":\"a\"},{\"name\":\"a\"}]}",
         "two datasets"},
        {"{\"format\":1,\"datasets\":[{\"name\":\"a\"}],\"relationships\":[{"
         "\"name\":\"r\",\"from\":\"a\",\"to\":\"b\"}]}",
         "no dataset \"b\""},
        {"{\"format\":1,\"datasets\":[{\"name\":\"a\"}],\"relationships\":[{"
         "\"name\":\"r\",\"from\":\"a\",\"to\":\"a\",\"fromColumns\":[\"x\"],"
         "\"toColumns\":[]}]}",
         "do not match"},
        {"{\"format\":1,\"datasets\":[{\"name\":\"a\"}],\"metrics\":[{"
         "\"name\":\"m\",\"datasets\":[\"b\"]}]}",
         "no dataset \"b\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str problem;
        assert_null(read_back(*state, str_of(cases[i].json), &problem));
        if (str_find(problem, str_of(cases[i].problem)) < 0)
            fail_msg("%s: %.*s", cases[i].json, STR_ARG(problem));
    }
}

/* ---- the graph ----------------------------------------------------------- */

static json_t *graph_of(struct arena *arena, const struct ontology *o,
                        bool with_fields)
{
    struct buf out;
    struct json_problem problem;
    buf_init(&out, arena);
    ontology_graph_json(o, with_fields, &out);
    json_t *graph = json_read(buf_view(&out), &problem);
    if (!graph)
        fail_msg("%s", problem.text);
    return graph;
}

static void test_the_graph_names_what_it_joins(void **state)
{
    struct ontology *o = model_read(
        *state,
        STR("datasets:\n"
            "- {name: a, source: a, primary_key: [k], fields: [{name: k}]}\n"
            "- {name: 'b \"\xf0\x9f\x98\x80', source: '\"B\"', fields: "
            "[{name: v}, {name: k}]}\n"
            "relationships:\n"
            "- {name: r, from: 'b \"\xf0\x9f\x98\x80', to: a, from_columns: "
            "[k], to_columns: [k]}\n"
            "metrics:\n"
            "- {name: m, expression: COUNT(a.k), description: 'In \"EUR\".'}\n"));
    json_t *graph = graph_of(*state, o, true);
    const json_t *metrics = json_object_get(graph, "metrics");
    assert_int_equal(json_array_size(metrics), 1);
    const json_t *m = json_array_get(metrics, 0);
    assert_str(json_get_text(m, "name"), "m");
    assert_str(json_get_text(m, "description"), "In \"EUR\".");
    const json_t *nodes = json_object_get(graph, "nodes");
    const json_t *edges = json_object_get(graph, "edges");
    assert_int_equal(json_array_size(nodes), 5);
    assert_int_equal(json_array_size(edges), 4);
    const json_t *b = json_array_get(nodes, 2);
    assert_str(json_get_text(b, "id"), "d1");
    assert_str(json_get_text(b, "name"), "b \"\xf0\x9f\x98\x80");
    const json_t *r = json_array_get(edges, 0);
    assert_str(json_get_text(r, "source"), "d1");
    assert_str(json_get_text(r, "target"), "d0");
    assert_true(
        json_get_bool(json_object_get(r, "properties"), "toIsKey", false));
    const json_t *last = json_array_get(edges, 3);
    assert_str(json_get_text(last, "type"), "HAS_FIELD");
    assert_str(json_get_text(last, "target"), "d1f1");
    json_decref(graph);
    graph = graph_of(*state, o, false);
    assert_int_equal(json_array_size(json_object_get(graph, "nodes")), 2);
    assert_int_equal(json_array_size(json_object_get(graph, "edges")), 1);
    json_decref(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_every_part_comes_back),
        model_test(test_an_almost_empty_model_comes_back),
        model_test(test_the_models_of_osi_and_the_demo_come_back),
        model_test(test_the_json_is_no_slice_of_what_was_read),
        model_test(test_what_is_not_as_written_is_refused),
        model_test(test_the_graph_names_what_it_joins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
