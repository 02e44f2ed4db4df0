/* Descriptions of an ontology, and the columns and tables that it knows. */
#include "model_help.h"
#include "base/utf8.h"
#include "ontology/columns.h"
#include "ontology/text.h"
#include "base/banned.h"

static const char text[] =
    "datasets:\n"
    "- name: customers\n"
    "  table: public.customers\n"
    "  description: |\n"
    "    Customer master data\n"
    "    with contacts\n"
    "  fields:\n"
    "  - {name: id, type: integer, primary_key: true}\n"
    "  - {name: mail, expression: email, type: text, description: Address,\n"
    "     synonyms: [e-mail, contact]}\n"
    "  - {name: full, expression: \"first || ' ' || last\"}\n"
    "- {name: orders, source: Sales.\"Order List\", primary_key: [a, b]}\n"
    "- {name: recent, source: \"select * from sales.x where d > 1 -- new\"}\n"
    "relationships:\n"
    "- {name: by, from: orders, to: customers, from_columns: customer_id,\n"
    "   to_columns: id, description: Who bought}\n"
    "- {name: pair, from: recent, to: orders, from_columns: [a, b],\n"
    "   to_columns: [a, b]}\n"
    "metrics:\n"
    "- {name: buyers, expression: count(distinct orders.customer_id),\n"
    "   description: Those who bought}\n"
    "- {name: all, expression: count(*)}\n";

static void test_datasets_are_listed_as_the_seed_shows(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct buf out;
    buf_init(&out, *state);
    dataset_list_markdown(o, &out);
    assert_str(buf_view(&out),
               "3 datasets available:\n"
               "\n"
               "- **customers**: Customer master data with contacts (source: "
               "public.customers)\n"
               "- **orders**: No description (source: Sales.\"Order List\")\n"
               "- **recent**: No description (source: select * from sales.x "
               "where d > 1 -- new)");
}

static void test_no_datasets_are_said_to_be_none(void **state)
{
    struct ontology none = {0};
    struct buf out;
    buf_init(&out, *state);
    dataset_list_markdown(&none, &out);
    assert_str(buf_view(&out), "No datasets found in the ontology.");
}

static void test_a_digest_says_what_a_field_is(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct buf out;
    buf_init(&out, *state);
    dataset_digest(&o->datasets[0], 0, &out);
    assert_str(buf_view(&out),
               "customers (source: public.customers): Customer master data "
               "with contacts\n"
               "key: id\n"
               "- id (integer)\n"
               "- mail (text) = email: Address; also: e-mail, contact\n"
               "- full = first || ' ' || last\n");
}

static struct ontology *wide(struct arena *arena, int n_fields)
{
    struct buf model;
    buf_init(&model, arena);
    buf_text(&model, "name: wide\ntable: wide\nfields:\n");
    for (int i = 0; i < n_fields; i++)
        buf_printf(&model,
                   "- {name: column_%d, type: %s, description: \"A long "
                   "\xc3\xa4 description of it\"}\n",
                   i, i == n_fields - 2 ? "date" : "integer");
    buf_text(&model, "primary_key: [column_0]\n");
    return model_read(arena, buf_view(&model));
}

static void test_a_digest_keeps_its_budget_and_says_what_was_cut(void **state)
{
    const struct ontology *o = wide(*state, 500);
    struct buf out;
    buf_init(&out, *state);
    buf_text(&out, "before");
    dataset_digest(&o->datasets[0], 3000, &out);
    struct str digest = str_from(buf_view(&out), 6);
    assert_true(digest.len <= 3000 && digest.len > 2800);
    assert_true(str_find(digest, STR("- column_0 (integer)\n")) > 0);
    assert_true(str_find(digest, STR("- column_498 (date)\n")) > 0);
    assert_true(str_find(digest, STR("- column_499")) < 0);
    assert_true(str_find(digest, STR(" more fields: column_")) > 0);
    assert_true(str_ends(digest, STR(" others\n")));
    assert_true(str_find(digest, STR("long")) < 0);
}

static void test_what_is_listed_named_and_counted_are_all_fields(void **state)
{
    const struct ontology *o = wide(*state, 40);
    struct buf out;
    buf_init(&out, *state);
    dataset_digest(&o->datasets[0], 800, &out);
    size_t lines = 0, names = 0;
    struct str rest = buf_view(&out), line;
    while (str_split(&rest, '\n', &line)) {
        lines += str_starts(line, STR("- column_"));
        if (str_starts(line, STR("…")))
            for (size_t i = 0; i < line.len; i++)
                names += line.ptr[i] == '_';
    }
    assert_int_equal(lines + names, 40);
    struct str counted = arena_printf(*state, "… %zu more fields", names);
    assert_true(str_find(buf_view(&out), counted) > 0);
}

static void test_no_budget_is_ever_exceeded_or_cuts_a_letter(void **state)
{
    const struct ontology *o = wide(*state, 60);
    struct buf out;
    buf_init(&out, *state);
    for (size_t budget = 1; budget < 4000; budget += 7) {
        buf_clear(&out);
        dataset_digest(&o->datasets[0], budget, &out);
        assert_true(out.len <= budget);
        assert_true(utf8_valid(buf_view(&out)));
        buf_clear(&out);
        datasets_yaml(o, (size_t[]){0}, 1, budget, &out);
        assert_true(out.len <= budget);
    }
}

static void
test_the_yaml_of_several_is_joined_and_shares_the_budget(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    static const size_t both[] = {1, 0};
    struct buf out;
    buf_init(&out, *state);
    datasets_yaml(o, both, 2, 0, &out);
    struct str whole =
        arena_printf(*state, "%.*s\n---\n\n%.*s", STR_ARG(o->datasets[1].yaml),
                     STR_ARG(o->datasets[0].yaml));
    assert_true(str_eq(buf_view(&out), whole));
    buf_clear(&out);
    size_t budget = o->datasets[1].yaml.len + 150;
    datasets_yaml(o, both, 2, budget, &out);
    assert_true(str_starts(buf_view(&out), o->datasets[1].yaml));
    assert_true(str_find(buf_view(&out), STR("customers (source: ")) > 0);
    assert_true(out.len <= budget);
}

static void test_columns_are_fields_keys_and_ends_of_relationships(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    assert_true(ontology_has_column(o, 0, STR("mail")));
    assert_true(ontology_has_column(o, 0, STR("EMAIL")));
    assert_true(ontology_has_column(o, 1, STR("a")));
    assert_true(ontology_has_column(o, 1, STR("customer_id")));
    assert_false(ontology_has_column(o, 1, STR("mail")));
    assert_false(ontology_has_column(o, 1, STR("")));
    struct str_list columns = ontology_columns(*state, o, 0);
    assert_int_equal(columns.n, 4);
    assert_str(columns.items[1], "email");
    assert_str(columns.items[2], "mail");
    struct str_list near =
        ontology_nearest_columns(*state, o, 1, STR("custmer_id"), 3);
    assert_int_equal(near.n, 1);
    assert_str(near.items[0], "customer_id");
}

static void test_relations_are_what_the_guard_takes(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct str_list relations = ontology_relations(*state, o);
    assert_int_equal(relations.n, 3);
    assert_str(relations.items[0], "public.customers");
    assert_str(relations.items[1], "sales.Order List");
    assert_str(relations.items[2], "sales.x");
    assert_str(dataset_relation(*state, &o->datasets[1]),
               "\"sales\".\"Order List\"");
    assert_str(dataset_relation(*state, &o->datasets[2]),
               "(\nselect * from sales.x where d > 1 -- new\n)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_datasets_are_listed_as_the_seed_shows),
        model_test(test_no_datasets_are_said_to_be_none),
        model_test(test_a_digest_says_what_a_field_is),
        model_test(test_a_digest_keeps_its_budget_and_says_what_was_cut),
        model_test(test_what_is_listed_named_and_counted_are_all_fields),
        model_test(test_no_budget_is_ever_exceeded_or_cuts_a_letter),
        model_test(test_the_yaml_of_several_is_joined_and_shares_the_budget),
        model_test(test_columns_are_fields_keys_and_ends_of_relationships),
        model_test(test_relations_are_what_the_guard_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
