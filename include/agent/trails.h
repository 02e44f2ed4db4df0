/* trails.h - what runs do just now, for admins: a line for each of a run's flows
 * with what it waits for and did lately (flow_tell).
 *
 * It is known in the process that has the run, and to no other. So who wants to
 * see those of others says NOTICE_TELL with their ids; whoever has them writes
 * their trails into their rows (store/live_runs.h). Nothing is written while
 * nobody asks. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "loop/flow.h"
#include "store/live_runs.h"

struct agent;

/* Calls `put` with each line of that run, none when it is not here. */
void trail_each(struct str message_id, struct arena *arena,
                void (*put)(void *who, struct str line), void *who);

/* One an agent; zeroed is valid. */
struct teller {
    struct flow *flow; /* NULL: nobody has asked */
    struct buf asked;  /* ids, each behind a space */
    struct run_trails write;
};
/* Somebody wants to see that run, which may be here or not. */
void teller_ask(struct agent *a, struct str message_id);
