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

static void read_job_move(struct read_job *g, enum read_job_state to)
{
    static const char *const names[READ_JOB_STATES] = {
        "waiting", "describing", "fetching", "stopping", "cleaning", "over"};
    assert((allowed[g->state] & (1u << to)) &&
           "a change of state that the table forbids");
    log_line(LOG_DEBUG, "read state", "%s -> %s", names[g->state], names[to]);
    if (read_job_on_move)
        read_job_on_move(g->state, to);
    g->state = to;
}

/* ---- memory -------------------------------------------------------------- */

static void read_job_forget_results(struct read_job *g)
{
    PQclear(g->described);
    PQclear(g->error);
    g->described = g->error = NULL;
    mem_free(g->types);
    g->types = NULL;
    rows_done(&g->rows);
    g->more_rows = false;
    g->reaches_user_code = false;
    mem_free(g->problem);
    g->problem = NULL;
}

void read_job_release(struct read_job *g)
{
    if (--g->holders > 0)
        return;
    read_job_forget_results(g);
    mem_free(g->sql);
    mem_free(g->schema);
    mem_free(g->calls);
    mem_free(g);
}

static struct pg_connection *read_job_connection(const struct read_job *g)
{
    return g->job.lane->connection;
}

/* ---- the answer ---------------------------------------------------------- */

static const char *error_field(const struct read_job *g, int which)
{
    const char *text = PQresultErrorField(g->error, which);
    return text ? text : "";
}

/* The position of the error in the given text. */
static int error_position(const struct read_job *g)
{
    int64_t at = 0;
    str_to_int64(str_of(error_field(g, PG_DIAG_STATEMENT_POSITION)), &at);
    if (g->rows_step >= 0)
        at -= (int64_t)g->before;
    struct str sql = str_of(g->sql);
    return at > 0 && (size_t)at <= utf8_count(sql) + 1 ? (int)at : 0;
}

/* Does the error end the session? A foreign table whose server is away reports
 * the same state, but as an ERROR after which this session goes on. */
static bool error_ends_session(const struct read_job *g, const char *state)
{
    bool away = strncmp(state, "57P", 3) == 0 || strncmp(state, "08", 2) == 0;
    return !state[0] ||
           (away && strcmp(error_field(g, PG_DIAG_SEVERITY_NONLOCALIZED),
                           "ERROR") != 0);
}

static enum err read_job_error(const struct read_job *g, unsigned elapsed_ms)
{
    const char *state = error_field(g, PG_DIAG_SQLSTATE);
    if (error_ends_session(g, state))
        return ERR_DATABASE_UNAVAILABLE;
    if (strcmp(state, "57014") == 0 && elapsed_ms + 10 >= g->timeout_ms)
        return ERR_TIMEOUT;
    if (g->rows_step < 0 && g->error_step < STEP_PARSE) {
        log_line(LOG_ERROR, "envelope refused", "%s: %s", state,
                 error_field(g, PG_DIAG_MESSAGE_PRIMARY));
        return ERR_INTERNAL;
    }
    return ERR_SQL_FAILED;
}

static void read_job_answer(struct read_job *g, enum err how)
{
    struct read *r = g->read;
    if (!r)
        return;
    g->read = NULL;
    r->n_rows = g->rows.n;
    r->n_columns = g->described ? PQnfields(g->described) : 0;
    r->more_rows = g->more_rows;
    r->cut_values = g->rows.cut;
    r->elapsed_ms = g->started ? (unsigned)(clock_ms() - g->started) : 0;
    if (g->error) {
        if (how == OK)
            how = read_job_error(g, r->elapsed_ms);
        snprintf(r->sqlstate, sizeof r->sqlstate, "%s",
                 error_field(g, PG_DIAG_SQLSTATE));
        r->message = str_of(error_field(g, PG_DIAG_MESSAGE_PRIMARY));
        r->hint = str_of(error_field(g, PG_DIAG_MESSAGE_HINT));
        r->position = error_position(g);
    } else if (g->problem) {
        r->message = str_of(g->problem);
        if (g->reaches_user_code) /* as PostgreSQL says "permission denied" */
            snprintf(r->sqlstate, sizeof r->sqlstate, "42501");
    }
    pool_count(g->pool, how != OK);
    op_answer(&r->op, how);
}

static void read_job_note_problem(struct read_job *g, struct str text)
{
    mem_free(g->problem);
    g->problem = mem_copy(text.ptr ? text.ptr : "", text.len);
}

static void read_job_end(struct read_job *g)
{
    read_job_move(g, READ_JOB_OVER);
    if (g->cancel)
        g->cancel->done = NULL;
    g->cancel = NULL;
    read_job_release(g);
}

static void read_job_name_types(struct read_job *g)
{
    if (!g->types)
        g->types = column_types_names(g->pool, g->described);
}

/* Answers with what has come: rows or an error. */
static void read_job_conclude(struct read_job *g)
{
    if (!g->error)
        read_job_name_types(g);
    read_job_answer(g, OK);
}

/* ---- cleaning and stopping ----------------------------------------------- */

static bool read_job_send_query(struct read_job *g, const char *sql)
{
    return PQsendQueryParams(read_job_connection(g)->pg, sql, 0, NULL, NULL,
                             NULL, NULL, 0);
}

/* DISCARD ALL follows a Sync of its own, because it must not run in a
 * transaction. */
static void read_job_clean(struct read_job *g)
{
    struct pg_connection *c = read_job_connection(g);
    read_job_move(g, READ_JOB_CLEANING);
    connection_rest(c, LANE_REST_MS);
    if (!read_job_send_query(g, "rollback")) {
        connection_fail(c, PQerrorMessage(c->pg));
        return;
    }
    connection_send(c);
    if (read_job_send_query(g, "discard all"))
        connection_send(c);
    else
        connection_fail(c, PQerrorMessage(c->pg));
}

static void on_cancelled(void *who, bool sure)
{
    struct read_job *g = who;
    g->cancel = NULL;
    if (!sure)
        connection_fail(read_job_connection(g),
                        "its query could not be stopped");
    else if (g->synced)
        read_job_clean(g);
}

static void read_job_cancel(struct read_job *g)
{
    struct pg_connection *c = read_job_connection(g);
    read_job_move(g, READ_JOB_STOPPING);
    connection_hold(c, false);
    connection_rest(c, LANE_REST_MS);
    g->synced = false;
    g->cancel =
        control_send(g->pool, "select pg_catalog.pg_cancel_backend($1::int)",
                     PQbackendPID(c->pg), on_cancelled, g);
}

void read_job_stop(struct read_job *g)
{
    g->read = NULL;
    if (g->state == READ_JOB_WAITING) {
        pool_withdraw(&g->job);
        read_job_end(g);
    } else if (g->state == READ_JOB_DESCRIBING ||
               g->state == READ_JOB_FETCHING) {
        read_job_cancel(g);
    }
}

/* ---- describing ---------------------------------------------------------- */

/* All tries together have the time of one. */
static unsigned read_job_time_left(struct read_job *g)
{
    uint64_t now = clock_ms();
    if (!g->started) {
        g->started = now;
        op_deadline(&g->read->op, g->timeout_ms + 1000);
    }
    uint64_t end = g->started + g->timeout_ms;
    return end > now + LEAST_MS       ? (unsigned)(end - now)
           : g->timeout_ms < LEAST_MS ? g->timeout_ms
                                      : LEAST_MS;
}

static bool read_job_send(struct job *job, struct lane *lane)
{
    struct read_job *g = (struct read_job *)job;
    PGconn *pg = lane->connection->pg;
    struct buf settings;
    assert(lane->capacity == 1 && "reads do not share a connection");
    read_job_move(g, READ_JOB_DESCRIBING);
    g->step = 0;
    g->rows_step = -1;
    g->asks_user_code =
        g->calls && !user_code_is_cached(pool_user_code(g->pool), g->calls);
    pool_control(g->pool); /* open before it is needed */
    buf_init(&settings, NULL);
    envelope_settings(&settings, str_of(g->schema), read_job_time_left(g),
                      PQserverVersion(pg));
    bool good = read_job_send_query(g, "begin read only") &&
                read_job_send_query(g, buf_cstr(&settings)) &&
                (!g->asks_user_code || user_code_ask(pg, g->calls)) &&
                PQsendPrepare(pg, "", g->sql, 0, NULL) &&
                PQsendDescribePrepared(pg, "");
    buf_done(&settings);
    if (good)
        connection_send(lane->connection);
    else
        read_job_move(g, READ_JOB_WAITING);
    return good;
}

/* ---- fetching ------------------------------------------------------------ */

static void read_job_wrap(struct read_job *g, struct buf *sql)
{
    int n = PQnfields(g->described);
    Oid *types = mem_new_array(Oid, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        types[i] = PQftype(g->described, i);
    struct buf flat;
    buf_init(&flat, NULL);
    buf_text(&flat, g->sql);
    envelope_flatten(flat.ptr, flat.len);
    g->cell_chars = envelope_cell_chars(n, g->max_bytes);
    g->before = envelope_wrap(sql, buf_view(&flat), types, n, g->cell_chars,
                              g->max_rows + 1);
    buf_done(&flat);
    mem_free(types);
}

/* Sends the query, after a question for unknown type names. False: libpq
 * refused it. */
static bool read_job_send_fetch(struct read_job *g, struct buf *types,
                                struct buf *rows)
{
    g->step = 0;
    g->rows_step = types->len != 0;
    if (types->len && !read_job_send_query(g, buf_cstr(types)))
        return false;
    if (!read_job_send_query(g, buf_cstr(rows)))
        return false;
    /* otherwise it is set when the answer before it has ended */
    return g->rows_step != 0 || PQsetSingleRowMode(read_job_connection(g)->pg);
}

static void read_job_fetch(struct read_job *g)
{
    struct pg_connection *c = read_job_connection(g);
    struct buf types, rows;
    buf_init(&types, NULL);
    buf_init(&rows, NULL);
    column_types_ask(g->pool, g->described, &types);
    read_job_wrap(g, &rows);
    read_job_move(g, READ_JOB_FETCHING);
    g->ran_at = clock_ms();
    g->runs++;
    if (read_job_send_fetch(g, &types, &rows))
        connection_send(c);
    else
        connection_fail(c, PQerrorMessage(c->pg));
    buf_done(&types);
    buf_done(&rows);
}

static void read_job_hand_row(struct read_job *g)
{
    size_t n = g->rows.n_cells;
    struct str *cells = mem_new_array(struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        cells[i] = rows_cell(&g->rows, i);
    g->told_bytes += g->rows.bytes.len;
    read_job_name_types(g);
    g->read->options.on_row(g->read, cells, (int)n);
    mem_free(cells);
    rows_forget(&g->rows);
}

static void read_job_take_row(struct read_job *g, const PGresult *r)
{
    size_t so_far = g->told_bytes + g->rows.bytes.len;
    bool fits = g->rows.n == 0 || so_far + rows_weight(r) <= g->max_bytes;
    if (g->rows.n < g->max_rows && fits) {
        rows_add(&g->rows, r, g->cell_chars);
        if (g->read->options.on_row)
            read_job_hand_row(g);
        return;
    }
    g->more_rows = true;
    if (!fits) { /* many more may come: cancel them */
        read_job_conclude(g);
        read_job_cancel(g);
    }
}

/* ---- results ------------------------------------------------------------- */

/* An error without a state is from libpq itself: the connection is being
 * lost. */
static void read_job_keep_error(struct read_job *g, PGresult *r)
{
    if (g->error || !PQresultErrorField(r, PG_DIAG_SQLSTATE)) {
        PQclear(r);
        return;
    }
    g->error = r;
    g->error_step = g->step;
}

/* PostgreSQL may still refuse the text itself, with a better sentence. */
static void read_job_take_user_code(struct read_job *g, const PGresult *r)
{
    char *problem = user_code_problem(r);
    if (!problem) {
        if (PQresultStatus(r) == PGRES_TUPLES_OK)
            user_code_cache_put(pool_user_code(g->pool), g->calls);
        return;
    }
    mem_free(g->problem);
    g->problem = problem;
    g->reaches_user_code = true;
}

static void read_job_take_result(struct read_job *g, PGresult *r)
{
    ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_FATAL_ERROR) {
        read_job_keep_error(g, r);
        return;
    }
    if (g->state == READ_JOB_DESCRIBING && g->step == STEP_USER_CODE)
        read_job_take_user_code(g, r);
    if (g->state == READ_JOB_DESCRIBING && g->step == STEP_DESCRIBE &&
        status == PGRES_COMMAND_OK) {
        g->described = r;
        return;
    }
    if (g->state == READ_JOB_FETCHING && status == PGRES_SINGLE_TUPLE)
        read_job_take_row(g, r);
    else if (g->state == READ_JOB_FETCHING && g->step != g->rows_step)
        column_types_take(g->pool, r);
    PQclear(r);
}

static void read_job_result(struct job *job, PGresult *r)
{
    struct read_job *g = (struct read_job *)job;
    if (g->state == READ_JOB_STOPPING) {
        PQclear(r);
    } else if (g->state == READ_JOB_CLEANING) {
        if (r && PQresultStatus(r) != PGRES_COMMAND_OK)
            lane_retire(job->lane); /* the session may not be clean */
        PQclear(r);
    } else if (r) {
        read_job_take_result(g, r);
    } else {
        g->step++;
        if (g->state == READ_JOB_DESCRIBING && g->step == STEP_USER_CODE &&
            !g->asks_user_code)
            g->step++;
        if (g->state == READ_JOB_FETCHING && g->step == g->rows_step &&
            !PQsetSingleRowMode(read_job_connection(g)->pg))
            connection_fail(read_job_connection(g), "no single-row mode");
    }
}

/* ---- Syncs --------------------------------------------------------------- */

static void read_job_described(struct read_job *g)
{
    if (!g->error && g->described && PQnparams(g->described) > 0) {
        read_job_note_problem(
            g, STR("the query has parameters ($1), but no values"));
        read_job_answer(g, ERR_SQL_FAILED);
    }
    if (!g->error && g->reaches_user_code)
        read_job_answer(g, ERR_SQL_FAILED);
    if (g->error || !g->read) {
        read_job_answer(g, OK); /* the error decides */
        read_job_clean(g);
        return;
    }
    read_job_fetch(g);
}

/* Has the text ended the transaction that we began? */
static bool read_job_left_transaction(const struct read_job *g)
{
    PGTransactionStatusType status =
        PQtransactionStatus(read_job_connection(g)->pg);
    return status != PQTRANS_INTRANS && status != PQTRANS_INERROR;
}

static bool read_job_cleaned(struct read_job *g)
{
    if (++g->syncs < 2)
        return false; /* between the two Syncs libpq says "active" */
    if (PQtransactionStatus(read_job_connection(g)->pg) != PQTRANS_IDLE)
        lane_retire(g->job.lane);
    read_job_end(g);
    return true;
}

static bool read_job_synced(struct job *job)
{
    struct read_job *g = (struct read_job *)job;
    if (g->state == READ_JOB_CLEANING)
        return read_job_cleaned(g);
    if (read_job_left_transaction(g))
        lane_retire(job->lane);
    if (g->state == READ_JOB_STOPPING) {
        g->synced = true;
        if (!g->cancel)
            read_job_clean(g);
    } else if (g->state == READ_JOB_DESCRIBING) {
        read_job_described(g);
    } else {
        read_job_conclude(g);
        read_job_clean(g);
    }
    return false;
}

/* An administrator who ends a query that ran for a while does it on purpose,
 * and a crash after a while may be the query's fault: neither is run again. */
static bool read_job_may_retry(const struct read_job *g, enum err why)
{
    if (why != ERR_DATABASE_UNAVAILABLE || !g->read)
        return false;
    if (g->state == READ_JOB_DESCRIBING)
        return g->tries < MOST_TRIES;
    return g->state == READ_JOB_FETCHING && g->runs < MOST_RUNS &&
           !(g->read->options.on_row && g->rows.n) &&
           clock_ms() - g->ran_at < RERUN_MS;
}

static void read_job_failed(struct job *job, enum err why, struct str text,
                            bool in_flight)
{
    struct read_job *g = (struct read_job *)job;
    if (in_flight && read_job_may_retry(g, why)) {
        g->tries++;
        read_job_forget_results(g);
        read_job_move(g, READ_JOB_WAITING);
        pool_submit_first(g->pool, job);
        return;
    }
    read_job_note_problem(g, text);
    read_job_answer(g, why);
    read_job_end(g);
}

static const struct job_kind read_job_kind = {.send = read_job_send,
                                              .result = read_job_result,
                                              .synced = read_job_synced,
                                              .failed = read_job_failed};

struct read_job *read_job_new(struct read *r)
{
    const struct read_options *o = &r->options;
    struct read_job *g = mem_new(struct read_job);
    g->job.kind = &read_job_kind;
    g->holders = 2;
    g->read = r;
    g->pool = o->source;
    g->sql = mem_copy(o->sql.ptr ? o->sql.ptr : "", o->sql.len);
    g->schema = mem_copy(o->search_path.ptr ? o->search_path.ptr : "",
                         o->search_path.len);
    g->calls = o->own ? NULL : mem_copy(o->calls.ptr, o->calls.len);
    g->max_rows = o->max_rows > 0 ? o->max_rows : 1000;
    g->max_bytes = o->max_bytes ? o->max_bytes : 16 * 1024 * 1024;
    g->timeout_ms = o->timeout_ms ? o->timeout_ms : 30000;

    g->job.patience_ms = o->patient ? g->timeout_ms : 0;
    return g;
}
