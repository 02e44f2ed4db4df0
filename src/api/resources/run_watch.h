/* run_watch.h - follows a run until its end, for requests that answer in
 * another form than the event stream (streams.c).
 *
 * The reader is that of streams.c: events are pushed while this process writes
 * the run; otherwise, and for what was missed, it reads the table, at least
 * every few seconds. */
#pragma once
#include "../request.h"
#include "store/runs.h"

struct run_watch {
    struct request *request;
    struct str message_id;
    /* Takes whole frames of the log, without a gap. False: it has no room now,
     * and gets them again. NULL: only the end is of interest. */
    bool (*on_frames)(struct run_watch *w, struct str frames);
    bool gone; /* set by the caller: the client has disconnected */
    /* Out */
    bool ended; /* the run has ended; else the wait was given up */
    /* private */
    struct journal_reader reader;
    struct wait wait;
    struct child look;
    struct run_frames frames;
    bool again;   /* the table has more events */
    bool no_room; /* what was read was not taken */
};
/* A subflow; its locals are the run_watch, which lives as long as the flow. It
 * ends when the run has ended, when the client has gone, when its token has
 * expired, or when this process gives up the run. */
step_fn run_watch_begin;
/* There is room again, or `gone` was set. */
void run_watch_wake(struct run_watch *w);
