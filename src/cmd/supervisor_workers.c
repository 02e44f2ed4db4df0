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
    struct supervisor *s = w->supervisor;
    int ends[2];
    size_t n;
    forget_pipe(w);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    w->ready = ends[0];
    w->serves = false;
    const char **words = launch_words(arena, SIGKILL, 4, &n);
    words[n++] = "--";
    words[n++] = s->program;
    words[n++] = "worker";
    int *fds = arena_new_array(arena, int, 3);
    fds[0] = w->socket;
    fds[1] = w->telling = ends[1];
    options->argv = words;
    options->env = s->environment;
    options->grace_ms = (unsigned)s->config.drain_ms + GRACE_MS;
    options->inherit_fds = fds;
    fds[2] = s->figures;
    options->n_inherit_fds = s->figures < 0 ? 2 : 3;
    return true;
}

/* The child has its own copy: ours would hide its death. */
static void on_start(struct service *service)
{
    struct worker_service *w = service->who;
    close(w->telling);
    w->telling = -1;
}

void workers_init(struct supervisor *s)
{
    s->n_workers = s->listeners.n;
    s->figures = memfd_create("figures", MFD_CLOEXEC); /* for life */
    for (int i = 0; i < s->n_workers; i++) {
        struct worker_service *w = &s->workers[i];
        *w = (struct worker_service){.supervisor = s, .ready = -1,
                                     .telling = -1,
                                     .socket = s->listeners.fds[i]};
        snprintf(w->name, sizeof w->name, "worker %d", i + 1);
        w->service = (struct service){.name = w->name, .describe = describe,
                                      .on_start = on_start,
                                      .wake = &s->over, .who = w};
    }
}

bool workers_serve(struct supervisor *s)
{
    bool all = true;
    for (int i = 0; i < s->n_workers; i++) {
        struct worker_service *w = &s->workers[i];
        char byte;
        if (w->ready >= 0 && read(w->ready, &byte, 1) == 1) {
            w->serves = true;
            forget_pipe(w);
        }
        all = all && w->serves;
    }
    return all;
}
