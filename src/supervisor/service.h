/* service.h - a child process that is kept alive.
 *
 *   life      from one start of the process to its end
 *   back-off  the wait before the next life: 0.2 s, doubled up to 10 s, and
 * from the start again after a life of 5 s, which cost less than it gave
 *
 * service_stop asks the process to end (stop_signal), kills it after grace_ms,
 * and starts it no more; `over` is true, and whoever waits is woken, when
 * nothing is left. */
#pragma once
#include "loop/process.h"
#include "loop/wait.h"

struct service {
    const char *name;  /* "postgres": for logs */
    bool speaks_plain; /* what it prints is no JSON: see plain_log.h */
    /* Fills in what to start; its memory may come from the arena. False: it
     * cannot be started now (it says why itself). */
    bool (*describe)(struct service *s, struct arena *arena,
                     struct process_options *options);
    void (*on_start)(struct service *s); /* may be NULL */
    struct wake *wake; /* woken when it is over; may be NULL */
    void *who;

    /* Read only: */
    struct process *process; /* NULL between lives */
    unsigned lives;
    bool stopping;
    bool over;

    /* private */
    struct flow *flow;
    struct pause pause;
    struct plain_log *log; /* of this life */
    uint64_t since;
    unsigned wait_ms;
};

void service_start(struct service *s);
void service_stop(struct service *s); /* also one that was never started */
/* To the process, if there is one. */
void service_signal(struct service *s, int signal_number);
