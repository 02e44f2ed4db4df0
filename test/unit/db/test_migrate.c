/* Scripts and migrations, each test in a database of its own. */
#include "../pg_fixture.h"
#include "../run_flow.h"
#include "base/log.h"
#include "db/migrate.h"
#include "db/script.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct pg *pg;
static char directory[256], database[32], conninfo[512];

static void put_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void drop_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_int_equal(unlink(path), 0);
}

static int set_up(void **state)
{
    static int n;
    char sql[64];
    (void)state;
    pg_start(pg);
    snprintf(database, sizeof database, "db%d", ++n);
    snprintf(sql, sizeof sql, "create database %s", database);
    pg_run(pg, "postgres", sql);
    snprintf(conninfo, sizeof conninfo, "%s", pg_conninfo(pg, database));
    snprintf(directory, sizeof directory, "/tmp/sextant-sql-XXXXXX");
    assert_non_null(mkdtemp(directory));
    put_file("001_first.sql", "create table first (n int);\n"
                              "insert into first values (1); -- no end");
    put_file("010_second.sql", "create function f() returns int language sql "
                               "as $$ select 1; $$;");
    put_file("readme.txt", "not a script");
    loop_open();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    loop_close();
    DIR *open = opendir(directory);
    for (struct dirent *e; (e = readdir(open));)
        if (e->d_name[0] != '.')
            drop_file(e->d_name);
    closedir(open);
    return rmdir(directory);
}

/* ---- the flow ----------------------------------------------------------- */

struct outcome {
    struct migrate m;
    step_fn *how;
    enum err status;
    char text[256], names[256];
    int n_applied, n_new, n;
};

static step_fn migrated, refused;

static struct next migrate_begin(struct flow *f)
{
    struct outcome *o = locals(f, struct outcome);
    o->m.directory = directory;
    o->m.conninfo = conninfo;
    return attempt(f, o->how, &o->m, migrated, refused);
}

static struct next migrated(struct flow *f)
{
    struct outcome *o = locals(f, struct outcome);
    o->status = OK;
    o->n = o->m.n;
    o->n_new = o->m.n_new;
    for (int i = 0; i < o->m.n; i++) {
        o->n_applied += o->m.list[i].applied;
        assert_int_equal(o->m.list[i].applied_at.len,
                         o->m.list[i].applied ? 20 : 0);
        assert_int_equal(o->m.list[i].checksum.len, 64);
        strncat(o->names, o->m.list[i].name.ptr, 100);
    }
    return back(f);
}

static struct next refused(struct flow *f)
{
    struct outcome *o = locals(f, struct outcome);
    o->status = failure(f);
    snprintf(o->text, sizeof o->text, "%.*s", STR_ARG(failure_text(f)));
    return back(f);
}

static struct outcome migrate(step_fn *how)
{
    struct outcome o = {.how = how};
    assert_int_equal(run_flow(migrate_begin, &o), OK);
    return o;
}

#define ASK(sql) pg_ask(pg, database, sql)

static void test_files_are_applied_in_order_and_once(void **state)
{
    (void)state;
    struct outcome before = migrate(migrate_status);
    assert_int_equal(before.status, OK);
    assert_int_equal(before.n, 2);
    assert_int_equal(before.n_applied, 0);
    struct outcome first = migrate(migrate_up);
    assert_int_equal(first.status, OK);
    assert_int_equal(first.n_new, 2);
    assert_string_equal(first.names, "001_first.sql010_second.sql");
    struct outcome second = migrate(migrate_up);
    assert_int_equal(second.status, OK);
    assert_int_equal(second.n_new, 0);
    assert_int_equal(second.n_applied, 2);
    assert_int_equal(migrate(migrate_status).n_applied, 2);
    assert_string_equal(ASK("select n from first"), "1");
    assert_string_equal(
        ASK("select string_agg(version || name, ',' order by version) "
            "from schema_migrations where length(checksum) = 64"),
        "1001_first.sql,10010_second.sql");
}

static void test_a_new_file_is_applied_later(void **state)
{
    (void)state;
    assert_int_equal(migrate(migrate_up).n_new, 2);
    put_file("011_third.sql", "create table third ()");
    assert_int_equal(migrate(migrate_status).n_applied, 2);
    assert_int_equal(migrate(migrate_up).n_new, 1);
}

static void test_a_changed_file_is_refused(void **state)
{
    (void)state;
    migrate(migrate_up);
    put_file("001_first.sql", "create table other ()");
    struct outcome o = migrate(migrate_up);
    assert_int_equal(o.status, ERR_CONFLICT);
    assert_non_null(strstr(o.text, "001_first.sql was changed"));
    assert_int_equal(migrate(migrate_status).status, ERR_CONFLICT);
}

static void test_a_newer_schema_is_refused(void **state)
{
    (void)state;
    put_file("099_future.sql", "select 1");
    assert_int_equal(migrate(migrate_up).status, OK);
    drop_file("099_future.sql");
    struct outcome o = migrate(migrate_up);
    assert_int_equal(o.status, ERR_CONFLICT);
    assert_non_null(strstr(o.text, "newer"));
    assert_non_null(strstr(o.text, "099_future.sql"));
}

static void test_a_lost_file_is_refused(void **state)
{
    (void)state;
    migrate(migrate_up);
    drop_file("001_first.sql");
    struct outcome o = migrate(migrate_up);
    assert_int_equal(o.status, ERR_CONFLICT);
    assert_non_null(strstr(o.text, "missing"));
}

static void test_a_failing_file_leaves_nothing_and_names_its_line(void **state)
{
    (void)state;
    put_file("011_third.sql", "create table third (n int);\n"
                              "insert into third values (1);\n"
                              "-- häßlich\n"
                              "insert into nowhere values (1);\n");
    struct outcome o = migrate(migrate_up);
    assert_int_equal(o.status, ERR_INTERNAL);
    assert_non_null(strstr(o.text, "011_third.sql, line 4: "));
    assert_non_null(strstr(o.text, "nowhere"));
    assert_string_equal(ASK("select to_regclass('third') is null"), "t");
    assert_string_equal(ASK("select max(version) from schema_migrations"),
                        "10");
    put_file("011_third.sql", "create table third (n int)");
    assert_int_equal(migrate(migrate_up).status, OK);
}

static void test_bad_names_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"x.sql", "12.sql", "12-a.sql",
                                      "012_A'b.sql", "0010_again.sql"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_file(bad[i], "select 1");
        struct outcome o = migrate(migrate_up);
        assert_int_equal(o.status, ERR_VALIDATION);
        assert_non_null(strstr(o.text, bad[i]));
        drop_file(bad[i]);
    }
    char kept[sizeof directory];
    memcpy(kept, directory, sizeof kept);
    snprintf(directory, sizeof directory, "/nowhere");
    assert_int_equal(migrate(migrate_up).status, ERR_NOT_FOUND);
    memcpy(directory, kept, sizeof kept);
}

static void test_two_at_once_apply_each_file_once(void **state)
{
    (void)state;
    put_file("011_slow.sql", "select pg_sleep(0.2); create table slow (n int)");
    struct outcome a[3];
    struct run_flow r[3];
    int n_new = 0;
    for (int i = 0; i < 3; i++) {
        a[i] = (struct outcome){.how = migrate_up};
        run_flow_start(&r[i], migrate_begin, &a[i]);
    }
    for (int i = 0; i < 3; i++) {
        run_until(&r[i].ended);
        assert_int_equal(a[i].status, OK);
        assert_int_equal(a[i].n_applied, 3);
        n_new += a[i].n_new;
    }
    assert_int_equal(n_new, 3);
}

static void test_without_a_server_it_says_so(void **state)
{
    (void)state;
    snprintf(conninfo, sizeof conninfo, "host=/nonexistent dbname=x");
    struct outcome o = migrate(migrate_up);
    assert_int_equal(o.status, ERR_DATABASE_UNAVAILABLE);
    assert_non_null(strstr(o.text, "/nonexistent"));
}

static void test_a_cancelled_migration_lets_go_of_the_lock(void **state)
{
    (void)state;
    put_file("011_slow.sql", "select pg_sleep(300)");
    struct outcome o = {.how = migrate_up};
    struct run_flow r;
    run_flow_start(&r, migrate_begin, &o);
    while (strcmp(ASK("select count(*) from pg_stat_activity where query like "
                      "'%pg_sleep(300)%' and pid <> pg_backend_pid()"),
                  "1") != 0)
        loop_turn(false);
    flow_cancel(r.flow);
    run_until(&r.ended);
    assert_int_equal(r.how, ERR_CANCELLED);
    put_file("011_slow.sql", "select 1");
    assert_int_equal(migrate(migrate_up).status, OK); /* waited for the lock */
}

static void test_no_memory_at_any_point_ends_it_cleanly(void **state)
{
    (void)state;
    enum err how;
    unsigned n = 0;
    do {
        struct outcome o = {.how = migrate_up};
        arena_fail_block(++n);
        how = run_flow(migrate_begin, &o);
        arena_fail_block(0);
        assert_true(how == OK || how == ERR_NO_MEMORY);
        how = how == OK ? o.status : how;
        assert_true(how == OK || how == ERR_NO_MEMORY);
    } while (how != OK);
    assert_true(n > 2);
}

/* ---- scripts ------------------------------------------------------------ */

struct play {
    const char *sql;
    struct session *session;
    uint64_t deadline_ms;
    struct script *s;
    enum err status;
    char cell[32], sqlstate[6];
    int position;
};

static step_fn played;

static struct next play_begin(struct flow *f)
{
    struct play *p = locals(f, struct play);
    struct script *s = p->s = here(f, struct script);
    s->conninfo = conninfo;
    s->session = p->session;
    s->sql = str_of(p->sql);
    s->deadline_ms = p->deadline_ms;
    script_begin(f, s);
    op_tolerate(&s->op);
    return await(f, played);
}

static struct next played(struct flow *f)
{
    struct play *p = locals(f, struct play);
    p->status = p->s->op.status;
    p->position = p->s->position;
    memcpy(p->sqlstate, p->s->sqlstate, sizeof p->sqlstate);
    if (p->s->result && PQntuples(p->s->result))
        snprintf(p->cell, sizeof p->cell, "%s", PQgetvalue(p->s->result, 0, 0));
    return back(f);
}

static struct play play(const char *sql)
{
    struct play p = {.sql = sql};
    assert_int_equal(run_flow(play_begin, &p), OK);
    return p;
}

static void test_a_script_answers_its_last_rows(void **state)
{
    (void)state;
    struct play p = play("create table t (n int); insert into t values (3); "
                         "select 1; select n from t; drop table t; -- bye");
    assert_int_equal(p.status, OK);
    assert_string_equal(p.cell, "3");
    assert_int_equal(play("").status, OK);
}

static void test_a_script_is_one_transaction(void **state)
{
    (void)state;
    struct play p = play("create table t (n int); select 1/0");
    assert_int_equal(p.status, ERR_INTERNAL);
    assert_string_equal(p.sqlstate, "22012");
    p = play("select 'ä'; selct");
    assert_int_equal(p.position, 13);
    assert_string_equal(ASK("select to_regclass('t') is null"), "t");
}

static void test_copy_is_refused(void **state)
{
    (void)state;
    struct play p = play("create table t (n int); copy t from stdin");
    assert_int_equal(p.status, ERR_DATABASE_UNAVAILABLE);
    assert_int_equal(play("copy (select 1) to stdout").status,
                     ERR_DATABASE_UNAVAILABLE);
}

static void test_a_session_keeps_its_settings_and_transaction(void **state)
{
    (void)state;
    struct session *session = session_new(conninfo);
    struct play p = {.session = session, .sql = "begin; set timezone = 'UTC'"};
    run_flow(play_begin, &p);
    p = (struct play){.session = session, .sql = "show timezone"};
    run_flow(play_begin, &p);
    assert_string_equal(p.cell, "UTC");
    session_free(session);
}

static void test_a_late_script_times_out(void **state)
{
    (void)state;
    struct play p = {.sql = "select pg_sleep(300)", .deadline_ms = 100};
    assert_int_equal(run_flow(play_begin, &p), OK);
    assert_int_equal(p.status, ERR_TIMEOUT);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    log_to_fd(open("/dev/null", O_WRONLY));
    pg = pg_new();
    const struct CMUnitTest tests[] = {
        CASE(test_files_are_applied_in_order_and_once),
        CASE(test_a_new_file_is_applied_later),
        CASE(test_a_changed_file_is_refused),
        CASE(test_a_newer_schema_is_refused),
        CASE(test_a_lost_file_is_refused),
        CASE(test_a_failing_file_leaves_nothing_and_names_its_line),
        CASE(test_bad_names_are_refused),
        CASE(test_two_at_once_apply_each_file_once),
        CASE(test_without_a_server_it_says_so),
        CASE(test_a_cancelled_migration_lets_go_of_the_lock),
        CASE(test_no_memory_at_any_point_ends_it_cleanly),
        CASE(test_a_script_answers_its_last_rows),
        CASE(test_a_script_is_one_transaction),
        CASE(test_copy_is_refused),
        CASE(test_a_session_keeps_its_settings_and_transaction),
        CASE(test_a_late_script_times_out),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pg_free(&pg);
    return failed;
}
