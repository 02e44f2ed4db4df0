/* service.h - a child process that is restarted whenever it ends.
 *
 *   life      from one start of the process to its end
 *   backoff   the pause before the next life: 0.2 s, doubled up to 10 s; reset
 *             after a life of at least 5 s
 *
 * service_stop asks the process to end (stop_signal), kills it after grace_ms,
 * and does not start it again. When it has ended, `over` is true and `wake` is
 * woken. */
#pragma once
#include "loop/process.h"
#include "loop/wait.h"

struct service {
    const char *name;  /* for logs: "postgres" */
    bool speaks_plain; /* it does not print JSON: see plain_log.h */
    /* Fills in the command to start; may use the arena. Returns false, after
     * logging why, if it cannot be started now. */
    bool (*describe)(struct service *s, struct arena *arena,
                     struct process_options *options);
    void (*on_start)(struct service *s); /* may be NULL */
    struct wake *wake; /* woken when the service is over; may be NULL */
    void *who;

    /* Read only: */
    struct process *process; /* NULL between lives */
    unsigned lives;
    bool over;

    /* private */
    struct flow *flow;
    struct pause pause;
    struct plain_log *log; /* of this life */
    uint64_t since;
    unsigned wait_ms;
};

/* Starts the service. */
void service_start(struct service *s);
void service_stop(struct service *s); /* also one that was never started */
/* Sends a signal to the process, if there is one. */
void service_signal(struct service *s, int signal_number);
