/* Reads of text that a model wrote, against a real server. */
#include "../pg_fixture.h"
#include "../run_flow.h"
#include "base/log.h"
#include "db/pool.h"
#include "db/read.h"
#include "loop/timer.h"
#include "read_job.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct pg *pg;
static struct pool *pool;
static bool moved[READ_JOB_STATES][READ_JOB_STATES];

static void on_move(enum read_job_state from, enum read_job_state to)
{
    moved[from][to] = true;
}

static int set_up(void **state)
{
    (void)state;
    pg_thaw(pg);
    pg_start(pg);
    loop_open();
    pool = pool_open(
        &(struct pool_options){.name = "source",
                               .conninfo = pg_conninfo(pg, "postgres"),
                               .most = 1,
                               .pipeline = 1,
                               .connect_ms = 100000,
                               .idle_ms = 60000});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    if (pool)
        pool_close(&pool);
    loop_close();
    return 0;
}

/* ---- one read, as a flow ------------------------------------------------ */

struct read_outcome {
    const char *sql;
    struct read_options options;         /* except source and sql */
    void (*check)(const struct read *r); /* called while the rows exist */
    struct read *r;
    enum err status;
    int n_rows, n_columns, position;
    bool more_rows, cut_values;
    unsigned elapsed_ms;
    char sqlstate[6], message[160], cell[160], text[512];
};

static step_fn looked;

static struct next look_begin(struct flow *f)
{
    struct read_outcome *l = locals(f, struct read_outcome);
    struct read *r = l->r = here(f, struct read);
    r->options = l->options;
    r->options.source = pool_source(pool);
    r->options.own = !r->options.calls.len;
    r->options.sql = str_of(l->sql);
    read_begin(f, r);
    op_tolerate(&r->op);
    return await(f, looked);
}

/* "name:type,…" and then rows as "a|b", NULL as "~". */
static void print(struct read_outcome *l, const struct read *r)
{
    size_t at = 0, size = sizeof l->text;
    for (int i = 0; i < r->n_columns && at < size; i++)
        at += (size_t)snprintf(l->text + at, size - at, "%s%.*s:%.*s",
                               i ? "," : "", STR_ARG(r->columns[i].name),
                               STR_ARG(r->columns[i].type));
    for (int i = 0; i < r->n_rows * r->n_columns && at < size; i++) {
        struct str cell = r->cells[i].ptr ? r->cells[i] : STR("~");
        at += (size_t)snprintf(l->text + at, size - at, "%s%.*s",
                               i % r->n_columns ? "|" : ";", STR_ARG(cell));
    }
}

static struct next looked(struct flow *f)
{
    struct read_outcome *l = locals(f, struct read_outcome);
    struct read *r = l->r;
    l->status = r->op.status;
    l->n_rows = r->n_rows;
    l->n_columns = r->n_columns;
    l->position = r->position;
    l->more_rows = r->more_rows;
    l->cut_values = r->cut_values;
    l->elapsed_ms = r->elapsed_ms;
    memcpy(l->sqlstate, r->sqlstate, sizeof l->sqlstate);
    snprintf(l->message, sizeof l->message, "%.*s", STR_ARG(r->message));
    if (l->status != OK)
        return back(f);
    read_rows(r, flow_here(f));
    if (l->options.on_row) /* handed out, not kept */
        return back(f);
    print(l, r);
    if (r->n_rows && r->n_columns)
        snprintf(l->cell, sizeof l->cell, "%.*s", STR_ARG(r->cells[0]));
    if (l->check)
        l->check(r);
    return back(f);
}

static struct read_outcome run_look(struct read_outcome l)
{
    assert_int_equal(run_flow(look_begin, &l), OK);
    return l;
}

static struct read_outcome look(const char *sql)
{
    return run_look((struct read_outcome){.sql = sql});
}

/* ---- what comes back ---------------------------------------------------- */

static void test_cells_come_as_the_database_writes_them(void **state)
{
    (void)state;
    assert_string_equal(
        look("select true, 9007199254740993::int8, 1.10::numeric, "
             "0.1::float8, 'NaN'::float8, null::int, '', 'ü'::varchar(9), "
             "'ab'::char(4)")
            .text,
        "?column?:bool,int8:int8,numeric:numeric,float8:float8,float8_2:float8,"
        "int4:int4,?column?_2:text,varchar:varchar,bpchar:bpchar;"
        "t|9007199254740993|1.10|0.1|NaN|~||ü|ab");
    assert_string_equal(
        look("select '\\x00ff'::bytea b, date '2020-02-29' d, "
             "timestamptz '2020-01-01 00:00+02' z, interval '26 hours 1 s' i, "
             "'{1,NULL}'::int[] a, '{\"a\": 1}'::jsonb j, "
             "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid u")
            .text,
        "b:bytea,d:date,z:timestamptz,i:interval,a:int4[],j:jsonb,u:uuid;"
        "\\x00ff|2020-02-29|2019-12-31 22:00:00+00|26:00:01|{1,NULL}|"
        "{\"a\": 1}|a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
}

static void test_types_of_their_own_have_names(void **state)
{
    (void)state;
    pg_run(pg, "postgres",
           "drop schema if exists own cascade; create schema own; "
           "create type own.mood as enum ('sad', 'glad'); "
           "create domain own.short as varchar(3); "
           "create table own.t (m own.mood, ms own.mood[], s own.short); "
           "insert into own.t values ('glad', '{sad,glad}', 'abc')");
    for (int i = 0; i < 2; i++) { /* asked for, then remembered */
        struct read_outcome l = run_look(
            (struct read_outcome){.sql = "select *, t from t",
                                  .options = {.search_path = STR("own")}});
        assert_string_equal(l.text,
                            "m:mood,ms:mood[],s:varchar,t:t;glad|{sad,glad}|"
                            "abc|(glad,\"{sad,glad}\",abc)");
    }
}

static void test_duplicate_names_and_no_columns(void **state)
{
    (void)state;
    assert_string_equal(look("select 1 id, 2 id, 3 id_2").text,
                        "id:int4,id_3:int4,id_2:int4;1|2|3");
    struct read_outcome l = look("select from generate_series(1,3)");
    assert_int_equal(l.status, OK);
    assert_int_equal(l.n_columns, 0);
    assert_int_equal(l.n_rows, 3);
}

static void test_comments_and_semicolons_do_no_harm(void **state)
{
    (void)state;
    assert_string_equal(look("select 1 a -- the end").text, "a:int4;1");
    assert_string_equal(look("/* ; */ select ';' a ; -- ;").text, "a:text;;");
    assert_string_equal(look("with x as (select 2 b) select b from x;").text,
                        "b:int4;2");
    assert_string_equal(look("values (1, 'x'), (2, 'y')").text,
                        "column1:int4,column2:text;1|x;2|y");
}

static void test_more_rows_than_asked_for_are_told(void **state)
{
    (void)state;
    struct read_outcome l = run_look(
        (struct read_outcome){.sql = "select n from generate_series(1, 4) n",
                              .options = {.max_rows = 3}});
    assert_string_equal(l.text, "n:int4;1;2;3");
    assert_true(l.more_rows);
    l = run_look(
        (struct read_outcome){.sql = "select n from generate_series(1, 3) n",
                              .options = {.max_rows = 3}});
    assert_false(l.more_rows);
    assert_int_equal(l.n_rows, 3);
}

static void check_lengths(const struct read *r)
{
    assert_int_equal(r->cells[0].len, 65536);
    assert_int_equal(r->cells[1].len, 65536 * 2); /* characters, not bytes */
    assert_int_equal(r->cells[2].len, 65536);
    assert_int_equal(r->cells[3].len, 2);
}

static void test_long_values_are_cut_and_told(void **state)
{
    (void)state;
    struct read_outcome l = run_look((struct read_outcome){
        .sql = "select repeat('x', 70000), repeat('ü', 65537), "
               "decode(repeat('00', 100000), 'hex'), '\\x'::bytea",
        .check = check_lengths});
    assert_int_equal(l.status, OK);
    assert_true(l.cut_values);
    assert_false(look("select repeat('ü', 65536), "
                      "decode(repeat('00', 32767), 'hex')")
                     .cut_values);
    assert_true(look("select decode(repeat('00', 32768), 'hex')").cut_values);
}

static void test_the_inner_order_is_kept(void **state)
{
    (void)state;
    pg_run(pg, "postgres",
           "drop table if exists big; create table big as select n, "
           "(n * 7919) % 100003 k from generate_series(1, 200000) n; "
           "analyze big; alter role postgres set parallel_setup_cost = 0; "
           "alter role postgres set parallel_tuple_cost = 0; "
           "alter role postgres set min_parallel_table_scan_size = 0");
    tear_down(state);
    set_up(state); /* with those settings */
    struct read_outcome l = run_look((struct read_outcome){
        .sql = "select k from big where n > 5 order by k desc, n limit 12",
        .options = {.max_rows = 5}});
    assert_string_equal(l.text, "k:int4;100002;100002;100001;100001;100000");
    l = run_look(
        (struct read_outcome){.sql = "select k, count(*) from big group by k "
                                     "order by k desc",
                              .options = {.max_rows = 3}});
    assert_string_equal(l.text, "k:int4,count:int8;100002|2;100001|2;100000|2");
    assert_true(strstr(look("select string_agg(k::text, ',') from (select k "
                            "from big order by k limit 3) x")
                           .text,
                       ";0,1,1") != NULL);
    pg_run(pg, "postgres", "alter role postgres reset all");
}

/* ---- what must not work ------------------------------------------------- */

static void refused(const char *sql, const char *sqlstate)
{
    struct read_outcome l = look(sql);
    if (l.status != ERR_SQL_FAILED || strcmp(l.sqlstate, sqlstate) != 0)
        fail_msg("%s: %s %s %s", sql, err_name(l.status), l.sqlstate,
                 l.message);
    assert_true(l.message[0] != 0);
}

static void test_writes_are_refused(void **state)
{
    (void)state;
    pg_run(pg, "postgres",
           "drop table if exists kept; create table kept (n int); "
           "insert into kept values (1); drop sequence if exists seq; "
           "create sequence seq; create or replace function wipe() "
           "returns int language sql security definer as "
           "'delete from kept returning 1'");
    refused("delete from kept", "42601");
    refused("delete from kept returning n", "42601");
    refused("with d as (delete from kept returning n) select * from d",
            "0A000");
    refused("select wipe()", "25006");
    refused("select nextval('seq')", "25006");
    refused("select * from kept for update", "25006");
    refused("select n into other from kept", "42601");
    refused("create table other (n int)", "42601");
    refused("copy kept to stdout", "42601");
    refused("select 1; delete from kept", "42601");
    refused("select 1) q; delete from kept; --", "42601");
    refused("begin", "42601");
    refused("set transaction read write", "42601");
    refused("explain analyze select wipe()", "42601");
    refused("show all", "42601");
    assert_int_equal(look("select $1::int").status, ERR_SQL_FAILED);
    assert_int_equal(look("").status, ERR_SQL_FAILED);
    assert_string_equal(pg_ask(pg, "postgres", "select count(*) from kept"),
                        "1");
}

static void test_commit_does_not_leave_the_transaction(void **state)
{
    (void)state;
    char before[160];
    snprintf(before, sizeof before, "%s", look("select pg_backend_pid()").cell);
    refused("commit", "42601");
    refused("commit; delete from kept", "42601");
    assert_int_equal(look("select set_config('transaction_read_only', 'off', "
                          "false)")
                         .status,
                     ERR_SQL_FAILED);
    refused("select wipe()", "25006");
    assert_string_equal(look("select pg_backend_pid()").cell, before);
}

static void test_nothing_of_a_session_survives_a_read(void **state)
{
    (void)state;
    char before[160];
    snprintf(before, sizeof before, "%s", look("select pg_backend_pid()").cell);
    look("select set_config('work_mem', '7MB', false), "
         "set_config('default_transaction_read_only', 'off', false), "
         "set_config('statement_timeout', '0', false), "
         "set_config('search_path', 'nowhere', false)");
    look("select pg_advisory_lock(77)");
    assert_string_equal(
        look("select current_setting('work_mem'), "
             "current_setting('default_transaction_read_only'), "
             "current_setting('statement_timeout'), "
             "current_setting('search_path'), "
             "(select count(*) from pg_locks where locktype = 'advisory'), "
             "(select count(*) from pg_prepared_statements where name <> ''), "
             "current_setting('transaction_read_only')")
                .text +
            strlen("current_setting:text,current_setting_2:text,"
                   "current_setting_3:text,current_setting_4:text,"
                   "count:int8,count_2:int8,current_setting_5:text"),
        ";4MB|on|30s|pg_catalog, \"public\", pg_temp|0|0|on");
    assert_string_equal(look("select pg_backend_pid()").cell, before);
}

static void test_the_position_is_in_the_text_as_given(void **state)
{
    (void)state;
    struct read_outcome l =
        look("select 'ü', nowhere from generate_series(1,2)");
    assert_int_equal(l.status, ERR_SQL_FAILED);
    assert_string_equal(l.sqlstate, "42703");
    assert_int_equal(l.position, 13);
    l = look("selct 1");
    assert_int_equal(l.position, 1);
    l = look("select 1 x for no key update of nobody");
    assert_int_equal(l.position, 33);
    l = look("select n / 0 from generate_series(1,2) n");
    assert_string_equal(l.sqlstate, "22012");
    assert_int_equal(l.position, 0);
    l = look("select 1 into x"); /* parses; only the wrap refuses it */
    assert_int_equal(l.position, 15);
}

/* ---- bounds ------------------------------------------------------------- */

static size_t resident_kb(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    size_t pages = 0;
    assert_int_equal(fscanf(f, "%*u %zu", &pages), 1);
    fclose(f);
    return pages * 4;
}

static void test_a_cell_of_300_mb_stays_flat(void **state)
{
    (void)state;
    look("select 1");
    size_t before = resident_kb();
    struct read_outcome l = look("select repeat('x', 300 * 1000 * 1000)");
    assert_int_equal(l.status, OK);
    assert_true(l.cut_values);
    assert_true(resident_kb() < before + 16 * 1024);
    l = look("select string_agg(repeat('y', 1000), '') "
             "from generate_series(1, 100000)");
    assert_true(l.cut_values);
    assert_true(resident_kb() < before + 16 * 1024);
}

static bool is_active(const char *part)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "select count(*) from pg_stat_activity where state = 'active' "
             "and query like '%%%s%%' and pid <> pg_backend_pid()",
             part);
    return strcmp(pg_ask(pg, "postgres", sql), "0") != 0;
}

static void turn_until_active(const char *part)
{
    uint64_t begun = clock_ms();
    while (!is_active(part)) {
        run_hangs(begun);
        loop_turn(false);
    }
}

static void run_until_inactive(const char *part)
{
    uint64_t begun = clock_ms();
    while (is_active(part)) {
        run_hangs(begun);
        loop_turn(false);
    }
}

static void test_the_byte_cap_ends_the_query(void **state)
{
    (void)state;
    struct read_outcome l = run_look((struct read_outcome){
        .sql = "select repeat('z', 1000), a.n from big a, big b",
        .options = {.max_bytes = 100000, .max_rows = 100000000}});
    assert_int_equal(l.status, OK);
    assert_true(l.more_rows);
    assert_in_range(l.n_rows, 90, 100);
    run_until_inactive("big a, big b");
    assert_string_equal(look("select 2").cell, "2");
}

static void test_many_wide_columns_stay_within_the_cap(void **state)
{
    (void)state;
    struct buf sql;
    buf_init(&sql, NULL);
    buf_text(&sql, "select 1");
    for (int i = 0; i < 500; i++)
        buf_text(&sql, ",repeat('x', 100000)");
    size_t before = resident_kb();
    struct read_outcome l = run_look((struct read_outcome){
        .sql = buf_cstr(&sql), .options = {.max_bytes = 1 << 20}});
    assert_int_equal(l.status, OK);
    assert_true(l.cut_values);
    assert_int_equal(l.n_rows, 1);
    assert_true(resident_kb() < before + 16 * 1024);
    buf_done(&sql);
}

static void test_statement_timeout_ends_in_a_timeout(void **state)
{
    (void)state;
    struct read_outcome l = look("select 1"); /* it is connected */
    do { /* the machine stopped for a second: our own clock came first */
        l = run_look((struct read_outcome){.sql = "select pg_sleep(300)",
                                           .options = {.timeout_ms = 200}});
    } while (l.elapsed_ms > 1100);
    assert_int_equal(l.status, ERR_TIMEOUT);
    assert_string_equal(l.sqlstate, "57014");
    assert_true(l.elapsed_ms >= 190);
    assert_string_equal(look("select 3").cell, "3");
}

static void test_our_own_clock_ends_what_the_server_does_not(void **state)
{
    (void)state;
    look("select 1");
    while (pool_stats(pool).busy)
        loop_turn(true);
    pg_freeze(pg);
    uint64_t begun = clock_ms();
    struct read_outcome l = run_look((struct read_outcome){
        .sql = "select 1", .options = {.timeout_ms = 200}});
    assert_int_equal(l.status, ERR_TIMEOUT);
    assert_true(clock_ms() - begun >= 1190);
    while (pool_is_up(pool)) /* its connection rests, then closes */
        loop_turn(true);
    assert_true(clock_ms() - begun >= 3000);
    pg_thaw(pg);
    while (look("select 4").status != OK)
        run_hangs(begun);
}

static void test_a_cancelled_read_stops_its_query(void **state)
{
    (void)state;
    char before[160];
    snprintf(before, sizeof before, "%s", look("select pg_backend_pid()").cell);
    struct read_outcome l = {.sql = "select pg_sleep(299)"};
    struct run_flow r;
    run_flow_start(&r, look_begin, &l);
    turn_until_active("sleep(299)");
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    run_until_inactive("sleep(299)");
    /* The connection settled and serves the next read. */
    assert_string_equal(look("select pg_backend_pid()").cell, before);
}

static void test_a_cancel_in_the_queue_is_forgotten(void **state)
{
    (void)state;
    struct read_outcome a = {.sql = "select pg_sleep(0.2)"},
                        b = {.sql = "select 1"};
    struct run_flow ra, rb;
    run_flow_start(&ra, look_begin, &a);
    run_flow_start(&rb, look_begin, &b);
    while (pool_stats(pool).waiting != 1 || pool_stats(pool).busy != 1)
        loop_turn(true);
    flow_cancel(rb.flow);
    run_until(&rb.ended);
    assert_int_equal(rb.how, ERR_CANCELLED);
    run_until(&ra.ended);
    assert_int_equal(a.status, OK);
}

static void test_reads_wait_in_order(void **state)
{
    (void)state;
    struct read_outcome l[6];
    struct run_flow r[6];
    for (int i = 0; i < 6; i++) {
        l[i] = (struct read_outcome){.sql = "select clock_timestamp()"};
        run_flow_start(&r[i], look_begin, &l[i]);
    }
    for (int i = 0; i < 6; i++) {
        run_until(&r[i].ended);
        assert_int_equal(l[i].status, OK);
        assert_true(i == 0 || strcmp(l[i - 1].cell, l[i].cell) < 0);
    }
}

/* ---- loss --------------------------------------------------------------- */

static void end_backends(const char *query)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "select pg_terminate_backend(pid, 60000) from pg_stat_activity "
             "where application_name = 'sextant' and query like '%%%s%%'",
             query);
    pg_run(pg, "postgres", sql);
}

/* A read that waits for a lock of the test. */
#define HELD "select 'held' from (select pg_advisory_xact_lock_shared(9)) as x"

static PGconn *hold_back(void)
{
    PGconn *holder = PQconnectdb(pg_conninfo(pg, "postgres"));
    PQclear(PQexec(holder, "select pg_advisory_lock(9)"));
    return holder;
}

/* Ends a read as soon as it runs. False: the machine stopped meanwhile, so that
 * it ran for long. */
static bool end_it_at_once(void)
{
    uint64_t begun = clock_ms();
    turn_until_active("lock_shared(9)");
    end_backends("lock_shared(9)");
    return clock_ms() - begun < 900;
}

static void test_a_terminated_read_is_tried_again(void **state)
{
    (void)state;
    struct read_outcome l;
    bool at_once;
    do {
        struct run_flow r;
        PGconn *holder = hold_back();
        l = (struct read_outcome){.sql = HELD};
        run_flow_start(&r, look_begin, &l);
        at_once = end_it_at_once();
        PQfinish(holder);
        run_until(&r.ended);
    } while (!at_once);
    assert_int_equal(l.status, OK);
    assert_string_equal(l.cell, "held");
}

static void test_a_read_that_is_terminated_twice_is_over(void **state)
{
    (void)state;
    struct read_outcome l = {.sql = HELD};
    struct run_flow r;
    PGconn *holder = hold_back();
    run_flow_start(&r, look_begin, &l);
    end_it_at_once();
    if (!r.ended)
        end_it_at_once();
    run_until(&r.ended);
    PQfinish(holder);
    assert_int_equal(l.status, ERR_DATABASE_UNAVAILABLE);
    assert_string_equal(l.sqlstate, "57P01");
}

static bool runs_for_a_second(const char *part)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "select count(*) from pg_stat_activity where state = 'active' and "
             "application_name = 'sextant' and query like '%%%s%%' and "
             "clock_timestamp() - query_start > '1.1 s'",
             part);
    return strcmp(pg_ask(pg, "postgres", sql), "1") == 0;
}

static void test_a_read_that_ran_for_long_is_not_run_again(void **state)
{
    (void)state;
    struct read_outcome l = {.sql = "select pg_sleep(296)"};
    struct run_flow r;
    run_flow_start(&r, look_begin, &l);
    while (!runs_for_a_second("sleep(296)"))
        loop_turn(false);
    end_backends("sleep(296)");
    run_until(&r.ended);
    assert_int_equal(l.status, ERR_DATABASE_UNAVAILABLE);
    assert_string_equal(l.sqlstate, "57P01");
}

/* The pool has heard that the server takes no connection. */
static void turn_until_away(void)
{
    uint64_t begun = clock_ms();
    while (pool_is_up(pool) || pool_stats(pool).waiting == 0) {
        run_hangs(begun);
        loop_turn(false);
    }
    for (int turns = 0; turns < 1000; turns++)
        loop_turn(false);
}

static void test_a_patient_read_outwaits_a_restart(void **state)
{
    (void)state;
    look("select 1");
    pg_kill(pg);
    struct read_outcome l = {
        .sql = "select 'after'",
        .options = {.patient = true, .timeout_ms = 100000}};
    struct run_flow r;
    run_flow_start(&r, look_begin, &l);
    turn_until_away();
    assert_false(r.ended);
    pg_start(pg);
    run_until(&r.ended);
    assert_int_equal(l.status, OK);
    assert_string_equal(l.cell, "after");
}

static void test_a_patient_read_can_be_cancelled(void **state)
{
    (void)state;
    pg_kill(pg);
    struct read_outcome l = {
        .sql = "select 1", .options = {.patient = true, .timeout_ms = 100000}};
    struct run_flow r;
    run_flow_start(&r, look_begin, &l);
    turn_until_away();
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
}

static void test_a_patient_read_gives_up_in_its_time(void **state)
{
    (void)state;
    pg_kill(pg);
    struct read_outcome l = run_look((struct read_outcome){
        .sql = "select 1", .options = {.patient = true, .timeout_ms = 300}});
    assert_int_equal(l.status, ERR_DATABASE_UNAVAILABLE);
    assert_true(l.message[0] != 0);
    /* After a long outage the next read waits for one attempt, not for its
     * whole time. */
    uint64_t begun = clock_ms();
    while (clock_ms() - begun < 301)
        loop_turn(false);
    l = run_look((struct read_outcome){
        .sql = "select 1", .options = {.patient = true, .timeout_ms = 300}});
    assert_int_equal(l.status, ERR_DATABASE_UNAVAILABLE);
}

/* A lasting failure is not waited for. */
static void
test_a_patient_read_does_not_wait_for_a_database_that_is_not(void **state)
{
    (void)state;
    pool_close(&pool);
    pool =
        pool_open(&(struct pool_options){.name = "source",
                                         .conninfo = pg_conninfo(pg, "nowhere"),
                                         .most = 1,
                                         .pipeline = 1,
                                         .connect_ms = 100000,
                                         .idle_ms = 60000});
    struct read_outcome l = run_look((struct read_outcome){
        .sql = "select 1", .options = {.patient = true, .timeout_ms = 200000}});
    assert_int_equal(l.status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(strstr(l.message, "FATAL:  database \"nowhere\""));
}

/* Its Parse waits for a lock that another session holds. */
static void test_a_read_lost_while_it_is_planned_is_tried_again(void **state)
{
    (void)state;
    PGconn *holder = PQconnectdb(pg_conninfo(pg, "postgres"));
    PQclear(PQexec(holder, "begin; lock table big"));
    struct read_outcome l = {
        .sql = "select 'planned', count(*) from big where n < 1"};
    struct run_flow r;
    run_flow_start(&r, look_begin, &l);
    turn_until_active("''planned''");
    end_backends("planned");
    PQfinish(holder);
    run_until(&r.ended);
    assert_int_equal(l.status, OK);
    assert_string_equal(l.cell, "planned");
}

static void test_closing_the_pool_while_a_read_is_planned(void **state)
{
    (void)state;
    PGconn *holder = PQconnectdb(pg_conninfo(pg, "postgres"));
    PQclear(PQexec(holder, "begin; lock table big"));
    struct read_outcome l = {.sql = "select 'closed', n from big"};
    struct run_flow r;
    run_flow_start(&r, look_begin, &l);
    turn_until_active("''closed''");
    pool_close(&pool);
    run_until(&r.ended);
    assert_int_equal(l.status, ERR_CANCELLED);
    PQfinish(holder);
}

static void test_a_lost_idle_connection_is_not_noticed(void **state)
{
    (void)state;
    look("select 1");
    while (pool_stats(pool).busy)
        loop_turn(true);
    end_backends("");
    assert_string_equal(look("select 5").cell, "5");
}

static void test_a_stopped_source_is_unavailable_and_heals(void **state)
{
    (void)state;
    struct read_outcome l = {.sql = "select pg_sleep(298)"};
    struct run_flow r;
    run_flow_start(&r, look_begin, &l);
    turn_until_active("sleep(298)");
    pg_kill(pg);
    run_until(&r.ended);
    assert_int_equal(l.status, ERR_DATABASE_UNAVAILABLE);
    assert_true(l.message[0] != 0);
    struct read_outcome after = look("select 1");
    assert_int_equal(after.status, ERR_DATABASE_UNAVAILABLE);
    pg_start(pg);
    uint64_t begun = clock_ms();
    while (look("select 1").status != OK)
        run_hangs(begun);
}

static void test_closing_the_pool_ends_its_reads(void **state)
{
    (void)state;
    struct read_outcome l[3];
    struct run_flow r[3];
    for (int i = 0; i < 3; i++) {
        l[i] = (struct read_outcome){.sql = "select pg_sleep(297)"};
        run_flow_start(&r[i], look_begin, &l[i]);
    }
    turn_until_active("sleep(297)");
    flow_cancel(r[0].flow); /* is being cancelled meanwhile */
    run_until(&r[0].ended);
    pool_close(&pool);
    for (int i = 1; i < 3; i++) {
        run_until(&r[i].ended);
        assert_int_equal(l[i].status, ERR_CANCELLED);
    }
}

static void test_no_memory_at_any_point_ends_it_cleanly(void **state)
{
    (void)state;
    enum err how;
    unsigned n = 0;
    do {
        struct read_outcome l = {.sql = "select repeat('x', 3000), n "
                                        "from generate_series(1, 20) n"};
        arena_fail_block(++n);
        how = run_flow(look_begin, &l);
        arena_fail_block(0);
        assert_true(how == OK || how == ERR_NO_MEMORY);
    } while (how != OK);
    assert_true(n > 3);
    assert_string_equal(look("select 6").cell, "6");
}

static void test_every_move_of_a_reading_was_made(void **state)
{
    (void)state;
    static const enum read_job_state moves[][2] = {
        {READ_JOB_WAITING, READ_JOB_DESCRIBING},
        {READ_JOB_WAITING, READ_JOB_OVER},
        {READ_JOB_DESCRIBING, READ_JOB_FETCHING},
        {READ_JOB_DESCRIBING, READ_JOB_STOPPING},
        {READ_JOB_DESCRIBING, READ_JOB_CLEANING},
        {READ_JOB_DESCRIBING, READ_JOB_WAITING},
        {READ_JOB_DESCRIBING, READ_JOB_OVER},
        {READ_JOB_FETCHING, READ_JOB_STOPPING},
        {READ_JOB_FETCHING, READ_JOB_CLEANING},
        {READ_JOB_FETCHING, READ_JOB_WAITING},
        {READ_JOB_FETCHING, READ_JOB_OVER},
        {READ_JOB_STOPPING, READ_JOB_CLEANING},
        {READ_JOB_STOPPING, READ_JOB_OVER},
        {READ_JOB_CLEANING, READ_JOB_OVER}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!moved[moves[i][0]][moves[i][1]])
            fail_msg("never %d -> %d", moves[i][0], moves[i][1]);
}

/* ---- rows reported as they arrive --------------------------------------------- */

static struct handed_rows {
    struct read *r;
    int64_t rows, holds;
    bool held, in_order, names_known;
    struct timer timer;
} told;

static void on_release(struct timer *t)
{
    (void)t;
    told.held = false;
    read_hold(told.r, false);
}

static void on_row(struct read *r, const struct str *cells, int n)
{
    int64_t number = 0;
    assert_false(told.held); /* a held read gets nothing */
    assert_int_equal(n, 2);
    if (++told.rows == 1) {
        struct arena arena;
        arena_init(&arena, 0);
        told.names_known = str_is(read_names(r, &arena)[1], "number_2");
        arena_done(&arena);
    }
    told.in_order = told.in_order && !cells[0].ptr &&
                    str_to_int64(cells[1], &number) && number == told.rows;
    if (told.rows % 1000)
        return;
    told.r = r;
    told.held = true;
    told.holds++;
    read_hold(r, true);
    timer_start(&told.timer, 1, on_release);
}

static void test_rows_are_told_as_they_come_and_wait_while_held(void **state)
{
    (void)state;
    told = (struct handed_rows){.in_order = true};
    struct read_outcome l = run_look((struct read_outcome){
        .sql = "select null as number, number from generate_series(1, 20000) "
               "number",
        .options = {.max_rows = 15000, .on_row = on_row}});
    assert_int_equal(l.status, OK);
    assert_int_equal(told.rows, 15000);
    assert_int_equal(told.holds, 15);
    assert_true(told.in_order && told.names_known && l.more_rows);
    assert_int_equal(l.n_rows, 15000);
    assert_string_equal(look("select 1 as x").text, "x:int4;1");
}

static void on_row_too_much(struct read *r, const struct str *cells, int n)
{
    (void)cells;
    (void)n;
    told.rows++;
    read_hold(r, true); /* and is never released */
}

static void test_a_read_that_is_held_ends_in_time(void **state)
{
    (void)state;
    struct read_outcome l;
    unsigned ms = 100;
    do { /* longer, when a busy machine has not sent a row by then */
        told = (struct handed_rows){0};
        l = run_look((struct read_outcome){
            .sql = "select repeat('x', 1000) from generate_series(1, 100000)",
            .options = {.max_rows = 100000,
                        .timeout_ms = ms,
                        .on_row = on_row_too_much}});
        ms *= 10;
    } while (told.rows == 0 && ms <= 10000);
    assert_int_equal(l.status, ERR_TIMEOUT);
    assert_int_equal(told.rows, 1);
    assert_string_equal(look("select 1 as x").text, "x:int4;1");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    log_to_fd(open("/dev/null", O_WRONLY));
    read_job_on_move = on_move;
    pg = pg_new();
    const struct CMUnitTest tests[] = {
        CASE(test_cells_come_as_the_database_writes_them),
        CASE(test_types_of_their_own_have_names),
        CASE(test_duplicate_names_and_no_columns),
        CASE(test_comments_and_semicolons_do_no_harm),
        CASE(test_more_rows_than_asked_for_are_told),
        CASE(test_long_values_are_cut_and_told),
        CASE(test_the_inner_order_is_kept),
        CASE(test_writes_are_refused),
        CASE(test_commit_does_not_leave_the_transaction),
        CASE(test_nothing_of_a_session_survives_a_read),
        CASE(test_the_position_is_in_the_text_as_given),
        CASE(test_a_cell_of_300_mb_stays_flat),
        CASE(test_the_byte_cap_ends_the_query),
        CASE(test_many_wide_columns_stay_within_the_cap),
        CASE(test_statement_timeout_ends_in_a_timeout),
        CASE(test_our_own_clock_ends_what_the_server_does_not),
        CASE(test_a_cancelled_read_stops_its_query),
        CASE(test_a_cancel_in_the_queue_is_forgotten),
        CASE(test_reads_wait_in_order),
        CASE(test_a_terminated_read_is_tried_again),
        CASE(test_a_read_that_is_terminated_twice_is_over),
        CASE(test_a_read_that_ran_for_long_is_not_run_again),
        CASE(test_a_patient_read_outwaits_a_restart),
        CASE(test_a_patient_read_can_be_cancelled),
        CASE(test_a_patient_read_gives_up_in_its_time),
        CASE(test_a_patient_read_does_not_wait_for_a_database_that_is_not),
        CASE(test_a_read_lost_while_it_is_planned_is_tried_again),
        CASE(test_closing_the_pool_while_a_read_is_planned),
        CASE(test_a_lost_idle_connection_is_not_noticed),
        CASE(test_a_stopped_source_is_unavailable_and_heals),
        CASE(test_closing_the_pool_ends_its_reads),
        CASE(test_no_memory_at_any_point_ends_it_cleanly),
        CASE(test_rows_are_told_as_they_come_and_wait_while_held),
        CASE(test_a_read_that_is_held_ends_in_time),
        cmocka_unit_test(test_every_move_of_a_reading_was_made),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pg_free(&pg);
    return failed;
}
