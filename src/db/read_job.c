/* read_job.c - see read_job.h. The happy path: read_job_send begins and
 * describes, read_job_described has the columns and fetches, read_job_take_row
 * keeps the rows, read_job_conclude answers, read_job_clean resets the session,
 * and its second Sync gives the lane back. */
#include "read_job.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "column_types.h"
#include "envelope.h"
#include "user_code.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

enum {
    MOST_TRIES = 4, /* of a query that never ran */
    MOST_RUNS = 2,
    RERUN_MS = 1000, /* a query that ran longer is not run again */
    LEAST_MS = 100,
};

enum describe_step {
    STEP_BEGIN,
    STEP_SETTINGS,
    STEP_USER_CODE,
    STEP_PARSE,
    STEP_DESCRIBE
};

void (*read_job_on_move)(enum read_job_state from, enum read_job_state to);

/* ---- states -------------------------------------------------------------- */

#define TO(state) (1u << READ_JOB_##state)
static const unsigned allowed[READ_JOB_STATES] = {
    [READ_JOB_WAITING] = TO(DESCRIBING) | TO(OVER),
    [READ_JOB_DESCRIBING] =
        TO(FETCHING) | TO(STOPPING) | TO(CLEANING) | TO(WAITING) | TO(OVER),
    [READ_JOB_FETCHING] = TO(STOPPING) | TO(CLEANING) | TO(WAITING) | TO(OVER),
    [READ_JOB_STOPPING] = TO(CLEANING) | TO(OVER),
    [READ_JOB_CLEANING] = TO(OVER),
    [READ_JOB_OVER] = 0,
};
#undef TO

static void read_job_move(struct read_job *j, enum read_job_state to)
{
    static const char *const names[READ_JOB_STATES] = {
        "waiting", "describing", "fetching", "stopping", "cleaning", "over"};
    assert((allowed[j->state] & (1u << to)) &&
           "a change of state that the table forbids");
    log_line(LOG_DEBUG, "read state", "%s -> %s", names[j->state], names[to]);
    if (read_job_on_move)
        read_job_on_move(j->state, to);
    j->state = to;
}

/* ---- memory -------------------------------------------------------------- */

static void read_job_forget_results(struct read_job *j)
{
    PQclear(j->described);
    PQclear(j->error);
    j->described = j->error = NULL;
    mem_free(j->types);
    j->types = NULL;
    rows_done(&j->rows);
    j->more_rows = false;
    j->reaches_user_code = false;
    mem_free(j->problem);
    j->problem = NULL;
}

void read_job_release(struct read_job *j)
{
    if (--j->holders > 0)
        return;
    read_job_forget_results(j);
    mem_free(j->sql);
    mem_free(j->schema);
    mem_free(j->calls);
    mem_free(j);
}

static struct pg_connection *read_job_connection(const struct read_job *j)
{
    return j->job.lane->connection;
}

/* ---- the answer ---------------------------------------------------------- */

static const char *error_field(const struct read_job *j, int which)
{
    const char *text = PQresultErrorField(j->error, which);
    return text ? text : "";
}

/* The position of the error in the given text. */
static int error_position(const struct read_job *j)
{
    int64_t at = 0;
    str_to_int64(str_of(error_field(j, PG_DIAG_STATEMENT_POSITION)), &at);
    at -= (int64_t)(j->rows_step >= 0 ? j->before : j->prefix);
    struct str sql = str_from(str_of(j->sql), j->prefix);
    return at > 0 && (size_t)at <= utf8_count(sql) + 1 ? (int)at : 0;
}

/* Does the error end the session? A foreign table whose server is away reports
 * the same state, but as an ERROR after which this session goes on. */
static bool error_ends_session(const struct read_job *j, const char *state)
{
    bool away = strncmp(state, "57P", 3) == 0 || strncmp(state, "08", 2) == 0;
    return !state[0] ||
           (away && strcmp(error_field(j, PG_DIAG_SEVERITY_NONLOCALIZED),
                           "ERROR") != 0);
}

static enum err read_job_error(const struct read_job *j, unsigned elapsed_ms)
{
    const char *state = error_field(j, PG_DIAG_SQLSTATE);
    if (error_ends_session(j, state))
        return ERR_DATABASE_UNAVAILABLE;
    if (strcmp(state, "57014") == 0 && elapsed_ms + 10 >= j->timeout_ms)
        return ERR_TIMEOUT;
    if (j->rows_step < 0 && j->error_step < STEP_PARSE) {
        log_line(LOG_ERROR, "envelope refused", "%s: %s", state,
                 error_field(j, PG_DIAG_MESSAGE_PRIMARY));
        return ERR_INTERNAL;
    }
    return ERR_SQL_FAILED;
}

static void read_job_answer(struct read_job *j, enum err how)
{
    struct read *r = j->read;
    if (!r)
        return;
    j->read = NULL;
    r->n_rows = j->rows.n;
    r->n_columns = j->described ? PQnfields(j->described) : 0;
    r->more_rows = j->more_rows;
    r->cut_values = j->rows.cut;
    r->elapsed_ms = j->started ? (unsigned)(clock_ms() - j->started) : 0;
    if (j->error) {
        if (how == OK)
            how = read_job_error(j, r->elapsed_ms);
        snprintf(r->sqlstate, sizeof r->sqlstate, "%s",
                 error_field(j, PG_DIAG_SQLSTATE));
        r->message = str_of(error_field(j, PG_DIAG_MESSAGE_PRIMARY));
        r->hint = str_of(error_field(j, PG_DIAG_MESSAGE_HINT));
        r->position = error_position(j);
    } else if (j->problem) {
        r->message = str_of(j->problem);
        if (j->reaches_user_code) /* as PostgreSQL says "permission denied" */
            snprintf(r->sqlstate, sizeof r->sqlstate, "42501");
    }
    pool_count(j->pool, how != OK);
    op_complete(&r->op, how);
}

static void read_job_note_problem(struct read_job *j, struct str text)
{
    mem_free(j->problem);
    j->problem = mem_copy(text.ptr ? text.ptr : "", text.len);
}

static void read_job_end(struct read_job *j)
{
    read_job_move(j, READ_JOB_OVER);
    if (j->cancel)
        j->cancel->done = NULL;
    j->cancel = NULL;
    read_job_release(j);
}

static void read_job_name_types(struct read_job *j)
{
    if (!j->types)
        j->types = column_types_names(j->pool, j->described);
}

/* Answers with what has come: rows or an error. */
static void read_job_conclude(struct read_job *j)
{
    if (!j->error)
        read_job_name_types(j);
    read_job_answer(j, OK);
}

/* ---- cleaning and stopping ----------------------------------------------- */

static bool read_job_send_query(struct read_job *j, const char *sql)
{
    return PQsendQueryParams(read_job_connection(j)->pg, sql, 0, NULL, NULL,
                             NULL, NULL, 0);
}

/* DISCARD ALL follows a Sync of its own, because it must not run in a
 * transaction. */
static void read_job_clean(struct read_job *j)
{
    struct pg_connection *c = read_job_connection(j);
    read_job_move(j, READ_JOB_CLEANING);
    connection_rest(c, LANE_REST_MS);
    if (!read_job_send_query(j, "rollback")) {
        connection_fail(c, PQerrorMessage(c->pg));
        return;
    }
    connection_send(c);
    if (read_job_send_query(j, "discard all"))
        connection_send(c);
    else
        connection_fail(c, PQerrorMessage(c->pg));
}

static void on_cancelled(void *who, bool sure)
{
    struct read_job *j = who;
    j->cancel = NULL;
    if (!sure)
        connection_fail(read_job_connection(j),
                        "its query could not be stopped");
    else if (j->synced)
        read_job_clean(j);
}

static void read_job_cancel(struct read_job *j)
{
    struct pg_connection *c = read_job_connection(j);
    read_job_move(j, READ_JOB_STOPPING);
    connection_hold(c, false);
    connection_rest(c, LANE_REST_MS);
    j->synced = false;
    j->cancel =
        control_send(j->pool, "select pg_catalog.pg_cancel_backend($1::int)",
                     PQbackendPID(c->pg), on_cancelled, j);
}

void read_job_stop(struct read_job *j)
{
    j->read = NULL;
    if (j->state == READ_JOB_WAITING) {
        pool_withdraw(&j->job);
        read_job_end(j);
    } else if (j->state == READ_JOB_DESCRIBING ||
               j->state == READ_JOB_FETCHING) {
        read_job_cancel(j);
    }
}

/* ---- describing ---------------------------------------------------------- */

/* All tries together have the time of one. */
static unsigned read_job_time_left(struct read_job *j)
{
    uint64_t now = clock_ms();
    if (!j->started) {
        j->started = now;
        op_deadline(&j->read->op, j->timeout_ms + 1000);
    }
    uint64_t end = j->started + j->timeout_ms;
    return end > now + LEAST_MS       ? (unsigned)(end - now)
           : j->timeout_ms < LEAST_MS ? j->timeout_ms
                                      : LEAST_MS;
}

static bool read_job_send(struct job *job, struct lane *lane)
{
    struct read_job *j = (struct read_job *)job;
    PGconn *pg = lane->connection->pg;
    struct buf settings;
    assert(lane->capacity == 1 && "reads do not share a connection");
    read_job_move(j, READ_JOB_DESCRIBING);
    j->step = 0;
    j->rows_step = -1;
    j->asks_user_code =
        j->calls && !user_code_is_cached(pool_user_code(j->pool), j->calls);
    pool_control(j->pool); /* open before it is needed */
    buf_init(&settings, NULL);
    envelope_settings(&settings, str_of(j->schema), pool_time_zone(j->pool),
                      read_job_time_left(j), PQserverVersion(pg));
    bool good = read_job_send_query(j, "begin read only") &&
                read_job_send_query(j, buf_cstr(&settings)) &&
                (!j->asks_user_code || user_code_ask(pg, j->calls)) &&
                PQsendPrepare(pg, "", j->sql, 0, NULL) &&
                PQsendDescribePrepared(pg, "");
    buf_done(&settings);
    if (good)
        connection_send(lane->connection);
    else
        read_job_move(j, READ_JOB_WAITING);
    return good;
}

/* ---- fetching ------------------------------------------------------------ */

static void read_job_wrap(struct read_job *j, struct buf *sql)
{
    int n = PQnfields(j->described);
    Oid *types = mem_new_array(Oid, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        types[i] = PQftype(j->described, i);
    struct buf flat;
    buf_init(&flat, NULL);
    buf_text(&flat, j->sql);
    envelope_flatten(flat.ptr, flat.len);
    j->cell_chars = envelope_cell_chars(n, j->max_bytes);
    j->before = envelope_wrap(sql, buf_view(&flat), types, n, j->cell_chars,
                              j->max_rows + 1);
    buf_done(&flat);
    mem_free(types);
}

/* Sends the query, after a question for unknown type names. False: libpq
 * refused it. */
static bool read_job_send_fetch(struct read_job *j, struct buf *types,
                                struct buf *rows)
{
    j->step = 0;
    j->rows_step = types->len != 0;
    if (types->len && !read_job_send_query(j, buf_cstr(types)))
        return false;
    if (j->explains) { /* as it was prepared */
        if (!PQsendQueryPrepared(read_job_connection(j)->pg, "", 0, NULL, NULL,
                                 NULL, 0))
            return false;
    } else if (!read_job_send_query(j, buf_cstr(rows))) {
        return false;
    }
    /* otherwise it is set when the answer before it has ended */
    return j->rows_step != 0 || PQsetSingleRowMode(read_job_connection(j)->pg);
}

static void read_job_fetch(struct read_job *j)
{
    struct pg_connection *c = read_job_connection(j);
    struct buf types, rows;
    buf_init(&types, NULL);
    buf_init(&rows, NULL);
    column_types_ask(j->pool, j->described, &types);
    if (j->explains) {
        j->cell_chars = j->max_bytes;
        j->before = j->prefix;
    } else {
        read_job_wrap(j, &rows);
    }
    read_job_move(j, READ_JOB_FETCHING);
    j->ran_at = clock_ms();
    j->runs++;
    if (read_job_send_fetch(j, &types, &rows))
        connection_send(c);
    else
        connection_fail(c, PQerrorMessage(c->pg));
    buf_done(&types);
    buf_done(&rows);
}

static void read_job_hand_row(struct read_job *j)
{
    size_t n = j->rows.n_cells;
    struct str *cells = mem_new_array(struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        cells[i] = rows_cell(&j->rows, i);
    j->handed_bytes += j->rows.bytes.len;
    read_job_name_types(j);
    j->read->options.on_row(j->read, cells, (int)n);
    mem_free(cells);
    rows_forget(&j->rows);
}

static void read_job_take_row(struct read_job *j, const PGresult *r)
{
    size_t so_far = j->handed_bytes + j->rows.bytes.len;
    bool fits = j->rows.n == 0 || so_far + rows_weight(r) <= j->max_bytes;
    if (j->rows.n < j->max_rows && fits) {
        rows_add(&j->rows, r, j->cell_chars);
        if (j->read->options.on_row)
            read_job_hand_row(j);
        return;
    }
    j->more_rows = true;
    if (!fits) { /* many more may come: cancel them */
        read_job_conclude(j);
        read_job_cancel(j);
    }
}

/* ---- results ------------------------------------------------------------- */

/* An error without a state is from libpq itself: the connection is being
 * lost. */
static void read_job_keep_error(struct read_job *j, PGresult *r)
{
    if (j->error || !PQresultErrorField(r, PG_DIAG_SQLSTATE)) {
        PQclear(r);
        return;
    }
    j->error = r;
    j->error_step = j->step;
}

/* PostgreSQL may still refuse the text itself, with a better sentence. */
static void read_job_take_user_code(struct read_job *j, const PGresult *r)
{
    char *problem = user_code_problem(r);
    if (!problem) {
        if (PQresultStatus(r) == PGRES_TUPLES_OK)
            user_code_cache_put(pool_user_code(j->pool), j->calls);
        return;
    }
    mem_free(j->problem);
    j->problem = problem;
    j->reaches_user_code = true;
}

static void read_job_take_result(struct read_job *j, PGresult *r)
{
    ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_FATAL_ERROR) {
        read_job_keep_error(j, r);
        return;
    }
    if (j->state == READ_JOB_DESCRIBING && j->step == STEP_USER_CODE)
        read_job_take_user_code(j, r);
    if (j->state == READ_JOB_DESCRIBING && j->step == STEP_DESCRIBE &&
        status == PGRES_COMMAND_OK) {
        j->described = r;
        return;
    }
    if (j->state == READ_JOB_FETCHING && status == PGRES_SINGLE_TUPLE)
        read_job_take_row(j, r);
    else if (j->state == READ_JOB_FETCHING && j->step != j->rows_step)
        column_types_learn(j->pool, r);
    PQclear(r);
}

static void read_job_result(struct job *job, PGresult *r)
{
    struct read_job *j = (struct read_job *)job;
    if (j->state == READ_JOB_STOPPING) {
        PQclear(r);
    } else if (j->state == READ_JOB_CLEANING) {
        if (r && PQresultStatus(r) != PGRES_COMMAND_OK)
            lane_retire(job->lane); /* the session may not be clean */
        PQclear(r);
    } else if (r) {
        read_job_take_result(j, r);
    } else {
        j->step++;
        if (j->state == READ_JOB_DESCRIBING && j->step == STEP_USER_CODE &&
            !j->asks_user_code)
            j->step++;
        if (j->state == READ_JOB_FETCHING && j->step == j->rows_step &&
            !PQsetSingleRowMode(read_job_connection(j)->pg))
            connection_fail(read_job_connection(j), "no single-row mode");
    }
}

/* ---- Syncs --------------------------------------------------------------- */

static void read_job_described(struct read_job *j)
{
    if (!j->error && j->described && PQnparams(j->described) > 0) {
        read_job_note_problem(
            j, STR("the query has parameters ($1), but no values"));
        read_job_answer(j, ERR_SQL_FAILED);
    }
    if (!j->error && j->reaches_user_code)
        read_job_answer(j, ERR_SQL_FAILED);
    if (j->error || !j->read) {
        read_job_answer(j, OK); /* the error decides */
        read_job_clean(j);
        return;
    }
    read_job_fetch(j);
}

/* Has the text ended the transaction that we began? */
static bool read_job_left_transaction(const struct read_job *j)
{
    PGTransactionStatusType status =
        PQtransactionStatus(read_job_connection(j)->pg);
    return status != PQTRANS_INTRANS && status != PQTRANS_INERROR;
}

static bool read_job_cleaned(struct read_job *j)
{
    if (++j->syncs < 2)
        return false; /* between the two Syncs libpq says "active" */
    if (PQtransactionStatus(read_job_connection(j)->pg) != PQTRANS_IDLE)
        lane_retire(j->job.lane);
    read_job_end(j);
    return true;
}

static bool read_job_synced(struct job *job)
{
    struct read_job *j = (struct read_job *)job;
    if (j->state == READ_JOB_CLEANING)
        return read_job_cleaned(j);
    if (read_job_left_transaction(j))
        lane_retire(job->lane);
    if (j->state == READ_JOB_STOPPING) {
        j->synced = true;
        if (!j->cancel)
            read_job_clean(j);
    } else if (j->state == READ_JOB_DESCRIBING) {
        read_job_described(j);
    } else {
        read_job_conclude(j);
        read_job_clean(j);
    }
    return false;
}

/* An administrator who ends a query that ran for a while does it on purpose,
 * and a crash after a while may be the query's fault: neither is run again. */
static bool read_job_may_retry(const struct read_job *j, enum err why)
{
    if (why != ERR_DATABASE_UNAVAILABLE || !j->read)
        return false;
    if (j->state == READ_JOB_DESCRIBING)
        return j->tries < MOST_TRIES;
    return j->state == READ_JOB_FETCHING && j->runs < MOST_RUNS &&
           !(j->read->options.on_row && j->rows.n) &&
           clock_ms() - j->ran_at < RERUN_MS;
}

static void read_job_failed(struct job *job, enum err why, struct str text,
                            bool in_flight)
{
    struct read_job *j = (struct read_job *)job;
    if (in_flight && read_job_may_retry(j, why)) {
        j->tries++;
        read_job_forget_results(j);
        read_job_move(j, READ_JOB_WAITING);
        pool_submit_first(j->pool, job);
        return;
    }
    read_job_note_problem(j, text);
    read_job_answer(j, why);
    read_job_end(j);
}

static const struct job_kind read_job_kind = {.send = read_job_send,
                                              .result = read_job_result,
                                              .synced = read_job_synced,
                                              .failed = read_job_failed};

static void read_job_copy_sql(struct read_job *j, struct str sql)
{
    struct str prefix =
        j->explains ? STR("explain (format json, verbose)\n") : STR("");
    struct buf text;
    buf_init(&text, NULL);
    buf_str(&text, prefix);
    buf_str(&text, sql);
    j->sql = mem_copy(text.len ? text.ptr : "", text.len);
    j->prefix = prefix.len;
    buf_done(&text);
}

struct read_job *read_job_new(struct read *r)
{
    const struct read_options *o = &r->options;
    struct read_job *j = mem_new(struct read_job);
    j->job.kind = &read_job_kind;
    j->holders = 2;
    j->read = r;
    j->pool = (struct pool *)o->source; /* its first member */
    j->explains = o->explain;
    read_job_copy_sql(j, o->sql);
    j->schema = mem_copy(o->search_path.ptr ? o->search_path.ptr : "",
                         o->search_path.len);
    j->calls = o->own ? NULL : mem_copy(o->calls.ptr, o->calls.len);
    j->max_rows = o->max_rows > 0 ? o->max_rows : 1000;
    j->max_bytes = o->max_bytes ? o->max_bytes : 16 * 1024 * 1024;
    j->timeout_ms = o->timeout_ms ? o->timeout_ms : 30000;

    j->job.patience_ms = o->patient ? j->timeout_ms : 0;
    return j;
}
