/* query.c - see query.h. A query is a job of one Prepare (once per lane), one
 * Execute and one Sync; query_conclude decides what it answers. */
#include "db/query.h"
#include "base/compiler.h"
#include "base/log.h"
#include "lane.h"
#include "sqlstate.h"
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

/* When a server restarts, its other connections will be lost too. */
enum { MOST_TRIES = 2, MOST_TRIES_WHEN_LOST = 5 };

static struct query *query_of_job(struct job *job)
{
    return container_of(job, struct query, job);
}

/* ---- results ------------------------------------------------------------- */

static void query_clear_result(struct query *q)
{
    PQclear(q->result);
    q->result = NULL;
    q->sqlstate[0] = 0;
    q->message = STR("");
}

static void query_log_failure(const struct query *q)
{
    const char *table = PQresultErrorField(q->result, PG_DIAG_CONSTRAINT_NAME);
    bool quote = sqlstate_is_quotable(q->sqlstate);
    log_event(LOG_ERROR, "query failed",
              (struct log_field[]){{"statement", str_of(q->statement->name)},
                                   {"sqlstate", str_of(q->sqlstate)},
                                   {"constraint", str_of(table)},
                                   {"reason", quote ? q->message : STR("")},
                                   {NULL, {0}}});
}

static void query_answer(struct query *q, enum err how)
{
    pool_count(q->pool, how != OK);
    op_complete(&q->op, how);
}

static void query_note_error(struct query *q)
{
    const char *state = PQresultErrorField(q->result, PG_DIAG_SQLSTATE);
    snprintf(q->sqlstate, sizeof q->sqlstate, "%s", state ? state : "");
    q->message = str_of(PQresultErrorField(q->result, PG_DIAG_MESSAGE_PRIMARY));
    if (!q->message.len)
        q->message = str_trim(str_of(PQresultErrorMessage(q->result)));
}

static void query_note_rows(struct query *q)
{
    const char *affected = PQcmdTuples(q->result);
    q->n_rows = PQntuples(q->result);
    q->affected = affected[0] ? strtoll(affected, NULL, 10) : 0;
}

static void query_retry(struct query *q)
{
    query_clear_result(q);
    q->tries++;
    pool_submit_first(q->pool, &q->job);
}

/* A table of the prepared statement was altered, so its plan cannot be used. */
static bool query_plan_is_stale(const struct query *q)
{
    const char *where = PQresultErrorField(q->result, PG_DIAG_SOURCE_FUNCTION);
    return query_failed_with(q, "0A000") && where &&
           strcmp(where, "RevalidateCachedQuery") == 0;
}

static void query_conclude(struct query *q, struct lane *lane)
{
    ExecStatusType status = PQresultStatus(q->result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ||
        status == PGRES_EMPTY_QUERY) {
        query_note_rows(q);
        query_answer(q, OK);
        return;
    }
    lane_forget_planning(lane);
    query_note_error(q);
    enum err why = sqlstate_err(q->sqlstate);
    bool read_only = query_failed_with(q, SQLSTATE_READ_ONLY);
    bool stale = sqlstate_is_stale(q->sqlstate) || query_plan_is_stale(q);
    if (read_only)
        pool_renew(q->pool);
    else if (stale)
        lane_retire(lane);
    if ((stale || sqlstate_is_undone(q->sqlstate)) &&
        q->tries + 1 < MOST_TRIES) {
        query_retry(q);
        return;
    }
    if (why == ERR_INTERNAL)
        query_log_failure(q);
    query_answer(q, why);
}

/* ---- the job ------------------------------------------------------------- */

static bool query_send_statement(const struct query *q, struct lane *lane)
{
    PGconn *pg = lane->connection->pg;
    const int lengths[QUERY_MAX_PARAMS] = {q->bytes};
    const int formats[QUERY_MAX_PARAMS] = {q->bytes > 0};
    if (lane->unprepared)
        return PQsendQueryParams(pg, q->statement->sql, q->n_params, NULL,
                                 q->params, lengths, formats, 0);
    return lane_set_planning(lane, q->statement) &&
           lane_prepare(lane, q->statement) &&
           PQsendQueryPrepared(pg, q->statement->name, q->n_params, q->params,
                               lengths, formats, 0);
}

static bool query_send(struct job *job, struct lane *lane)
{
    struct query *q = query_of_job(job);
    if (!query_send_statement(q, lane))
        return false;
    connection_send(lane->connection);
    return true;
}

static void query_result(struct job *job, PGresult *r)
{
    struct query *q = query_of_job(job);
    if (r && !q->result)
        q->result = r;
    else
        /* it was aborted after a failed Prepare, whose error is kept */
        PQclear(r);
}

static bool query_synced(struct job *job)
{
    struct lane *lane = job->lane;
    job->lane = NULL;
    query_conclude(query_of_job(job), lane);
    return true;
}

/* The lane's text does not outlive this call, so the message is a fixed one. */
static void query_failed(struct job *job, enum err why, struct str text,
                         bool in_flight)
{
    struct query *q = query_of_job(job);
    (void)text;
    if (in_flight && why != ERR_CANCELLED && q->statement->again &&
        q->tries + 1 < MOST_TRIES_WHEN_LOST) {
        query_retry(q);
        return;
    }
    if (q->result) /* the server said why before it closed */
        query_note_error(q);
    else
        q->message = STR("the connection was lost or could not be opened");
    query_answer(q, why);
}

static const struct job_kind query_kind = {.send = query_send,
                                           .result = query_result,
                                           .synced = query_synced,
                                           .failed = query_failed};

/* ---- the op -------------------------------------------------------------- */

/* A query that only waited for a database that is away fails for that reason,
 * and not with a timeout. */
static void query_cancel(struct op *op)
{
    struct query *q = (struct query *)op;
    enum err how = ERR_CANCELLED;
    if (op->expired && q->job.waiting && !pool_is_up(q->pool)) {
        op->expired = false;
        how = ERR_DATABASE_UNAVAILABLE;
    }
    pool_withdraw(&q->job);
    query_clear_result(q);
    query_answer(q, how);
}

void query_done(void *query)
{
    struct query *q = query;
    PQclear(q->result);
    q->result = NULL;
}

void query_begin(struct flow *f, struct query *q)
{
    assert(q->pool && q->statement && q->n_params <= QUERY_MAX_PARAMS);
    defer(f, query_done, q);
    begin(f, &q->op, "query", query_cancel);
    q->job.kind = &query_kind;
    op_deadline(&q->op,
                q->deadline_ms ? q->deadline_ms : pool_deadline_ms(q->pool));
    pool_submit(q->pool, &q->job, q->statement->urgent);
}
