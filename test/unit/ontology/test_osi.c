/* Reading a model in each form of OSI. */
#include "model_help.h"
#include "ontology/graph.h"
#include "../leave_out.h"
#include "base/banned.h"

static const char small[] =
    "version: \"0.1.1\"\n"
    "semantic_model:\n"
    "  - name: shop\n"
    "    description: A shop\n"
    "    ai_context: Amounts are in euro.\n"
    "    datasets:\n"
    "      - name: orders\n"
    "        source: db.sales.Orders\n"
    "        primary_key: [order_id]\n"
    "        unique_keys:\n"
    "          - [number, year]\n"
    "        description: |\n"
    "          One row\n"
    "          per order\n"
    "        ai_context:\n"
    "          synonyms: [purchases, \"sales: all\"]\n"
    "          examples: [How many orders?]\n"
    "        fields:\n"
    "          - name: order_id\n"
    "            expression:\n"
    "              dialects:\n"
    "                - {dialect: SNOWFLAKE, expression: \"x::int\"}\n"
    "                - {dialect: ANSI_SQL, expression: Order_ID}\n"
    "            datatype: Integer\n"
    "          - name: placed\n"
    "            expression: orders.placed_at\n"
    "            datatype: DateTimeTz\n"
    "          - name: loaded\n"
    "            expression: loaded\n"
    "            datatype: Date\n"
    "            dimension: {is_time: false}\n"
    "          - name: total\n"
    "            expression: amount * (1 - discount)\n"
    "            label: Total\n"
    "          - {name: customer_id, expression: customer_id}\n"
    "          - {name: number, expression: number}\n"
    "          - {name: year, expression: year}\n"
    "      - name: customers\n"
    "        source: '\"My Sales\".\"Customer.List\"'\n"
    "        primary_key: id\n"
    "        fields:\n"
    "          - {name: id, expression: '\"ID\"'}\n"
    "    relationships:\n"
    "      - name: orders_customers\n"
    "        from: orders\n"
    "        to: customers\n"
    "        from_columns: [customer_id]\n"
    "        to_columns: [id]\n"
    "    metrics:\n"
    "      - name: revenue\n"
    "        expression:\n"
    "          - {dialect: ANSI_SQL, expression: sum(orders.total)}\n"
    "        datatype: Decimal\n"
    "      - name: per_customer\n"
    "        expression: sum(total) / count(distinct customers.id)\n";

static void
test_a_model_becomes_datasets_fields_relationships_metrics(void **state)
{
    const struct ontology *o = model_read(*state, str_of(small));
    assert_str(o->name, "shop");
    assert_str(o->version, "0.1.1");
    assert_str(o->hints.instructions, "Amounts are in euro.");
    assert_int_equal(o->n_datasets, 2);
    const struct dataset *d = &o->datasets[0];
    assert_str(d->source, "db.sales.Orders");
    assert_str(d->schema, "sales");
    assert_str(d->table, "orders");
    assert_str(d->description, "One row\nper order");
    assert_int_equal(d->hints.synonyms.n, 2);
    assert_str(d->hints.synonyms.items[1], "sales: all");
    assert_str(d->hints.examples.items[0], "How many orders?");
    assert_int_equal(d->n_fields, 7);
    assert_int_equal(d->n_unique_keys, 1);
    assert_str(d->unique_keys[0].items[1], "year");
    assert_int_equal(o->n_relationships, 1);
    assert_int_equal(o->relationships[0].from, 0);
    assert_int_equal(o->relationships[0].to, 1);
    assert_true(o->relationships[0].to_is_key);
    assert_int_equal(o->n_metrics, 2);
    assert_str(o->metrics[0].expression, "sum(orders.total)");
    assert_str(o->metrics[0].datatype, "Decimal");
}

static void test_fields_know_their_column_their_time_and_their_key(void **state)
{
    const struct ontology *o = model_read(*state, str_of(small));
    const struct field *f = o->datasets[0].fields;
    assert_str(f[0].expression, "Order_ID");
    assert_str(f[0].dialect, "");
    assert_str(f[0].column, "order_id");
    assert_true(f[0].is_key);
    assert_false(f[0].is_time);
    assert_str(f[1].column, "placed_at");
    assert_true(f[1].is_time);
    assert_false(f[2].is_time);
    assert_str(f[3].column, "");
    assert_str(f[3].label, "Total");
    assert_str(o->datasets[1].fields[0].column, "ID");
    assert_true(o->datasets[1].fields[0].is_key);
}

static void test_a_quoted_source_keeps_its_case_and_dots(void **state)
{
    const struct ontology *o = model_read(*state, str_of(small));
    assert_str(o->datasets[1].schema, "My Sales");
    assert_str(o->datasets[1].table, "Customer.List");
}

static void test_a_metric_knows_the_datasets_of_its_columns(void **state)
{
    const struct ontology *o = model_read(*state, str_of(small));
    assert_int_equal(o->metrics[0].n_datasets, 1);
    assert_int_equal(o->metrics[0].datasets[0], 0);
    assert_int_equal(o->metrics[1].n_datasets, 2);
    assert_int_equal(o->metrics[1].datasets[1], 1);
}

static void test_a_dataset_keeps_its_own_text_with_unknown_keys(void **state)
{
    static const char text[] =
        "datasets:\n"
        "- {name: a, source: s.a, zebra: [1, {x: 'it''s', y: \"q\"}], e: [],\n"
        "   description: 'two: parts', none: , no: ~, long: \"a\\nb\\u2028\"}\n"
        "- name: b\n"
        "  source: |\n"
        "    b\n"
        "  description: >-\n"
        "    folded\n"
        "    text\n";
    const struct ontology *o = model_read(*state, str_of(text));
    assert_str(o->datasets[0].yaml, "name: a\n"
                                    "source: s.a\n"
                                    "zebra:\n"
                                    "  - 1\n"
                                    "  - x: 'it''s'\n"
                                    "    y: \"q\"\n"
                                    "e: []\n"
                                    "description: 'two: parts'\n"
                                    "none:\n"
                                    "no: ~\n"
                                    "long: \"a\\nb\\u2028\"\n");
    assert_str(o->datasets[1].yaml, "name: b\n"
                                    "source: |\n"
                                    "  b\n"
                                    "description: \"folded text\"\n");
    assert_str(o->datasets[1].schema, "public");
}

/* The emitted text is read as the same dataset, and is emitted the same
 * again. */
static void emits_what_it_reads(struct arena *arena, const struct ontology *o)
{
    for (size_t i = 0; i < o->n_datasets; i++) {
        const struct dataset *d = &o->datasets[i];
        const struct ontology *again = model_read(arena, d->yaml);
        assert_int_equal(again->n_datasets, 1);
        assert_true(str_eq(again->datasets[0].yaml, d->yaml));
        assert_true(str_eq(again->datasets[0].name, d->name));
        assert_int_equal(again->datasets[0].n_fields, d->n_fields);
    }
}

static void test_emitted_text_is_read_as_the_same(void **state)
{
    emits_what_it_reads(*state, model_read(*state, str_of(small)));
}

static void test_the_flat_form_is_read(void **state)
{
    static const char text[] = "name: customers\n"
                               "description: Customer master data\n"
                               "table: public.customers\n"
                               "fields:\n"
                               "  - name: customer_id\n"
                               "    type: integer\n"
                               "    primary_key: true\n"
                               "  - name: name\n"
                               "    type: varchar\n"
                               "  - name: email\n"
                               "    type: varchar\n"
                               "    expression: email_address\n"
                               "  - {name: since, type: timestamptz}\n";
    struct ontology *o;
    struct osi_report report;
    assert_true(osi_read(*state, str_of(text), &o, &report));
    assert_int_equal(report.n_findings, 0);
    assert_int_equal(o->n_datasets, 1);
    const struct dataset *d = &o->datasets[0];
    assert_str(d->source, "public.customers");
    assert_str(d->table, "customers");
    assert_int_equal(d->primary_key.n, 1);
    assert_str(d->primary_key.items[0], "customer_id");
    assert_str(d->fields[0].datatype, "integer");
    assert_str(d->fields[0].expression, "customer_id");
    assert_true(d->fields[0].is_key);
    assert_str(d->fields[2].column, "email_address");
    assert_true(d->fields[3].is_time);
}

static void
test_the_flat_form_is_read_as_a_list_and_below_datasets(void **state)
{
    const struct ontology *list = model_read(
        *state, STR("- {name: a, table: a}\n- {name: b, table: x.b}\n"));
    const struct ontology *below =
        model_read(*state, STR("datasets:\n- {name: a, table: a}\n"
                               "- {name: b, table: x.b}\n"
                               "relationships:\n- {name: r, from: a, to: b, "
                               "from_columns: k, to_columns: k}\n"));
    assert_int_equal(list->n_datasets, 2);
    assert_str(list->datasets[1].schema, "x");
    assert_int_equal(below->n_relationships, 1);
    assert_str(below->relationships[0].from_columns.items[0], "k");
}

static void test_json_is_read(void **state)
{
    static const char text[] =
        "{\n\t\"semantic_model\": {\"name\":\"m\",\"datasets\":[\n"
        "\t{\"name\":\"a\",\"source\":\"s.a\",\n"
        "\t \"description\":\"smile \\ud83d\\ude00 \\\\u00e4 \\/ \\u00e4\",\n"
        "\t \"fields\":[{\"name\":\"x\",\"expression\":{\"dialects\":"
        "[{\"dialect\":\"ANSI_SQL\",\"expression\":\"x\"}]},"
        "\"dimension\":{\"is_time\":true}}]}]}}\n";
    const struct ontology *o = model_read(*state, str_of(text));
    assert_str(o->name, "m");
    assert_str(o->datasets[0].description,
               "smile \xf0\x9f\x98\x80 \\u00e4 / \xc3\xa4");
    assert_true(o->datasets[0].fields[0].is_time);
    emits_what_it_reads(*state, o);
}

static void
test_a_query_as_source_is_judged_and_tells_what_it_reads(void **state)
{
    const struct ontology *o = model_read(
        *state, STR("name: q\n"
                    "source: |\n"
                    "  select * from sales.orders o\n"
                    "  join customers c on c.id = o.customer_id;\n"));
    assert_int_equal(o->datasets[0].table.len, 0);
    assert_int_equal(o->datasets[0].query_relations.n, 2);
    assert_str(o->datasets[0].query_relations.items[0], "sales.orders");
}

static void test_a_byte_order_mark_and_windows_lines_do_no_harm(void **state)
{
    const struct ontology *o =
        model_read(*state, STR("\xef\xbb\xbfname: a\r\ntable: t\r\nfields:\r\n"
                               "- name: x\r\n"));
    assert_str(o->datasets[0].name, "a");
    assert_int_equal(o->datasets[0].n_fields, 1);
}

static void test_the_report_is_ordered_and_printed_by_line(void **state)
{
    struct ontology *o;
    struct osi_report report;
    struct buf out;
    assert_false(osi_read(*state,
                          STR("semantic_model:\n"
                              "- name: m\n"
                              "  datasets:\n"
                              "  - name: a\n"
                              "    sourc: a\n"
                              "  - nam: b\n"
                              "    source: b\n"),
                          &o, &report));
    assert_null(o);
    assert_int_equal(report.n_errors, 2);
    assert_int_equal(report.n_warnings, 2);
    buf_init(&out, *state);
    osi_report_print(&report, &out);
    assert_str(buf_view(&out),
               "error: 4:5 /semantic_model/0/datasets/0: source is missing\n"
               "warning: 5:5 /semantic_model/0/datasets/0/sourc: unknown key "
               "\"sourc\"; is \"source\" meant?\n"
               "warning: 6:5 /semantic_model/0/datasets/1/nam: unknown key "
               "\"nam\"; is \"name\" meant?\n"
               "error: 6:5 /semantic_model/0/datasets/1: name is missing\n");
}

static void test_findings_without_end_are_counted_not_kept(void **state)
{
    struct ontology *o;
    struct osi_report report;
    struct buf text;
    buf_init(&text, *state);
    buf_text(&text, "name: a\ntable: a\n");
    for (int i = 0; i < 1000; i++)
        buf_printf(&text, "key%d: 1\n", i);
    assert_true(osi_read(*state, buf_view(&text), &o, &report));
    assert_int_equal(report.n_warnings, 1000);
    assert_int_equal(report.n_findings, OSI_MAX_FINDINGS);
}

static void test_the_sales_model_of_osi_is_read(void **state)
{
    struct str text = model_shared(*state, "osi/sales-0.2.0.dev0.yaml");
    if (!text.len)
        leave_out("SEXTANT_SHARED_DATA is not set");
    const struct ontology *o = model_read(*state, text);
    assert_str(o->name, "sales");
    assert_str(o->version, "0.2.0.dev0");
    assert_int_equal(o->n_datasets, 2);
    assert_str(o->datasets[0].schema, "tpch");
    assert_str(o->datasets[0].fields[0].dialect, "DATABRICKS");
    assert_int_equal(o->n_metrics, 2);
    emits_what_it_reads(*state, o);
}

static void test_the_tpcds_model_of_osi_is_read(void **state)
{
    struct str text = model_shared(*state, "osi/tpcds-1.0.yaml");
    struct ontology *o;
    struct osi_report report;
    if (!text.len)
        leave_out("SEXTANT_SHARED_DATA is not set");
    assert_true(osi_read(*state, text, &o, &report));
    /* ss_ticket_number is a key column, but no field of store_sales */
    assert_int_equal(report.n_findings, 1);
    assert_int_equal(report.findings[0].line, 15);
    assert_int_equal(report.findings[0].column, 35);
    assert_int_equal(o->n_datasets, 5);
    assert_int_equal(o->n_relationships, 4);
    assert_int_equal(o->n_metrics, 5);
    assert_true(o->relationships[2].to_is_key);
    assert_str(o->datasets[2].fields[4].expression,
               "c_first_name || ' ' || c_last_name");
    assert_int_equal(o->metrics[2].n_datasets, 2);
    emits_what_it_reads(*state, o);
}

static void test_the_demo_model_is_read_without_a_warning(void **state)
{
    struct str text = model_demo(*state);
    struct ontology *o;
    struct osi_report report;
    struct buf out;
    if (!text.len)
        leave_out("SEXTANT_SHARED_DATA is not set");
    assert_true(osi_read(*state, text, &o, &report));
    buf_init(&out, *state);
    osi_report_print(&report, &out);
    assert_string_equal(buf_cstr(&out), "");
    emits_what_it_reads(*state, o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_a_model_becomes_datasets_fields_relationships_metrics),
        model_test(test_fields_know_their_column_their_time_and_their_key),
        model_test(test_a_quoted_source_keeps_its_case_and_dots),
        model_test(test_a_metric_knows_the_datasets_of_its_columns),
        model_test(test_a_dataset_keeps_its_own_text_with_unknown_keys),
        model_test(test_emitted_text_is_read_as_the_same),
        model_test(test_the_flat_form_is_read),
        model_test(test_the_flat_form_is_read_as_a_list_and_below_datasets),
        model_test(test_json_is_read),
        model_test(test_a_query_as_source_is_judged_and_tells_what_it_reads),
        model_test(test_a_byte_order_mark_and_windows_lines_do_no_harm),
        model_test(test_the_report_is_ordered_and_printed_by_line),
        model_test(test_findings_without_end_are_counted_not_kept),
        model_test(test_the_sales_model_of_osi_is_read),
        model_test(test_the_tpcds_model_of_osi_is_read),
        model_test(test_the_demo_model_is_read_without_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
