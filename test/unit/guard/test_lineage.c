/* The verdict lists what a query reads: each name once, in the order of its
 * text. */
#include "guard_help.h"
#include "base/banned.h"

static void assert_relations(const char *sql, const char *wanted)
{
    struct guard_verdict v = judge(sql);
    assert_true(v.ok);
    assert_names(v.relations, v.n_relations, wanted);
}

static void test_relations_come_in_the_order_of_the_text(void **state)
{
    (void)state;
    assert_relations("with x as (select * from zoo) "
                     "select (select 1 from apes) from x, public.birds, zoo",
                     "zoo, apes, public.birds");
    assert_relations("select 1", "");
}

static void test_names_are_folded_as_the_server_folds_them(void **state)
{
    (void)state;
    assert_relations("select * from Orders, \"Orders\", PUBLIC.Orders",
                     "orders, Orders, public.orders");
}

static void test_a_common_table_expression_is_no_relation(void **state)
{
    (void)state;
    assert_relations("with o as (select 1) select * from o", "");
    assert_relations("with o as (select 1) select * from public.o", "public.o");
}

static void test_a_table_that_its_own_cte_hides_is_a_relation(void **state)
{
    (void)state;
    assert_relations("with orders as (select * from orders) "
                     "select * from orders",
                     "orders");
}

static void test_a_cte_hides_nothing_before_itself(void **state)
{
    (void)state;
    assert_relations("with a as (select * from b), b as (select 1) "
                     "select * from a, b",
                     "b");
    assert_relations("with recursive a as (select * from b), b as (select 1) "
                     "select * from a, b",
                     "");
}

static void test_a_cte_hides_nothing_outside_its_query(void **state)
{
    (void)state;
    assert_relations(
        "select * from (with t as (select 1) select * from t) q, t", "t");
    assert_relations("(with t as (select 1) select * from t) "
                     "union all select * from t",
                     "t");
    assert_relations("with t as (select 1) select (select 1 from t) "
                     "union all select * from t",
                     "");
}

static void test_columns_come_with_their_qualifier(void **state)
{
    (void)state;
    struct guard_verdict v = judge(
        "select o.Id, \"Total\", o.*, public.t.x from t, o order by o.id");
    assert_int_equal(v.n_columns, 4);
    const char *wanted[][2] = {
        {"o", "id"}, {"", "Total"}, {"o", "*"}, {"t", "x"}};
    for (size_t i = 0; i < v.n_columns; i++) {
        assert_true(str_is(v.columns[i].relation, wanted[i][0]));
        assert_true(str_is(v.columns[i].name, wanted[i][1]));
    }
}

static void test_columns_of_using_are_columns(void **state)
{
    (void)state;
    struct guard_verdict v = judge("select 1 from a join b using (k)");
    assert_int_equal(v.n_columns, 1);
    assert_true(str_is(v.columns[0].name, "k"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        guard_test(test_relations_come_in_the_order_of_the_text),
        guard_test(test_names_are_folded_as_the_server_folds_them),
        guard_test(test_a_common_table_expression_is_no_relation),
        guard_test(test_a_table_that_its_own_cte_hides_is_a_relation),
        guard_test(test_a_cte_hides_nothing_before_itself),
        guard_test(test_a_cte_hides_nothing_outside_its_query),
        guard_test(test_columns_come_with_their_qualifier),
        guard_test(test_columns_of_using_are_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
