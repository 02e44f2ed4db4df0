/* supervisor_workers.c - the worker processes.
 *
 * Each inherits the listening sockets as descriptors from 3 on, its own first
 * (`worker N OWN`). On the next descriptor it writes "+" when it serves, and
 * five times in WORKER_SILENCE_MS "." as a sign of life. A worker without a
 * sign at four looks in a row hangs; it is killed and restarted. (Looks are
 * counted and not time, so that a pause of the whole machine does not kill
 * workers.) The descriptor after that is the memory that all of them share for
 * /metrics. */
#include "base/compiler.h"
#include "base/log.h"
#include "supervisor.h"
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    GRACE_MS = 5000, /* in addition to DRAIN_MS */
    SILENCES_MOST = 4,
};

static void forget_pipe(struct worker_service *w)
{
    if (w->hearing >= 0)
        close(w->hearing);
    w->hearing = -1;
}

/* Returns false if it wrote nothing since the last look. */
static bool read_signs(struct worker_service *w)
{
    char words[64];
    ssize_t n;
    bool heard = false;
    while (w->hearing >= 0 && (n = read(w->hearing, words, sizeof words)) > 0) {
        heard = true;
        w->serves = w->serves || memchr(words, '+', (size_t)n);
    }
    if (heard)
        w->silences = 0;
    return heard;
}

static void check_worker(struct worker_service *w)
{
    if (!w->service.process || read_signs(w) || ++w->silences < SILENCES_MOST)
        return;
    log_line(LOG_ERROR, "worker hangs", "%s is killed", w->name);
    w->silences = 0;
    service_signal(&w->service, SIGKILL);
}

static void check_workers(struct timer *t);

static void check_workers_later(struct supervisor *s)
{
    timer_start(&s->watch,
                (uint64_t)s->config.worker_silence_ms / SILENCES_MOST,
                check_workers);
}

static void check_workers(struct timer *t)
{
    struct supervisor *s = container_of(t, struct supervisor, watch);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < s->generations[k].n; i++)
            check_worker(&s->generations[k].workers[i]);
    check_workers_later(s);
}

/* Puts its own sockets first; returns how many those are. */
static int order_sockets(const struct worker_service *w, int *fds)
{
    const struct listeners *l = &w->generation->supervisor->listeners;
    int index = (int)(w - w->generation->workers), n = 0, own = 0;
    for (int of_it = 1; of_it >= 0; of_it--) {
        for (int i = 0; i < l->n; i++)
            if (listener_is_own(i, l->n, index, w->generation->n) == of_it)
                fds[n++] = l->fds[i];
        own = of_it ? n : own;
    }
    return own;
}

/* GnuTLS comes with libcurl, for protocols that Sextant does not speak. Its
 * preparations would take a megabyte. */
const char **server_environment(struct arena *arena, const struct config *c)
{
    const char *const more[] = {plain_environment[0], plain_environment[1],
                                "GNUTLS_NO_IMPLICIT_INIT=1", NULL};
    return config_environment(arena, c, more);
}

static bool describe_worker(struct service *service, struct arena *arena,
                            struct process_options *options)
{
    struct worker_service *w = service->who;
    const struct generation *g = w->generation;
    const struct supervisor *s = g->supervisor;
    int ends[2], n_fds = s->listeners.n;
    size_t n;
    forget_pipe(w);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    w->hearing = ends[0];
    w->serves = false;
    w->silences = 0;
    const char **words = launch_words(arena, SIGKILL, 6, &n);
    words[n++] = "--";
    words[n++] = s->program;
    words[n++] = "worker";
    int *fds = arena_new_array(arena, int, LISTENER_MOST + 2);
    words[n++] = arena_printf(arena, "%d", n_fds).ptr;
    words[n++] = arena_printf(arena, "%d", order_sockets(w, fds)).ptr;
    fds[n_fds++] = w->telling = ends[1];
    if (s->figures >= 0)
        fds[n_fds++] = s->figures;
    options->argv = words;
    options->env = g->environment;
    options->grace_ms = (unsigned)g->config.drain_ms + GRACE_MS;
    options->inherit_fds = fds;
    options->n_inherit_fds = n_fds;
    return true;
}

/* Closes our copy of the child's end, which would hide the child's death. */
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
        /* exists as long as the supervisor */
        s->figures = memfd_create("figures", MFD_CLOEXEC);
    g->n = (int)s->config.workers;
    for (int i = 0; i < g->n; i++) {
        struct worker_service *w = &g->workers[i];
        *w = (struct worker_service){
            .generation = g, .hearing = -1, .telling = -1};
        snprintf(w->name, sizeof w->name, "worker %d", i + 1);
        w->service = (struct service){.name = w->name,
                                      .describe = describe_worker,
                                      .on_start = on_start,
                                      .wake = &s->over,
                                      .who = w};
        service_start(&w->service);
    }
    if (!timer_running(&s->watch))
        check_workers_later(s);
}

bool workers_serve(struct generation *g)
{
    bool all = true;
    for (int i = 0; i < g->n; i++) {
        read_signs(&g->workers[i]);
        all = all && g->workers[i].serves;
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

void workers_forget(struct generation *g)
{
    for (int i = 0; i < g->n; i++)
        forget_pipe(&g->workers[i]);
    g->n = 0;
    arena_done(&g->arena);
}

void workers_signal(struct supervisor *s, int signal_number)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < s->generations[k].n; i++)
            service_signal(&s->generations[k].workers[i].service,
                           signal_number);
}
