/* read_job.h - a read on its connection; it may outlive the op that asked.
 *
 *   waiting     for a connection
 *   describing  BEGIN, settings, Parse and Describe were sent
 *   fetching    the wrapped query was sent
 *   stopping    the rows are not needed; a cancel was sent
 *   cleaning    ROLLBACK and DISCARD ALL were sent
 *   over        it has no connection any more
 *
 * It has two holders: its connection until it is over, and the op's frame. */
#pragma once
#include "db/read.h"
#include "lane.h"
#include "rows.h"
#include "control.h"

enum read_job_state {
    READ_JOB_WAITING,
    READ_JOB_DESCRIBING,
    READ_JOB_FETCHING,
    READ_JOB_STOPPING,
    READ_JOB_CLEANING,
    READ_JOB_OVER,
    READ_JOB_STATES
};

struct read_job {
    struct job job; /* first */
    enum read_job_state state;
    int holders;
    struct read *read; /* NULL: it has answered */
    struct pool *pool;
    /* copies; calls NULL: the text is Sextant's own */
    char *sql, *schema, *calls;
    bool explains; /* `sql` begins with `prefix` characters of ours */
    size_t prefix;
    int max_rows;
    size_t max_bytes, cell_chars;
    unsigned timeout_ms;

    uint64_t started; /* when it first got a connection, ms */
    uint64_t ran_at;  /* when its query was last sent, ms */
    int tries, runs;
    int step;      /* index of the statement whose answer comes now */
    int rows_step; /* the statement whose rows are wanted; -1: not sent yet */
    size_t before; /* characters before the text, in the wrapped query */
    bool synced;   /* while stopping: the pipeline has ended */
    int syncs;     /* Syncs answered while cleaning */
    struct control *cancel;

    PGresult *described; /* names and types of the columns */
    PGresult *error;     /* the first one */
    int error_step;
    char *problem;          /* why it failed, when that is no SQL error */
    bool asks_user_code;    /* the question of user_code.h was sent */
    bool reaches_user_code; /* it reaches code of users; problem says which */
    struct str *types;      /* the name of each column's type */
    struct rows rows;
    bool more_rows;
    size_t handed_bytes; /* of rows handed out, not kept */
};

/* A job for a read, with copies of its options. */
struct read_job *read_job_new(struct read *r);
/* Its answer is not needed: withdraws it, or cancels its query. */
void read_job_stop(struct read_job *j);
/* Drops one holder; the last one frees it. */
void read_job_release(struct read_job *j);

/* For tests: called on every change of state. */
extern void (*read_job_on_move)(enum read_job_state from,
                                enum read_job_state to);
