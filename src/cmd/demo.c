/* demo.c - `sextant demo load`: loads a retail business into a database of its
 * own, with a role that may only read it and a semantic model shared with all
 * users.
 *
 * A comment on the database holds the hash of the files it was loaded from
 * (SHA-256). While they are the same, nothing is loaded again. */
#include "base/json.h"
#include "base/random.h"
#include "cli.h"
#include "config/places.h"
#include "db/conninfo.h"
#include "db/script.h"
#include "ontology/osi.h"
#include "ontology/similarity.h"
#include "help.h"
#include "programs.h"
#include "source_certificates.h"
#include "store/source_check.h"
#include "store/connections.h"
#include "store/ontologies.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

#define DEMO_READER "sextant_demo_reader"

enum { LOAD_MS = 300000, PASSWORD_BYTES = 24, FILES = 3 };

struct demo {
    struct cli cli;
    struct cli_user user;
    struct str password;
    struct str scripts[FILES]; /* schema, data, reader */
    struct str mark;           /* hash of the scripts */
    struct str model_text;
    struct ontology *model;
    const char *admin, *owner; /* conninfos: of any database, of the demo's */
    struct session *session;
    struct script *script;
    int at;
    struct connection_add connection;
    struct source_check check;
    struct ontology_import work;
};

static struct next reader_made(struct flow *f),
    demo_database_made(struct flow *f), rights_begin(struct flow *f),
    demo_rights_set(struct flow *f), mark_known(struct flow *f),
    load_next(struct flow *f), part_loaded(struct flow *f),
    demo_marked(struct flow *f), connection_begin(struct flow *f),
    reader_entered(struct flow *f), demo_owner_known(struct flow *f),
    demo_connection_added(struct flow *f), ontology_imported(struct flow *f);

/* ---- the scripts --------------------------------------------------------- */

static bool read_demo_files(struct demo *d, struct str *why)
{
    static const char *const names[FILES] = {"schema", "data", "reader"};
    struct arena *arena = &d->cli.arena;
    const char *data = places_data(arena, &d->cli.config);
    uint8_t digest[SHA256_SIZE];
    struct buf all;
    buf_init(&all, arena);
    *why = STR("the folder with sql/ was not found; set DATA_DIR");
    for (int i = 0; data && i < FILES; i++) {
        const char *path =
            arena_printf(arena, "%s/sql/demo/%s.sql", data, names[i]).ptr;
        if (!config_read_file(arena, path, &d->scripts[i], why))
            return false;
        buf_str(&all, d->scripts[i]);
    }
    if (!data ||
        !config_read_file(
            arena, arena_printf(arena, "%s/sql/demo/retail.osi.yaml", data).ptr,
            &d->model_text, why))
        return false;
    sha256(buf_view(&all), digest);
    d->mark = arena_printf(arena, "sextant demo %.*s",
                           STR_ARG(hex_encode(arena, digest, sizeof digest)));
    return true;
}

static bool read_demo_model(struct demo *d, struct str *why)
{
    struct osi_report report;
    struct buf text;
    if (osi_read(&d->cli.arena, d->model_text, &d->model, &report))
        return true;
    buf_init(&text, &d->cli.arena);
    osi_report_print(&report, &text);
    *why = buf_view(&text);
    return false;
}

/* ---- the target ---------------------------------------------------------- */

/* The reader connects as DATABASE_URL does, except over a socket, where
 * PostgreSQL asks for system users. */
static bool take_conninfo_option(struct demo *d, const char *key,
                                 struct str value, struct str *why)
{
    struct connection_add *c = &d->connection;
    int64_t port;
    if (!strcmp(key, "host") && !str_starts(value, STR("/")))
        c->host = value;
    if (!strcmp(key, "port") && str_to_int64(value, &port))
        c->port = (int)port;
    if (!strcmp(key, "sslmode") && !tls_of_word(value, &c->tls))
        c->tls = TLS_DISABLE;
    return strcmp(key, "sslrootcert") != 0 || str_is(value, "system") ||
           source_certificates(&d->cli.arena, value, &c->root_certificates,
                               why);
}

/* DATABASE_URL with another database of the same server. */
static bool demo_conninfo(struct demo *d, const char *database, struct str *why)
{
    bool good = true;
    struct buf out;
    PQconninfoOption *all = PQconninfoParse(d->cli.config.database_url, NULL);
    buf_init(&out, &d->cli.arena);
    for (PQconninfoOption *o = all; good && o && o->keyword; o++) {
        if (!o->val || !strcmp(o->keyword, "dbname"))
            continue;
        struct str value = arena_str(&d->cli.arena, str_of(o->val));
        conninfo_put(&out, o->keyword, value);
        good = take_conninfo_option(d, o->keyword, value, why);
    }
    PQconninfoFree(all);
    conninfo_put(&out, "dbname", str_of(database));
    d->owner = buf_cstr(&out);
    return good;
}

static bool set_target(struct demo *d, struct str *why)
{
    const struct home *home = &d->cli.home;
    uint8_t secret[PASSWORD_BYTES];
    random_bytes(secret, sizeof secret);
    d->password = hex_encode(&d->cli.arena, secret, sizeof secret);
    d->connection = (struct connection_add){.name = STR("demo"),
                                            .host = STR("localhost"),
                                            .port = 5432,
                                            .database = STR(DEMO_DATABASE),
                                            .username = STR(DEMO_READER),
                                            .password = d->password,
                                            .shared = true};
    if (d->cli.config.database_url) {
        d->admin = d->cli.config.database_url;
        return demo_conninfo(d, DEMO_DATABASE, why);
    }
    d->connection.embedded = true;
    d->admin = home_conninfo(home, POSTGRES_ADMIN, "postgres").ptr;
    d->owner = home_conninfo(home, POSTGRES_ADMIN, DEMO_DATABASE).ptr;
    return true;
}

/* ---- scripts ------------------------------------------------------------- */

static void run_demo_script(struct flow *f, const char *conninfo,
                            struct str sql)
{
    struct demo *d = locals(f, struct demo);
    d->script = here(f, struct script);
    d->script->conninfo = conninfo;
    d->script->session = conninfo ? NULL : d->session;
    d->script->sql = sql;
    d->script->deadline_ms = LOAD_MS;
    script_begin(f, d->script);
    op_tolerate(&d->script->op);
}

static bool script_good(const struct demo *d)
{
    return d->script->op.status == OK;
}

static struct next fail_with_script(struct flow *f)
{
    const struct demo *d = locals(f, struct demo);
    return fail_because(f, d->script->op.status, "%.*s",
                        STR_ARG(d->script->message));
}

static bool has_row(const struct demo *d)
{
    return d->script->result && PQntuples(d->script->result) > 0;
}

static struct next demo_begin(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    struct str why;
    if (!read_demo_files(d, &why) || !read_demo_model(d, &why) ||
        !set_target(d, &why))
        return fail_with(f, ERR_INTERNAL, why);
    run_demo_script(
        f, d->admin,
        arena_printf(&d->cli.arena,
                     "do $$ begin if not exists (select from pg_roles"
                     " where rolname = '" DEMO_READER "') then"
                     " create role " DEMO_READER " login; end if;"
                     " end $$;"
                     "alter role " DEMO_READER " password '%.*s';"
                     "select 1 from pg_database where datname = '" DEMO_DATABASE
                     "'",
                     STR_ARG(d->password)));
    return await(f, reader_made);
}

static struct next reader_made(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    if (!script_good(d))
        return fail_with_script(f);
    if (has_row(d))
        return go(f, rights_begin);
    run_demo_script(f, d->admin, STR("create database " DEMO_DATABASE));
    return await(f, demo_database_made);
}

static struct next demo_database_made(struct flow *f)
{
    return script_good(locals(f, struct demo)) ? go(f, rights_begin)
                                               : fail_with_script(f);
}

static struct next rights_begin(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    run_demo_script(f, d->admin,
                    STR("revoke all on database " DEMO_DATABASE " from public;"
                        "grant connect on database " DEMO_DATABASE
                        " to " DEMO_READER ";"
                        "select shobj_description(oid, 'pg_database') from"
                        " pg_database where datname = '" DEMO_DATABASE "'"));
    return await(f, demo_rights_set);
}

static struct next demo_rights_set(struct flow *f)
{
    return script_good(locals(f, struct demo)) ? go(f, mark_known)
                                               : fail_with_script(f);
}

/* ---- loading ------------------------------------------------------------- */

static struct next mark_known(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    if (has_row(d) && str_is(d->mark, PQgetvalue(d->script->result, 0, 0))) {
        fprintf(stderr, "The demo data is loaded already.\n");
        return go(f, connection_begin);
    }
    fprintf(stderr, "Loading the demo data …\n");
    d->session = session_new(d->owner);
    defer_kept(f, session_free, d->session);
    run_demo_script(f, NULL,
                    STR("drop schema if exists public cascade;"
                        "create schema public;"));
    return await(f, part_loaded);
}

static struct next load_next(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    run_demo_script(f, NULL, d->scripts[d->at++]);
    return await(f, part_loaded);
}

static struct next part_loaded(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    if (!script_good(d))
        return fail_with_script(f);
    if (d->at < FILES)
        return go(f, load_next);
    run_demo_script(f, NULL,
                    arena_printf(&d->cli.arena,
                                 "analyze; comment on database " DEMO_DATABASE
                                 " is '%.*s'",
                                 STR_ARG(d->mark)));
    return await(f, demo_marked);
}

static struct next demo_marked(struct flow *f)
{
    return script_good(locals(f, struct demo)) ? go(f, connection_begin)
                                               : fail_with_script(f);
}

/* ---- connection and ontology --------------------------------------------- */

static struct next connection_begin(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    d->connection.store = d->cli.engine.store;
    d->check.target = &d->connection;
    return call(f, source_check_begin, &d->check, reader_entered);
}

static struct next reader_entered(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    d->user.cli = &d->cli;
    return call(f, cli_user_begin, &d->user, demo_owner_known);
}

static struct next demo_owner_known(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    d->connection.owner_id = d->user.id;
    return call(f, connection_add_begin, &d->connection, demo_connection_added);
}

static struct next demo_connection_added(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    if (d->connection.taken)
        return fail_because(f, ERR_CONFLICT,
                            "\"%.*s\" is a connection over uploaded files; "
                            "delete that dataset first",
                            STR_ARG(d->connection.name));
    d->work = (struct ontology_import){
        .store = d->cli.engine.store,
        .owner_id = d->user.id,
        .connection_id = d->connection.id,
        .name = d->model->name,
        .source_text = d->model_text,
        .model = d->model,
        .shared = true,
        .embedding_model =
            arena_printf(&d->cli.arena, "lexical:%d", LEXICAL_VERSION),
        .vectors = ontology_lexical_vectors(&d->cli.arena, d->model),
        .dimensions = LEXICAL_DIMENSIONS};
    return call(f, ontology_import_begin, &d->work, ontology_imported);
}

static struct next ontology_imported(struct flow *f)
{
    struct demo *d = locals(f, struct demo);
    fprintf(stderr, "Ontology \"%.*s\" is ready.\n", STR_ARG(d->work.name));
    printf("%.*s\n", STR_ARG(d->work.ontology_id));
    return back(f);
}

int cmd_demo(int argc, char **argv)
{
    static struct demo d;
    struct arguments args;
    if (!cli_read(&d.cli, "demo", argc, argv, NULL, &args))
        return EXIT_USAGE;
    if (args.n != 1 || strcmp(args.items[0], "load") != 0)
        return usage_error("demo", NULL);
    return cli_run(&d.cli, demo_begin, &d);
}
