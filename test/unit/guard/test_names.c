/* Which relations a policy allows. */
#include "guard_help.h"
#include "base/banned.h"

static const struct str sales[] = {
    {"orders", 6}, {"hr.people", 9}, {"public.customers", 16}};

static struct guard_verdict judge_sales(const char *sql, const char *schema)
{
    struct guard_policy policy = {
        .relations = sales, .n_relations = 3, .search_schema = str_of(schema)};
    struct guard_verdict verdict;
    guard_check(&arena, str_of(sql), &policy, &verdict);
    return verdict;
}

static void assert_listed(const char *sql)
{
    assert_true(judge_sales(sql, NULL).ok);
}

static void assert_unlisted(const char *sql)
{
    struct guard_verdict v = judge_sales(sql, NULL);
    assert_false(v.ok);
    assert_true(str_is(v.code, "relation"));
}

static void test_a_listed_relation_is_allowed_in_both_ways(void **state)
{
    (void)state;
    assert_listed("select * from orders");
    assert_listed("select * from ORDERS o, public.orders");
    assert_listed("select * from hr.people");
    assert_listed("select * from customers, public.customers");
}

static void test_another_relation_is_refused_by_its_name(void **state)
{
    (void)state;
    assert_unlisted("select * from salaries");
    assert_unlisted("select * from \"Orders\"");
    assert_unlisted("select * from people");
    assert_unlisted("select * from evil.orders");
    assert_unlisted("select * from \"hr.people\"");
    assert_unlisted(
        "select * from orders where id in (select id from salaries)");
    assert_unlisted(
        "with orders2 as (select * from orders) select * from orders3");
    struct guard_verdict v = judge_sales("select * from salaries", NULL);
    assert_true(str_find(v.reason, STR("salaries")) > 0);
    assert_true(str_find(v.reason, STR("hr.people")) > 0);
    assert_int_equal(v.position, 15);
}

static void test_a_cte_needs_no_listing_where_it_is_in_sight(void **state)
{
    (void)state;
    assert_listed("with x as (select * from orders) select * from x");
    assert_unlisted("select * from (with x as (select 1) select 1) q, x");
    assert_unlisted("with x as (select * from x) select * from x");
}

static void test_the_search_schema_stands_for_unqualified_names(void **state)
{
    (void)state;
    assert_true(judge_sales("select * from people", "hr").ok);
    assert_true(judge_sales("select * from hr.orders", "hr").ok);
    assert_false(judge_sales("select * from public.orders", "hr").ok);
}

static void test_a_catalog_is_refused_even_when_listed(void **state)
{
    (void)state;
    struct str names[] = {STR("pg_class"), STR("pg_catalog.pg_user")};
    struct guard_policy policy = {.relations = names, .n_relations = 2};
    struct guard_verdict v;
    guard_check(&arena, STR("select * from pg_class"), &policy, &v);
    assert_true(str_is(v.code, "catalog"));
    guard_check(&arena, STR("select * from pg_catalog.pg_user"), &policy, &v);
    assert_true(str_is(v.code, "catalog"));
}

static void test_no_relation_is_allowed_by_an_empty_policy(void **state)
{
    (void)state;
    struct guard_policy policy = {0};
    struct guard_verdict v;
    guard_check(&arena, STR("select * from t"), &policy, &v);
    assert_true(str_is(v.code, "relation"));
    guard_check(&arena, STR("select 1"), &policy, &v);
    assert_true(v.ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        guard_test(test_a_listed_relation_is_allowed_in_both_ways),
        guard_test(test_another_relation_is_refused_by_its_name),
        guard_test(test_a_cte_needs_no_listing_where_it_is_in_sight),
        guard_test(test_the_search_schema_stands_for_unqualified_names),
        guard_test(test_a_catalog_is_refused_even_when_listed),
        guard_test(test_no_relation_is_allowed_by_an_empty_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
