/* control.c - see control.h. A job like a query's, without rows. */
#include "control.h"
#include "base/mem.h"
#include <stdio.h>
#include "base/banned.h"

static bool control_job_send(struct job *job, struct lane *lane)
{
    struct control *c = (struct control *)job;
    const char *params[] = {c->param};
    if (!PQsendQueryParams(lane->connection->pg, c->sql, 1, NULL, params, NULL,
                           NULL, 0))
        return false;
    connection_send(lane->connection);
    return true;
}

static void control_job_result(struct job *job, PGresult *r)
{
    (void)job;
    PQclear(r);
}

static void control_end(struct job *job, bool sure)
{
    struct control *c = (struct control *)job;
    if (c->done)
        c->done(c->who, sure);
    mem_free(c);
}

static bool control_job_synced(struct job *job)
{
    control_end(job, true);
    return true;
}

static void control_job_failed(struct job *job, enum err why, struct str text,
                               bool in_flight)
{
    (void)why;
    (void)text;
    (void)in_flight;
    control_end(job, false);
}

static const struct job_kind control_kind = {.send = control_job_send,
                                             .result = control_job_result,
                                             .synced = control_job_synced,
                                             .failed = control_job_failed};

struct control *control_send(struct pool *pool, const char *sql, int param,
                             void (*done)(void *who, bool sure), void *who)
{
    struct control *c = mem_new(struct control);
    c->job.kind = &control_kind;
    c->sql = sql;
    c->done = done;
    c->who = who;
    snprintf(c->param, sizeof c->param, "%d", param);
    pool_submit(pool_control(pool), &c->job, false);
    return c;
}
