/* lane_check.c - see lane_check.h. A job on the control connection that counts
 * the rows of its answer. */
#include "lane_check.h"
#include <stddef.h>
#include <stdio.h>
#include "base/compiler.h"
#include "base/banned.h"

static struct lane_check *check_of(struct job *job)
{
    return container_of(job, struct lane_check, job);
}

/* The state is null where activities are not tracked: the backend may be at
 * work then. */
static bool check_send(struct job *job, struct lane *lane)
{
    const char *params[] = {check_of(job)->param};
    if (!PQsendQueryParams(
            lane->connection->pg,
            "select from pg_catalog.pg_stat_activity where pid = $1::int "
            "and coalesce(state, '') not like 'idle%'",
            1, NULL, params, NULL, NULL, 0))
        return false;
    connection_send(lane->connection);
    return true;
}

/* After an error the backend counts as at work: the deadline of its statement
 * ends it. */
static void check_result(struct job *job, PGresult *r)
{
    if (r)
        check_of(job)->at_work =
            PQresultStatus(r) != PGRES_TUPLES_OK || PQntuples(r) > 0;
    PQclear(r);
}

static bool check_synced(struct job *job)
{
    struct lane_check *c = check_of(job);
    c->running = false;
    pool_lane_checked(c->pool, c->pid, c->at_work);
    return true;
}

static void check_failed(struct job *job, enum err why, struct str text,
                         bool in_flight)
{
    (void)why;
    (void)text;
    (void)in_flight;
    check_of(job)->running = false;
}

static const struct job_kind check_kind = {.send = check_send,
                                           .result = check_result,
                                           .synced = check_synced,
                                           .failed = check_failed};

void lane_check_start(struct lane_check *check, struct pool *pool, int pid)
{
    *check = (struct lane_check){.job.kind = &check_kind,
                                 .pool = pool,
                                 .pid = pid,
                                 .running = true,
                                 .at_work = true};
    snprintf(check->param, sizeof check->param, "%d", pid);
    pool_submit(pool_control(pool), &check->job, false);
}

void lane_check_stop(struct lane_check *check)
{
    if (check->running)
        pool_withdraw(&check->job);
    check->running = false;
}
