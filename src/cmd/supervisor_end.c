/* supervisor_end.c - the end, in order: workers (which still need the rest), the
 * sandbox, PostgreSQL. */
#include "loop/loop.h"
#include "supervisor.h"
#include <signal.h>
#include "base/banned.h"

struct ending {
    struct supervisor *s;
    struct wait wait;
};

static struct next workers_stop(struct flow *f), workers_wait(struct flow *f),
    sandbox_wait(struct flow *f), postgres_wait(struct flow *f);

static struct next wait_for(struct flow *f, step_fn *step)
{
    struct ending *e = locals(f, struct ending);
    wait_begin(f, &e->wait, &e->s->over, 0);
    return flow_await(f, step, "over");
}

static struct next workers_stop(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    for (int i = 0; i < s->n_workers; i++)
        service_stop(&s->workers[i].service);
    return go(f, workers_wait);
}

static struct next workers_wait(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    for (int i = 0; i < s->n_workers; i++)
        if (!s->workers[i].service.over)
            return wait_for(f, workers_wait);
    if (s->has_sandbox)
        service_stop(&s->sandbox.service);
    return go(f, sandbox_wait);
}

static struct next sandbox_wait(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    if (s->has_sandbox && !s->sandbox.service.over)
        return wait_for(f, sandbox_wait);
    if (s->has_postgres)
        service_stop(&s->postgres.service);
    return go(f, postgres_wait);
}

static struct next postgres_wait(struct flow *f)
{
    struct supervisor *s = locals(f, struct ending)->s;
    if (s->has_postgres && !s->postgres.service.over)
        return wait_for(f, postgres_wait);
    return back(f);
}

static void on_end(struct flow *f, enum err how, void *who)
{
    (void)f;
    (void)how;
    (void)who;
    loop_stop();
}

void supervisor_end(struct supervisor *s)
{
    struct ending *e = arena_new(&s->arena, struct ending);
    e->s = s;
    s->ending =
        flow_start(workers_stop, e,
                   &(struct flow_options){.kind = "ending", .on_end = on_end});
}

void supervisor_hurry(struct supervisor *s)
{
    for (int i = 0; i < s->n_workers; i++)
        service_signal(&s->workers[i].service, SIGKILL);
    if (s->has_sandbox)
        service_signal(&s->sandbox.service, SIGKILL);
    if (s->has_postgres)
        service_signal(&s->postgres.service, SIGQUIT);
}
