/* The guard in front of two engines. */
#include "tool/query_guard.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena arena;
static const struct str relations[] = {{"main.orders", 11}};
static const struct guard_policy policy = {
    .relations = relations, .n_relations = 1, .search_schema = {"main", 4}};

static struct guard_verdict judge(enum source_dialect dialect, const char *sql)
{
    struct guard_verdict verdict;
    query_guard(&arena, &policy, dialect, str_of(sql), &verdict);
    return verdict;
}

static void test_what_postgres_reads_is_judged_as_before(void **state)
{
    static const char *const refused[] = {
        "delete from orders",
        "select 1; select 2",
        "select * from other",
        "select * from pg_class",
        "select * from information_schema.tables",
        "select * into t from orders",
        "",
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_false(judge(DIALECT_POSTGRES, refused[i]).ok);
        assert_false(judge(DIALECT_DUCKDB, refused[i]).ok);
    }
    assert_true(
        judge(DIALECT_DUCKDB, "select count(*) from orders").aggregated);
    assert_true(judge(DIALECT_DUCKDB, "select id from main.orders").ok);
    assert_false(judge(DIALECT_DUCKDB, "select id from public.orders").ok);
}

static void test_the_engine_decides_about_its_own_sql(void **state)
{
    static const char *const texts[] = {
        "select median(amount) from orders ; ",
        "select * exclude (id) from orders;",
        "from orders",
        "select [1, 2] as list",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(judge(DIALECT_POSTGRES, texts[i]).ok);
        struct guard_verdict verdict = judge(DIALECT_DUCKDB, texts[i]);
        assert_true(verdict.ok);
        assert_false(verdict.aggregated); /* nothing is known of it */
        assert_true(verdict.picks_any);
        assert_true(verdict.calls.len);
        assert_false(str_ends(verdict.text, STR(";")));
        struct guard_verdict again;
        assert_false(query_guard(&arena, &policy, DIALECT_DUCKDB,
                                 str_of(texts[i]), &again));
    }
}

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_what_postgres_reads_is_judged_as_before),
        CASE(test_the_engine_decides_about_its_own_sql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
