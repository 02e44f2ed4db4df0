/* trails.h - what runs are doing right now, for admins: for each flow of a run
 * a line with what it waits for and its latest steps (flow_describe).
 *
 * Only the process that has the run knows it. Another process asks by
 * NOTICE_TELL with the ids of runs; the process that has them writes their
 * trails into their rows (store/live_runs.h). Nothing is written unless someone
 * asks. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "loop/flow.h"
#include "store/live_runs.h"

struct agent;

/* Calls `put` with each line of that run; not at all when it is not here. */
void trails_of_run(struct str message_id, struct arena *arena,
                   void (*put)(void *who, struct str line), void *who);

/* Writes trails for other processes. An agent has one; zeroed is valid. */
struct trail_writer {
    struct flow *flow; /* NULL: it has nothing to write */
    struct buf ids;    /* of runs, each after a space */
    struct run_trails write;
};
/* Writes the trail of that run soon, if the run is here. */
void trail_writer_add(struct agent *a, struct str message_id);
