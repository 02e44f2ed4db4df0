/* prepare.c - `sextant prepare`: makes the database ready. In our own cluster
 * it creates the role and the database; everywhere it migrates the schema; for
 * a server (`prepare serve N`) it creates the first admin. The supervisor runs
 * it at each start; what is done already is skipped.
 *
 * While the database is unreachable, it tries again. Meanwhile it answers on a
 * server's N listening sockets (starting.h). If the database answers at once,
 * the sockets stay closed: a client that is refused may safely ask another
 * server.
 *
 * Exit status: 0, or 1 if trying again cannot help. */
#include "api/api.h"
#include "config/options.h"
#include "config/places.h"
#include "db/migrate.h"
#include "db/script.h"
#include "engine.h"
#include "first_admin.h"
#include "inherited.h"
#include "loop/loop.h"
#include "programs.h"
#include "starting.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/compiler.h"
#include "base/banned.h"

enum {
    PATIENCE_MS = 500, /* after that, starting.h answers requests */
    AGAIN_MS = 1000,
    ANSWER_MS = 5000, /* a database that takes longer counts as unreachable */
    REASON_MOST = 256,
};

struct prepare {
    struct arena arena;
    struct arena_mark start; /* memory of one try */
    struct config config;
    struct home home;
    struct inherited sockets;
    struct starting *starting; /* NULL: the sockets are closed */
    struct timer patience, again;
    char reason[REASON_MOST]; /* the last one that was logged */
    bool over;
    const char *conninfo; /* of the superuser, or DATABASE_URL */
    struct script *script;
    struct migrate migrate;
    bool for_server;
    struct engine engine;
    struct first_admin_made first;
    enum err how;
};

/* The last statement finds out whether the database exists. */
static const char roles_sql[] =
    "do $$ begin"
    " if not exists (select from pg_roles where rolname = '" POSTGRES_OWNER
    "') then create role " POSTGRES_OWNER " login; end if;"
    " end $$;"
    "revoke connect, temporary on database postgres, template1 from public;"
    "select 1 from pg_database where datname = '" POSTGRES_DATABASE "'";

static const char database_sql[] =
    "create database " POSTGRES_DATABASE " owner " POSTGRES_OWNER;

/* Not every PostgreSQL is built with lz4, and some versions lack the
 * setting. */
static const char rights_sql[] =
    "revoke all on database " POSTGRES_DATABASE " from public;"
    "do $$ begin"
    " execute 'alter database " POSTGRES_DATABASE
    " set default_toast_compression = lz4';"
    " exception when others then null; end $$;";

static struct next prepare_begin(struct flow *f),
    database_reached(struct flow *f), roles_begin(struct flow *f),
    roles_made(struct flow *f), prepare_database_made(struct flow *f),
    prepare_rights_set(struct flow *f), schema_begin(struct flow *f),
    prepare_schema_ready(struct flow *f), admin_known(struct flow *f),
    admin_failed(struct flow *f), prepare_engine_closed(struct flow *f);

static void run_prepare_script(struct flow *f, struct str sql,
                               uint64_t deadline_ms)
{
    struct prepare *p = locals(f, struct prepare);
    p->script = here(f, struct script);
    p->script->conninfo = p->conninfo;
    p->script->sql = sql;
    p->script->deadline_ms = deadline_ms;
    script_begin(f, p->script);
    op_tolerate(&p->script->op);
}

static struct next prepare_begin(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    p->conninfo =
        p->config.database_url
            ? engine_direct_conninfo(&p->arena, &p->config, &p->home).ptr
            : home_conninfo(&p->home, POSTGRES_ADMIN, "postgres").ptr;
    run_prepare_script(f, STR("select 1"), ANSWER_MS);
    return await(f, database_reached);
}

static bool script_failed(const struct prepare *p)
{
    return p->script->op.status != OK;
}

static struct next fail_with_script(struct flow *f)
{
    const struct prepare *p = locals(f, struct prepare);
    return fail_because(f, p->script->op.status, "%.*s",
                        STR_ARG(p->script->message));
}

static struct next database_reached(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    if (script_failed(p))
        return fail_with_script(f);
    timer_stop(&p->patience);
    return go(f, p->config.database_url ? schema_begin : roles_begin);
}

static struct next roles_begin(struct flow *f)
{
    run_prepare_script(f, STR(roles_sql), 0);
    return await(f, roles_made);
}

static struct next roles_made(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    if (script_failed(p))
        return fail_with_script(f);
    if (p->script->result && PQntuples(p->script->result) > 0)
        return go(f, schema_begin);
    run_prepare_script(f, STR(database_sql), 0);
    return await(f, prepare_database_made);
}

static struct next prepare_database_made(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    if (script_failed(p) && p->script->op.status != ERR_CONFLICT &&
        strcmp(p->script->sqlstate, "42P04") != 0)
        return fail_with_script(f);
    run_prepare_script(f, STR(rights_sql), 0);
    return await(f, prepare_rights_set);
}

static struct next prepare_rights_set(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    return script_failed(p) ? fail_with_script(f) : go(f, schema_begin);
}

static struct next schema_begin(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    const char *data = places_data(&p->arena, &p->config);
    p->migrate = (struct migrate){0};
    p->migrate.directory =
        arena_printf(&p->arena, "%s/sql", data ? data : ".").ptr;
    p->migrate.conninfo =
        engine_direct_conninfo(&p->arena, &p->config, &p->home).ptr;
    return call(f, migrate_up, &p->migrate, prepare_schema_ready);
}

static struct next prepare_schema_ready(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    struct str why;
    if (p->migrate.n_new)
        log_line(LOG_INFO, "schema migrated", "%d new of %d", p->migrate.n_new,
                 p->migrate.n);
    if (!p->for_server)
        return back(f);
    if (!engine_open(&p->engine, &p->arena, &p->config, &p->home, &why))
        return fail_with(f, ERR_INTERNAL, why);
    p->first = (struct first_admin_made){.store = p->engine.store,
                                         .config = &p->config};
    return attempt(f, first_admin_made_begin, &p->first, admin_known,
                   admin_failed);
}

/* Without an admin the server works all the same. */
static struct next admin_failed(struct flow *f)
{
    struct str why = failure_text(f);
    log_line(LOG_ERROR, "no first admin",
             "%.*s; the next start tries again, or run `sextant user add`",
             STR_ARG(why.len ? why : str_of(err_sentence(failure(f)))));
    return go(f, admin_known);
}

static struct next admin_known(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    return call(f, engine_close_begin, &p->engine, prepare_engine_closed);
}

static struct next prepare_engine_closed(struct flow *f)
{
    return back(f);
}

static bool may_recover(enum err e)
{
    return e == ERR_DATABASE_UNAVAILABLE || e == ERR_TIMEOUT ||
           e == ERR_UNAVAILABLE;
}

/* ---- waiting for the database -------------------------------------------- */

static void wait_for_database(struct prepare *p, struct str why)
{
    char reason[REASON_MOST];
    snprintf(reason, sizeof reason, "%.*s", STR_ARG(why));
    if (strcmp(reason, p->reason) != 0)
        log_line(LOG_WARN, "waiting for the database", "%s", reason);
    memcpy(p->reason, reason, sizeof reason);
    timer_stop(&p->patience);
    if (!p->starting && p->sockets.n)
        p->starting = starting_open(&p->sockets);
}

static void on_impatient(struct timer *t)
{
    struct prepare *p = container_of(t, struct prepare, patience);
    wait_for_database(p, STR("it has not answered yet"));
}

static void on_try_end(struct flow *f, enum err how, void *who);

/* Each try is a flow of its own, whose memory is freed with it. */
static void try_to_prepare(struct prepare *p)
{
    p->start = arena_mark(&p->arena);
    flow_start(prepare_begin, p,
               &(struct flow_options){
                   .kind = "prepare", .on_end = on_try_end, .who = p});
}

static void on_again(struct timer *t)
{
    try_to_prepare(container_of(t, struct prepare, again));
}

static void on_try_end(struct flow *f, enum err how, void *who)
{
    struct prepare *p = who;
    struct str why = failure_text(f);
    if (!why.len)
        why = str_of(err_sentence(how));
    p->how = how;
    p->over = how == OK || !may_recover(how);
    if (!p->over) {
        wait_for_database(p, why);
        arena_reset(&p->arena, p->start);
        timer_start(&p->again, AGAIN_MS, on_again);
    } else if (how != OK) {
        fprintf(stderr, "sextant: database: %.*s\n", STR_ARG(why));
    }
}

static void run_prepare(struct prepare *p)
{
    timer_start(&p->patience, PATIENCE_MS, on_impatient);
    try_to_prepare(p);
    while (!p->over)
        loop_turn(true);
    timer_stop(&p->patience);
    starting_close(&p->starting);
    loop_run();
}

static bool open_settings(struct prepare *p)
{
    struct str why = STR("");
    struct buf problems, warnings;
    buf_init(&problems, &p->arena);
    buf_init(&warnings, &p->arena);
    const struct config_given given = {.env = (const char *const *)environ,
                                       .no_file = true};
    if (config_read(&p->arena, &given, &p->config, &problems, &warnings) &&
        home_open(&p->arena, p->config.home, &p->home, &why))
        return true;
    fprintf(stderr, "sextant: %s%.*s\n", buf_cstr(&problems), STR_ARG(why));
    return false;
}

/* Checked here, before workers fail because of it again and again. */
static bool check_public_key(const struct config *c)
{
    const char *problem = c->jwt_public_key && !c->jwt_jwks_url
                              ? api_key_problem(str_of(c->jwt_public_key))
                              : NULL;
    if (problem)
        fprintf(stderr, "sextant: %s\n", problem);
    return !problem;
}

int cmd_prepare(int argc, char **argv)
{
    static struct prepare p;
    p.for_server = argc > 1 && !strcmp(argv[1], "serve");
    arena_init(&p.arena, 0);
    if (!inherited_read(argc > 2 ? argv[2] : NULL, &p.sockets) ||
        !open_settings(&p))
        return EXIT_USAGE;
    if (!check_public_key(&p.config))
        return EXIT_FAILED;
    log_level_set(options_log_level(p.config.log_level));
    log_program("prepare");
    crypto_init();
    loop_open();
    run_prepare(&p);
    loop_close();
    arena_done(&p.arena);
    return p.how == OK ? EXIT_OK : EXIT_FAILED;
}
