/* prepare.c - `sextant prepare`: what the database needs before anybody works
 * with it. In our own cluster the role and the database; everywhere the schema;
 * for a server (`prepare serve`) the first admin. Run by the supervisor at each
 * start; does nothing that is done already.
 *
 * Exit: 0, 1 (it will not work like this), 75 (the database is not there now). */
#include "api/api.h"
#include "cmd/options.h"
#include "cmd/places.h"
#include "db/migrate.h"
#include "db/script.h"
#include "engine.h"
#include "first_admin.h"
#include "loop/loop.h"
#include "postgres_files.h"
#include "programs.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

struct prepare {
    struct arena arena;
    struct config config;
    struct home home;
    const char *admin; /* conninfo of the superuser */
    struct script *script;
    struct migrate migrate;
    bool for_server;
    struct engine engine;
    struct first_admin_made first;
    enum err how;
};

/* The last statement says whether the database is there. */
static const char roles_sql[] =
    "do $$ begin"
    " if not exists (select from pg_roles where rolname = '" POSTGRES_OWNER
    "') then create role " POSTGRES_OWNER " login; end if;"
    " end $$;"
    "revoke connect, temporary on database postgres, template1 from public;"
    "select 1 from pg_database where datname = '" POSTGRES_DATABASE "'";

static const char database_sql[] =
    "create database " POSTGRES_DATABASE " owner " POSTGRES_OWNER;

/* lz4 is not built into every PostgreSQL; a cut of 14 knows no such setting. */
static const char rights_sql[] =
    "revoke all on database " POSTGRES_DATABASE " from public;"
    "do $$ begin"
    " execute 'alter database " POSTGRES_DATABASE
    " set default_toast_compression = lz4';"
    " exception when others then null; end $$;";

static struct next prepare_begin(struct flow *f), roles_made(struct flow *f),
    database_made(struct flow *f), rights_set(struct flow *f),
    schema_begin(struct flow *f), schema_ready(struct flow *f),
    admin_known(struct flow *f), admin_failed(struct flow *f),
    engine_closed(struct flow *f);

static void run_script(struct flow *f, struct str sql)
{
    struct prepare *p = locals(f, struct prepare);
    p->script = here(f, struct script);
    p->script->conninfo = p->admin;
    p->script->sql = sql;
    script_begin(f, p->script);
    op_tolerate(&p->script->op);
}

static struct next prepare_begin(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    if (p->config.database_url)
        return go(f, schema_begin);
    p->admin = home_conninfo(&p->home, POSTGRES_ADMIN, "postgres").ptr;
    run_script(f, STR(roles_sql));
    return await(f, roles_made);
}

static bool script_failed(const struct prepare *p)
{
    return p->script->op.status != OK;
}

static struct next refuse(struct flow *f)
{
    const struct prepare *p = locals(f, struct prepare);
    return fail_because(f, p->script->op.status, "%.*s",
                        STR_ARG(p->script->message));
}

static struct next roles_made(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    if (script_failed(p))
        return refuse(f);
    if (p->script->result && PQntuples(p->script->result) > 0)
        return go(f, schema_begin);
    run_script(f, STR(database_sql));
    return await(f, database_made);
}

static struct next database_made(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    if (script_failed(p) && p->script->op.status != ERR_CONFLICT &&
        strcmp(p->script->sqlstate, "42P04") != 0)
        return refuse(f);
    run_script(f, STR(rights_sql));
    return await(f, rights_set);
}

static struct next rights_set(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    return script_failed(p) ? refuse(f) : go(f, schema_begin);
}

static struct next schema_begin(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    const char *data = places_data(&p->arena, &p->config);
    p->migrate.directory =
        arena_printf(&p->arena, "%s/sql", data ? data : ".").ptr;
    p->migrate.conninfo =
        engine_direct_conninfo(&p->arena, &p->config, &p->home).ptr;
    return call(f, migrate_up, &p->migrate, schema_ready);
}

static struct next schema_ready(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    struct str why;
    if (p->migrate.n_new)
        log_line(LOG_INFO, "schema brought up to date", "%d new of %d",
                 p->migrate.n_new, p->migrate.n);
    if (!p->for_server)
        return back(f);
    if (!engine_open(&p->engine, &p->arena, &p->config, &p->home, &why))
        return fail_with(f, ERR_INTERNAL, why);
    p->first = (struct first_admin_made){.store = p->engine.store,
                                         .config = &p->config};
    return attempt(f, first_admin_made_begin, &p->first, admin_known,
                   admin_failed);
}

/* Without one the server serves all the same. */
static struct next admin_failed(struct flow *f)
{
    log_line(LOG_WARN, "no first admin", "%s; `sextant user add` makes one",
             err_name(failure(f)));
    return go(f, admin_known);
}

static struct next admin_known(struct flow *f)
{
    struct prepare *p = locals(f, struct prepare);
    return call(f, engine_close_begin, &p->engine, engine_closed);
}

static struct next engine_closed(struct flow *f)
{
    return back(f);
}

static bool comes_back(enum err e)
{
    return e == ERR_DATABASE_UNAVAILABLE || e == ERR_TIMEOUT ||
           e == ERR_UNAVAILABLE;
}

static void on_end(struct flow *f, enum err how, void *who)
{
    struct prepare *p = who;
    struct str why = failure_text(f);
    p->how = how;
    if (how != OK && !comes_back(how))
        fprintf(stderr, "sextant: database: %.*s\n",
                STR_ARG(why.len ? why : str_of(err_sentence(how))));
    else if (how != OK)
        log_line(LOG_INFO, "database not there", "%.*s", STR_ARG(why));
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

/* Found out here, before workers end of it again and again. */
static bool key_good(const struct config *c)
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
    if (!open_settings(&p))
        return EXIT_WRONG_USE;
    if (!key_good(&p.config))
        return EXIT_FAILED;
    log_level_set(options_log_level(p.config.log_level));
    log_program("prepare");
    crypto_init();
    loop_open();
    flow_start(prepare_begin, &p,
               &(struct flow_options){.kind = "prepare", .on_end = on_end,
                                      .who = &p});
    loop_run();
    loop_close();
    arena_done(&p.arena);
    return p.how == OK ? EXIT_OK : comes_back(p.how) ? EXIT_TRY_LATER
                                                     : EXIT_FAILED;
}
