/* reading.h - a read on its connection; it may outlive the op that asked.
 *
 *   waiting     for a connection
 *   describing  BEGIN, settings, Parse and Describe are out
 *   fetching    the wrapped query is out
 *   stopping    nobody wants it; a stopper was sent
 *   cleaning    ROLLBACK and DISCARD ALL are out
 *   over        it has no connection any more
 *
 * Two hold it: its connection until it is over, and the op's frame. */
#pragma once
#include "db/read.h"
#include "lane.h"
#include "rows.h"
#include "stopper.h"

enum reading_state {
    READING_WAITING,
    READING_DESCRIBING,
    READING_FETCHING,
    READING_STOPPING,
    READING_CLEANING,
    READING_OVER,
    READING_STATES
};

struct reading {
    struct job job; /* first */
    enum reading_state state;
    int holders;
    struct read *read; /* NULL: answered */
    struct pool *pool;
    char *sql, *schema, *calls; /* copies; calls NULL: the text is our own */
    int max_rows;
    size_t max_bytes, cell_chars;
    unsigned timeout_ms;
    bool only_describe;

    uint64_t started; /* when it first got a connection, ms */
    uint64_t ran_at;  /* when its query was last sent, ms */
    int tries, runs;
    int step;      /* which statement of the pipeline is answered now */
    int rows_step; /* -1: no rows are asked for */
    size_t before; /* characters before the text, in the wrapped query */
    bool synced;   /* while stopping: the pipeline has come to its end */
    int syncs;     /* while cleaning */
    struct stopper *stopper;

    PGresult *described; /* names and types of the columns */
    PGresult *error;     /* the first one */
    int error_step;
    char *problem;     /* when it is no SQL error */
    bool asks_fence;   /* the question of fence.h is out */
    bool fenced;       /* it reaches what it may not; problem says what */
    struct str *types; /* names, one a column */
    struct rows rows;
    bool more_rows;
    size_t told_bytes; /* of rows told, not kept */
};

struct reading *reading_new(struct read *r, bool only_describe);
/* Nobody waits for it any more: withdraws it, or stops its query. */
void reading_stop(struct reading *g);
void reading_let_go(struct reading *g); /* one holder less */

/* Test seam: told every move. */
extern void (*reading_on_move)(enum reading_state from, enum reading_state to);
