/* Queries on a pool, against a real server that is stopped, frozen and killed. */
#include "../pg_fixture.h"
#include "../run_flow.h"
#include "base/log.h"
#include "connection.h"
#include "db/pool.h"
#include "db/query.h"
#include "loop/wait.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "../leave_out.h"
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

static struct pg *pg;
static struct pool *pool;
static bool moved[CONNECTION_STATES][CONNECTION_STATES];

static void on_move(enum pg_connection_state from, enum pg_connection_state to)
{
    moved[from][to] = true;
}

static void open_pool(int most, int pipeline)
{
    pool = pool_open(
        &(struct pool_options){.name = "test",
                               .conninfo = pg_conninfo(pg, "postgres"),
                               .most = most,
                               .pipeline = pipeline,
                               .connect_ms = 100000,
                               .deadline_ms = 100000,
                               .queue_most = 64});
}

static void open_hasty(const char *conninfo, unsigned connect_ms)
{
    pool = pool_open(&(struct pool_options){.name = "test",
                                            .conninfo = conninfo,
                                            .most = 2,
                                            .pipeline = 4,
                                            .connect_ms = connect_ms,
                                            .deadline_ms = 100000});
}

static void open_at(const char *conninfo)
{
    open_hasty(conninfo, 100000);
}

/* Keeps `held` from ending. */
static PGconn *holder;

static void hold(void)
{
    holder = PQconnectdb(pg_conninfo(pg, "postgres"));
    PQclear(PQexec(holder, "select pg_advisory_lock(7)"));
}

static void let_go(void)
{
    PQfinish(holder);
    holder = NULL;
}

static int close_all(void **state)
{
    (void)state;
    let_go();
    if (pool)
        pool_close(&pool);
    loop_close();
    return 0;
}

static int open_loop(void **state)
{
    (void)state;
    pg_thaw(pg); /* in case an earlier test failed without it */
    pg_start(pg);
    loop_open();
    return 0;
}

static int open_system(void **state)
{
    open_loop(state);
    open_pool(2, 16);
    return 0;
}

static int open_single(void **state)
{
    open_loop(state);
    open_pool(1, 16);
    return 0;
}

static int open_one_by_one(void **state)
{
    open_loop(state);
    open_pool(1, 1);
    return 0;
}

/* ---- one question, as a flow -------------------------------------------- */

struct asked_query {
    const struct statement *statement;
    const char *param;
    uint64_t deadline_ms;
    struct query *q;
    enum err status;
    char cell[64], sqlstate[6];
    int64_t affected;
    int n_rows;
};

static step_fn answered;

static struct next ask_begin(struct flow *f)
{
    struct asked_query *a = locals(f, struct asked_query);
    struct query *q = a->q = query_new(f, pool, a->statement);
    if (a->param)
        query_str(f, q, str_of(a->param));
    q->deadline_ms = a->deadline_ms;
    query_begin(f, q);
    op_tolerate(&q->op);
    return await(f, answered);
}

static struct next answered(struct flow *f)
{
    struct asked_query *a = locals(f, struct asked_query);
    a->status = a->q->op.status;
    a->n_rows = a->q->n_rows;
    a->affected = a->q->affected;
    memcpy(a->sqlstate, a->q->sqlstate, sizeof a->sqlstate);
    snprintf(a->cell, sizeof a->cell, "%s",
             a->n_rows ? PQgetvalue(a->q->result, 0, 0) : "");
    return back(f);
}

static struct asked_query ask(const struct statement *statement,
                              const char *param)
{
    struct asked_query a = {.statement = statement, .param = param};
    assert_int_equal(run_flow(ask_begin, &a), OK);
    return a;
}

static const struct statement one = {.sql = "select 1", .name = "one"};
static const struct statement pid = {
    .sql = "select pg_backend_pid()", .name = "pid", .again = true};
static const struct statement nap = {.sql = "select pg_sleep($1)",
                                     .name = "nap"};

/* These wait until let_go. */
static const struct statement held = {
    .sql = "select 'held' from (select pg_advisory_xact_lock_shared(7)) as x",
    .name = "held"};
static const struct statement held_again = {
    .sql = "select 'held' from (select pg_advisory_xact_lock_shared(7)) as x",
    .name = "held_again",
    .again = true};
static bool is_active(const char *part)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "select count(*) from pg_stat_activity where state = 'active' and "
             "query like '%%%s%%' and pid <> pg_backend_pid()",
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

/* ---- rows and errors ---------------------------------------------------- */

static const struct statement kinds = {
    .sql = "select $1::text, 42::int8, true, null, '', 'häßlich'",
    .name = "kinds"};

static step_fn kinds_heard;

static struct next kinds_begin(struct flow *f)
{
    struct query *q = query_new(f, pool, &kinds);
    *locals(f, struct query *) = q;
    query_str(f, q, STR("it's \"quoted\" \\ $1"));
    query_begin(f, q);
    return await(f, kinds_heard);
}

static struct next kinds_heard(struct flow *f)
{
    struct query *q = *locals(f, struct query *);
    assert_int_equal(q->n_rows, 1);
    static const char *const sent[] = {
        "it's \"quoted\" \\ $1", "42", "t", NULL, "", "häßlich"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(PQgetisnull(q->result, 0, i), !sent[i]);
        assert_string_equal(PQgetvalue(q->result, 0, i),
                            sent[i] ? sent[i] : "");
    }
    return back(f);
}

static void test_cells_come_as_they_were_sent(void **state)
{
    (void)state;
    struct query *q = NULL;
    assert_int_equal(run_flow(kinds_begin, &q), OK);
}

static void test_a_statement_is_prepared_once_a_connection(void **state)
{
    (void)state;
    static const struct statement count = {
        .sql = "select count(*) from pg_prepared_statements where name = $1",
        .name = "count"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(ask(&one, NULL).cell, "1");
    assert_string_equal(ask(&count, "one").cell, "1");
    assert_string_equal(ask(&count, "two").cell, "0");
}

static void test_a_statement_may_have_one_plan_for_all_parameters(void **state)
{
    (void)state;
    static const struct statement page = {
        .sql = "select current_setting('plan_cache_mode') from pg_class"
               " limit $1::int",
        .name = "page",
        .one_plan = true};
    static const struct statement plans = {
        .sql = "select generic_plans || ' ' || custom_plans || ' ' ||"
               " current_setting('plan_cache_mode')"
               " from pg_prepared_statements where name = $1",
        .name = "plans"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(ask(&page, "1").cell, "force_generic_plan");
    assert_string_equal(ask(&plans, "page").cell, "3 0 auto");
    /* A failure takes back the setting that was sent with it. */
    assert_int_equal(ask(&page, "-1").status, ERR_INTERNAL);
    assert_string_equal(ask(&page, "1").cell, "force_generic_plan");
    assert_string_equal(ask(&plans, "page").cell, "5 0 auto");
}

static const struct statement broken = {.sql = "selct", .name = "broken"};
static const struct statement divide = {.sql = "select 1/$1::int",
                                        .name = "divide"};

/* Six queries in one frame, so that they share the pipeline. */
struct six {
    struct query *q[6];
};

static step_fn six_heard;

static struct next six_begin(struct flow *f)
{
    struct six *s = locals(f, struct six);
    static const struct statement *const what[6] = {&one,    &divide, &one,
                                                    &broken, &broken, &one};
    for (int i = 0; i < 6; i++) {
        s->q[i] = query_new(f, pool, what[i]);
        if (what[i] == &divide)
            query_int(f, s->q[i], 0);
        query_begin(f, s->q[i]);
        op_tolerate(&s->q[i]->op);
    }
    return await(f, six_heard);
}

static struct next six_heard(struct flow *f)
{
    struct six *s = locals(f, struct six);
    for (int i = 0; i < 6; i++) {
        bool good = i == 0 || i == 2 || i == 5;
        assert_int_equal(s->q[i]->op.status, good ? OK : ERR_INTERNAL);
    }
    assert_string_equal(s->q[1]->sqlstate, "22012");
    assert_string_equal(s->q[3]->sqlstate, "42601");
    assert_true(query_failed_with(s->q[3], "42601"));
    assert_true(s->q[3]->message.len > 0);
    return back(f);
}

static void test_an_error_does_not_abort_its_neighbours(void **state)
{
    (void)state;
    struct six s;
    assert_string_equal(ask(&one, NULL).cell, "1"); /* a warm lane */
    for (int i = 0; i < 3; i++)
        assert_int_equal(run_flow(six_begin, &s), OK);
}

static void test_a_unique_violation_is_a_conflict(void **state)
{
    (void)state;
    static const struct statement insert = {
        .sql = "insert into things (id) values ($1::int)", .name = "insert"};
    pg_run(pg, "postgres",
           "drop table if exists things; "
           "create table things (id int primary key)");
    struct asked_query first = ask(&insert, "7"), second = ask(&insert, "7");
    assert_int_equal(first.status, OK);
    assert_int_equal(first.affected, 1);
    assert_int_equal(second.status, ERR_CONFLICT);
    assert_string_equal(second.sqlstate, "23505");
}

static void test_a_plan_that_went_stale_is_made_anew(void **state)
{
    (void)state;
    static const struct statement all = {.sql = "select * from shape",
                                         .name = "all"};
    static const struct statement forget = {.sql = "deallocate all",
                                            .name = "forget"};
    pg_run(pg, "postgres",
           "drop table if exists shape; create table shape "
           "(a int); insert into shape values (5)");
    assert_string_equal(ask(&all, NULL).cell, "5");
    pg_run(pg, "postgres", "alter table shape alter a type text using 'now'");
    assert_string_equal(ask(&all, NULL).cell, "now");
    assert_int_equal(ask(&forget, NULL).status, OK);
    assert_string_equal(ask(&all, NULL).cell, "now");
}

/* ---- order, deadlines, cancelling --------------------------------------- */

static void test_the_first_to_come_is_the_first_to_be_served(void **state)
{
    (void)state;
    static const struct statement note = {
        .sql = "insert into line (who) values ($1)", .name = "note"};
    pg_run(pg, "postgres",
           "drop table if exists line; "
           "create table line (n serial, who text)");
    struct asked_query a[5];
    struct run_flow r[5];
    static const char *const who[5] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++) {
        a[i] = (struct asked_query){.statement = &note, .param = who[i]};
        run_flow_start(&r[i], ask_begin, &a[i]);
    }
    for (int i = 0; i < 5; i++) {
        run_until(&r[i].ended);
        assert_int_equal(a[i].status, OK);
    }
    assert_string_equal(pg_ask(pg, "postgres",
                               "select string_agg(who, '' order by n) "
                               "from line"),
                        "abcde");
}

static void test_the_urgent_go_before_and_keep_their_order(void **state)
{
    (void)state;
    static const struct statement note = {
        .sql = "insert into line (who) values ($1)", .name = "note"};
    static const struct statement hurry = {
        .sql = "insert into line (who) values ($1)",
        .name = "hurry",
        .urgent = true};
    static const char *const who[80] = {[77] = "x", [78] = "y", [79] = "z"};
    pg_run(pg, "postgres",
           "drop table if exists line; "
           "create table line (n serial, who text)");
    struct asked_query a[80], first = {.statement = &held};
    struct run_flow r[80], of_first;
    int refused = 0;
    hold();
    run_flow_start(&of_first, ask_begin, &first);
    turn_until_active("xact_lock_shared");
    for (int i = 0; i < 80; i++) {
        a[i] = (struct asked_query){.statement = who[i] ? &hurry : &note,
                                    .param = who[i] ? who[i] : "a"};
        run_flow_start(&r[i], ask_begin, &a[i]);
    }
    while (pool_stats(pool).waiting < 64 + 3)
        loop_turn(false);
    let_go();
    run_until(&of_first.ended);
    for (int i = 0; i < 80; i++) {
        run_until(&r[i].ended);
        refused += a[i].status == ERR_UNAVAILABLE;
    }
    assert_int_equal(refused, 77 - 64); /* no urgent one */
    assert_string_equal(pg_ask(pg, "postgres",
                               "select left(string_agg(who, '' order by n), 4)"
                               " from line"),
                        "xyza");
}

static void test_a_full_queue_refuses(void **state)
{
    (void)state;
    struct asked_query a[80], first = {.statement = &held};
    struct run_flow r[80], of_first;
    int refused = 0;
    hold();
    run_flow_start(&of_first, ask_begin, &first);
    turn_until_active("xact_lock_shared");
    for (int i = 0; i < 80; i++) {
        a[i] = (struct asked_query){.statement = &one};
        run_flow_start(&r[i], ask_begin, &a[i]);
    }
    for (int i = 64; i < 80; i++)
        run_until(&r[i].ended);
    let_go();
    run_until(&of_first.ended);
    for (int i = 0; i < 80; i++) {
        run_until(&r[i].ended);
        refused += a[i].status == ERR_UNAVAILABLE;
    }
    assert_int_equal(refused, 80 - 64);
}

/* The loop keeps running meanwhile. */
static void run_until_naps_have_ended(void)
{
    uint64_t begun = clock_ms();
    struct asked_query a = {.statement = &one};
    while (is_active("pg_sleep($1)")) {
        run_hangs(begun);
        run_flow(ask_begin, &a);
    }
}

static void test_a_late_query_times_out_and_its_backend_ends(void **state)
{
    (void)state;
    struct asked_query a = {
        .statement = &nap, .param = "300", .deadline_ms = 100};
    /* it is late while it still connects: the database is away */
    ask(&one, NULL);
    assert_int_equal(run_flow(ask_begin, &a), OK);
    assert_int_equal(a.status, ERR_TIMEOUT);
    assert_string_equal(ask(&one, NULL).cell, "1");
    run_until_naps_have_ended();
}

static void test_a_query_that_waits_is_late_too(void **state)
{
    (void)state;
    struct asked_query a = {.statement = &held};
    struct asked_query b = {.statement = &one, .deadline_ms = 50};
    struct run_flow r;
    ask(&one, NULL); /* as above */
    hold();
    run_flow_start(&r, ask_begin, &a);
    assert_int_equal(run_flow(ask_begin, &b), OK);
    assert_int_equal(b.status, ERR_TIMEOUT);
    assert_false(r.ended);
    let_go();
    run_until(&r.ended);
    assert_int_equal(a.status, OK);
}

static void test_a_cancelled_query_in_the_queue_never_runs(void **state)
{
    (void)state;
    static const struct statement mark = {.sql = "insert into marks values (1)",
                                          .name = "mark"};
    pg_run(pg, "postgres",
           "drop table if exists marks; create table marks (n int)");
    struct asked_query a = {.statement = &held}, b = {.statement = &mark};
    struct run_flow ra, rb;
    hold();
    run_flow_start(&ra, ask_begin, &a);
    run_flow_start(&rb, ask_begin, &b);
    while (pool_stats(pool).waiting < 1 || pool_stats(pool).busy < 1)
        loop_turn(true);
    flow_cancel(rb.flow);
    run_until(&rb.ended);
    assert_int_equal(rb.how, ERR_CANCELLED);
    assert_false(ra.ended);
    let_go();
    run_until(&ra.ended);
    assert_string_equal(ask(&one, NULL).cell, "1");
    assert_string_equal(pg_ask(pg, "postgres", "select count(*) from marks"),
                        "0");
}

static void test_a_cancelled_query_in_flight_answers_at_once(void **state)
{
    (void)state;
    ask(&one, NULL);
    struct asked_query a = {.statement = &held}, b = {.statement = &one};
    struct run_flow ra, rb;
    hold();
    run_flow_start(&ra, ask_begin, &a);
    run_flow_start(&rb, ask_begin, &b);
    while (!b.q)
        loop_turn(false);
    flow_cancel(ra.flow);
    run_until(&ra.ended);
    assert_int_equal(ra.how, ERR_CANCELLED);
    assert_false(rb.ended);
    let_go();
    /* it follows in the pipeline, and its rows are its own */
    run_until(&rb.ended);
    assert_int_equal(b.status, OK);
    assert_string_equal(b.cell, "1");
}

static void test_closing_the_pool_cancels_its_queries(void **state)
{
    (void)state;
    ask(&one, NULL);
    struct asked_query a[4];
    struct run_flow r[4];
    for (int i = 0; i < 4; i++) {
        a[i] = (struct asked_query){.statement = &nap, .param = "300"};
        run_flow_start(&r[i], ask_begin, &a[i]);
    }
    while (!a[3].q)
        loop_turn(false);
    pool_close(&pool);
    for (int i = 0; i < 4; i++) {
        run_until(&r[i].ended);
        assert_int_equal(a[i].status, ERR_CANCELLED);
    }
}

/* ---- loss and recovery -------------------------------------------------- */

static void terminate_all(void)
{
    pg_run(pg, "postgres",
           "select pg_terminate_backend(pid, 60000) from pg_stat_activity "
           "where application_name = 'sextant'");
}

static void test_a_backend_lost_while_idle_is_not_noticed(void **state)
{
    (void)state;
    struct asked_query before = ask(&pid, NULL);
    terminate_all();
    static const struct statement plain = {.sql = "select pg_backend_pid()",
                                           .name = "plain"};
    struct asked_query after = ask(&plain, NULL);
    assert_int_equal(after.status, OK);
    assert_string_not_equal(before.cell, after.cell);
}

static void test_a_backend_lost_in_a_query(void **state)
{
    (void)state;
    ask(&one, NULL);
    struct asked_query a = {.statement = &held};
    struct asked_query b = {.statement = &held_again};
    struct run_flow ra, rb;
    hold();
    run_flow_start(&ra, ask_begin, &a);
    run_flow_start(&rb, ask_begin, &b);
    turn_until_active("xact_lock_shared");
    terminate_all();
    let_go();
    run_until(&ra.ended);
    run_until(&rb.ended);
    assert_int_equal(a.status, ERR_DATABASE_UNAVAILABLE);
    assert_int_equal(b.status, OK); /* it may run again, and it did */
    assert_string_equal(b.cell, "held");
    assert_true(pool_stats(pool).reconnects >= 1);
    assert_int_equal(ask(&one, NULL).status, OK);
}

static void test_a_stopped_server_fails_fast_and_the_pool_heals(void **state)
{
    (void)state;
    ask(&one, NULL);
    pg_kill(pg);
    struct asked_query a;
    do
        a = ask(&one, NULL);
    while (a.status == OK);
    assert_int_equal(a.status, ERR_DATABASE_UNAVAILABLE);
    for (int i = 0; i < 100; i++)
        assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    assert_false(pool_is_up(pool));
    assert_true(pool_problem(pool)[0] != 0);
    pg_start(pg);
    while (!pool_is_up(pool)) /* by itself, without a job */
        loop_turn(true);
    assert_int_equal(ask(&one, NULL).status, OK);
}

static void test_a_pool_may_be_told_to_prepare_nothing(void **state)
{
    (void)state;
    static const struct statement prepared = {
        .name = "prepared",
        .sql = "select count(*) from pg_prepared_statements"
               " where $1::text is not null"};
    pool = pool_open(
        &(struct pool_options){.name = "test",
                               .conninfo = pg_conninfo(pg, "postgres"),
                               .most = 1,
                               .pipeline = 4,
                               .wait_ms = 60000,
                               .unprepared = true});
    for (int i = 0; i < 2; i++) {
        struct asked_query a = ask(&prepared, "x");
        assert_int_equal(a.status, OK);
        assert_string_equal(a.cell, "0");
    }
}

static void test_a_patient_query_waits_for_a_restart(void **state)
{
    (void)state;
    pool = pool_open(
        &(struct pool_options){.name = "test",
                               .conninfo = pg_conninfo(pg, "postgres"),
                               .most = 1,
                               .pipeline = 4,
                               .wait_ms = 60000});
    ask(&one, NULL);
    pg_kill(pg);
    while (pool_is_up(pool))
        loop_turn(true);
    struct asked_query a = {.statement = &one};
    struct run_flow r;
    run_flow_start(&r, ask_begin, &a);
    while (pool_problem(pool)[0] == 0 || pool_stats(pool).waiting < 1)
        loop_turn(true);
    pg_start(pg);
    run_until(&r.ended);
    assert_int_equal(a.status, OK);
}

static void test_patience_has_an_end(void **state)
{
    (void)state;
    pool = pool_open(&(struct pool_options){.name = "test",
                                            .conninfo = "host=/nonexistent",
                                            .most = 1,
                                            .wait_ms = 250});
    uint64_t begun = clock_ms();
    assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    assert_true(clock_ms() - begun >= 240);
}

static void test_without_descriptors_it_is_unavailable_and_heals(void **state)
{
    (void)state;
    if (is_under_valgrind())
        leave_out("valgrind does not limit descriptors");
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    loop_turn(false);
    int next = dup(0);
    close(next);
    none = (struct rlimit){(rlim_t)next, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    open_at(pg_conninfo_tcp(pg, "postgres"));
    assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    setrlimit(RLIMIT_NOFILE, &before);
    while (!pool_is_up(pool))
        loop_turn(true);
    assert_int_equal(ask(&one, NULL).status, OK);
}

static unsigned ticks;

static void on_tick(struct timer *t)
{
    ticks++;
    timer_start(t, 5, on_tick);
}

static void test_a_frozen_server_blocks_nothing(void **state)
{
    (void)state;
    open_hasty(pg_conninfo(pg, "postgres"), 400);
    while (ask(&one, NULL).status != OK)
        ;
    pg_freeze(pg);
    struct timer tick = {0};
    ticks = 0;
    timer_start(&tick, 5, on_tick);
    struct asked_query a = {.statement = &one, .deadline_ms = 300};
    uint64_t begun = clock_ms();
    assert_int_equal(run_flow(ask_begin, &a), OK);
    assert_int_equal(a.status, ERR_TIMEOUT);
    assert_true(clock_ms() - begun >= 290);
    assert_true(ticks > 1);
    /* Its connection is lost and the next cannot be opened; an earlier one may
     * exist, which is silent too. */
    a = (struct asked_query){.statement = &one, .deadline_ms = 3000};
    assert_int_equal(run_flow(ask_begin, &a), OK);
    assert_true(a.status == ERR_DATABASE_UNAVAILABLE ||
                a.status == ERR_TIMEOUT);
    timer_stop(&tick);
    pg_thaw(pg);
    while (!pool_is_up(pool))
        loop_turn(true);
    assert_int_equal(ask(&one, NULL).status, OK);
}

static void open_watched(int pipeline)
{
    pool = pool_open(
        &(struct pool_options){.name = "test",
                               .conninfo = pg_conninfo(pg, "postgres"),
                               .most = 1,
                               .pipeline = pipeline,
                               .connect_ms = 100000,
                               .deadline_ms = 100000,
                               .silence_ms = 500});
}

static void test_a_silent_database_is_away(void **state)
{
    (void)state;
    open_watched(16);
    assert_int_equal(ask(&one, NULL).status, OK);
    pg_freeze(pg);
    assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    assert_string_equal(pool_problem(pool), "it does not answer");
    /* The pool is down now, and jobs do not wait. */
    uint64_t queries = pool_stats(pool).queries;
    struct asked_query a[20] = {{0}};
    struct run_flow r[20];
    for (int i = 0; i < 20; i++) {
        a[i].statement = &one;
        run_flow_start(&r[i], ask_begin, &a[i]);
    }
    for (int turns = 0; turns < 5; turns++)
        loop_turn(false);
    for (int i = 0; i < 20; i++) {
        run_until(&r[i].ended);
        assert_int_equal(a[i].status, ERR_DATABASE_UNAVAILABLE);
    }
    assert_int_equal(pool_stats(pool).queries, queries + 20);
    pg_thaw(pg);
    while (!pool_is_up(pool))
        loop_turn(true);
    assert_string_equal(ask(&one, NULL).cell, "1");
}

static const struct statement long_one = {
    .sql = "select 'slow' from pg_sleep(1.5)", .name = "long_one"};

/* A query that waits for a long statement is slow, not lost. */
static void test_a_slow_statement_is_no_silence(void **state)
{
    (void)state;
    open_watched(16);
    struct asked_query a = {.statement = &long_one}, b = {.statement = &one};
    struct run_flow ra, rb;
    run_flow_start(&ra, ask_begin, &a);
    run_flow_start(&rb, ask_begin, &b);
    run_until(&ra.ended);
    run_until(&rb.ended);
    assert_int_equal(a.status, OK);
    assert_int_equal(b.status, OK);
    assert_int_equal(pool_stats(pool).reconnects, 0);
}

static void test_a_process_that_stood_still_itself_hears_first(void **state)
{
    (void)state;
    open_watched(16);
    assert_int_equal(ask(&one, NULL).status, OK);
    struct asked_query a = {.statement = &one};
    struct run_flow r;
    run_flow_start(&r, ask_begin, &a);
    loop_turn(false);
    /* as if this process had been stopped for longer than silence_ms */
    usleep(700 * 1000);
    run_until(&r.ended);
    assert_int_equal(a.status, OK);
    assert_int_equal(pool_stats(pool).reconnects, 0);
}

static const struct statement write_one = {
    .sql = "with w as (update noted set n = n where false) select "
           "current_setting('transaction_read_only')",
    .name = "write_one"};

/* After a failover, old sessions are read-only and new ones are not. */
static void test_sessions_that_became_read_only_are_replaced(void **state)
{
    (void)state;
    pg_run(pg, "postgres", "create table if not exists noted (n int)");
    open_watched(16);
    assert_string_equal(ask(&write_one, NULL).cell, "off");
    static const struct statement demote = {
        .sql =
            "select set_config('default_transaction_read_only', 'on', false)",
        .name = "demote"};
    assert_int_equal(ask(&demote, NULL).status, OK);
    uint64_t begun = clock_ms();
    struct asked_query a;
    do {
        a = ask(&write_one, NULL);
        assert_true(a.status == OK || !strcmp(a.sqlstate, "25006"));
        run_hangs(begun);
    } while (a.status != OK);
    assert_string_equal(a.cell, "off");
}

/* A listening socket that accepts (by its backlog) and never answers. */
static int silent_listener(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(fd, 16), 0);
    getsockname(fd, (struct sockaddr *)&at, &len);
    *port = ntohs(at.sin_port);
    return fd;
}

static void test_a_silent_peer_costs_one_connect_deadline(void **state)
{
    (void)state;
    int port, fd = silent_listener(&port);
    char conninfo[128];
    snprintf(conninfo, sizeof conninfo,
             "host=127.0.0.1 port=%d sslmode=disable user=x", port);
    open_hasty(conninfo, 200);
    assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    close(fd);
}

static void test_a_host_name_is_looked_up_off_the_loop(void **state)
{
    (void)state;
    open_at(pg_conninfo_tcp(pg, "postgres"));
    assert_string_equal(ask(&one, NULL).cell, "1");
}

static const struct statement wide = {
    .sql = "select string_agg(md5(n::text), '') from "
           "generate_series(1, $1::int) n",
    .name = "wide"};
static const struct statement tls = {
    .sql = "select version from pg_stat_ssl where pid = pg_backend_pid()",
    .name = "tls"};

/* Rows of sizes around those of TLS records and libpq's buffers. (Servers up to
 * 16 send records of at most 8 KB, which never leave a rest in OpenSSL.) */
static void test_large_results_come_whole_over_tls(void **state)
{
    (void)state;
    const char *certificate = pg_use_tls(pg);
    if (!certificate)
        leave_out("openssl is missing");
    char conninfo[1024];
    snprintf(conninfo, sizeof conninfo, "%s sslrootcert=%s",
             pg_conninfo_tcp(pg, "postgres"), certificate);
    char *mode = strstr(conninfo, "sslmode=disable");
    char full[1100];
    snprintf(full, sizeof full, "%.*ssslmode=verify-full%s",
             (int)(mode - conninfo), conninfo, mode + 15);
    open_at(full);
    assert_string_equal(ask(&tls, NULL).cell, "TLSv1.3");
    static const char *const sizes[] = {"1",    "250",  "500",   "512",
                                        "1000", "2000", "20000", "200000"};
    for (int round = 0; round < 5; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            assert_int_equal(ask(&wide, sizes[i]).status, OK);
}

static void test_a_list_of_hosts_is_tried_in_order(void **state)
{
    (void)state;
    char conninfo[512], *good = strdup(pg_conninfo_tcp(pg, "postgres"));
    char *port = strstr(good, "port=");
    snprintf(conninfo, sizeof conninfo, "host=127.0.0.1,localhost port=1,%s",
             port + strlen("port="));
    free(good);
    open_at(conninfo);
    assert_string_equal(ask(&one, NULL).cell, "1");
}

static void test_of_several_addresses_the_last_says_why(void **state)
{
    (void)state;
    open_at("host=127.0.0.1,127.0.0.2 port=1,1 user=x");
    assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(strstr(pool_problem(pool), "127.0.0.2"));
}

static void test_a_bad_conninfo_is_told_without_its_secret(void **state)
{
    (void)state;
    open_at("postgresql://user:hunter2@[broken/db");
    assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    assert_null(strstr(pool_problem(pool), "hunter2"));
}

static void test_a_user_is_told_no_path_of_a_socket(void **state)
{
    (void)state;
    pool = pool_open(&(struct pool_options){.name = "test",
                                            .conninfo = "host=/nowhere",
                                            .address_from_user = true});
    assert_int_equal(ask(&one, NULL).status, ERR_DATABASE_UNAVAILABLE);
    assert_null(strstr(pool_problem(pool), "nowhere"));
    assert_non_null(
        strstr(pool_problem(pool),
               "connection to server on its socket failed: No such"));
}

static void test_a_pool_may_be_closed_in_any_state(void **state)
{
    (void)state;
    open_at(pg_conninfo_tcp(pg, "postgres"));
    pool_close(&pool); /* resolving */
    open_at("[");
    pool_close(&pool); /* new */
    open_at(pg_conninfo(pg, "postgres"));
    pool_close(&pool); /* connecting */
    open_at(pg_conninfo(pg, "postgres"));
    ask(&one, NULL);
    pool_close(&pool);
    while (loop_turn(true))
        ;
}

static void test_an_idle_connection_is_closed_and_opened_again(void **state)
{
    (void)state;
    pool = pool_open(
        &(struct pool_options){.name = "test",
                               .conninfo = pg_conninfo(pg, "postgres"),
                               .most = 3,
                               .pipeline = 4,
                               .idle_ms = 30});
    assert_false(pool_is_up(pool));
    assert_int_equal(ask(&one, NULL).status, OK);
    assert_true(pool_is_up(pool));
    while (pool_stats(pool).open > 0)
        loop_turn(true);
    assert_int_equal(ask(&one, NULL).status, OK);
}

/* ---- no memory ---------------------------------------------------------- */

static struct next three_begin(struct flow *f);
static step_fn second_begin, third_begin;

static struct next three_begin(struct flow *f)
{
    struct asked_query *a = keep(f, struct asked_query);
    a->statement = &one;
    return call(f, ask_begin, a, second_begin);
}

static struct next second_begin(struct flow *f)
{
    arena_alloc(flow_here(f), 3000); /* so that blocks are needed */
    struct asked_query *a = keep(f, struct asked_query);
    a->statement = &divide;
    a->param = "1";
    return call(f, ask_begin, a, third_begin);
}

static struct next third_begin(struct flow *f)
{
    struct six *s = here(f, struct six);
    return call(f, six_begin, s, back);
}

static void test_no_memory_at_any_point_ends_the_flow_cleanly(void **state)
{
    (void)state;
    ask(&one, NULL);
    unsigned n = 0;
    enum err how;
    do {
        arena_fail_block(++n);
        how = run_flow(three_begin, NULL);
        arena_fail_block(0);
        assert_true(how == OK || how == ERR_NO_MEMORY);
        assert_int_equal(ask(&one, NULL).status, OK);
    } while (how != OK);
    assert_true(n > 3);
    while (pool_stats(pool).busy)
        loop_turn(true);
}

/* ---- */

static void test_every_move_of_a_connection_was_made(void **state)
{
    (void)state;
    static const enum pg_connection_state moves[][2] = {
        {CONNECTION_NEW, CONNECTION_RESOLVING},
        {CONNECTION_NEW, CONNECTION_CONNECTING},
        {CONNECTION_NEW, CONNECTION_CLOSING},
        {CONNECTION_RESOLVING, CONNECTION_CONNECTING},
        {CONNECTION_RESOLVING, CONNECTION_CLOSING},
        {CONNECTION_CONNECTING, CONNECTION_IDLE},
        {CONNECTION_CONNECTING, CONNECTION_CLOSING},
        {CONNECTION_IDLE, CONNECTION_BUSY},
        {CONNECTION_IDLE, CONNECTION_CLOSING},
        {CONNECTION_BUSY, CONNECTION_IDLE},
        {CONNECTION_BUSY, CONNECTION_RESTING},
        {CONNECTION_BUSY, CONNECTION_CLOSING},
        {CONNECTION_RESTING, CONNECTION_IDLE},
        {CONNECTION_RESTING, CONNECTION_BUSY},
        {CONNECTION_RESTING, CONNECTION_CLOSING}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!moved[moves[i][0]][moves[i][1]])
            fail_msg("never %s -> %s", connection_state_name(moves[i][0]),
                     connection_state_name(moves[i][1]));
}

#define WITH(test, open) cmocka_unit_test_setup_teardown(test, open, close_all)

int main(void)
{
    log_to_fd(open("/dev/null", O_WRONLY));
    connection_on_move = on_move;
    pg = pg_new();
    const struct CMUnitTest tests[] = {
        WITH(test_cells_come_as_they_were_sent, open_system),
        WITH(test_a_statement_is_prepared_once_a_connection, open_single),
        WITH(test_a_statement_may_have_one_plan_for_all_parameters,
             open_single),
        WITH(test_an_error_does_not_abort_its_neighbours, open_single),
        WITH(test_a_unique_violation_is_a_conflict, open_system),
        WITH(test_a_plan_that_went_stale_is_made_anew, open_single),
        WITH(test_the_first_to_come_is_the_first_to_be_served, open_one_by_one),
        WITH(test_the_urgent_go_before_and_keep_their_order, open_one_by_one),
        WITH(test_a_full_queue_refuses, open_one_by_one),
        WITH(test_a_late_query_times_out_and_its_backend_ends, open_system),
        WITH(test_a_query_that_waits_is_late_too, open_one_by_one),
        WITH(test_a_cancelled_query_in_the_queue_never_runs, open_one_by_one),
        WITH(test_a_cancelled_query_in_flight_answers_at_once, open_single),
        WITH(test_closing_the_pool_cancels_its_queries, open_system),
        WITH(test_a_backend_lost_while_idle_is_not_noticed, open_system),
        WITH(test_a_backend_lost_in_a_query, open_system),
        WITH(test_a_stopped_server_fails_fast_and_the_pool_heals, open_system),
        WITH(test_a_pool_may_be_told_to_prepare_nothing, open_loop),
        WITH(test_a_patient_query_waits_for_a_restart, open_loop),
        WITH(test_patience_has_an_end, open_loop),
        WITH(test_without_descriptors_it_is_unavailable_and_heals, open_loop),
        WITH(test_a_frozen_server_blocks_nothing, open_loop),
        WITH(test_a_silent_database_is_away, open_loop),
        WITH(test_a_slow_statement_is_no_silence, open_loop),
        WITH(test_a_process_that_stood_still_itself_hears_first, open_loop),
        WITH(test_sessions_that_became_read_only_are_replaced, open_loop),
        WITH(test_a_silent_peer_costs_one_connect_deadline, open_loop),
        WITH(test_a_host_name_is_looked_up_off_the_loop, open_loop),
        WITH(test_large_results_come_whole_over_tls, open_loop),
        WITH(test_a_list_of_hosts_is_tried_in_order, open_loop),
        WITH(test_of_several_addresses_the_last_says_why, open_loop),
        WITH(test_a_bad_conninfo_is_told_without_its_secret, open_loop),
        WITH(test_a_user_is_told_no_path_of_a_socket, open_loop),
        WITH(test_a_pool_may_be_closed_in_any_state, open_loop),
        WITH(test_an_idle_connection_is_closed_and_opened_again, open_loop),
        WITH(test_no_memory_at_any_point_ends_the_flow_cleanly, open_system),
        cmocka_unit_test(test_every_move_of_a_connection_was_made),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pg_free(&pg);
    return failed;
}
