/* supervisor_end.c - shuts down in order: workers (which still need the rest),
 * the sandbox, PostgreSQL. The supervisor closes its listening sockets first:
 * workers have copies and answer while they drain, and when the last worker
 * closes its own or dies, connections are refused instead of waiting
 * forever. */
#include "loop/loop.h"
#include "notify.h"
#include "supervisor.h"
#include <signal.h>
#include "base/banned.h"

struct ending {
    struct supervisor *s;
    struct wait wait;
};

static struct next ending_begin(struct flow *f), workers_wait(struct flow *f),
    sandbox_wait(struct flow *f), postgres_wait(struct flow *f);

static struct next wait_for_service(struct flow *f, step_fn *step)
{
    struct ending *e = locals(f, struct ending);
    wait_begin(f, &e->wait, &e->s->over, 0);
    return flow_await(f, step, "over");
}

static struct next ending_begin(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    timer_stop(&s->watch);
    listeners_close(&s->listeners);
    workers_stop(&s->generations[0]);
    workers_stop(&s->generations[1]);
    return go(f, workers_wait);
}

static struct next workers_wait(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    if (!workers_over(&s->generations[0]) || !workers_over(&s->generations[1]))
        return wait_for_service(f, workers_wait);
    if (s->has_sandbox)
        service_stop(&s->sandbox.service);
    return go(f, sandbox_wait);
}

static struct next sandbox_wait(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    if (s->has_sandbox && !s->sandbox.service.over)
        return wait_for_service(f, sandbox_wait);
    if (s->has_postgres)
        service_stop(&s->postgres.service);
    return go(f, postgres_wait);
}

static struct next postgres_wait(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    if (s->has_postgres && !s->postgres.service.over)
        return wait_for_service(f, postgres_wait);
    return back(f);
}

static void on_ending_end(struct flow *f, enum err how, void *who)
{
    (void)f;
    (void)how;
    (void)who;
    loop_stop();
}

/* A reload waits for the same wake, so it ends first. */
void supervisor_end(struct supervisor *s)
{
    if (s->reload) {
        flow_cancel(s->reload);
        return;
    }
    notify_stopping();
    struct ending *e = arena_new(&s->arena, struct ending);
    e->s = s;
    flow_start(
        ending_begin, e,
        &(struct flow_options){.kind = "ending", .on_end = on_ending_end});
}

void supervisor_hurry(struct supervisor *s)
{
    workers_signal(s, SIGKILL);
    if (s->has_sandbox)
        service_signal(&s->sandbox.service, SIGKILL);
    if (s->has_postgres)
        service_signal(&s->postgres.service, SIGQUIT);
}
