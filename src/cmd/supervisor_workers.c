/* supervisor_workers.c - the worker processes: each has its listening socket as
 * descriptor 3 and tells by a byte on descriptor 4 that it serves. Descriptor 5
 * is memory in which all of them count (/metrics). */
#include "supervisor.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/banned.h"

enum { GRACE_MS = 5000 }; /* beyond the time to drain */

static void forget_pipe(struct worker_service *w)
{
    if (w->ready >= 0)
        close(w->ready);
    w->ready = -1;
}

static bool describe(struct service *service, struct arena *arena,
                     struct process_options *options)
{
    struct worker_service *w = service->who;
    const struct generation *g = w->generation;
    int ends[2];
    size_t n;
    forget_pipe(w);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    w->ready = ends[0];
    w->serves = false;
    const char **words = launch_words(arena, SIGKILL, 4, &n);
    words[n++] = "--";
    words[n++] = g->supervisor->program;
    words[n++] = "worker";
    int *fds = arena_new_array(arena, int, 3);
    fds[0] = w->socket;
    fds[1] = w->telling = ends[1];
    options->argv = words;
    options->env = g->environment;
    options->grace_ms = (unsigned)g->config.drain_ms + GRACE_MS;
    options->inherit_fds = fds;
    fds[2] = g->supervisor->figures;
    options->n_inherit_fds = g->supervisor->figures < 0 ? 2 : 3;
    return true;
}

/* The child has its own copy: ours would hide its death. */
static void on_start(struct service *service)
{
    struct worker_service *w = service->who;
    close(w->telling);
    w->telling = -1;
}

void workers_start(struct supervisor *s, struct generation *g)
{
    g->supervisor = s;
    if (s->figures < 0)
        s->figures = memfd_create("figures", MFD_CLOEXEC); /* for life */
    g->n = (int)s->config.workers;
    for (int i = 0; i < g->n; i++) {
        struct worker_service *w = &g->workers[i];
        *w = (struct worker_service){
            .generation = g, .ready = -1, .telling = -1,
            .socket = s->listeners.fds[i % s->listeners.n]};
        snprintf(w->name, sizeof w->name, "worker %d", i + 1);
        w->service = (struct service){.name = w->name, .describe = describe,
                                      .on_start = on_start,
                                      .wake = &s->over, .who = w};
        service_start(&w->service);
    }
}

bool workers_serve(struct generation *g)
{
    bool all = true;
    for (int i = 0; i < g->n; i++) {
        struct worker_service *w = &g->workers[i];
        char byte;
        if (w->ready >= 0 && read(w->ready, &byte, 1) == 1) {
            w->serves = true;
            forget_pipe(w);
        }
        all = all && w->serves;
    }
    return all;
}

bool workers_died(const struct generation *g)
{
    for (int i = 0; i < g->n; i++)
        if (g->workers[i].service.lives > 1)
            return true;
    return false;
}

void workers_stop(struct generation *g)
{
    for (int i = 0; i < g->n; i++)
        service_stop(&g->workers[i].service);
}

void workers_replaced(struct generation *g)
{
    for (int i = 0; i < g->n; i++)
        service_signal(&g->workers[i].service, SIGHUP);
    workers_stop(g);
}

bool workers_over(const struct generation *g)
{
    for (int i = 0; i < g->n; i++)
        if (!g->workers[i].service.over)
            return false;
    return true;
}

void workers_signal(struct supervisor *s, int signal_number)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < s->generations[k].n; i++)
            service_signal(&s->generations[k].workers[i].service,
                           signal_number);
}
