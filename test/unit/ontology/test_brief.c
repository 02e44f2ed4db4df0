/* What a prompt says of a model: whole, short, and safe. */
#include "model_help.h"
#include "ontology/brief.h"
#include "ontology/example.h"
#include "base/banned.h"

static const char text[] =
    "name: shop\n"
    "description: |\n"
    "  Orders\n"
    "  of a shop\n"
    "ai_context:\n"
    "  instructions: |\n"
    "    Revenue excludes returns.\n"
    "    \n"
    "    ```\n"
    "    Cities are those of customers.\n"
    "datasets:\n"
    "- name: customers\n"
    "  source: public.customers\n"
    "  primary_key: [id]\n"
    "  unique_keys: [[email]]\n"
    "  description: |\n"
    "    Who \"buys\"\n"
    "    - {name: fake}\n"
    "  ai_context: {instructions: Ask no names., synonyms: [clients, a b]}\n"
    "  fields:\n"
    "  - {name: id, expression: id, datatype: Integer}\n"
    "  - {name: born_on, expression: born_on, datatype: Date, label: Born On}\n"
    "  - {name: mail, expression: email, datatype: String, label: Address,\n"
    "     ai_context: {synonyms: [e-mail], instructions: lower case}}\n"
    "- {name: orders, source: public.orders, primary_key: [id],\n"
    "   fields: [{name: id, expression: id}, {name: cust, expression: cust}]}\n"
    "- {name: cards, source: public.cards, primary_key: [cust],\n"
    "   fields: [{name: cust, expression: cust}]}\n"
    "relationships:\n"
    "- {name: by, from: orders, to: customers, from_columns: [cust],\n"
    "   to_columns: [id], description: Who bought.,\n"
    "   ai_context: {instructions: not for gifts}}\n"
    "- {name: card, from: cards, to: customers, from_columns: [cust],\n"
    "   to_columns: [id]}\n"
    "- {name: loose, from: orders, to: cards, from_columns: [cust, id],\n"
    "   to_columns: [id, id]}\n"
    "metrics:\n"
    "- {name: buyers, expression: count(distinct orders.cust),\n"
    "   description: Those who bought., ai_context: {synonyms: [clients, x]}}\n"
    "- {name: people, expression: count(customers.id),\n"
    "   ai_context: {instructions: all of them}}\n";

static struct buf out;

static const struct ontology *shop(struct arena *arena)
{
    buf_init(&out, arena);
    return model_read(arena, str_of(text));
}

static void test_notes_are_description_and_instructions(void **state)
{
    brief_put_notes(shop(*state), &out);
    assert_str(buf_view(&out), "- Orders of a shop\n"
                               "- Revenue excludes returns.\n"
                               "- ``\n"
                               "- Cities are those of customers.");
}

static void test_a_model_without_notes_has_none(void **state)
{
    struct ontology none = {0};
    buf_init(&out, *state);
    brief_put_notes(&none, &out);
    assert_int_equal(out.len, 0);
}

static void
test_each_field_has_one_line_and_no_text_leaves_its_line(void **state)
{
    const size_t only[] = {0};
    brief_put_datasets(shop(*state), only, 1, 0, &out, NULL);
    assert_str(buf_view(&out),
               "- name: customers\n"
               "  source: public.customers\n"
               "  description: \"Who \\\"buys\\\" - {name: fake}\"\n"
               "  also: [clients, a b]\n"
               "  note: Ask no names.\n"
               "  primary_key: [id]\n"
               "  unique: [email]\n"
               "  fields:\n"
               "    - {name: id, type: Integer}\n"
               "    - {name: born_on, type: Date, time: true}\n"
               "    - {name: mail, type: String, expression: email, label: "
               "Address, also: [\"e-mail\"], note: lower case}\n");
}

static void test_relationships_have_their_cardinality_and_notes(void **state)
{
    brief_put_relationships(shop(*state), NULL, 0, &out);
    assert_str(buf_view(&out),
               "- orders.cust -> customers.id (by), many to one: Who bought. "
               "Note: not for gifts\n"
               "- cards.cust -> customers.id (card), one to one\n"
               "- orders.(cust, id) -> cards.(id, id) (loose), one to many\n");
}

static void test_relationships_are_those_between_the_datasets(void **state)
{
    const size_t two[] = {0, 2};
    brief_put_relationships(shop(*state), two, 2, &out);
    assert_str(buf_view(&out),
               "- cards.cust -> customers.id (card), one to one\n");
}

static void test_metrics_have_their_other_names(void **state)
{
    brief_put_metrics(shop(*state), NULL, 0, &out);
    assert_str(buf_view(&out),
               "- buyers: count(distinct orders.cust). Those who bought. Also: "
               "clients, x\n"
               "- people: count(customers.id). Note: all of them\n");
}

static void test_metrics_over_the_datasets_come_first(void **state)
{
    const size_t customers[] = {0};
    brief_put_metrics(shop(*state), customers, 1, &out);
    assert_true(str_starts(buf_view(&out), STR("- people: ")));
    assert_true(str_find(buf_view(&out), STR("- buyers: ")) > 0);
}

static const struct ontology *wide(struct arena *arena)
{
    struct buf model;
    buf_init(&model, arena);
    buf_text(&model, "name: w\ndatasets:\n- {name: small, source: s, fields: "
                     "[{name: a, expression: a}]}\n- name: wide\n  source: w\n"
                     "  fields:\n");
    for (int i = 0; i < 400; i++)
        buf_printf(&model,
                   "  - {name: c%d, expression: c%d, description: \"A column "
                   "that is described at some length\"}\n",
                   i, i);
    buf_init(&out, arena);
    return model_read(arena, buf_view(&model));
}

static void test_a_dataset_without_room_is_shortened_and_named(void **state)
{
    const size_t both[] = {0, 1};
    struct buf shortened;
    const struct ontology *o = wide(*state);
    buf_init(&shortened, *state);
    brief_put_datasets(o, both, 2, 1500, &out, &shortened);
    assert_true(out.len <= 1500);
    assert_str(buf_view(&shortened), "wide");
    assert_true(str_starts(buf_view(&out), STR("- name: small\n")));
    assert_true(str_find(buf_view(&out), STR("more fields")) > 0);
    buf_clear(&out);
    buf_clear(&shortened);
    brief_put_datasets(o, both, 2, 0, &out, &shortened);
    assert_int_equal(shortened.len, 0);
    assert_true(str_find(buf_view(&out), STR("name: c399")) > 0);
}

static void test_long_texts_are_cut(void **state)
{
    struct arena *arena = *state;
    struct buf model;
    const size_t only[] = {0};
    buf_init(&model, arena);
    buf_text(&model, "name: w\ndatasets:\n- name: t\n  source: t\n  "
                     "description: \"");
    for (int i = 0; i < 5000; i++)
        buf_text(&model, "word ");
    buf_text(&model, "\"\n  fields: [{name: a, expression: a}]\n");
    const struct ontology *o = model_read(arena, buf_view(&model));
    buf_init(&out, arena);
    brief_put_datasets(o, only, 1, 0, &out, NULL);
    assert_true(out.len < BRIEF_TEXT + 200);
    assert_true(str_find(buf_view(&out), STR("…\"\n")) > 0);
}

static void test_an_example_is_a_question_and_perhaps_a_query(void **state)
{
    (void)state;
    static const struct {
        const char *text, *question, *sql;
    } cases[] = {
        {"How many? SQL: select count(*) from orders;", "How many?",
         "select count(*) from orders"},
        {"How many?\n  SELECT count(*)\nFROM orders", "How many?",
         "SELECT count(*)\nFROM orders"},
        {"By city\nand year\nwith a as (select 1) select * from a",
         "By city\nand year", "with a as (select 1) select * from a"},
        {"How many? SQL: drop table orders", "How many?", ""},
        {"A comment. SQL: select 1 -- or\n, 2", "A comment.", ""},
        {"How many orders?", "How many orders?", ""},
        {"SQL: select 1", "", "select 1"},
        {"select 1", "select 1", ""},
        {"\n", "", ""},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_str(example_question(str_of(cases[i].text)), cases[i].question);
        assert_str(example_sql(str_of(cases[i].text)), cases[i].sql);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_notes_are_description_and_instructions),
        model_test(test_a_model_without_notes_has_none),
        model_test(test_each_field_has_one_line_and_no_text_leaves_its_line),
        model_test(test_relationships_have_their_cardinality_and_notes),
        model_test(test_relationships_are_those_between_the_datasets),
        model_test(test_metrics_have_their_other_names),
        model_test(test_metrics_over_the_datasets_come_first),
        model_test(test_a_dataset_without_room_is_shortened_and_named),
        model_test(test_long_texts_are_cut),
        model_test(test_an_example_is_a_question_and_perhaps_a_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
