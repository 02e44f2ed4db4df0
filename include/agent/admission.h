/* admission.h - bounds how many runs a process does at a time; the others wait.
 *
 *   ticket  of one run: it may run, or it waits in the queue of its user
 *   queue   the waiting tickets of one user, the oldest first
 *
 * When a run ends, the next ticket comes from the next user's queue, round
 * robin, so that a thousand questions of one user do not delay the one of
 * another. All queues together have a bound, and one user may fill half of it.
 *
 * Both bounds are per process: they protect its memory, its connections and its
 * loop. A count over all processes would be a lock that each start and each end
 * of a run waits for. What a user may do everywhere (RUNS_PER_USER,
 * TOKENS_PER_DAY) is counted in the database. */
#pragma once
#include "base/str.h"
#include "loop/wait.h"

struct ticket;

struct admission {
    unsigned most; /* runs at a time; 0: no bound */
    unsigned most_waiting;
    unsigned running, waiting;
    struct user_queue *last_served; /* private: in the ring of queues */
};

void admission_init(struct admission *a, unsigned most, unsigned most_waiting);

/* A ticket that may run, or one at the end of the user's queue. NULL: the
 * queues are full. Give it back with ticket_leave. */
struct ticket *admission_enter(struct admission *a, struct str user_id);
/* A ticket that may run whatever the bound: for a run that is taken over. */
struct ticket *admission_resume(struct admission *a);

/* It may run. */
bool ticket_runs(const struct ticket *t);
/* Woken when the ticket may run. */
struct wake *ticket_wake(struct ticket *t);
/* Frees the ticket, and lets the next one run. *t is NULL afterwards; it may be
 * NULL before. */
void ticket_leave(struct ticket **t);
