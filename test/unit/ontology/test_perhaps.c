/* Columns over which datasets can perhaps be joined. */
#include "model_help.h"
#include "ontology/perhaps.h"
#include "base/banned.h"

static const char model_text[] =
    "datasets:\n"
    "- name: papers\n"
    "  table: papers\n"
    "  primary_key: [pid]\n"
    "  fields: [{name: pid, datatype: Integer}, {name: title},\n"
    "           {name: year, datatype: Integer}]\n"
    "- name: writes\n"
    "  table: writes\n"
    "  fields: [{name: pid, datatype: Integer}, {name: aid, datatype: Integer}]\n"
    "- name: customers\n"
    "  table: customers\n"
    "  primary_key: [id]\n"
    "  fields: [{name: id, datatype: Integer}, {name: name}, {name: city}]\n"
    "- name: orders\n"
    "  table: orders\n"
    "  primary_key: [id]\n"
    "  fields: [{name: id, datatype: Integer},\n"
    "           {name: customer_id, datatype: Integer},\n"
    "           {name: day, datatype: Date}, {name: city}]\n"
    "- name: weather\n"
    "  table: weather\n"
    "  fields: [{name: day, datatype: Date}, {name: name}, {name: status}]\n"
    "- name: codes\n"
    "  table: codes\n"
    "  fields: [{name: pid, datatype: String}, {name: status}]\n"
    "- name: tickets\n"
    "  table: tickets\n"
    "  primary_key: [id]\n"
    "  fields: [{name: id, datatype: Integer}, {name: city},\n"
    "           {name: requester_id, datatype: Integer},\n"
    "           {name: ticket_number, datatype: Integer},\n"
    "           {name: customer_id, datatype: Integer}]\n"
    "- name: comments\n"
    "  table: comments\n"
    "  fields: [{name: commentable_type}, {name: external_ref},\n"
    "           {name: commentable_id, datatype: Integer}]\n"
    "- name: departments\n"
    "  table: departments\n"
    "  fields: [{name: label}, {name: id_director, datatype: Integer}]\n"
    "- name: agents\n"
    "  table: agents\n"
    "  primary_key: [id]\n"
    "  fields: [{name: id, datatype: Integer}, {name: city}]\n"
    "- name: parcels\n"
    "  table: parcels\n"
    "  fields: [{name: parcel_no, datatype: Integer}, {name: sent_by}]\n";

/* "a.x = b.y", or empty. */
static struct str join_of(struct arena *arena, const struct ontology *o,
                          const char *a, const char *b)
{
    size_t of[2] = {0, 0};
    struct perhaps_join join;
    for (size_t i = 0; i < o->n_datasets; i++) {
        of[0] = str_is(o->datasets[i].name, a) ? i : of[0];
        of[1] = str_is(o->datasets[i].name, b) ? i : of[1];
    }
    if (!ontology_perhaps_join(arena, o, of[0], of[1], &join))
        return STR("");
    return arena_printf(
        arena, "%.*s.%.*s = %.*s.%.*s", STR_ARG(o->datasets[join.from].name),
        STR_ARG(join.from_column), STR_ARG(o->datasets[join.to].name),
        STR_ARG(join.to_column));
}

static void test_the_best_columns_are_taken(void **state)
{
    const struct ontology *o = model_read(*state, str_of(model_text));
    assert_str(join_of(*state, o, "papers", "writes"),
               "writes.pid = papers.pid");
    assert_str(join_of(*state, o, "writes", "papers"),
               "writes.pid = papers.pid");
    assert_str(join_of(*state, o, "customers", "orders"),
               "orders.customer_id = customers.id");
    assert_str(join_of(*state, o, "orders", "weather"),
               "orders.day = weather.day");
}

static void test_names_without_meaning_join_nothing(void **state)
{
    const struct ontology *o = model_read(*state, str_of(model_text));
    assert_str(join_of(*state, o, "customers", "weather"), "");
    assert_str(join_of(*state, o, "weather", "codes"), "");
    assert_str(join_of(*state, o, "papers", "codes"), "");
    assert_str(join_of(*state, o, "papers", "customers"), "");
}

static void test_a_reference_may_be_a_role_or_of_several_tables(void **state)
{
    const struct ontology *o = model_read(*state, str_of(model_text));
    assert_str(join_of(*state, o, "comments", "tickets"),
               "comments.commentable_id = tickets.id");
    assert_str(join_of(*state, o, "customers", "departments"),
               "departments.id_director = customers.id");
    /* rather than equal cities */
    assert_str(join_of(*state, o, "agents", "tickets"),
               "tickets.requester_id = agents.id");
    /* what is named after the table comes first */
    assert_str(join_of(*state, o, "customers", "tickets"),
               "tickets.customer_id = customers.id");
    /* another datatype, a number of its own, and no key */
    assert_str(join_of(*state, o, "parcels", "customers"), "");
    assert_str(join_of(*state, o, "comments", "departments"), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_the_best_columns_are_taken),
        model_test(test_names_without_meaning_join_nothing),
        model_test(test_a_reference_may_be_a_role_or_of_several_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
