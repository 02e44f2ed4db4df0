/* cli.c - opens what a command needs, runs its flow, and closes.
 *
 *   home -> (cluster.c: join or start a database) -> check the schema -> the
 *   command's flow -> close */
#include "cli.h"
#include "base/log.h"
#include "config/places.h"
#include "db/migrate.h"
#include "db/query.h"
#include "loop/loop.h"
#include "say.h"
#include "store/users.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { EXIT_INTERRUPTED = 130 };

static struct next story_begin(struct flow *f), cluster_joined(struct flow *f),
    schema_known(struct flow *f), story_told(struct flow *f),
    close_begin(struct flow *f), engine_closed(struct flow *f);

static struct next story_begin(struct flow *f)
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
        return go(f, schema_known);
    struct migrate *m = c->schema = keep(f, struct migrate);
    m->directory = arena_printf(&c->arena, "%s/sql", data ? data : ".").ptr;
    m->conninfo = c->config.database_url;
    return call(f, migrate_status, m, schema_known);
}

static struct next schema_known(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    struct str why;
    for (int i = 0; c->schema && i < c->schema->n; i++)
        if (!c->schema->list[i].applied)
            return fail_because(f, ERR_CONFLICT,
                                "the database has not seen %.*s yet: run "
                                "`sextant migrate up`",
                                STR_ARG(c->schema->list[i].name));
    if (!engine_open(&c->engine, &c->arena, &c->config, &c->home, &why))
        return fail_with(f, ERR_INTERNAL, why);
    c->engine_open = true;
    c->engine.plays = c->plays;
    if (c->asks)
        engine_open_agent(&c->engine);
    return call(f, c->begin, c->locals, story_told);
}

static struct next story_told(struct flow *f)
{
    return back(f);
}

/* ---- closing ------------------------------------------------------------- */

static struct next close_begin(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    if (!c->engine_open)
        return go(f, engine_closed);
    c->engine.others = c->cluster != NULL;
    return call(f, engine_close_begin, &c->engine, engine_closed);
}

static struct next engine_closed(struct flow *f)
{
    return back(f);
}

static void close_over(struct flow *f, enum err how, void *who)
{
    struct cli *c = who;
    (void)f;
    (void)how;
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&c->signals[i], NULL);
    cluster_stop(c);
}

static void tell_failure(struct cli *c, struct flow *f, enum err how)
{
    struct str why = failure_text(f);
    if (how == OK || c->stops)
        return;
    if (how == ERR_DATABASE_UNAVAILABLE && !why.len && c->engine_open)
        why = str_of(pool_problem(c->engine.pool));
    say(stderr, "sextant %s: %.*s\n", c->name,
        STR_ARG(why.len ? why : str_of(err_sentence(how))));
}

static void story_over(struct flow *f, enum err how, void *who)
{
    struct cli *c = who;
    c->story = NULL;
    tell_failure(c, f, how);
    if (c->stops)
        c->status = EXIT_INTERRUPTED;
    else if (how != OK && c->status == EXIT_OK)
        c->status = EXIT_FAILED;
    flow_start(close_begin, c,
               &(struct flow_options){
                   .kind = "close", .on_end = close_over, .who = c});
}

/* ---- the command --------------------------------------------------------- */

static void on_signal(uv_signal_t *handle, int signal_number)
{
    struct cli *c = handle->data;
    (void)signal_number;
    if (++c->stops > 1)
        _exit(EXIT_INTERRUPTED); /* what we started ends with us */
    if (c->story)
        flow_cancel(c->story);
}

static void hear_signals(struct cli *c)
{
    static const int heard[2] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        uv_signal_init(loop_uv(), &c->signals[i]);
        c->signals[i].data = c;
        uv_signal_start(&c->signals[i], on_signal, heard[i]);
        uv_unref((uv_handle_t *)&c->signals[i]);
    }
}

/* A person at a terminal reads sentences and not the log, unless LOG_LEVEL is
 * set. The last event of a run says why it failed. */
static enum log_level quiet(const struct cli *c)
{
    if (c->config.origins[CONFIG_log_level].from != FROM_DEFAULT)
        return options_log_level(c->config.log_level);
    return c->asks ? LOG_NONE : LOG_ERROR;
}

void cli_init(struct cli *c, const char *name)
{
    *c = (struct cli){.name = name, .ready = -1};
    arena_init(&c->arena, 0);
}

int cli_run(struct cli *c)
{
    struct str why;
    log_level_set(quiet(c));
    log_program(c->name);
    signal(SIGPIPE, SIG_IGN);
    crypto_init();
    if (!home_open(&c->arena, c->config.home, &c->home, &why)) {
        fprintf(stderr, "sextant %s: %.*s\n", c->name, STR_ARG(why));
        return EXIT_FAILED;
    }
    loop_open();
    hear_signals(c);
    c->story = flow_start(story_begin, c,
                          &(struct flow_options){
                              .kind = c->name, .on_end = story_over, .who = c});
    loop_run();
    if (flow_count() == 0)
        loop_close();
    arena_done(&c->arena);
    return c->status;
}

/* ---- the user ------------------------------------------------------------ */

static struct next user_ensured(struct flow *f), user_found(struct flow *f);

static const struct statement find_statement = {
    .name = "cmd.user",
    .again = true,
    .sql = "select id from users where lower(email) = lower($1)",
};

struct next cli_user_begin(struct flow *f)
{
    struct cli_user *u = locals(f, struct cli_user);
    if (u->email.len && !u->role.len) {
        u->query = query_new(f, u->cli->engine.pool, &find_statement);
        query_str(f, u->query, u->email);
        query_begin(f, u->query);
        return await(f, user_found);
    }
    u->ensure = keep(f, struct user_ensure);
    u->ensure->store = u->cli->engine.store;
    u->ensure->email = u->email.len ? u->email : STR("cli@localhost");
    u->ensure->role = u->role.len ? u->role : STR("admin");
    return call(f, user_ensure_begin, u->ensure, user_ensured);
}

static struct next user_ensured(struct flow *f)
{
    struct cli_user *u = locals(f, struct cli_user);
    u->id = u->ensure->id;
    return back(f);
}

static struct next user_found(struct flow *f)
{
    struct cli_user *u = locals(f, struct cli_user);
    if (!u->query->n_rows)
        return fail_because(f, ERR_NOT_FOUND,
                            "there is no user %.*s; `sextant token` makes one",
                            STR_ARG(u->email));
    u->id = arena_str(flow_keep(f), query_cell(u->query, 0, 0));
    return back(f);
}
