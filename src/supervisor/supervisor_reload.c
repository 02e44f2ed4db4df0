/* supervisor_reload.c - applies new settings without interrupting the service.
 *
 *   read the settings as at the start -> start workers with them on the same
 *   sockets -> when all of them serve, drain the old ones as with SIGTERM; the
 *   new ones take over unfinished runs
 *
 * If the settings are bad, or a new worker fails with them, that is logged and
 * the old workers stay.
 *
 * Settings of the supervisor itself (fixed[]) cannot change without a restart:
 * they keep their values, which is logged. A signal that arrives during a
 * reload is handled after it. */
#include "base/clock.h"
#include "base/log.h"
#include "notify.h"
#include "supervisor.h"
#include <string.h>
#include "base/banned.h"

enum { LOOK_MS = 20, SERVE_MS = 60000 };

static const enum config_id fixed[] = {
    CONFIG_host,           CONFIG_port,
    CONFIG_workers,        CONFIG_worker_silence_ms,
    CONFIG_home,           CONFIG_data_dir,
    CONFIG_database_url,   CONFIG_pg_bindir,
    CONFIG_pg_user,        CONFIG_pg_memory_mb,
    CONFIG_sandbox_url,    CONFIG_sandbox_parallel,
    CONFIG_sandbox_python, CONFIG_python_memory_limit_mb,
    CONFIG_credentials_key};

struct reload {
    struct supervisor *s;
    struct generation *old, *new;
    struct pause pause;
    struct wait wait;
    uint64_t since;
};

static struct next reload_begin(struct flow *f),
    new_workers_look(struct flow *f), new_workers_serve(struct flow *f),
    new_workers_failed(struct flow *f), old_workers_wait(struct flow *f);

/* ---- the settings -------------------------------------------------------- */

static bool same_value(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static void keep_fixed(struct generation *g, const struct config *old)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        const char *was = old->texts[fixed[i]];
        if (same_value(was, g->config.texts[fixed[i]]))
            continue;
        log_line(LOG_WARN, "setting not changed", "%s needs a restart",
                 config_settings[fixed[i]].name);
        g->config.texts[fixed[i]] =
            was ? arena_cstr(&g->arena, str_of(was)) : NULL;
    }
    /* The environment names the home folder even if it is the default. */
    g->config.home = arena_cstr(&g->arena, str_of(old->home));
}

static void log_kept_setting(enum log_level level, const char *what,
                             struct buf *lines)
{
    struct str line, rest = buf_view(lines);
    while (str_split(&rest, '\n', &line))
        if (line.len)
            log_line(level, what, "%.*s", STR_ARG(line));
}

/* Returns false after logging why. */
static bool read_new_settings(struct supervisor *s, struct generation *g)
{
    struct buf problems, warnings;
    arena_init(&g->arena, 0);
    bool good = options_read_again(&g->arena, s->argc, s->argv, serve_options,
                                   &g->config, &problems, &warnings);
    log_kept_setting(LOG_ERROR, "invalid settings; the old ones stay in effect",
                     &problems);
    log_kept_setting(LOG_WARN, "settings", &warnings);
    if (!good)
        return false;
    keep_fixed(g, &s->config);
    g->environment = server_environment(&g->arena, &g->config);
    return true;
}

/* ---- the workers --------------------------------------------------------- */

static struct next reload_begin(struct flow *f)
{
    struct reload *r = locals(f, struct reload);
    struct supervisor *s = r->s;
    r->old = s->now;
    r->new = s->now == s->generations ? s->generations + 1 : s->generations;
    r->since = clock_ms();
    notify_reloading();
    if (!read_new_settings(s, r->new)) {
        arena_done(&r->new->arena);
        return back(f);
    }
    workers_start(s, r->new);
    return go(f, new_workers_look);
}

static struct next new_workers_look(struct flow *f)
{
    struct reload *r = locals(f, struct reload);
    if (workers_serve(r->new))
        return go(f, new_workers_serve);
    if (workers_died(r->new) || clock_ms() - r->since > SERVE_MS)
        return go(f, new_workers_failed);
    pause_begin(f, &r->pause, LOOK_MS);
    return await(f, new_workers_look);
}

static struct next new_workers_serve(struct flow *f)
{
    struct reload *r = locals(f, struct reload);
    r->s->now = r->new;
    log_level_set(options_log_level(r->new->config.log_level));
    log_line(LOG_INFO, "settings reloaded", "%d workers, after %llu ms",
             r->new->n, (unsigned long long)(clock_ms() - r->since));
    notify_ready();
    workers_replaced(r->old);
    return go(f, old_workers_wait);
}

static struct next new_workers_failed(struct flow *f)
{
    struct reload *r = locals(f, struct reload);
    log_line(LOG_ERROR, "invalid settings; the old ones stay in effect",
             "a worker cannot serve with them");
    workers_stop(r->new);
    return go(f, old_workers_wait);
}

static struct next old_workers_wait(struct flow *f)
{
    struct reload *r = locals(f, struct reload);
    struct generation *leaving = r->s->now == r->new ? r->old : r->new;
    if (!workers_over(leaving)) {
        wait_begin(f, &r->wait, &r->s->over, 0);
        return await(f, old_workers_wait);
    }
    workers_forget(leaving);
    return back(f);
}

static void on_reload_end(struct flow *f, enum err how, void *who)
{
    struct supervisor *s = who;
    (void)f;
    s->reload = NULL;
    if (s->stops) {
        supervisor_end(s);
        return;
    }
    if (how != OK)
        log_line(LOG_ERROR, "settings not reloaded", "%s", err_name(how));
    notify_ready();
    bool again = s->reload_again;
    s->reload_again = false;
    if (again)
        supervisor_reload(s);
}

void supervisor_reload(struct supervisor *s)
{
    static struct reload r; /* one reload at a time */
    if (s->reload || !s->up || s->stops) {
        s->reload_again = s->reload && !s->stops;
        if (!s->up)
            log_line(LOG_WARN, "SIGHUP ignored", "the server is not up yet");
        return;
    }
    r = (struct reload){.s = s};
    s->reload =
        flow_start(reload_begin, &r,
                   &(struct flow_options){
                       .kind = "reload", .on_end = on_reload_end, .who = s});
}
