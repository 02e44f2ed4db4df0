/* The literals that a query compares with columns, and with which. */
#include "base/buf.h"
#include "guard/literals.h"
#include "guard_help.h"
#include "base/banned.h"

static const char *const uses[] = {"=", "~", "~*", ">=", ">", "<=", "<"};

static void assert_literals(const char *sql, const char *wanted)
{
    struct query_literals found;
    struct buf out;
    buf_init(&out, &arena);
    query_literals_read(&arena, str_of(sql), &found);
    for (size_t i = 0; i < found.n; i++) {
        const struct query_literal *l = &found.items[i];
        buf_printf(&out, "%s%.*s%s%.*s%s%.*s%s %s %.*s", i ? "; " : "",
                   STR_ARG(l->schema), l->schema.len ? "." : "",
                   STR_ARG(l->table), l->table.len ? "." : "",
                   STR_ARG(l->column), l->computed ? "()" : "", uses[l->use],
                   STR_ARG(l->text));
    }
    assert_string_equal(buf_cstr(&out), wanted);
}

static void test_a_comparison_names_its_column_and_table(void **state)
{
    (void)state;
    assert_literals("select 1 from sales.orders o where o.city = 'Berlin'",
                    "sales.orders.city = Berlin");
    assert_literals("select 1 from orders where 'Berlin' = city",
                    "city = Berlin");
    assert_literals("select 1 from orders o where lower(o.city) = "
                    "lower('Berlin')",
                    "orders.city() = Berlin");
    assert_literals("select 1 from o where a in ('x', 'y') and b = any (array"
                    "['z'::text])",
                    "a = x; a = y; b = z");
    assert_literals("select 1 from o where a like 'x%' or b ilike '%y'",
                    "a ~ x%; b ~* %y");
    assert_literals("with c as (select * from orders) select 1 from c where "
                    "c.city = 'x'",
                    "city = x");
}

static void test_literals_are_found_wherever_they_are(void **state)
{
    (void)state;
    assert_literals("select sum(x) filter (where a = 'p'), sum(case when b = "
                    "'q' then 1 end) from o join t on t.c = 'r' group by 1 "
                    "having max(d) = 's'",
                    "a = p; b = q; t.c = r; d() = s");
    assert_literals("select 1 where exists (select 1 from o where o.a = 'p') "
                    "union select 2 from t where b = 'q'",
                    "o.a = p; b = q");
}

static void test_ranges_keep_their_direction(void **state)
{
    (void)state;
    assert_literals("select 1 from o where d >= date '2026-01-01' and d < "
                    "'2026-02-01'::date and '2025-01-01' < e",
                    "d >= 2026-01-01; d < 2026-02-01; e > 2025-01-01");
    assert_literals("select 1 from o where d between '2026-01-01' and "
                    "'2026-01-31'",
                    "d >= 2026-01-01; d <= 2026-01-31");
}

static void test_what_compares_no_column_with_a_text_is_left(void **state)
{
    (void)state;
    assert_literals("select 'x' from o where a = 5 and b = c and d <> 'x' and "
                    "e not in ('y') and f not like 'z' and g || h = 'p'",
                    "");
    assert_literals("select 1 from o where (select max(a) from t) = 'x'", "");
    assert_literals("no sql", "");
}

static void test_a_long_list_is_cut(void **state)
{
    struct query_literals found;
    struct buf sql;
    (void)state;
    buf_init(&sql, &arena);
    buf_text(&sql, "select 1 from o where a in ('0'");
    for (int i = 1; i < 1000; i++)
        buf_printf(&sql, ",'%d'", i);
    buf_text(&sql, ")");
    query_literals_read(&arena, buf_view(&sql), &found);
    assert_int_equal(found.n, LITERALS_MOST);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, arena_setup, arena_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_comparison_names_its_column_and_table),
        TEST(test_literals_are_found_wherever_they_are),
        TEST(test_ranges_keep_their_direction),
        TEST(test_what_compares_no_column_with_a_text_is_left),
        TEST(test_a_long_list_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
