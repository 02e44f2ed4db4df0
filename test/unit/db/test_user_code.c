/* The guard and user_code.c together, on a database whose owner left a trap: a
 * function with its owner's rights that takes one argument and writes. */
#include "../pg_fixture.h"
#include "../run_flow.h"
#include "base/log.h"
#include "db/pool.h"
#include "db/read.h"
#include "user_code.h"
#include "guard/guard.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pg *pg;
static struct pool *pool;

static const char trap[] =
    "create table leaks (what text);"
    "create function public.exec_sql(text) returns text security definer"
    "  language plpgsql as $$ begin insert into leaks values ($1);"
    "  return 'x'; end $$;"
    "create function public.exec_sql(anyelement) returns text security definer"
    "  language plpgsql as $$ begin insert into leaks values ('row');"
    "  return 'x'; end $$;"
    "create role reader login; grant usage on schema public to reader;"
    "grant select on all tables in schema public to reader;";

static char *data_file(const char *name)
{
    char path[512];
    const char *folder = getenv("GUARD_DATA");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    char *text = calloc(1, 1024 * 1024);
    size_t n = fread(text, 1, 1024 * 1024 - 1, file);
    text[n] = 0;
    fclose(file);
    return text;
}

/* The next block, terminated by a NUL; empty lines separate blocks. */
static char *next_block(char **rest)
{
    while (*rest && **rest) {
        char *block = *rest, *end = strstr(block, "\n\n");
        *rest = end ? end + 2 : NULL;
        if (end)
            *end = 0;
        if (block[strspn(block, " \n")])
            return block;
    }
    return NULL;
}

static int set_up(void **state)
{
    (void)state;
    loop_open();
    char conninfo[600];
    snprintf(conninfo, sizeof conninfo, "%s user=reader",
             pg_conninfo(pg, "postgres"));
    pool = pool_open(&(struct pool_options){.name = "source",
                                            .conninfo = conninfo,
                                            .most = 1,
                                            .pipeline = 1,
                                            .connect_ms = 100000,
                                            .idle_ms = 60000});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pool_close(&pool);
    loop_close();
    return 0;
}

/* ---- one query, as a user's runs ----------------------------------------- */

struct user_query {
    const char *sql;
    bool refused; /* by the guard */
    enum err status;
    char sqlstate[6], message[160];
    struct read *r;
};

static step_fn asked;

static struct next ask_begin(struct flow *f)
{
    struct user_query *a = locals(f, struct user_query);
    struct guard_policy policy = {.any_relation = true};
    struct guard_verdict verdict;
    guard_check(flow_here(f), str_of(a->sql), &policy, &verdict);
    a->refused = !verdict.ok;
    if (a->refused)
        return back(f);
    a->r = here(f, struct read);
    a->r->options = (struct read_options){.source = pool_source(pool),
                                          .sql = verdict.text,
                                          .calls = verdict.calls,
                                          .max_rows = 10,
                                          .timeout_ms = 60000};
    read_begin(f, a->r);
    op_tolerate(&a->r->op);
    return await(f, asked);
}

static struct next asked(struct flow *f)
{
    struct user_query *a = locals(f, struct user_query);
    a->status = a->r->op.status;
    memcpy(a->sqlstate, a->r->sqlstate, sizeof a->sqlstate);
    snprintf(a->message, sizeof a->message, "%.*s", STR_ARG(a->r->message));
    return back(f);
}

static struct user_query ask(const char *sql)
{
    struct user_query a = {.sql = sql};
    assert_int_equal(run_flow(ask_begin, &a), OK);
    return a;
}

static void assert_refused(const char *sql)
{
    struct user_query a = ask(sql);
    if (a.refused || a.status != ERR_SQL_FAILED || strcmp(a.sqlstate, "42501"))
        fail_msg("not reaches_user_code (%d %s %s): %s", a.status, a.sqlstate,
                 a.message, sql);
}

static void assert_answered(const char *sql)
{
    struct user_query a = ask(sql);
    if (a.refused || a.status != OK)
        fail_msg("refused (%s %s): %s", a.sqlstate, a.message, sql);
}

/* ---- attacks ------------------------------------------------------------- */

/* Without guard and user_code.c most of them do write, so they are worth
 * refusing. */
static void
test_attacks_reach_the_function_without_guard_and_check(void **state)
{
    (void)state;
    char *text = data_file("attacks.sql"), *rest = text, *sql;
    char conninfo[600];
    snprintf(conninfo, sizeof conninfo, "%s user=reader",
             pg_conninfo(pg, "postgres"));
    PGconn *reader = PQconnectdb(conninfo);
    while ((sql = next_block(&rest)))
        if (strstr(sql, "exec_sql"))
            PQclear(PQexec(reader, sql));
    PQfinish(reader);
    free(text);
    assert_true(atoi(pg_ask(pg, "postgres", "select count(*) from leaks")) >
                40);
    pg_run(pg, "postgres", "truncate leaks");
}

static void test_no_attack_reaches_the_function(void **state)
{
    (void)state;
    char *text = data_file("attacks.sql"), *rest = text, *sql;
    int n = 0;
    for (; (sql = next_block(&rest)); n++) {
        struct user_query a = ask(sql);
        if (strncmp(sql, "-- expect", 9) && !a.refused)
            fail_msg("let through: %s", sql);
    }
    free(text);
    assert_true(n > 500);
}

/* The text does not show that these tables have no such column. */
static void test_a_field_that_no_table_has_is_refused(void **state)
{
    (void)state;
    assert_refused("select o.exec_sql from orders o");
    assert_refused("select (o).exec_sql from orders o");
    assert_refused("select orders.exec_sql from public.orders");
    assert_refused("select public.orders.exec_sql from public.orders");
    assert_refused("select q.exec_sql from (select * from orders) q");
    assert_refused("with q as (select o.* from orders o) "
                   "select 1 from q where q.exec_sql is null");
    assert_refused("select (array_agg(o))[1].exec_sql from orders o");
    assert_refused("select ((select o from orders o limit 1)).exec_sql");
    assert_refused("select 1 from orders o order by o.exec_sql");
    assert_refused("select j.exec_sql from (orders o join customers c "
                   "on c.id = o.customer_id) j");
    assert_refused("select o.exec_sql from orders as o(a, b)");
    assert_refused("select e.exec_sql from customers as exec_sql, orders e");
    /* a function of PostgreSQL that takes rows */
    assert_refused("select o.count from orders o");
}

static void assert_found(PGconn *reader, const char *field, bool listed,
                         bool found)
{
    char calls[200];
    snprintf(calls, sizeof calls,
             "{\"tables\":[],\"fields\":[[\"%s\",[],%s]],\"rows\":[],"
             "\"functions\":[],\"operators\":[]}",
             field, listed ? "true" : "false");
    assert_true(user_code_ask(reader, calls));
    PGresult *r;
    bool any = false;
    while ((r = PQgetResult(reader))) {
        assert_int_equal(PQresultStatus(r), PGRES_TUPLES_OK);
        any = any || PQntuples(r) > 0;
        PQclear(r);
    }
    if (any != found)
        fail_msg("%s is %sfound", field, any ? "" : "not ");
}

/* A field of a value outside of tables may be a call of a function of any
 * type. */
static void test_builtins_that_the_guard_refuses_count_as_fields(void **state)
{
    (void)state;
    char conninfo[600];
    snprintf(conninfo, sizeof conninfo, "%s user=reader",
             pg_conninfo(pg, "postgres"));
    PGconn *reader = PQconnectdb(conninfo);
    assert_found(reader, "ts_stat", false, true);
    assert_found(reader, "lo_unlink", false, true);
    assert_found(reader, "currval", false, true);
    assert_found(reader, "to_regclass", false, true);
    assert_found(reader, "regrole", false, true);
    assert_found(reader, "lower", true, false);
    assert_found(reader, "date", true, false);
    assert_found(reader, "total", false, false);
    PQfinish(reader);
    assert_answered("with recursive r as (select * from employees where id = 1 "
                    "union all select e.* from employees e join r "
                    "on e.manager_id = r.id where r.name <> '') "
                    "select count(*) from r");
}

/* Neither is called by name. */
static void test_domains_and_casts_with_rights_are_refused(void **state)
{
    (void)state;
    pg_run(pg, "postgres",
           "create function public.check_order(orders) returns bool "
           "security definer language plpgsql as 'begin return true; end'; "
           "create domain public.good_order as orders "
           "check (public.check_order(value)); "
           "create type public.size as enum ('small')");
    assert_refused("select o.good_order from orders o");
    assert_refused("select (o).good_order from orders o");
    assert_answered("select size.size from products p, unnest(p.tags) size");
    pg_run(pg, "postgres",
           "drop domain public.good_order; "
           "create function public.size_text(size) returns text "
           "security definer language plpgsql as 'begin return 1; end'; "
           "create cast (size as text) with function public.size_text(size) "
           "as implicit");
    assert_refused("select id from orders");
    pg_run(pg, "postgres",
           "revoke execute on function public.size_text from public");
    assert_answered("select id, total from orders");
    pg_run(pg, "postgres",
           "drop cast (size as text); "
           "drop function public.size_text(size), "
           "public.check_order(orders)");
}

/* A word means a column before it means a row. */
static void test_a_row_named_like_a_column_is_refused(void **state)
{
    (void)state;
    assert_refused("select (status).exec_sql from orders status");
    assert_refused("select (name).exec_sql from customers, orders as name");
    assert_refused(
        "select (status).exec_sql from (select 1 as exec_sql) status, "
        "(select q.* from public.orders, lateral (select "
        "public.orders.* from (select 1 as x) orders) q) r");
    assert_answered("select (o).total from orders o");
}

static void test_functions_and_operators_of_users_are_refused(void **state)
{
    (void)state;
    pg_run(pg, "postgres",
           "create function public.upper(int) returns int security definer "
           "immutable language sql as 'select $1'; "
           "create function public.reverse(int) returns int language plpgsql "
           "as 'begin return $1; end'; "
           "create function public.remainder(text, int) returns int "
           "language plpgsql as 'begin return 0; end'; "
           "create operator public.% (leftarg = text, rightarg = int, "
           "function = public.remainder)");
    assert_refused("select upper(1)");
    assert_refused("select 1 from orders where reverse(status) = 'x'");
    assert_refused("select id % 2 from orders");
    assert_answered("select pg_catalog.upper('a'), pg_catalog.reverse('ab'), "
                    "5 operator(pg_catalog.%) 2");
    assert_answered("select lower('A'), 5 + 2");
    pg_run(pg, "postgres",
           "drop operator public.% (text, int); "
           "drop function public.remainder; drop function public.upper(int); "
           "drop function public.reverse(int)");
    assert_answered("select upper('a'), id % 2 from orders");
}

/* Allowed: functions that only compute, that the role may not execute, that are
 * in another schema, and operators of a type that PostgreSQL does not have. */
static void test_harmless_functions_of_users_pass(void **state)
{
    (void)state;
    pg_run(pg, "postgres",
           "create function public.round(float8, int) returns numeric "
           "immutable language sql as 'select pg_catalog.round($1::numeric, "
           "$2)'; "
           "create function public.total(text) returns text security definer "
           "language sql as 'select $1'; "
           "create function public.length(int) returns int security definer "
           "language sql as 'select $1'; "
           "revoke execute on function public.length(int) from public; "
           "create schema other; create function other.lower(int) returns int "
           "security definer language sql as 'select $1'; "
           "create type mood as enum ('sad', 'glad'); "
           "create function public.same(mood, mood) returns bool language "
           "plpgsql as 'begin return true; end'; "
           "create operator public.= (leftarg = mood, rightarg = mood, "
           "function = public.same)");
    assert_answered("select round(1.5, 0), length('x'), lower('X')");
    assert_answered("select o.total, (o).total from orders o");
    assert_answered("select q.total from (select * from orders) q");
    assert_answered(
        "select q.total from (select sum(id) as total from orders) q");
    pg_run(pg, "postgres", "drop function public.total(text)");
}

static void test_valid_queries_are_not_refused(void **state)
{
    (void)state;
    char *text = data_file("valid.sql"), *rest = text, *sql;
    while ((sql = next_block(&rest))) {
        struct user_query a = {.sql = sql};
        assert_int_equal(run_flow(ask_begin, &a), OK);
        if (a.refused || !strcmp(a.sqlstate, "42501"))
            fail_msg("%s: %s", a.message, sql);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_attacks_reach_the_function_without_guard_and_check, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(test_no_attack_reaches_the_function,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_field_that_no_table_has_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_builtins_that_the_guard_refuses_count_as_fields, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(
            test_domains_and_casts_with_rights_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_row_named_like_a_column_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_functions_and_operators_of_users_are_refused, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(test_harmless_functions_of_users_pass,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_valid_queries_are_not_refused,
                                        set_up, tear_down),
    };
    log_level_set(LOG_ERROR + 1);
    pg = pg_new();
    char *schema = data_file("schema.sql");
    pg_run(pg, "postgres", schema);
    pg_run(pg, "postgres", trap);
    free(schema);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pg_free(&pg);
    return failed;
}
