/* cli.c - opens what a command needs, runs its flow, and closes.
 *
 *   home -> (cluster.c: join or start a database) -> check the schema -> the
 *   command's flow -> close */
#include "cli.h"
#include "base/log.h"
#include "config/places.h"
#include "db/migrate.h"
#include "loop/loop.h"
#include "say.h"
#include "store/rows.h"
#include "store/users.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { EXIT_INTERRUPTED = 130 };

static struct next cli_begin(struct flow *f), cluster_joined(struct flow *f),
    cli_schema_known(struct flow *f), command_over(struct flow *f),
    close_begin(struct flow *f), cli_engine_closed(struct flow *f);

static struct next cli_begin(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    return call(f, cluster_begin, c, cluster_joined);
}

/* A database that we do not run is only migrated on request. */
static struct next cluster_joined(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    const char *data = places_data(&c->arena, &c->config);
    if (!c->config.database_url || c->any_schema)
        return go(f, cli_schema_known);
    struct migrate *m = c->schema = keep(f, struct migrate);
    m->directory = arena_printf(&c->arena, "%s/sql", data ? data : ".").ptr;
    m->conninfo = c->config.database_url;
    return call(f, migrate_status, m, cli_schema_known);
}

static struct next cli_schema_known(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    struct str why;
    for (int i = 0; c->schema && i < c->schema->n; i++)
        if (!c->schema->list[i].applied)
            return fail_because(
                f, ERR_CONFLICT,
                "the database lacks the migration %.*s: run `sextant migrate "
                "up`",
                STR_ARG(c->schema->list[i].name));
    if (!engine_open(&c->engine, &c->arena, &c->config, &c->home, &why))
        return fail_with(f, ERR_INTERNAL, why);
    c->engine_open = true;
    c->engine.plays = c->plays;
    c->engine.measures = c->measures;
    if (c->asks)
        engine_open_agent(&c->engine);
    return call(f, c->begin, c->locals, command_over);
}

static struct next command_over(struct flow *f)
{
    return back(f);
}

/* ---- closing ------------------------------------------------------------- */

static struct next close_begin(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    if (!c->engine_open)
        return go(f, cli_engine_closed);
    c->engine.others = c->cluster != NULL;
    return call(f, engine_close_begin, &c->engine, cli_engine_closed);
}

static struct next cli_engine_closed(struct flow *f)
{
    return back(f);
}

static void cli_closed(struct flow *f, enum err how, void *who)
{
    struct cli *c = who;
    (void)f;
    (void)how;
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&c->signals[i], NULL);
    cluster_stop(c);
}

static void print_failure(struct cli *c, struct flow *f, enum err how)
{
    struct str why = failure_text(f);
    if (how == OK || c->stops)
        return;
    if (how == ERR_DATABASE_UNAVAILABLE && !why.len && c->engine_open)
        why = str_of(pool_problem(c->engine.pool));
    say(stderr, "sextant %s: %.*s\n", c->name,
        STR_ARG(why.len ? why : str_of(err_sentence(how))));
}

static void cli_over(struct flow *f, enum err how, void *who)
{
    struct cli *c = who;
    c->story = NULL;
    print_failure(c, f, how);
    if (c->stops)
        c->status = EXIT_INTERRUPTED;
    else if (how != OK && c->status == EXIT_OK)
        c->status = EXIT_FAILED;
    flow_start(close_begin, c,
               &(struct flow_options){
                   .kind = "close", .on_end = cli_closed, .who = c});
}

/* ---- the command --------------------------------------------------------- */

static void on_cli_signal(uv_signal_t *handle, int signal_number)
{
    struct cli *c = handle->data;
    (void)signal_number;
    if (++c->stops > 1)
        _exit(EXIT_INTERRUPTED); /* what we started ends with us */
    if (c->story)
        flow_cancel(c->story);
}

static void watch_signals(struct cli *c)
{
    static const int heard[2] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        uv_signal_init(loop_uv(), &c->signals[i]);
        c->signals[i].data = c;
        uv_signal_start(&c->signals[i], on_cli_signal, heard[i]);
        uv_unref((uv_handle_t *)&c->signals[i]);
    }
}

/* A person at a terminal reads sentences and not the log, unless LOG_LEVEL is
 * set. The last event of a run says why it failed. */
static enum log_level cli_log_level(const struct cli *c)
{
    if (c->config.origins[CONFIG_log_level].from != FROM_DEFAULT)
        return options_log_level(c->config.log_level);
    return c->asks ? LOG_NONE : LOG_ERROR;
}

bool cli_read(struct cli *c, const char *name, int argc, char **argv,
              const struct option *own, struct arguments *args)
{
    *c = (struct cli){.name = name, .ready = -1};
    arena_init(&c->arena, 0);
    return options_read(&c->arena, argc, argv, own, args, &c->config);
}

int cli_run(struct cli *c, step_fn *begin, void *locals)
{
    struct str why;
    c->begin = begin;
    c->locals = locals;
    log_level_set(cli_log_level(c));
    log_program(c->name);
    signal(SIGPIPE, SIG_IGN);
    crypto_init();
    if (!home_open(&c->arena, c->config.home, &c->home, &why)) {
        fprintf(stderr, "sextant %s: %.*s\n", c->name, STR_ARG(why));
        return EXIT_FAILED;
    }
    loop_open();
    watch_signals(c);
    c->story = flow_start(
        cli_begin, c,
        &(struct flow_options){.kind = c->name, .on_end = cli_over, .who = c});
    loop_run();
    if (flow_count() == 0)
        loop_close();
    arena_done(&c->arena);
    return c->status;
}

/* ---- the user ------------------------------------------------------------ */

static struct next cli_user_made(struct flow *f),
    cli_user_found(struct flow *f);

static const struct statement user_id_statement = {
    .name = "cmd.user",
    .again = true,
    .sql = "select id from users where lower(email) = lower($1)",
};

struct next cli_user_begin(struct flow *f)
{
    struct cli_user *u = locals(f, struct cli_user);
    if (u->email.len && !u->role.len) {
        u->query = query_new(f, u->cli->engine.pool, &user_id_statement);
        query_str(f, u->query, u->email);
        query_begin(f, u->query);
        return await(f, cli_user_found);
    }
    u->ensure = keep(f, struct user_upsert);
    u->ensure->store = u->cli->engine.store;
    u->ensure->email = u->email.len ? u->email : STR("cli@localhost");
    u->ensure->role = u->role.len ? u->role : STR("admin");
    return call(f, user_upsert_begin, u->ensure, cli_user_made);
}

static struct next cli_user_made(struct flow *f)
{
    struct cli_user *u = locals(f, struct cli_user);
    u->id = u->ensure->id;
    return back(f);
}

static struct next cli_user_found(struct flow *f)
{
    struct cli_user *u = locals(f, struct cli_user);
    if (!u->query->n_rows)
        return fail_because(
            f, ERR_NOT_FOUND,
            "there is no user %.*s; `sextant user add` or `sextant token` "
            "creates one",
            STR_ARG(u->email));
    u->id = ROW_VALUE(uuid, row_copies(u->query, 0, flow_keep(f)));
    return back(f);
}
