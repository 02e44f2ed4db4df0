/* All errors of a model are reported at once, each with line and column.
 *
 * A case is a text and its findings, in order. BELOW is a model whose datasets
 * start at line 4; PAIR is one with two datasets, and its relationships or
 * metrics start at line 10. */
#include "model_help.h"
#include "base/banned.h"

#define BELOW(datasets) \
    "semantic_model:\n" \
    "- name: m\n" \
    "  datasets:\n" datasets
#define PAIR(rest) \
    "semantic_model:\n" \
    "- name: m\n" \
    "  datasets:\n" \
    "  - {name: a, source: a, primary_key: [k], fields: [{name: k, " \
    "expression: k}]}\n" \
    "  - name: b\n" \
    "    source: b\n" \
    "    fields:\n" \
    "    - {name: k, expression: k}\n" \
    "    - {name: v, expression: v}\n" rest

struct expected {
    enum osi_severity severity;
    int line, column;
    const char *path, *message;
};
#define E(...) {OSI_ERROR, __VA_ARGS__}
#define W(...) {OSI_WARNING, __VA_ARGS__}

enum { EXPECTED_MOST = 4 };

struct broken {
    const char *text;
    struct expected findings[EXPECTED_MOST];
};

static const struct broken yaml[] = {
    {"a: [1, 2\nb: 3\n", {E(2, 2, "", "not YAML")}},
    {"a: b: c\n", {E(1, 5, "", "mapping values are not allowed")}},
    {"a:\n\t- b\n", {E(2, 1, "", "not YAML")}},
    {"a: \"x\n", {E(2, 1, "", "not YAML")}},
    {"a: 'x\x01'\n", {E(1, 6, "", "control characters")}},
    {"a: b\nc: \xff\n", {E(2, 4, "", "not UTF-8")}},
    {"a: \xc3\xa4\xc3\nb: c\n", {E(1, 5, "", "not UTF-8")}},
    {"", {E(0, 0, "", "empty")}},
    {"# nothing\n", {E(1, 1, "", "empty")}},
    {"a: &x 1\n", {E(1, 4, "", "anchors")}},
    {"a: &x [1]\n", {E(1, 4, "", "anchors")}},
    {"a: 1\nb: *x\n", {E(2, 4, "", "aliases")}},
    {"a: !!str 1\n", {E(1, 4, "", "tags")}},
    {"a: !x {b: 1}\n", {E(1, 4, "", "tags")}},
    {"%TAG ! tag:x,2000:\n---\na: 1\n", {E(1, 1, "", "tags")}},
    {"a: 1\nb:\n  <<: {c: 1}\n", {E(3, 3, "", "merge keys")}},
    {"a: 1\n---\nb: 1\n", {E(2, 1, "", "more than one document")}},
    {"a: \"x\\0y\"\n", {E(1, 4, "", "NUL")}},
    {"{\"a\": 1,, \"b\": 2}\n", {E(1, 9, "", "not YAML")}},
    {"{\"a\": \"\\ud800\"}\n", {E(1, 10, "", "not YAML")}},
};

static const struct broken shapes[] = {
    {"just a text\n", {E(1, 1, "", "not a semantic model")}},
    {"a: 1\n", {E(1, 1, "", "semantic_model is missing")}},
    {"[]\n", {E(1, 1, "", "no dataset")}},
    {"[1, 2]\n",
     {E(1, 2, "/0", "must be a mapping"), E(1, 5, "/1", "must be a mapping")}},
    {"semantic_model: x\n", {E(1, 17, "/semantic_model", "must be a list")}},
    {"semantic_model: []\n", {E(1, 17, "/semantic_model", "no semantic")}},
    {"semantic_model:\n- name: m\n",
     {E(2, 3, "/semantic_model/0", "datasets is missing")}},
    {"semantic_model:\n- name: m\n  datasets: []\n",
     {E(3, 13, "/semantic_model/0/datasets", "no dataset")}},
    {"semantic_model:\n- datasets:\n  - {name: a, source: a}\n",
     {E(2, 3, "/semantic_model/0", "name is missing")}},
    {"semantic_model:\n- name: m\n  datasets: {a: b}\n",
     {E(3, 13, "/semantic_model/0/datasets", "must be a list")}},
    {"version: 7\nsemantic_model:\n- name: m\n  datasets: [{name: a, source: "
     "a}]\n- name: n\n",
     {W(1, 10, "/version", "is not known"),
      W(5, 3, "/semantic_model/1", "only the first")}},
    {"name: a\ntable: a\nname: b\n",
     {E(3, 1, "/name", "there already, in line 1")}},
    {"name: a\ntable: a\n? [x]\n: 1\n", {E(3, 3, "", "key must be a text")}},
};

static const struct broken datasets[] = {
    {BELOW("  - name: a\n"),
     {E(4, 5, "/semantic_model/0/datasets/0", "source is missing")}},
    {BELOW("  - source: a\n"),
     {E(4, 5, "/semantic_model/0/datasets/0", "name is missing")}},
    {BELOW("  - name:\n    source: a\n"),
     {E(4, 10, "/semantic_model/0/datasets/0/name", "name is empty")}},
    {BELOW("  - name: [a]\n    source: a\n"),
     {E(4, 11, "/semantic_model/0/datasets/0/name", "must be a text")}},
    {BELOW("  - name: \"a\\nb\"\n    source: a\n"),
     {E(4, 11, "/semantic_model/0/datasets/0/name", "on one line")}},
    {BELOW("  - {name: a, source: a}\n  - {name: a, source: b}\n"),
     {E(5, 12, "/semantic_model/0/datasets/1/name", "in line 4")}},
    {BELOW("  - {name: a, source: a}\n  - {name: A, source: b}\n"),
     {W(5, 12, "/semantic_model/0/datasets/1/name", "case alone")}},
    {BELOW("  - {name: a, source: a..b}\n"),
     {E(4, 23, "/semantic_model/0/datasets/0/source", "must be a table")}},
    {BELOW("  - {name: a, source: '\"a'}\n"),
     {E(4, 23, "/semantic_model/0/datasets/0/source", "must be a table")}},
    {BELOW("  - {name: a, source: w.x.y.z}\n"),
     {W(4, 23, "/semantic_model/0/datasets/0/source", "last two parts")}},
    {BELOW("  - {name: a, source: delete from b}\n"), {{0}}},
    {BELOW("  - {name: a, source: (delete from b)}\n"),
     {E(4, 23, "/semantic_model/0/datasets/0/source", "refused")}},
    {BELOW("  - {name: a, source: ()}\n"),
     {E(4, 23, "/semantic_model/0/datasets/0/source", "must be a table")}},
    {BELOW("  - {name: a, source: (select 1) as b}\n"),
     {E(4, 23, "/semantic_model/0/datasets/0/source", "must be a table")}},
    {BELOW("  - {name: a, source: select 1 from b for update}\n"),
     {E(4, 23, "/semantic_model/0/datasets/0/source", "refused")}},
    {BELOW("  - {name: a, source: a, primary_key: []}\n"),
     {E(4, 39, "/semantic_model/0/datasets/0/primary_key", "no column")}},
    {BELOW("  - {name: a, source: a, unique_keys: [[]]}\n"),
     {E(4, 40, "/semantic_model/0/datasets/0/unique_keys/0",
        "without columns")}},
    {BELOW("  - {name: a, source: a, unique_keys: {x: y}}\n"),
     {E(4, 39, "/semantic_model/0/datasets/0/unique_keys", "must be a list")}},
    {BELOW("  - {name: a, source: a, ai_context: [x]}\n"),
     {E(4, 38, "/semantic_model/0/datasets/0/ai_context",
        "must be a mapping")}},
    {BELOW("  - {name: a, source: a, ai_context: {synonyms: {x: y}}}\n"),
     {E(4, 49, "/semantic_model/0/datasets/0/ai_context/synonyms",
        "list of texts")}},
    {BELOW("  - {name: a, source: a, fields: [x]}\n"),
     {E(4, 35, "/semantic_model/0/datasets/0/fields/0", "must be a mapping")}},
    {BELOW("  - {name: a, source: a, fields: [{name: x}]}\n"),
     {W(4, 35, "/semantic_model/0/datasets/0/fields/0",
        "expression is missing")}},
    {BELOW("  - name: a\n    source: a\n    fields:\n"
           "    - {name: x, expression: x}\n    - {name: x, expression: y}\n"
           "    - {name: X, expression: z}\n"),
     {E(8, 14, "/semantic_model/0/datasets/0/fields/1/name", "in line 7"),
      W(9, 14, "/semantic_model/0/datasets/0/fields/2/name", "case alone")}},
    {BELOW("  - name: a\n    source: a\n    fields:\n"
           "    - {name: x, expression: x, dimension: {is_time: maybe}}\n"),
     {E(7, 53, "/semantic_model/0/datasets/0/fields/0/dimension/is_time",
        "true or false")}},
    {BELOW("  - name: a\n    source: a\n    fields:\n"
           "    - {name: x, expression: {dialects: []}}\n"
           "    - {name: y, expression: {}}\n"
           "    - {name: z, expression: ''}\n"
           "    - {name: u, expression: [{dialect: ANSI_SQL}]}\n"),
     {E(7, 40, "/semantic_model/0/datasets/0/fields/0/expression/dialects",
        "no dialects"),
      E(8, 29, "/semantic_model/0/datasets/0/fields/1/expression",
        "dialects is missing"),
      E(9, 29, "/semantic_model/0/datasets/0/fields/2/expression",
        "expression is empty"),
      E(10, 30, "/semantic_model/0/datasets/0/fields/3/expression/0",
        "expression is missing")}},
    {BELOW("  - name: a\n    source: a\n    fields:\n"
           "    - {name: x, expression: x +}\n"
           "    - {name: y, expression: '1) from (select 1'}\n"
           "    - {name: z, expression: '1; drop table a'}\n"
           "    - {name: u, expression: [{dialect: MDX, expression: '[A'}]}\n"),
     {E(7, 29, "/semantic_model/0/datasets/0/fields/0/expression",
        "is not SQL"),
      W(8, 29, "/semantic_model/0/datasets/0/fields/1/expression", "as SQL"),
      E(9, 29, "/semantic_model/0/datasets/0/fields/2/expression",
        "is not SQL"),
      W(10, 57,
        "/semantic_model/0/datasets/0/fields/3/expression/0/"
        "expression",
        "that of MDX is used")}},
    {BELOW("  - name: a\n    source: a\n    fields:\n"
           "    - {name: x, expression: pg_sleep(1)}\n"
           "    - {name: y, expression: [{dialect: SNOWFLAKE, "
           "expression: 'a::b:c'}]}\n"),
     {W(7, 29, "/semantic_model/0/datasets/0/fields/0/expression", "as SQL"),
      W(8, 63, "/semantic_model/0/datasets/0/fields/1/expression/0/expression",
        "that of SNOWFLAKE is used"),
      W(8, 63, "/semantic_model/0/datasets/0/fields/1/expression/0/expression",
        "as SQL")}},
    {BELOW("  - {name: a, source: a, primary_key: [x], fields: [{name: y, "
           "expression: y}]}\n"),
     {W(4, 40, "/semantic_model/0/datasets/0/primary_key/0", "not a field")}},
};

static const struct broken relationships[] = {
    {PAIR("  relationships:\n"
          "  - {name: r, from: b, to: c, from_columns: k, to_columns: k}\n"),
     {E(11, 28, "/semantic_model/0/relationships/0/to",
        "there is no dataset \"c\"")}},
    {PAIR("  relationships:\n"
          "  - {name: r, from: b, to: a, from_columns: [k, v], to_columns: "
          "[k]}\n"),
     {E(11, 65, "/semantic_model/0/relationships/0/to_columns",
        "from_columns has 2 columns, to_columns has 1")}},
    {PAIR("  relationships:\n"
          "  - {name: r, from: b, to: a, from_columns: [], to_columns: k}\n"),
     {E(11, 45, "/semantic_model/0/relationships/0/from_columns",
        "no column")}},
    {PAIR("  relationships:\n"
          "  - {name: r, from: b, to: a, from_columns: k}\n"),
     {E(11, 5, "/semantic_model/0/relationships/0", "to_columns is missing")}},
    {PAIR("  relationships:\n"
          "  - {name: r, to: a, from_columns: k, to_columns: k}\n"),
     {E(11, 5, "/semantic_model/0/relationships/0", "from is missing")}},
    {PAIR("  relationships:\n"
          "  - {name: r, from: a, to: b, from_columns: k, to_columns: v}\n"),
     {W(11, 60, "/semantic_model/0/relationships/0/to_columns",
        "not the primary key nor a unique key of b")}},
    {PAIR("  relationships:\n"
          "  - {name: r, from: b, to: a, from_columns: [w], to_columns: k}\n"),
     {W(11, 46, "/semantic_model/0/relationships/0/from_columns/0",
        "\"w\" is not a field of b")}},
    {PAIR("  relationships:\n"
          "  - {name: r, from: b, to: a, from_columns: k, to_columns: k}\n"
          "  - {name: r, from: b, to: a, from_columns: v, to_columns: k}\n"),
     {E(12, 12, "/semantic_model/0/relationships/1/name",
        "already a relationship \"r\", in line 11")}},
};

static const struct broken metrics[] = {
    {PAIR("  metrics:\n  - {name: x}\n"),
     {E(11, 5, "/semantic_model/0/metrics/0", "expression is missing")}},
    {PAIR("  metrics:\n  - {name: x, expression: sum(a.k)}\n"
          "  - {name: x, expression: sum(b.k)}\n"),
     {E(12, 12, "/semantic_model/0/metrics/1/name", "already a metric")}},
    {PAIR("  metrics:\n  - {name: x, expression: sum(w)}\n"),
     {W(11, 27, "/semantic_model/0/metrics/0/expression",
        "\"w\" is not a field of any dataset")}},
    {PAIR("  metrics:\n  - {name: x, expression: sum(b.w)}\n"),
     {W(11, 27, "/semantic_model/0/metrics/0/expression",
        "\"w\" is not a field of b")}},
    {PAIR("  metrics:\n  - {name: x, expression: sum(c.k)}\n"),
     {W(11, 27, "/semantic_model/0/metrics/0/expression",
        "there is no dataset \"c\"")}},
    {PAIR("  metrics:\n  - {name: x, expression: sum(k)}\n"), {{0}}},
    {PAIR("  metrics:\n  - {name: x, expression: sum(}\n"),
     {E(11, 27, "/semantic_model/0/metrics/0/expression", "is not SQL")}},
};

static void compare(const struct broken *broken, const struct osi_report *found)
{
    size_t wanted = 0;
    while (wanted < EXPECTED_MOST && broken->findings[wanted].message)
        wanted++;
    for (size_t i = 0; i < found->n_findings; i++) {
        const struct osi_finding *f = &found->findings[i];
        const struct expected *e = &broken->findings[i];
        bool same = i < wanted && f->severity == e->severity &&
                    f->line == e->line && f->column == e->column &&
                    str_is(f->path, e->path) &&
                    str_find(f->message, str_of(e->message)) >= 0;
        if (!same)
            fail_msg("of\n%s\nfinding %zu is %d:%d %.*s: %.*s", broken->text, i,
                     f->line, f->column, STR_ARG(f->path), STR_ARG(f->message));
    }
    if (found->n_findings != wanted)
        fail_msg("of\n%s\nonly %zu findings", broken->text, found->n_findings);
}

static void read_all(struct arena *arena, const struct broken *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct ontology *model;
        struct osi_report report;
        bool fine = osi_read(arena, str_of(cases[i].text), &model, &report);
        assert_int_equal(fine, report.n_errors == 0);
        compare(&cases[i], &report);
    }
}
#define READ_ALL(cases) read_all(*state, cases, sizeof cases / sizeof *cases)

static void test_what_is_no_yaml_is_reported_with_its_place(void **state)
{
    READ_ALL(yaml);
}

static void test_a_wrong_shape_is_reported_with_its_place(void **state)
{
    READ_ALL(shapes);
}

static void test_wrong_datasets_are_reported_with_their_place(void **state)
{
    READ_ALL(datasets);
}

static void test_wrong_relationships_are_reported_with_their_place(void **state)
{
    READ_ALL(relationships);
}

static void test_wrong_metrics_are_reported_with_their_place(void **state)
{
    READ_ALL(metrics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_what_is_no_yaml_is_reported_with_its_place),
        model_test(test_a_wrong_shape_is_reported_with_its_place),
        model_test(test_wrong_datasets_are_reported_with_their_place),
        model_test(test_wrong_relationships_are_reported_with_their_place),
        model_test(test_wrong_metrics_are_reported_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
