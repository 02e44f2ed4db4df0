/* Which queries reveal nothing but aggregates over rows. */
#include "guard_help.h"
#include "base/banned.h"

static void test_queries_that_tell_of_groups(void **state)
{
    (void)state;
    static const char *const queries[] = {
        "select count(*) from t",
        "select city, sum(x) from t join u using (id) group by city",
        "select city, round(avg(x) * 2, 1) as y from t group by 1 order by 2",
        "select city, count(*) filter (where x > 1) from t group by city",
        "select * from (select city, sum(x) s from t group by city) q where s > 1",
        "with m as (select city, sum(x) s from t group by city) "
        "select city, rank() over (order by s) from m",
        "with m as (select city, sum(x) s from t group by city), "
        "n as (select * from m where s > 1) select a.city, b.s from n a, m b",
        "select sum(s) over () from (select sum(x) s from t) q",
        "select count(*) from t union all select sum(x) from u",
        "select (select count(*) from t), (select max(x) from u)",
        "select sum(x) from t where id in (select id from u)",
        "select city, exists (select 1 from u), count(*) from t group by city",
        "select d, q.n from generate_series(1, 3) d, "
        "lateral (select count(*) n from t where t.x = d) q",
        "select 1",
        "values (1, 2)"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct guard_verdict v = judge(queries[i]);
        if (!v.ok || !v.aggregated)
            print_message("# %s: %s\n", queries[i],
                          v.ok ? "rows" : v.reason.ptr);
        assert_true(v.ok && v.aggregated);
    }
}

static void test_queries_that_tell_of_rows(void **state)
{
    (void)state;
    static const char *const queries[] = {
        "select * from t",
        "select email from t limit 1",
        "select distinct email from t",
        "select email from t group by email",
        "select email from t group by email having count(*) > 0",
        "select email from t order by (select count(*) from u)",
        "select email, count(*) over () from t",
        "select t.email, q.n from t, (select count(*) n from u) q",
        "select count(*), (select email from t limit 1) from u",
        "select count(*), array(select email from t) from u",
        "select array_agg(email) from t",
        "select string_agg(email, ',') from t",
        "select length(string_agg(email, ',')) from t",
        "select jsonb_agg(t) from t",
        "select json_object_agg(id, email) from t",
        "select count(*), t.json_agg from t",
        "select count(*), (t).array_agg[1] from t",
        "select count(*), length((t.during).range_agg::text) from t",
        "select count(*) from t union all select x from u",
        "select * from (select array_agg(x) a, count(*) from t) q",
        "select * from unnest(array(select email from t))",
        "select (select max(t.email)) from t",
        "with m as (select count(*) from t) select email from t, m",
        "with t as (select * from t) select * from t",
        ("with recursive r as (select x from t union all select x from r "
         "where x < 3) select * from r"),
        "with q as (select count(*) from t) select * from public.q",
        "values ((select email from t limit 1))",
        "select * from t tablesample system (1)"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct guard_verdict v = judge(queries[i]);
        if (v.ok && v.aggregated)
            print_message("# %s\n", queries[i]);
        assert_false(v.ok && v.aggregated);
    }
}

static void test_outputs_that_pick_a_value_are_known(void **state)
{
    (void)state;
    struct guard_verdict v = judge("select city, max(email), count(*),"
                                   " (select min(x) from u) from t group by 1");
    assert_true(v.aggregated && !v.picks_any);
    assert_int_equal(v.n_picks, 4);
    assert_false(v.picks[0] || v.picks[2]);
    assert_true(v.picks[1] && v.picks[3]);
    assert_true(
        judge("select e from (select max(email) e from t) q").picks_any);
    assert_true(judge("with q as (select mode() within group (order by email) e"
                      " from t) select e, 1 from q")
                    .picks_any);
    assert_true(judge("select 1 union select max(x) from t").picks_any);
    assert_false(judge("select city, sum(x) from t group by city").picks_any);
    assert_false(judge("select city from t group by city"
                       " having max(x) > 1")
                     .picks_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        guard_test(test_queries_that_tell_of_groups),
        guard_test(test_queries_that_tell_of_rows),
        guard_test(test_outputs_that_pick_a_value_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
