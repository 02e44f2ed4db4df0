/* Which tables and columns of a model a database lacks. */
#include "model_help.h"
#include "ontology/absent.h"
#include "base/banned.h"

static const char text[] =
    "semantic_model:\n"
    "  - name: shop\n"
    "    datasets:\n"
    "      - name: orders\n"
    "        source: orders\n"
    "        primary_key: [id]\n"
    "        fields:\n"
    "          - {name: total, expression: Amount}\n"
    "          - {name: net, expression: amount - rebate}\n"
    "      - name: lines\n"
    "        source: Sales.\"Order Lines\"\n"
    "        fields:\n"
    "          - {name: qty, expression: qty}\n"
    "      - name: recent\n"
    "        source: select id from archive.orders join stock using (id)\n"
    "        fields:\n"
    "          - {name: id, expression: id}\n"
    "    relationships:\n"
    "      - {name: of, from: lines, to: orders, from_columns: [order_id],\n"
    "         to_columns: [id]}\n";

struct table {
    const char *name;
    struct str columns[4];
};

/* What the database lacks of that model, one line each. */
static struct str absent(struct arena *arena, const struct table *tables)
{
    struct map seen;
    struct buf out;
    map_init(&seen, arena);
    buf_init(&out, arena);
    for (; tables->name; tables++) {
        struct str_list *columns = arena_new(arena, struct str_list);
        columns->items = (struct str *)tables->columns;
        while (columns->n < 4 && tables->columns[columns->n].len)
            columns->n++;
        map_put(&seen, str_of(tables->name), columns);
    }
    struct str_list list =
        ontology_absent(arena, model_read(arena, str_of(text)), &seen);
    for (size_t i = 0; i < list.n; i++)
        buf_printf(&out, "%.*s\n", STR_ARG(list.items[i]));
    return buf_finish(&out);
}

static void test_nothing_is_absent_of_a_database_that_has_it_all(void **state)
{
    const struct table tables[] = {
        {"public.orders", {STR("id"), STR("AMOUNT"), STR("rebate")}},
        {"sales.Order Lines", {STR("qty"), STR("order_id")}},
        {"archive.orders", {STR("id")}},
        {"public.stock", {STR("id")}},
        {0}};
    assert_str(absent(*state, tables), "");
}

static void test_tables_and_columns_are_listed_in_the_models_order(void **state)
{
    const struct table tables[] = {{"public.orders", {STR("other")}},
                                   {"sales.Order Lines", {STR("qty")}},
                                   {0}};
    assert_str(absent(*state, tables), "column amount of public.orders\n"
                                       "column rebate of public.orders\n"
                                       "column id of public.orders\n"
                                       "column order_id of sales.Order Lines\n"
                                       "table archive.orders\n"
                                       "table public.stock\n");
}

static void test_of_a_table_that_is_absent_no_columns_are_listed(void **state)
{
    const struct table none[] = {{0}};
    assert_str(absent(*state, none), "table public.orders\n"
                                     "table sales.Order Lines\n"
                                     "table archive.orders\n"
                                     "table public.stock\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_nothing_is_absent_of_a_database_that_has_it_all),
        model_test(test_tables_and_columns_are_listed_in_the_models_order),
        model_test(test_of_a_table_that_is_absent_no_columns_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
