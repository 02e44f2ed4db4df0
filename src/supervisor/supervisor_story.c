/* supervisor_story.c - starts a server:
 *
 *   PostgreSQL starts, while the sandbox warms up -> `sextant prepare` creates
 *   role and database and migrates the schema; while the database is unreachable
 *   it waits and answers on the listening sockets -> the workers start -> the
 *   URL is printed -> wait until cancelled */
#include "base/clock.h"
#include "base/log.h"
#include "notify.h"
#include "supervisor.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    LOOK_MS = 20,
    WARM_MS = 30000, /* after that, the URL is printed without the sandbox */
};

struct startup {
    struct supervisor *s;
    struct process prepare;
    struct pause pause;
    struct work look;
    struct wait forever;
    struct wake never;
    uint64_t since;
};

static struct next startup_begin(struct flow *f), database_up(struct flow *f),
    prepare_ended(struct flow *f), server_schema_ready(struct flow *f),
    workers_begin(struct flow *f), workers_look(struct flow *f),
    workers_serving(struct flow *f), sandbox_look(struct flow *f),
    sandbox_looked(struct flow *f), all_up(struct flow *f),
    startup_unreached(struct flow *f);

static struct next startup_begin(struct flow *f)
{
    struct startup *t = locals(f, struct startup);
    struct supervisor *s = t->s;
    if (s->has_sandbox)
        service_start(&s->sandbox.service);
    if (!s->has_postgres)
        return go(f, database_up);
    return call(f, postgres_begin, &s->postgres, database_up);
}

static struct next database_up(struct flow *f)
{
    struct startup *t = locals(f, struct startup);
    const struct listeners *l = &t->s->listeners;
    size_t n;
    const char **w = launch_words(flow_here(f), SIGKILL, 6, &n);
    w[n++] = "--";
    w[n++] = t->s->program;
    w[n++] = "prepare";
    if (!t->s->only_cluster) {
        w[n++] = "serve";
        w[n++] = arena_printf(flow_here(f), "%d", l->n).ptr;
    }
    process_begin(f, &t->prepare,
                  &(struct process_options){.argv = w,
                                            .env = t->s->environment,
                                            .stdout_fd = 2,
                                            .stderr_fd = 2,
                                            .inherit_fds = l->fds,
                                            .n_inherit_fds = l->n});
    return await(f, prepare_ended);
}

static struct next prepare_ended(struct flow *f)
{
    struct startup *t = locals(f, struct startup);
    const struct process *p = &t->prepare;
    if (p->exit_status == EXIT_OK && !p->exit_signal)
        return go(f, server_schema_ready);
    if (p->exit_signal)
        return fail_because(
            f, ERR_INTERNAL,
            "the server could not be prepared: the process was killed by "
            "signal %d (is there enough memory?)",
            (int)p->exit_signal);
    return fail_because(f, ERR_INTERNAL, "the server could not be prepared");
}

static void report_ready(void)
{
    if (write(SUPERVISOR_READY_FD, "+", 1) != 1)
        log_line(LOG_WARN, "status not written", "for the cluster");
}

static struct next server_schema_ready(struct flow *f)
{
    struct startup *t = locals(f, struct startup);
    t->since = clock_ms();
    if (!t->s->only_cluster)
        return go(f, workers_begin);
    report_ready();
    return go(f, sandbox_look);
}

static struct next workers_begin(struct flow *f)
{
    struct supervisor *s = locals(f, struct startup)->s;
    struct str why;
    if (!listeners_listen(flow_keep(f), &s->listeners, &why))
        return fail_with(f, ERR_UNAVAILABLE, why);
    s->now = &s->generations[0];
    s->now->config = s->config;
    s->now->environment = s->environment;
    workers_start(s, s->now);
    return go(f, workers_look);
}

static struct next workers_look(struct flow *f)
{
    struct startup *t = locals(f, struct startup);
    if (workers_serve(t->s->now))
        return go(f, workers_serving);
    pause_begin(f, &t->pause, LOOK_MS);
    return await(f, workers_look);
}

static struct next workers_serving(struct flow *f)
{
    return go(f, sandbox_look);
}

static struct next sandbox_look(struct flow *f)
{
    struct startup *t = locals(f, struct startup);
    struct supervisor *s = t->s;
    if (!s->has_sandbox || s->sandbox.state != SANDBOX_STARTING ||
        clock_ms() - t->since > WARM_MS)
        return go(f, all_up);
    work_begin(f, &t->look, sandbox_service_look, &s->sandbox);
    pause_begin(f, &t->pause, LOOK_MS);
    return await(f, sandbox_looked);
}

static struct next sandbox_looked(struct flow *f)
{
    return go(f, sandbox_look);
}

static void report_sandbox(const struct supervisor *s)
{
    if (s->has_sandbox && s->sandbox.state == SANDBOX_UNFIT)
        log_line(
            LOG_WARN, "the Python sandbox is not available",
            "%s; Python is %s. Answers will be \"not verified\". "
            "SANDBOX_PYTHON names one that has the packages of "
            "sandbox/requirements.txt; in a clone, `make deps` installs it",
            s->sandbox.problem, s->sandbox.python);
    else if (s->has_sandbox && s->sandbox.state == SANDBOX_STARTING)
        log_line(LOG_INFO, "the Python sandbox is still starting", "%s",
                 s->sandbox.python);
}

static struct next all_up(struct flow *f)
{
    struct startup *t = locals(f, struct startup);
    struct supervisor *s = t->s;
    if (s->only_cluster) {
        report_ready();
    } else {
        report_sandbox(s);
        home_write_server(&s->home,
                          &(struct home_server){.pid = getpid(),
                                                .serves = true,
                                                .url = s->listeners.url.ptr});
        printf("Sextant is up: %.*s\n", STR_ARG(s->listeners.url));
        fflush(stdout);
        s->up = true;
        notify_ready();
    }
    wait_begin(f, &t->forever, &t->never, 0);
    return await(f, startup_unreached);
}

static struct next startup_unreached(struct flow *f)
{
    return back(f);
}

static void on_startup_end(struct flow *f, enum err how, void *who)
{
    struct supervisor *s = who;
    s->story = NULL;
    if (how != OK && !s->stops) {
        struct str why = failure_text(f);
        fprintf(stderr, "sextant: %.*s\n",
                STR_ARG(why.len ? why : str_of(err_sentence(how))));
        s->status = EXIT_FAILED;
    }
    supervisor_end(s);
}

void supervisor_start(struct supervisor *s)
{
    struct startup *t = arena_new(&s->arena, struct startup);
    t->s = s;
    s->story = flow_start(startup_begin, t,
                          &(struct flow_options){.kind = "supervisor",
                                                 .on_end = on_startup_end,
                                                 .who = s});
}
