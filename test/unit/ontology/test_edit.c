/* Edits of a model's text: each operation, what it keeps, what it refuses; what
 * is hidden; differences in words. */
#include "model_help.h"
#include "ontology/columns.h"
#include "ontology/evidence.h"
#include "ontology/guardrail.h"
#include "ontology/model_changes.h"
#include "ontology/model_json.h"
#include "ontology/osi_edit.h"

static const char shop[] =
    "# the shop\n"
    "semantic_model:\n"
    "  - name: shop\n"
    "    datasets:\n"
    "      # money comes from here\n"
    "      - name: orders # a fact\n"
    "        source: public.orders\n"
    "        primary_key: [id]\n"
    "        fields:\n"
    "          - name: id\n"
    "            expression: id\n"
    "          - name: total   # in cents\n"
    "            expression: total\n"
    "            description: What was paid # not what was asked\n"
    "          - name: customer_id\n"
    "            expression: customer_id\n"
    "\n"
    "      # people\n"
    "      - name: customers\n"
    "        source: public.customers\n"
    "        primary_key: [id]\n"
    "        unique_keys:\n"
    "          - [email]\n"
    "        ai_context: Never by name.\n"
    "        fields:\n"
    "          - {name: id, expression: id}\n"
    "          - {name: email, expression: email}\n"
    "    relationships:\n"
    "      - name: orders_to_customers\n"
    "        from: orders\n"
    "        to: customers\n"
    "        from_columns: [customer_id]\n"
    "        to_columns: [id]\n"
    "    metrics:\n"
    "      - name: revenue\n"
    "        expression: sum(orders.total)\n"
    "      - name: people # all of them\n"
    "        expression: count(customers.email)\n";

static int model_arena(void **state)
{
    struct arena *arena = malloc(sizeof *arena);
    arena_init(arena, 0);
    *state = arena;
    return 0;
}

static int model_arena_done(void **state)
{
    arena_done(*state);
    free(*state);
    return 0;
}

static struct osi_edited edited_by(struct arena *arena, const char *text,
                                   const char *edits)
{
    struct osi_edited out;
    json_t *json = json_loads(edits, 0, NULL);
    assert_non_null(json);
    osi_edit(arena, str_of(text), json, &out);
    json_decref(json);
    return out;
}

/* The new text, which can be read. */
static struct str edit(struct arena *arena, const char *text, const char *edits)
{
    struct osi_edited out = edited_by(arena, text, edits);
    assert_str(out.problem, "");
    model_read(arena, out.text);
    return out.text;
}

static struct ontology *all_of(struct arena *arena, struct str text)
{
    struct ontology *all, *shown;
    struct osi_report report;
    assert_true(osi_read_all(arena, text, &all, &shown, &report));
    return all;
}

/* The text with `lines` in place of the first occurrence of `old`. */
static struct str with(struct arena *arena, const char *old, const char *lines)
{
    struct str text = str_of(shop);
    ptrdiff_t at = str_find(text, str_of(old));
    assert_true(at >= 0);
    return arena_printf(arena, "%.*s%s%s", (int)at, shop, lines,
                        shop + at + strlen(old));
}

static void assert_same(struct str actual, struct str wanted)
{
    if (!str_eq(actual, wanted))
        fail_msg("got:\n%.*s\nwanted:\n%.*s", STR_ARG(actual), STR_ARG(wanted));
}

static void test_a_new_value_is_a_new_line_and_nothing_else(void **state)
{
    assert_same(
        edit(*state, shop,
             "[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\","
             " \"values\": {\"label\": \"Sales\"}}]"),
        with(*state, "      - name: orders # a fact\n",
             "      - name: orders # a fact\n        label: Sales\n"));
}

static void test_a_changed_value_keeps_its_comment(void **state)
{
    assert_same(
        edit(*state, shop,
             "[{\"op\": \"set\", \"kind\": \"field\", \"dataset\": \"orders\","
             " \"name\": \"total\", \"values\": {\"description\": \"Paid\"}}]"),
        with(*state, "What was paid # not", "Paid # not"));
}

static void test_a_removed_value_takes_its_line_along(void **state)
{
    assert_same(
        edit(*state, shop,
             "[{\"op\": \"set\", \"kind\": \"field\", \"dataset\": \"orders\","
             " \"name\": \"total\", \"values\": {\"description\": null}}]"),
        with(*state,
             "            description: What was paid # not what was asked\n",
             ""));
}

static void test_a_flow_mapping_is_written_as_lines(void **state)
{
    assert_same(
        edit(*state, shop,
             "[{\"op\": \"set\", \"kind\": \"field\", \"dataset\": "
             "\"customers\", \"name\": \"id\", \"values\": {\"synonyms\": "
             "[\"no\", \"number: 1\"]}}]"),
        with(*state, "          - {name: id, expression: id}\n",
             "          - name: id\n"
             "            expression: id\n"
             "            ai_context:\n"
             "              synonyms:\n"
             "                - \"no\"\n"
             "                - \"number: 1\"\n"));
}

static void test_a_plain_context_becomes_its_instructions(void **state)
{
    struct str text =
        edit(*state, shop,
             "[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": "
             "\"customers\", \"values\": {\"synonyms\": [\"people\"]}}]");
    const struct dataset *d = &all_of(*state, text)->datasets[1];
    assert_str(d->hints.instructions, "Never by name.");
    assert_str(d->hints.synonyms.items[0], "people");
    assert_true(str_find(text, STR("# people\n")) >= 0);
}

static void test_texts_of_several_lines_come_back(void **state)
{
    struct str text = edit(
        *state, shop,
        "[{\"op\": \"set\", \"kind\": \"model\", \"values\": {\"instructions\":"
        " \"one\\n\\n  two: # no comment\\n- three\"}}]");
    assert_str(all_of(*state, text)->hints.instructions,
               "one\n\n  two: # no comment\n- three");
    assert_true(str_starts(text, STR("# the shop\n")));
}

static void test_metrics_and_relationships_come_and_go(void **state)
{
    struct str text =
        edit(*state, shop,
             "[{\"op\": \"add\", \"kind\": \"metric\", \"values\": {\"name\":"
             " \"orders\", \"expression\": \"count(orders.id)\","
             " \"label\": \"Orders\"}},"
             " {\"op\": \"set\", \"kind\": \"metric\", \"name\": \"revenue\","
             "  \"values\": {\"name\": \"income\"}},"
             " {\"op\": \"remove\", \"kind\": \"metric\", \"name\":"
             "  \"people\"},"
             " {\"op\": \"remove\", \"kind\": \"relationship\", \"name\":"
             "  \"orders_to_customers\"}]");
    const struct ontology *o = all_of(*state, text);
    assert_int_equal(o->n_relationships, 0);
    assert_int_equal(o->n_metrics, 2);
    assert_str(o->metrics[0].name, "income");
    assert_str(o->metrics[1].label, "Orders");
    assert_str(o->metrics[1].expression, "count(orders.id)");
    assert_true(str_find(text, STR("relationships")) < 0);
    assert_true(str_find(text, STR("# money comes from here")) >= 0);
    text = edit(*state, arena_cstr(*state, text),
                "[{\"op\": \"add\", \"kind\": \"relationship\", \"values\":"
                " {\"name\": \"r\", \"from\": \"orders\", \"to\":"
                " \"customers\", \"fromColumns\": [\"customer_id\"],"
                " \"toColumns\": [\"id\"]}}]");
    assert_true(all_of(*state, text)->relationships[0].to_is_key);
}

static void test_an_expression_with_dialects_stays_one(void **state)
{
    const char *text = "semantic_model:\n- name: m\n"
                       "  datasets:\n  - {name: a, source: a, fields: "
                       "[{name: x, expression: x}]}\n"
                       "  metrics:\n"
                       "  - name: n\n"
                       "    expression:\n"
                       "      dialects:\n"
                       "      - {dialect: SNOWFLAKE, expression: sum(a.x)}\n";
    struct str out =
        edit(*state, text,
             "[{\"op\": \"set\", \"kind\": \"metric\", \"name\": \"n\","
             " \"values\": {\"expression\": \"max(a.x)\"}}]");
    const struct metric *m = &all_of(*state, out)->metrics[0];
    assert_str(m->expression, "max(a.x)");
    assert_str(m->dialect, "");
    assert_true(str_find(out, STR("SNOWFLAKE")) < 0);
}

static void test_json_is_written_as_yaml(void **state)
{
    struct osi_edited out = edited_by(
        *state, "{\"datasets\": [{\"name\": \"a\", \"source\": \"a\"}]}",
        "[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"a\","
        " \"values\": {\"description\": \"x\"}}]");
    assert_true(out.rewritten);
    assert_str(all_of(*state, out.text)->datasets[0].description, "x");
}

static const struct refused {
    const char *edits, *field, *problem;
} refused[] = {
    {"[]", "edits", "edits must be a list of 1 to 20 edits"},
    {"{}", "edits", "edits must be a list of 1 to 20 edits"},
    {"[1]", "edits/0/kind",
     "kind must be model, dataset, field, metric or relationship"},
    {"[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"x\", \"values\":"
     " {\"label\": \"y\"}}]",
     "edits/0/name", "there is no dataset \"x\""},
    {"[{\"op\": \"set\", \"kind\": \"field\", \"dataset\": \"orders\","
     " \"name\": \"x\", \"values\": {\"label\": \"y\"}}]",
     "edits/0/name", "there is no field \"x\""},
    {"[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\"}]",
     "edits/0/values", "values are missing"},
    {"[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\","
     " \"values\": {\"name\": \"y\"}}]",
     "edits/0/values", "\"name\" of a dataset cannot be set"},
    {"[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\","
     " \"values\": {\"label\": 7}}]",
     "edits/0/values/label", "label must be a text"},
    {"[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\","
     " \"values\": {\"label\": \"a\\nb\"}}]",
     "edits/0/values/label", "label must be on one line"},
    {"[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\","
     " \"values\": {\"hidden\": 1}}]",
     "edits/0/values/hidden", "hidden must be true or false"},
    {"[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\","
     " \"values\": {\"synonyms\": [\"\"]}}]",
     "edits/0/values/synonyms", "synonyms must not be empty"},
    {"[{\"op\": \"set\", \"kind\": \"metric\", \"name\": \"revenue\","
     " \"values\": {\"expression\": null}}]",
     "edits/0/values/expression", "expression must not be empty"},
    {"[{\"op\": \"add\", \"kind\": \"metric\", \"values\": {\"name\":"
     " \"revenue\", \"expression\": \"1\"}}]",
     "edits/0/values/name", "there is already a metric \"revenue\""},
    {"[{\"op\": \"add\", \"kind\": \"relationship\", \"values\": {\"name\":"
     " \"r\"}}]",
     "edits/0/values/from", "from is missing"},
    {"[{\"op\": \"remove\", \"kind\": \"field\", \"name\": \"id\"}]",
     "edits/0/op", "a field can only be set"},
    {"[{\"op\": \"remove\", \"kind\": \"metric\", \"name\": \"x\"}]",
     "edits/0/name", "there is no metric \"x\""},
    {"[{\"op\": \"drop\", \"kind\": \"metric\", \"name\": \"revenue\"}]",
     "edits/0/op", "op must be set, add or remove"},
};

static void test_what_cannot_be_done_says_where_and_why(void **state)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct osi_edited out = edited_by(*state, shop, refused[i].edits);
        assert_str(out.field, refused[i].field);
        assert_str(out.problem, refused[i].problem);
        assert_str(out.text, shop);
    }
}

static void test_a_metric_that_names_nothing_is_in_doubt(void **state)
{
    struct osi_edited out = edited_by(
        *state, shop,
        "[{\"op\": \"set\", \"kind\": \"metric\", \"name\": \"revenue\","
        " \"values\": {\"expression\": \"sum(orders.nothing)\"}}]");
    struct ontology *model;
    struct osi_report report;
    assert_true(osi_read(*state, out.text, &model, &report));
    assert_str(osi_edit_doubt(&out, &report),
               "\"nothing\" is not a field of orders");
}

static void test_the_short_form_has_only_datasets(void **state)
{
    struct osi_edited out = edited_by(
        *state, "name: a\nsource: a\n",
        "[{\"op\": \"add\", \"kind\": \"metric\", \"values\": {\"name\": \"m\","
        " \"expression\": \"count(*)\"}}]");
    assert_true(str_starts(out.problem, STR("this text has only datasets")));
    assert_same(edit(*state, "name: a\nsource: a\n",
                     "[{\"op\": \"set\", \"kind\": \"dataset\", \"name\":"
                     " \"a\", \"values\": {\"label\": \"A\"}}]"),
                STR("name: a\nlabel: A\nsource: a\n"));
}

/* ---- what is hidden ------------------------------------------------------- */

static struct ontology *hide(struct arena *arena, const char *edits)
{
    return model_read(arena, edit(arena, shop, edits));
}

static size_t finds(struct arena *arena, const struct ontology *o,
                    const char *sql)
{
    struct query_findings findings;
    struct query_outline outline;
    query_analyze(arena, o, str_of(sql), &findings, &outline);
    return findings_count(&findings, FINDING_UNKNOWN_COLUMN);
}

static void test_a_hidden_field_is_in_no_part_of_the_model(void **state)
{
    const struct ontology *o =
        hide(*state, "[{\"op\": \"set\", \"kind\": \"field\", \"dataset\":"
                     " \"customers\", \"name\": \"email\", \"values\":"
                     " {\"hidden\": true}}]");
    struct buf json;
    buf_init(&json, *state);
    ontology_to_json(o, &json);
    assert_true(o->hides);
    assert_true(str_find(buf_view(&json), STR("email")) < 0);
    assert_int_equal(o->n_metrics, 1); /* people counts emails */
    assert_int_equal(finds(*state, o, "select email from customers"), 1);
    assert_int_equal(finds(*state, o, "select * from customers"), 1);
    assert_int_equal(finds(*state, o, "select c.* from customers c"), 1);
    assert_int_equal(finds(*state, o, "select count(*) from customers"), 0);
    assert_int_equal(finds(*state, o, "select id from customers"), 0);
    assert_str(dataset_relation(*state, &o->datasets[1]),
               "(select \"id\" from \"public\".\"customers\" as shown)");
}

/* Each reads the hidden column `email` in PostgreSQL. */
static const char *const ways_to_hidden[] = {
    "select c from customers c",
    "select row_to_json(c) from customers c",
    "select count(distinct c.*) from customers c",
    "select (c).email from customers c",
    "select b from customers as c(a, b)",
    "select j.email from (customers c join orders o on o.id = c.id) as j",
    "select j from (customers c join orders o on o.id = c.id) as j",
    "select email from customers, unnest(array[1]) as u",
    "select (select max(email) from customers) from (select 1 as email) o",
    "select count(*) from customers c natural join orders o",
    "select count(*) from (customers c cross join unnest(array[1]) as u(n))"
    " join (select 'a' as email) x using (email)",
    "select x from rows from (unnest(array(select email from customers)),"
    " generate_series(1, 3)) as f(x, y)",
    "select 1 from orders limit (select max(length(email)) from customers)",
    "select 1 from orders offset (select max(length(email)) from customers)",
    "select rank() over v from customers window w as (partition by email),"
    " v as (w order by id)",
    "select count(*) from orders tablesample bernoulli"
    " ((select max(length(email)) from customers))",
};

static const char *const plain_queries[] = {
    "select id from customers order by id limit 3",
    "select c.id, count(*) from customers c join orders o"
    " on o.customer_id = c.id group by c.id",
    "select o.id from orders o where exists (select from customers c"
    " where c.id = o.customer_id)",
    "select rank() over w from customers window w as (order by id)",
    "with c as (select id from customers) select * from c",
    "select j.total from (customers c join orders o on o.id = c.id) as j",
    "select * from orders natural join (select 1 as id) x",
};

static void test_no_way_leads_to_a_hidden_column(void **state)
{
    const struct ontology *o =
        hide(*state, "[{\"op\": \"set\", \"kind\": \"field\", \"dataset\":"
                     " \"customers\", \"name\": \"email\", \"values\":"
                     " {\"hidden\": true}}]");
    for (size_t i = 0; i < sizeof ways_to_hidden / sizeof *ways_to_hidden; i++)
        if (!finds(*state, o, ways_to_hidden[i]))
            fail_msg("passes: %s", ways_to_hidden[i]);
    for (size_t i = 0; i < sizeof plain_queries / sizeof *plain_queries; i++)
        if (finds(*state, o, plain_queries[i]))
            fail_msg("does not pass: %s", plain_queries[i]);
}

static void test_the_stored_form_keeps_what_may_be_read(void **state)
{
    const struct ontology *o =
        hide(*state, "[{\"op\": \"set\", \"kind\": \"field\", \"dataset\":"
                     " \"customers\", \"name\": \"email\", \"values\":"
                     " {\"hidden\": true}}]");
    struct buf json;
    struct str problem;
    buf_init(&json, *state);
    ontology_to_json(o, &json);
    json_t *read = json_loads(buf_cstr(&json), 0, NULL);
    const struct ontology *again = ontology_from_json(*state, read, &problem);
    json_decref(read);
    assert_non_null(again);
    assert_true(again->hides);
    assert_int_equal(again->datasets[1].shown.n, 1);
    assert_int_equal(finds(*state, again, "select * from customers"), 1);
}

static void test_a_hidden_dataset_takes_along_what_names_it(void **state)
{
    const struct ontology *o =
        hide(*state, "[{\"op\": \"set\", \"kind\": \"dataset\", \"name\":"
                     " \"customers\", \"values\": {\"hidden\": true}}]");
    assert_int_equal(o->n_datasets, 1);
    assert_int_equal(o->n_relationships, 0);
    assert_int_equal(o->n_metrics, 1);
    assert_int_equal(ontology_relations(*state, o).n, 1);
}

static void test_something_must_stay_visible(void **state)
{
    struct osi_edited out = edited_by(
        *state, shop,
        "[{\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"orders\","
        " \"values\": {\"hidden\": true}},"
        " {\"op\": \"set\", \"kind\": \"dataset\", \"name\": \"customers\","
        " \"values\": {\"hidden\": true}}]");
    struct ontology *model;
    struct osi_report report;
    assert_false(osi_read(*state, out.text, &model, &report));
    assert_true(str_find(report.findings[0].message, STR("hidden")) >= 0);
}

/* ---- in words, and on the data -------------------------------------------- */

static void test_differences_are_said_in_words(void **state)
{
    struct str text =
        edit(*state, shop,
             "[{\"op\": \"set\", \"kind\": \"field\", \"dataset\": \"orders\","
             " \"name\": \"total\", \"values\": {\"label\": \"Paid\","
             " \"hidden\": true}},"
             " {\"op\": \"remove\", \"kind\": \"metric\", \"name\":"
             " \"people\"}]");
    struct str_list changes = model_changes(
        *state, all_of(*state, str_of(shop)), all_of(*state, text));
    assert_int_equal(changes.n, 3);
    assert_str(changes.items[0], "Label of orders.total: \"Paid\"");
    assert_str(changes.items[1], "orders.total is hidden");
    assert_str(changes.items[2], "Metric people removed");
}

static void test_a_metric_is_computed_over_joined_datasets(void **state)
{
    struct ontology *o = model_read(
        *state, edit(*state, shop,
                     "[{\"op\": \"add\", \"kind\": \"metric\", \"values\":"
                     " {\"name\": \"x\", \"expression\":"
                     " \"sum(orders.total) / count(customers.id)\"}}]"));
    struct str problem;
    assert_str(metric_value_sql(*state, o, &o->metrics[2], &problem),
               "select (\nsum(orders.total) / count(customers.id)\n) as value\n"
               "from \"public\".\"orders\" as orders\n"
               "left join \"public\".\"customers\" as customers"
               " on orders.\"customer_id\" = customers.\"id\"");
}

#define edit_test(f) \
    cmocka_unit_test_setup_teardown(f, model_arena, model_arena_done)

int main(void)
{
    const struct CMUnitTest tests[] = {
        edit_test(test_a_new_value_is_a_new_line_and_nothing_else),
        edit_test(test_a_changed_value_keeps_its_comment),
        edit_test(test_a_removed_value_takes_its_line_along),
        edit_test(test_a_flow_mapping_is_written_as_lines),
        edit_test(test_a_plain_context_becomes_its_instructions),
        edit_test(test_texts_of_several_lines_come_back),
        edit_test(test_metrics_and_relationships_come_and_go),
        edit_test(test_an_expression_with_dialects_stays_one),
        edit_test(test_json_is_written_as_yaml),
        edit_test(test_what_cannot_be_done_says_where_and_why),
        edit_test(test_a_metric_that_names_nothing_is_in_doubt),
        edit_test(test_the_short_form_has_only_datasets),
        edit_test(test_a_hidden_field_is_in_no_part_of_the_model),
        edit_test(test_no_way_leads_to_a_hidden_column),
        edit_test(test_the_stored_form_keeps_what_may_be_read),
        edit_test(test_a_hidden_dataset_takes_along_what_names_it),
        edit_test(test_something_must_stay_visible),
        edit_test(test_differences_are_said_in_words),
        edit_test(test_a_metric_is_computed_over_joined_datasets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
