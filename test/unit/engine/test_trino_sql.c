/* What PostgreSQL's grammar reads, as Trino reads it. */
#include "../arena_test.h"
#include "base/buf.h"
#include "trino_sql.h"
#include "base/banned.h"

static const struct {
    const char *given, *wanted;
} pairs[] = {
    {"select a::date, b::text from t", "select cast(a as date), cast(b as "
                                       "varchar) from t"},
    {"SELECT date_trunc('month', o.x)::date AS \"Month\"",
     "select cast(date_trunc('month', o.x) as date) as \"Month\""},
    {"select sum(x) filter (where y > 1)::numeric / 2",
     "select cast(sum(x) filter(where y > 1) as decimal(38, 10)) / 2"},
    {"select (row_number() over (order by a))::text::varchar(3)",
     "select cast(cast((row_number() over(order by a)) as varchar) as "
     "varchar(3))"},
    {"select case when a then 1 end::int8",
     "select cast(case when a then 1 end as bigint)"},
    {"select cast(a as text), cast(b as double precision)",
     "select cast(a as varchar), cast(b as double)"},
    {"select cast(a as timestamp(3) with time zone), b::timestamptz",
     "select cast(a as timestamp(3) with time zone), cast(b as timestamp with "
     "time zone)"},
    {"select a from t where b ilike '%x\\_y%' and c not ilike 'd'",
     "select a from t where lower(b) like lower('%x\\_y%') escape '\\' and "
     "lower(c) not like lower('d')"},
    {"select a where b like '50\\%'", "select a where b like '50\\%' escape "
                                      "'\\'"},
    {"select a where lower(b) ~ '\\m(x|y)' or c !~* 'z'",
     "select a where regexp_like(lower(b), '\\b(x|y)') or not "
     "regexp_like(c, '(?i)' || 'z')"},
    {"select d - INTERVAL '2 month', interval '1 week', interval '3' day",
     "select d - interval '2' month, interval '7' day, interval '3' day"},
    {"select d - interval '1 month 2 days'",
     "select d - interval '1' month - interval '2' day"},
    {"select a limit 10 offset 20", "select a offset 20 limit 10"},
    {"with t as materialized (select 1) select * from t",
     "with t as(select 1) select * from t"},
    {"select E'a\\'b\\x41', $$it's$$, $q$x$q$", "select 'a''bA', 'it''s', 'x'"},
    {"select a -- no ' end\n, b /* /* */ ; */", "select a, b"},
    {"select string_agg(v, ', ' order by n desc)",
     "select listagg(v, ', ') within group (order by n desc)"},
    {"select string_agg(distinct v, ',')",
     "select listagg(distinct v, ',') within group (order by v)"},
    {"select left(a, 3), btrim(b)", "select substr(a, 1, 3), trim(b)"},
    {"select extract(dow from d), date_part('year', d)",
     "select (day_of_week(d) % 7), year(d)"},
    {"select to_char(d, 'YYYY-MM'), to_date(s, 'DD.MM.YYYY')",
     "select date_format(d, '%Y-%m'), cast(date_parse(s, '%d.%m.%Y') as date)"},
    {"select x from tpch.tiny.\"Line Item\"",
     "select x from tpch.tiny.\"Line Item\""},
    {"select s.left(a, 3)", "select s.left(a, 3)"},
    {"select listagg(a, ',') within group (order by a)",
     "select listagg(a, ',') within group(order by a)"},
    {"select array[1, 2]::text[]", "select cast(array [ 1, 2 ] as "
                                   "array(varchar))"},
};

static void test_what_only_postgresql_reads_is_rewritten(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct str out = STR(""), why;
        bool good = trino_sql(&arena, str_of(pairs[i].given), &out, &why);
        if (!good || !str_is(out, pairs[i].wanted))
            print_error("%s\n  gives  %.*s%.*s\n  wanted %s\n", pairs[i].given,
                        STR_ARG(good ? out : STR("")),
                        STR_ARG(good ? STR("") : why), pairs[i].wanted);
        assert_true(good);
        assert_true(str_is(out, pairs[i].wanted));
    }
}

static void test_what_trino_cannot_say_is_refused(void **state)
{
    static const char *const texts[] = {
        "select 1; drop table t",
        "within group (order by v)",
        "select distinct on (a) b from t",
        "select a -> 'b'",
        "select 'open",
        "select \"open",
        "select (1",
        "select 1)",
        "select /* open",
        "select U&'\\0041'",
        "select B'101'",
        "select E'\\u0041'",
        "select $1",
        "select interval '1 fortnight'",
        "select to_char(n, '999D99')",
        "select mode() within group (order by x)",
        "select a::",
        "::int",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str out, why = STR("");
        bool good = trino_sql(&arena, str_of(texts[i]), &out, &why);
        if (good)
            print_error("%s gives %.*s\n", texts[i], STR_ARG(out));
        assert_false(good);
        assert_true(why.len > 0);
    }
}

/* The median is exact, and FILTER reaches the rows. */
static void test_a_percentile_is_of_all_values(void **state)
{
    struct str out, why;
    (void)state;
    assert_true(trino_sql(&arena,
                          STR("select percentile_cont(0.5) within group (order "
                              "by x::float8) filter (where y > 0) from t"),
                          &out, &why));
    assert_true(str_find(out, STR("array_agg(cast(cast(x as double) as "
                                  "double)) filter (where cast(x as double) is "
                                  "not null and (y > 0))")) > 0);
    assert_true(str_find(out, STR("within")) < 0);
}

/* Wrapping copies what is wrapped: a text must not grow without end. */
static void test_a_text_does_not_grow_without_end(void **state)
{
    struct buf text = {0};
    struct str out, why;
    (void)state;
    buf_text(&text, "select x");
    for (int i = 0; i < 4000; i++)
        buf_text(&text, "::int");
    assert_false(trino_sql(&arena, buf_view(&text), &out, &why));
    buf_clear(&text);
    for (int i = 0; i < 4000; i++)
        buf_text(&text, "a ilike (");
    assert_false(trino_sql(&arena, buf_view(&text), &out, &why));
    buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(test_what_only_postgresql_reads_is_rewritten),
        ARENA_TEST(test_what_trino_cannot_say_is_refused),
        ARENA_TEST(test_a_percentile_is_of_all_values),
        ARENA_TEST(test_a_text_does_not_grow_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
