/* reading.c - see reading.h. The happy path: reading_send describes, described
 * has the columns and fetches, take_row keeps what comes, fetched answers and
 * cleans, and the second Sync of the cleaning gives the lane back. */
#include "reading.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "column_types.h"
#include "envelope.h"
#include "fence.h"
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
    STEP_FENCE,
    STEP_PARSE,
    STEP_DESCRIBE
};

void (*reading_on_move)(enum reading_state from, enum reading_state to);

/* ---- states ------------------------------------------------------------- */

#define TO(state) (1u << READING_##state)
static const unsigned allowed[READING_STATES] = {
    [READING_WAITING] = TO(DESCRIBING) | TO(OVER),
    [READING_DESCRIBING] =
        TO(FETCHING) | TO(STOPPING) | TO(CLEANING) | TO(WAITING) | TO(OVER),
    [READING_FETCHING] = TO(STOPPING) | TO(CLEANING) | TO(WAITING) | TO(OVER),
    [READING_STOPPING] = TO(CLEANING) | TO(OVER),
    [READING_CLEANING] = TO(OVER),
    [READING_OVER] = 0,
};
#undef TO

static void move(struct reading *g, enum reading_state to)
{
    static const char *const names[READING_STATES] = {
        "waiting", "describing", "fetching", "stopping", "cleaning", "over"};
    assert((allowed[g->state] & (1u << to)) && "a move the table forbids");
    log_line(LOG_DEBUG, "reading moves", "%s -> %s", names[g->state],
             names[to]);
    if (reading_on_move)
        reading_on_move(g->state, to);
    g->state = to;
}

/* ---- memory ------------------------------------------------------------- */

static void forget_results(struct reading *g)
{
    PQclear(g->described);
    PQclear(g->error);
    g->described = g->error = NULL;
    mem_free(g->types);
    g->types = NULL;
    rows_done(&g->rows);
    g->more_rows = false;
    g->fenced = false;
    mem_free(g->problem);
    g->problem = NULL;
}

void reading_let_go(struct reading *g)
{
    if (--g->holders > 0)
        return;
    forget_results(g);
    mem_free(g->sql);
    mem_free(g->schema);
    mem_free(g->calls);
    mem_free(g);
}

static struct connection *connection_of(const struct reading *g)
{
    return g->job.lane->connection;
}

/* ---- the answer --------------------------------------------------------- */

static const char *field(const struct reading *g, int which)
{
    const char *text = PQresultErrorField(g->error, which);
    return text ? text : "";
}

/* Where the error is in the text as it was given. */
static int position(const struct reading *g)
{
    int64_t at = 0;
    str_to_int64(str_of(field(g, PG_DIAG_STATEMENT_POSITION)), &at);
    if (g->rows_step >= 0)
        at -= (int64_t)g->before;
    struct str sql = str_of(g->sql);
    return at > 0 && (size_t)at <= utf8_count(sql) + 1 ? (int)at : 0;
}

/* The session is lost. A foreign table whose server is away says the same, but as
 * an error after which this session goes on. */
static bool is_end(const struct reading *g, const char *state)
{
    bool away = strncmp(state, "57P", 3) == 0 || strncmp(state, "08", 2) == 0;
    return !state[0] || (away && strcmp(field(g, PG_DIAG_SEVERITY_NONLOCALIZED),
                                        "ERROR") != 0);
}

static enum err error_of(const struct reading *g, unsigned elapsed_ms)
{
    const char *state = field(g, PG_DIAG_SQLSTATE);
    if (is_end(g, state))
        return ERR_DATABASE_UNAVAILABLE;
    if (strcmp(state, "57014") == 0 && elapsed_ms + 10 >= g->timeout_ms)
        return ERR_TIMEOUT;
    if (g->rows_step < 0 && g->error_step < STEP_PARSE) {
        log_line(LOG_ERROR, "envelope refused", "%s: %s", state,
                 field(g, PG_DIAG_MESSAGE_PRIMARY));
        return ERR_INTERNAL;
    }
    return ERR_SQL_FAILED;
}

static void answer(struct reading *g, enum err how)
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
            how = error_of(g, r->elapsed_ms);
        snprintf(r->sqlstate, sizeof r->sqlstate, "%s",
                 field(g, PG_DIAG_SQLSTATE));
        r->message = str_of(field(g, PG_DIAG_MESSAGE_PRIMARY));
        r->hint = str_of(field(g, PG_DIAG_MESSAGE_HINT));
        r->position = position(g);
    } else if (g->problem) {
        r->message = str_of(g->problem);
        if (g->fenced) /* as PostgreSQL says "permission denied" */
            snprintf(r->sqlstate, sizeof r->sqlstate, "42501");
    }
    pool_count(g->pool, how != OK);
    op_answer(&r->op, how);
}

static void note_problem(struct reading *g, struct str text)
{
    mem_free(g->problem);
    g->problem = mem_copy(text.ptr ? text.ptr : "", text.len);
}

static void over(struct reading *g)
{
    move(g, READING_OVER);
    if (g->stopper)
        g->stopper->heard = NULL;
    g->stopper = NULL;
    reading_let_go(g);
}

static void name_types(struct reading *g)
{
    if (!g->types)
        g->types = column_types_names(g->pool, g->described);
}

/* With what came: rows or an error. */
static void conclude(struct reading *g)
{
    if (!g->error)
        name_types(g);
    answer(g, OK);
}

/* ---- cleaning and stopping ---------------------------------------------- */

static bool send_query(struct reading *g, const char *sql)
{
    return PQsendQueryParams(connection_of(g)->pg, sql, 0, NULL, NULL, NULL,
                             NULL, 0);
}

/* DISCARD ALL stands behind a Sync of its own: it must not run in a
 * transaction. */
static void clean(struct reading *g)
{
    struct connection *c = connection_of(g);
    move(g, READING_CLEANING);
    connection_rest(c, LANE_REST_MS);
    if (!send_query(g, "rollback")) {
        connection_fail(c, PQerrorMessage(c->pg));
        return;
    }
    connection_send(c);
    if (send_query(g, "discard all"))
        connection_send(c);
    else
        connection_fail(c, PQerrorMessage(c->pg));
}

static void on_stopper(void *who, bool sure)
{
    struct reading *g = who;
    g->stopper = NULL;
    if (!sure)
        connection_fail(connection_of(g), "its query could not be stopped");
    else if (g->synced)
        clean(g);
}

static void stop(struct reading *g)
{
    struct connection *c = connection_of(g);
    move(g, READING_STOPPING);
    connection_hold(c, false);
    connection_rest(c, LANE_REST_MS);
    g->synced = false;
    g->stopper = stopper_start(pool_control(g->pool), PQbackendPID(c->pg),
                               on_stopper, g);
}

void reading_stop(struct reading *g)
{
    g->read = NULL;
    if (g->state == READING_WAITING) {
        pool_withdraw(&g->job);
        over(g);
    } else if (g->state == READING_DESCRIBING || g->state == READING_FETCHING) {
        stop(g);
    }
}

/* ---- describing --------------------------------------------------------- */

/* All tries share the time of one. */
static unsigned time_left(struct reading *g)
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

static bool reading_send(struct job *job, struct lane *lane)
{
    struct reading *g = (struct reading *)job;
    PGconn *pg = lane->connection->pg;
    struct buf settings;
    assert(lane->capacity == 1 && "reads do not share a connection");
    move(g, READING_DESCRIBING);
    g->step = 0;
    g->rows_step = -1;
    g->asks_fence = g->calls && !fence_known(pool_fence(g->pool), g->calls);
    pool_control(g->pool); /* so that it is there when it is needed */
    buf_init(&settings, NULL);
    envelope_settings(&settings, str_of(g->schema), time_left(g),
                      PQserverVersion(pg));
    bool good = send_query(g, "begin read only") &&
                send_query(g, buf_cstr(&settings)) &&
                (!g->asks_fence || fence_send(pg, g->calls)) &&
                PQsendPrepare(pg, "", g->sql, 0, NULL) &&
                PQsendDescribePrepared(pg, "");
    buf_done(&settings);
    if (good)
        connection_send(lane->connection);
    else
        move(g, READING_WAITING);
    return good;
}

/* ---- fetching ----------------------------------------------------------- */

static void wrap(struct reading *g, struct buf *sql)
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

/* Sends what is to be asked. False: libpq refused it. */
static bool send_fetch(struct reading *g, struct buf *types, struct buf *rows)
{
    g->step = 0;
    g->rows_step = rows->len ? types->len != 0 : -1;
    if (types->len && !send_query(g, buf_cstr(types)))
        return false;
    if (rows->len && !send_query(g, buf_cstr(rows)))
        return false;
    /* Else it is set when the answer before it has ended. */
    return g->rows_step != 0 || PQsetSingleRowMode(connection_of(g)->pg);
}

static void fetch(struct reading *g)
{
    struct connection *c = connection_of(g);
    struct buf types, rows;
    buf_init(&types, NULL);
    buf_init(&rows, NULL);
    column_types_ask(g->pool, g->described, &types);
    if (!g->only_describe)
        wrap(g, &rows);
    move(g, READING_FETCHING);
    g->ran_at = clock_ms();
    g->runs++;
    if (send_fetch(g, &types, &rows))
        connection_send(c);
    else
        connection_fail(c, PQerrorMessage(c->pg));
    buf_done(&types);
    buf_done(&rows);
}

static void tell_row(struct reading *g)
{
    size_t n = g->rows.n_cells;
    struct str *cells = mem_new_array(struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        cells[i] = rows_cell(&g->rows, i);
    g->told_bytes += g->rows.bytes.len;
    name_types(g);
    g->read->options.on_row(g->read, cells, (int)n);
    mem_free(cells);
    rows_forget(&g->rows);
}

static void take_row(struct reading *g, const PGresult *r)
{
    size_t so_far = g->told_bytes + g->rows.bytes.len;
    bool fits = g->rows.n == 0 || so_far + rows_weight(r) <= g->max_bytes;
    if (g->rows.n < g->max_rows && fits) {
        rows_add(&g->rows, r, g->cell_chars);
        if (g->read->options.on_row)
            tell_row(g);
        return;
    }
    g->more_rows = true;
    if (!fits) { /* many more may come: stop them */
        conclude(g);
        stop(g);
    }
}

/* ---- results ------------------------------------------------------------ */

/* An error without a state is libpq's own: the connection is being lost. */
static void keep_error(struct reading *g, PGresult *r)
{
    if (g->error || !PQresultErrorField(r, PG_DIAG_SQLSTATE)) {
        PQclear(r);
        return;
    }
    g->error = r;
    g->error_step = g->step;
}

/* PostgreSQL may still refuse the text, with a better sentence. */
static void take_fence(struct reading *g, const PGresult *r)
{
    char *problem = fence_problem(r);
    if (!problem) {
        if (PQresultStatus(r) == PGRES_TUPLES_OK)
            fence_remember(pool_fence(g->pool), g->calls);
        return;
    }
    mem_free(g->problem);
    g->problem = problem;
    g->fenced = true;
}

static void take(struct reading *g, PGresult *r)
{
    ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_FATAL_ERROR) {
        keep_error(g, r);
        return;
    }
    if (g->state == READING_DESCRIBING && g->step == STEP_FENCE)
        take_fence(g, r);
    if (g->state == READING_DESCRIBING && g->step == STEP_DESCRIBE &&
        status == PGRES_COMMAND_OK) {
        g->described = r;
        return;
    }
    if (g->state == READING_FETCHING && status == PGRES_SINGLE_TUPLE)
        take_row(g, r);
    else if (g->state == READING_FETCHING && g->step != g->rows_step)
        column_types_take(g->pool, r);
    PQclear(r);
}

static void reading_result(struct job *job, PGresult *r)
{
    struct reading *g = (struct reading *)job;
    if (g->state == READING_STOPPING) {
        PQclear(r);
    } else if (g->state == READING_CLEANING) {
        if (r && PQresultStatus(r) != PGRES_COMMAND_OK)
            lane_retire(job->lane); /* in doubt */
        PQclear(r);
    } else if (r) {
        take(g, r);
    } else {
        g->step++;
        if (g->state == READING_DESCRIBING && g->step == STEP_FENCE &&
            !g->asks_fence)
            g->step++;
        if (g->state == READING_FETCHING && g->step == g->rows_step &&
            !PQsetSingleRowMode(connection_of(g)->pg))
            connection_fail(connection_of(g), "no single-row mode");
    }
}

/* ---- Syncs -------------------------------------------------------------- */

static void described(struct reading *g)
{
    if (!g->error && g->described && PQnparams(g->described) > 0) {
        note_problem(g, STR("the query has parameters ($1), but no values"));
        answer(g, ERR_SQL_FAILED);
    }
    if (!g->error && g->fenced)
        answer(g, ERR_SQL_FAILED);
    if (g->error || !g->read) {
        answer(g, OK); /* the error decides */
        clean(g);
        return;
    }
    fetch(g);
}

/* Nothing to ask for: it is described, and its types are known. */
static bool is_enough(const struct reading *g)
{
    if (g->error || g->fenced || !g->only_describe ||
        PQnparams(g->described) > 0)
        return false;
    struct buf sql;
    buf_init(&sql, NULL);
    bool unknown = column_types_ask(g->pool, g->described, &sql);
    buf_done(&sql);
    return !unknown;
}

/* Whatever ran, the transaction we began must still be there. */
static bool left_its_transaction(const struct reading *g)
{
    PGTransactionStatusType status = PQtransactionStatus(connection_of(g)->pg);
    return status != PQTRANS_INTRANS && status != PQTRANS_INERROR;
}

static bool cleaned(struct reading *g)
{
    if (++g->syncs < 2)
        return false; /* between the two libpq says "active" */
    if (PQtransactionStatus(connection_of(g)->pg) != PQTRANS_IDLE)
        lane_retire(g->job.lane);
    over(g);
    return true;
}

static bool reading_synced(struct job *job)
{
    struct reading *g = (struct reading *)job;
    if (g->state == READING_CLEANING)
        return cleaned(g);
    if (left_its_transaction(g))
        lane_retire(job->lane);
    if (g->state == READING_STOPPING) {
        g->synced = true;
        if (!g->stopper)
            clean(g);
    } else if (g->state == READING_DESCRIBING && !is_enough(g)) {
        described(g);
    } else {
        conclude(g);
        clean(g);
    }
    return false;
}

/* An administrator who ends a query that ran for a while means it, and a crash
 * after a while may be the query's doing: neither is run again. */
static bool may_try_again(const struct reading *g, enum err why)
{
    if (why != ERR_DATABASE_UNAVAILABLE || !g->read)
        return false;
    if (g->state == READING_DESCRIBING)
        return g->tries < MOST_TRIES;
    return g->state == READING_FETCHING && g->runs < MOST_RUNS &&
           !(g->read->options.on_row && g->rows.n) &&
           clock_ms() - g->ran_at < RERUN_MS;
}

static void reading_failed(struct job *job, enum err why, struct str text,
                           bool in_flight)
{
    struct reading *g = (struct reading *)job;
    if (in_flight && may_try_again(g, why)) {
        g->tries++;
        forget_results(g);
        move(g, READING_WAITING);
        pool_submit_first(g->pool, job);
        return;
    }
    note_problem(g, text);
    answer(g, why);
    over(g);
}

static const struct job_kind reading_kind = {.send = reading_send,
                                             .result = reading_result,
                                             .synced = reading_synced,
                                             .failed = reading_failed};

struct reading *reading_new(struct read *r, bool only_describe)
{
    const struct read_options *o = &r->options;
    struct reading *g = mem_new(struct reading);
    g->job.kind = &reading_kind;
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
    g->only_describe = only_describe;
    g->job.patience_ms = o->patient ? g->timeout_ms : 0;
    return g;
}
