#include "stopper.h"
#include "base/mem.h"
#include <stdio.h>
#include "base/banned.h"

static bool stopper_send(struct job *job, struct lane *lane)
{
    struct stopper *s = (struct stopper *)job; /* it is first */
    const char *params[] = {s->pid};
    if (!PQsendQueryParams(lane->connection->pg,
                           "select pg_catalog.pg_cancel_backend($1::int)", 1,
                           NULL, params, NULL, NULL, 0))
        return false;
    connection_send(lane->connection);
    return true;
}

static void stopper_result(struct job *job, PGresult *r)
{
    (void)job;
    PQclear(r);
}

static void end(struct job *job, bool sure)
{
    struct stopper *s = (struct stopper *)job;
    if (s->heard)
        s->heard(s->who, sure);
    mem_free(s);
}

static bool stopper_synced(struct job *job)
{
    end(job, true);
    return true;
}

static void stopper_failed(struct job *job, enum err why, struct str text,
                           bool in_flight)
{
    (void)why;
    (void)text;
    (void)in_flight;
    end(job, false);
}

static const struct job_kind stopper_kind = {.send = stopper_send,
                                             .result = stopper_result,
                                             .synced = stopper_synced,
                                             .failed = stopper_failed};

struct stopper *stopper_start(struct pool *control, int pid,
                              void (*heard)(void *who, bool sure), void *who)
{
    struct stopper *s = mem_new(struct stopper);
    s->job.kind = &stopper_kind;
    s->heard = heard;
    s->who = who;
    snprintf(s->pid, sizeof s->pid, "%d", pid);
    pool_submit(control, &s->job, false);
    return s;
}
