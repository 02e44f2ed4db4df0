/* admission.h - so many runs at a time, the others in line.
 *
 *   place  of one run: it runs, or it stands in its user's line
 *   line   the places of one user that wait, the oldest first
 *
 * When a run ends, the next place comes from the next user's line, round and
 * round, so that one user's thousand questions do not hold up another's one. The
 * lines together have a bound, and one user may fill half of it at most.
 *
 * Both bounds are one process's: what they protect (its memory, its connections,
 * its loop) is its own, and a count over all processes would be a lock that each
 * start and each end of a run waits for. What holds for a user everywhere
 * (RUNS_PER_USER, TOKENS_PER_DAY) is counted in the database. */
#pragma once
#include "base/str.h"
#include "loop/wait.h"

struct ticket;

struct admission {
    unsigned most; /* that run at a time; 0: no bound */
    unsigned most_waiting;
    unsigned running, waiting;
    struct line *turn; /* private: of the ring; the next line is served next */
};

void admission_init(struct admission *a, unsigned most, unsigned most_waiting);

/* A place at the end of the user's line, or one that runs. NULL: no room left
 * in the lines. */
struct ticket *admission_enter(struct admission *a, struct str user_id);
/* One that runs, whatever the bound: for runs that were under way elsewhere. */
struct ticket *admission_resume(struct admission *a);

bool ticket_runs(const struct ticket *p);
/* Woken when it gets to run. */
struct wake *ticket_wake(struct ticket *p);
/* Whoever is next gets to run. *p is NULL after; NULL is let go. */
void ticket_leave(struct ticket **p);
