/* How datasets are found and joined. */
#include "model_help.h"
#include "ontology/graph.h"
#include "base/banned.h"

/*   items -> orders -> customers -> regions        audit (alone)
 *     |        | \\________________ /              logs -> logs (self)
 *     v        v   (billing, shipping: -> addresses, twice)
 *   products  stores -> regions
 *
 * and a chain c0 -> c1 -> … -> c7. */
static const char text[] =
    "datasets:\n"
    "- {name: items, table: order_items}\n"
    "- {name: orders, table: sales.orders}\n"
    "- {name: customers, table: customers}\n"
    "- {name: regions, table: regions}\n"
    "- {name: products, table: products}\n"
    "- {name: stores, table: stores}\n"
    "- {name: addresses, table: addresses}\n"
    "- {name: audit, table: audit}\n"
    "- {name: Logs, table: logs}\n"
    "- {name: logs, table: archive.logs}\n"
    "- {name: c0, table: c0}\n"
    "- {name: c1, table: c1}\n"
    "- {name: c2, table: c2}\n"
    "- {name: c3, table: c3}\n"
    "- {name: c4, table: c4}\n"
    "- {name: c5, table: c5}\n"
    "- {name: c6, table: c6}\n"
    "relationships:\n"
    "- {name: items_orders, from: items, to: orders,\n"
    "   from_columns: [order_id, part], to_columns: [id, part]}\n"
    "- {name: orders_customers, from: orders, to: customers,\n"
    "   from_columns: customer_id, to_columns: id}\n"
    "- {name: customers_regions, from: customers, to: regions,\n"
    "   from_columns: region_id, to_columns: id}\n"
    "- {name: items_products, from: items, to: products,\n"
    "   from_columns: product_id, to_columns: id}\n"
    "- {name: orders_stores, from: orders, to: stores,\n"
    "   from_columns: store_id, to_columns: id}\n"
    "- {name: stores_regions, from: stores, to: regions,\n"
    "   from_columns: region_id, to_columns: id}\n"
    "- {name: billing, from: orders, to: addresses,\n"
    "   from_columns: billing_id, to_columns: id}\n"
    "- {name: shipping, from: orders, to: addresses,\n"
    "   from_columns: shipping_id, to_columns: id}\n"
    "- {name: parent, from: logs, to: logs,\n"
    "   from_columns: parent_id, to_columns: id}\n"
    "- {name: r0, from: c0, to: c1, from_columns: a, to_columns: b}\n"
    "- {name: r1, from: c1, to: c2, from_columns: a, to_columns: b}\n"
    "- {name: r2, from: c2, to: c3, from_columns: a, to_columns: b}\n"
    "- {name: r3, from: c3, to: c4, from_columns: a, to_columns: b}\n"
    "- {name: r4, from: c4, to: c5, from_columns: a, to_columns: b}\n"
    "- {name: r5, from: c5, to: c6, from_columns: a, to_columns: b}\n";

static size_t at(const struct ontology *o, const char *name)
{
    const struct dataset *d = ontology_dataset(o, str_of(name));
    if (!d)
        fail_msg("no dataset %s", name);
    return dataset_index(o, d);
}

/* "items >items_orders orders <…" */
static void assert_path(const struct ontology *o, const struct join_path *path,
                        const char *wanted)
{
    char shown[400];
    size_t n = 0;
    for (size_t i = 0; i < path->n_edges; i++) {
        const struct join_edge *e = &path->edges[i];
        struct str name = o->relationships[e->relationship].name;
        if (i)
            assert_int_equal(path->edges[i - 1].to, e->from);
        n += (size_t)snprintf(shown + n, sizeof shown - n, "%s%c%.*s",
                              i ? " " : "", e->reversed ? '<' : '>',
                              STR_ARG(name));
    }
    assert_string_equal(shown, wanted);
}

static void
test_a_dataset_is_found_exactly_then_without_case_then_by_table(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    assert_int_equal(at(o, "logs"), 9);
    assert_int_equal(at(o, "Logs"), 8);
    assert_int_equal(at(o, "LOGS"), 8);
    assert_int_equal(at(o, "order_items"), 0);
    assert_int_equal(at(o, "Sales.Orders"), 1);
    assert_int_equal(at(o, "archive.logs"), 9);
    assert_null(ontology_dataset(o, STR("other.orders")));
    assert_null(ontology_dataset(o, STR("")));
}

static void test_near_names_are_suggested_nearest_first(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct str_list near =
        ontology_nearest_datasets(*state, o, STR("custmoers"), 3);
    assert_int_equal(near.n, 1);
    assert_str(near.items[0], "customers");
    near = ontology_nearest_datasets(*state, o, STR("store"), 2);
    assert_str(near.items[0], "stores");
    near = ontology_nearest_datasets(*state, o, STR("product_catalog"), 3);
    assert_int_equal(near.n, 0);
    near = ontology_nearest_datasets(*state, o, STR("all_products"), 3);
    assert_str(near.items[0], "products");
    near = ontology_nearest_datasets(*state, o, STR("x"), 3);
    assert_int_equal(near.n, 0);
}

static void test_neighbours_are_reported_with_their_direction(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct join_edges edges = ontology_neighbours(*state, o, at(o, "orders"));
    assert_int_equal(edges.n, 5);
    assert_true(edges.items[0].reversed);
    assert_int_equal(edges.items[0].to, at(o, "items"));
    assert_false(edges.items[1].reversed);
    assert_int_equal(ontology_neighbours(*state, o, at(o, "logs")).n, 1);
    assert_int_equal(ontology_neighbours(*state, o, at(o, "audit")).n, 0);
}

static void connect(struct arena *arena, const struct ontology *o,
                    struct join_tree *tree, size_t n, const char *const *names)
{
    size_t datasets[8];
    for (size_t i = 0; i < n; i++)
        datasets[i] = at(o, names[i]);
    ontology_join_tree(arena, o, datasets, n, tree);
    /* each edge starts at a dataset reached before */
    bool reached[32] = {0};
    for (size_t i = 0; i < tree->n_edges; i++) {
        if (i == 0)
            reached[tree->edges[0].from] = true;
        if (!tree->n_apart)
            assert_true(reached[tree->edges[i].from]);
        reached[tree->edges[i].to] = true;
    }
}
#define CONNECT(o, tree, ...) \
    connect(*state, (o), (tree), \
            sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), \
            (const char *[]){__VA_ARGS__})

static void test_datasets_are_connected_by_the_fewest_edges(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct join_tree tree;
    CONNECT(o, &tree, "products", "stores", "customers", "products");
    assert_int_equal(tree.n_asked, 3);
    assert_int_equal(tree.n_edges, 4);
    assert_int_equal(tree.n_datasets, 5);
    assert_int_equal(tree.datasets[0], at(o, "products"));
    assert_int_equal(tree.n_apart, 0);
    assert_int_equal(tree.n_choices, 0);
}

static void test_a_join_path_has_at_most_five_edges(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct join_tree tree;
    ontology_join_tree(*state, o, (size_t[]){at(o, "c0"), at(o, "c5")}, 2,
                       &tree);
    assert_int_equal(tree.n_edges, 5);
    assert_int_equal(tree.n_apart, 0);
    ontology_join_tree(*state, o, (size_t[]){at(o, "c0"), at(o, "c6")}, 2,
                       &tree);
    assert_int_equal(tree.n_edges, 0);
    assert_int_equal(tree.n_apart, 1);
}

static void test_one_dataset_and_none_need_no_edge(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct join_tree tree;
    CONNECT(o, &tree, "audit");
    assert_int_equal(tree.n_datasets, 1);
    assert_int_equal(tree.n_edges, 0);
    ontology_join_tree(*state, o, NULL, 0, &tree);
    assert_int_equal(tree.n_datasets, 0);
}

static void test_what_is_apart_is_listed_and_the_rest_connected(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct join_tree tree;
    CONNECT(o, &tree, "items", "c1", "orders", "c2", "audit");
    assert_int_equal(tree.n_edges, 2);
    assert_int_equal(tree.n_apart, 3);
    assert_int_equal(tree.apart[0].a, at(o, "items"));
    assert_int_equal(tree.apart[0].b, at(o, "c1"));
    assert_int_equal(tree.apart[2].b, at(o, "audit"));
}

static void
test_several_relationships_of_two_datasets_are_a_choice(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct join_tree tree;
    CONNECT(o, &tree, "items", "addresses");
    assert_int_equal(tree.n_edges, 2);
    assert_int_equal(tree.n_choices, 1);
    assert_int_equal(tree.choices[0].n_paths, 2);
    assert_path(o, &tree.choices[0].paths[0], ">items_orders >billing");
    assert_path(o, &tree.choices[0].paths[1], ">items_orders >shipping");
    assert_str(o->relationships[tree.edges[1].relationship].name, "billing");
    assert_true(join_tree_choose(&tree, 0, 1));
    assert_str(o->relationships[tree.edges[1].relationship].name, "shipping");
}

static void test_paths_of_one_length_are_a_choice(void **state)
{
    const struct ontology *o = model_read(*state, str_of(text));
    struct join_tree tree;
    CONNECT(o, &tree, "items", "regions");
    assert_int_equal(tree.n_choices, 1);
    assert_path(o, &tree.choices[0].paths[0],
                ">items_orders >orders_customers >customers_regions");
    assert_int_equal(tree.n_datasets, 4);
    assert_true(join_tree_choose(&tree, 0, 1));
    assert_int_equal(tree.n_datasets, 4);
    assert_int_equal(tree.datasets[3], at(o, "stores"));
    assert_int_equal(tree.edges[2].from, at(o, "stores"));
}

static void test_a_path_that_others_stand_on_is_not_exchanged(void **state)
{
    const struct ontology *o = model_read(
        *state,
        STR("datasets: [{name: a, table: a}, {name: b, table: b}, {name: c, "
            "table: c}, {name: d, table: d}, {name: e, table: e}]\n"
            "relationships:\n"
            "- {name: ab, from: a, to: b, from_columns: x, to_columns: x}\n"
            "- {name: ac, from: a, to: c, from_columns: x, to_columns: x}\n"
            "- {name: bd, from: b, to: d, from_columns: x, to_columns: x}\n"
            "- {name: cd, from: c, to: d, from_columns: x, to_columns: x}\n"
            "- {name: be, from: b, to: e, from_columns: x, to_columns: x}\n"));
    struct join_tree tree;
    CONNECT(o, &tree, "a", "d", "e");
    assert_int_equal(tree.n_choices, 1);
    assert_int_equal(tree.n_edges, 4 - 1);
    assert_false(join_tree_choose(&tree, 0, 1));
}

/* Two facts that share a dimension are as near as two with a common parent, but
 * joining through the dimension multiplies rows. */
static void test_of_equal_paths_the_one_without_a_chasm_wins(void **state)
{
    const struct ontology *o = model_read(
        *state,
        STR("datasets: [{name: sales, table: s}, {name: day, table: d}, {name: "
            "link, table: l}, {name: stock, table: k}]\n"
            "relationships:\n"
            "- {name: 1, from: sales, to: day, from_columns: x, to_columns: x}\n"
            "- {name: 2, from: stock, to: day, from_columns: x, to_columns: x}\n"
            "- {name: 3, from: link, to: sales, from_columns: y, to_columns: y}"
            "\n- {name: 4, from: link, to: stock, from_columns: y, "
            "to_columns: y}\n"));
    struct join_tree tree;
    CONNECT(o, &tree, "sales", "stock");
    assert_int_equal(tree.n_edges, 2);
    assert_int_equal(tree.n_choices, 0);
    assert_int_equal(tree.edges[0].to, at(o, "link"));
}

/* From `a` the nearest are first b, then c over m; a tree over the hub h has
 * fewer edges and is found from another start. */
static void test_a_better_start_gives_the_smaller_tree(void **state)
{
    const struct ontology *o = model_read(
        *state,
        STR("datasets: [{name: a, table: a}, {name: b, table: b}, {name: c, "
            "table: c}, {name: d, table: d}, {name: h, table: h}]\n"
            "relationships:\n"
            "- {name: 1, from: a, to: h, from_columns: x, to_columns: x}\n"
            "- {name: 2, from: b, to: h, from_columns: x, to_columns: x}\n"
            "- {name: 3, from: c, to: h, from_columns: x, to_columns: x}\n"
            "- {name: 4, from: d, to: h, from_columns: x, to_columns: x}\n"));
    struct join_tree tree;
    CONNECT(o, &tree, "a", "b", "c", "d");
    assert_int_equal(tree.n_edges, 4);
    assert_int_equal(tree.n_datasets, 5);
    assert_int_equal(tree.datasets[4], at(o, "h"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(
            test_a_dataset_is_found_exactly_then_without_case_then_by_table),
        model_test(test_near_names_are_suggested_nearest_first),
        model_test(test_neighbours_are_reported_with_their_direction),
        model_test(test_datasets_are_connected_by_the_fewest_edges),
        model_test(test_a_join_path_has_at_most_five_edges),
        model_test(test_one_dataset_and_none_need_no_edge),
        model_test(test_what_is_apart_is_listed_and_the_rest_connected),
        model_test(test_several_relationships_of_two_datasets_are_a_choice),
        model_test(test_paths_of_one_length_are_a_choice),
        model_test(test_a_path_that_others_stand_on_is_not_exchanged),
        model_test(test_of_equal_paths_the_one_without_a_chasm_wins),
        model_test(test_a_better_start_gives_the_smaller_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
