/* What a query over a Trino cluster may call and read, and no other may. */
#include "guard_help.h"
#include "base/banned.h"

static const struct str relations[] = {{"sales.orders", 12},
                                       {"public.items", 12}};

static struct str judge_cluster(const char *sql, bool trino)
{
    struct guard_policy policy = {.relations = relations,
                                  .n_relations = 2,
                                  .trino = trino,
                                  .catalog = trino ? STR("lake") : STR("")};
    struct guard_verdict verdict;
    guard_check(&arena, str_of(sql), &policy, &verdict);
    return verdict.ok ? STR("ok") : verdict.code;
}

static void test_what_only_a_cluster_has(void **state)
{
    static const char *const texts[] = {
        "select approx_distinct(a), max_by(a, b) from items",
        "select date_diff('day', a, b) from sales.orders",
        "select cast(a as double) from items",
        "select year(a), listagg(b, ',') within group (order by b) from items",
        "select count(*) from lake.sales.orders",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str told = judge_cluster(texts[i], true);
        if (!str_is(told, "ok"))
            print_error("%s: %.*s\n", texts[i], STR_ARG(told));
        assert_true(str_is(told, "ok"));
        assert_false(str_is(judge_cluster(texts[i], false), "ok"));
    }
}

static void test_what_a_cluster_must_not_do(void **state)
{
    static const char *const texts[][2] = {
        {"select * from other.sales.orders", "relation"},
        {"select * from lake.hidden.orders", "relation"},
        {"select * from orders", "relation"},
        {"select * from system.runtime.queries", "relation"},
        {"select * from lake.information_schema.tables", "catalog"},
        {"select current_groups() from items", "function"},
        {"select sequence(1, 100000000) from items", "function"},
        {"select ai_gen('x') from items", "function"},
        {"call system.runtime.kill_query('x')", "not_select"},
        {"delete from items", "data_change"},
        {"select 1; select 2", "many_statements"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str told = judge_cluster(texts[i][0], true);
        if (!str_is(told, texts[i][1]))
            print_error("%s: %.*s\n", texts[i][0], STR_ARG(told));
        assert_true(str_is(told, texts[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        guard_test(test_what_only_a_cluster_has),
        guard_test(test_what_a_cluster_must_not_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
