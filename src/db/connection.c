/* connection.c - see connection.h. The happy path: connection_open looks up the
 * host (endpoint.c), connection_start and connection_step take libpq through
 * its handshake, connection_established makes it idle; then connection_input
 * passes results to the owner until it settles. */
#include "connection.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "sqlstate.h"
#include <assert.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include "base/banned.h"

void (*connection_on_move)(enum pg_connection_state from,
                           enum pg_connection_state to);

/* ---- states -------------------------------------------------------------- */

#define TO(state) (1u << CONNECTION_##state)
static const unsigned allowed[CONNECTION_STATES] = {
    [CONNECTION_NEW] = TO(RESOLVING) | TO(CONNECTING) | TO(CLOSING),
    [CONNECTION_RESOLVING] = TO(CONNECTING) | TO(CLOSING),
    [CONNECTION_CONNECTING] = TO(IDLE) | TO(CLOSING),
    [CONNECTION_IDLE] = TO(BUSY) | TO(CLOSING),
    [CONNECTION_BUSY] = TO(IDLE) | TO(RESTING) | TO(CLOSING),
    [CONNECTION_RESTING] = TO(IDLE) | TO(BUSY) | TO(CLOSING),
    [CONNECTION_CLOSING] = 0,
};
#undef TO

const char *connection_state_name(enum pg_connection_state state)
{
    static const char *const names[CONNECTION_STATES] = {
        "new", "resolving", "connecting", "idle", "busy", "resting", "closing"};
    return names[state];
}

static void connection_move(struct pg_connection *c,
                            enum pg_connection_state to)
{
    assert((allowed[c->state] & (1u << to)) &&
           "a change of state that the table forbids");
    log_line(LOG_DEBUG, "connection state", "%s: %s -> %s", c->name,
             connection_state_name(c->state), connection_state_name(to));
    if (connection_on_move)
        connection_on_move(c->state, to);
    c->state = to;
}

/* ---- watching the socket ------------------------------------------------- */

static void on_poll(uv_poll_t *handle, int status, int events);

static void free_handle(uv_handle_t *handle)
{
    mem_free(handle);
}

static void connection_unwatch(struct pg_connection *c)
{
    if (!c->poll)
        return;
    c->poll->data = NULL;
    uv_close((uv_handle_t *)c->poll, free_handle);
    c->poll = NULL;
    c->watched = 0;
}

static void connection_watch(struct pg_connection *c, int events)
{
    if (!c->poll) {
        uv_poll_t *poll = mem_new(uv_poll_t);
        if (uv_poll_init(loop_uv(), poll, PQsocket(c->pg)) != 0) {
            mem_free(poll);
            connection_fail(c, "its socket cannot be watched");
            return;
        }
        poll->data = c;
        c->poll = poll;
    }
    if (events != c->watched)
        uv_poll_start(c->poll, events, on_poll);
    c->watched = events;
}

/* ---- ending -------------------------------------------------------------- */

static void connection_release(struct pg_connection *c)
{
    if (c->anchored || c->endpoint.in_flight)
        return; /* the other one will call this again */
    endpoint_done(&c->endpoint);
    mem_free(c);
}

static void on_anchor_closed(uv_handle_t *handle)
{
    struct pg_connection *c = handle->data;
    c->anchored = false;
    connection_release(c);
}

static void connection_finish(struct pg_connection *c)
{
    connection_move(c, CONNECTION_CLOSING);
    timer_stop(&c->timer);
    connection_unwatch(c); /* before PQfinish closes the descriptor */
    if (c->pg)
        PQfinish(c->pg);
    c->pg = NULL;
    endpoint_stop(&c->endpoint);
    uv_close((uv_handle_t *)&c->anchor, on_anchor_closed);
}

void connection_close(struct pg_connection *c)
{
    if (c->state != CONNECTION_CLOSING)
        connection_finish(c);
}

/* Keeps one line of libpq's message: the last one when several addresses were
 * tried. A user does not see paths of this machine. */
static void connection_note_why(struct pg_connection *c, const char *why)
{
    static const char socket[] = "connection to server on socket \"";
    for (const char *at = why; (at = strstr(at, "\nconnection to server"));)
        why = ++at;
    const char *start = "", *end;
    if (c->endpoint.no_link_local &&
        strncmp(why, socket, sizeof socket - 1) == 0 &&
        (end = strstr(why, "\" failed"))) {
        start = "connection to server on its socket";
        why = end + 1;
    }
    size_t len = strcspn(why, "\n");
    snprintf(c->why, sizeof c->why, "%s%.*s", start, (int)len, why);
}

static void connection_lose(struct pg_connection *c, const char *why)
{
    if (c->state == CONNECTION_CLOSING)
        return; /* its owner has closed it */
    connection_note_why(c, why);
    connection_finish(c);
    c->events->lost(c);
}

static struct pg_connection *connection_of_timer(struct timer *t)
{
    return container_of(t, struct pg_connection, timer);
}

static void on_failure(struct timer *t)
{
    struct pg_connection *c = connection_of_timer(t);
    char why[sizeof c->why];
    memcpy(why, c->why, sizeof why);
    connection_lose(c, why);
}

void connection_fail(struct pg_connection *c, const char *why)
{
    if (c->failing || c->state == CONNECTION_CLOSING)
        return;
    connection_note_why(c, why);
    c->failing = true;
    timer_start(&c->timer, 0, on_failure);
}

/* ---- connecting ---------------------------------------------------------- */

static void drop_notice(void *who, const PGresult *notice)
{
    struct pg_connection *c = who;
    const char *state = PQresultErrorField(notice, PG_DIAG_SQLSTATE);
    log_line(LOG_DEBUG, "database notice", "%s: %s", c->name,
             state ? state : "?");
}

static void connection_established(struct pg_connection *c)
{
    timer_stop(&c->timer);
    PQsetErrorVerbosity(c->pg, PQERRORS_DEFAULT);
    PQsetnonblocking(c->pg, 1);
    if (c->pipeline)
        PQenterPipelineMode(c->pg);
    connection_move(c, CONNECTION_IDLE);
    connection_watch(c, UV_READABLE);
    c->events->up(c);
}

/* PostgreSQL reports it when a session begins. */
static bool is_superuser(const struct pg_connection *c)
{
    const char *value = PQparameterStatus(c->pg, "is_superuser");
    return value && !strcmp(value, "on");
}

static void connection_lose_for_good(struct pg_connection *c, const char *why)
{
    c->permanent = true;
    connection_lose(c, why);
}

/* Takes the SQLSTATE out of libpq's verbose message, the only place where a
 * refused connection has it: "… failed: FATAL: 57P03: the database system is
 * starting up". */
static void sqlstate_extract(char *why, char state[6])
{
    state[0] = 0;
    for (char *at = why; (at = strstr(at, ":  ")); at += 3) {
        char *code = at + 3;
        if (strspn(code, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 5 ||
            strncmp(code + 5, ": ", 2) != 0)
            continue;
        memcpy(state, code, 5);
        state[5] = 0;
        memmove(code, code + 7, strlen(code + 7) + 1);
        return;
    }
}

/* A server that cannot be reached, or that refuses for the moment (it
 * starts, stops or is full), may accept a connection later. Other refusals
 * are permanent. */
static void connection_refused(struct pg_connection *c, ConnStatusType stage)
{
    char state[6], why[sizeof c->why];
    connection_note_why(c, PQerrorMessage(c->pg));
    memcpy(why, c->why, sizeof why);
    sqlstate_extract(why, state);
    c->refused_by_server = state[0] != 0;
    if (state[0])
        c->permanent = sqlstate_err(state) != ERR_DATABASE_UNAVAILABLE;
    else
        c->permanent = stage != CONNECTION_STARTED &&
                       stage != CONNECTION_MADE &&
                       stage != CONNECTION_AWAITING_RESPONSE;
    connection_lose(c, why);
}

/* libpq may change its socket in each step, also to one of the same number. */
static void connection_step(struct pg_connection *c)
{
    ConnStatusType stage = PQstatus(c->pg);
    connection_unwatch(c);
    switch (PQconnectPoll(c->pg)) {
    case PGRES_POLLING_READING:
        connection_watch(c, UV_READABLE);
        break;
    case PGRES_POLLING_WRITING:
        connection_watch(c, UV_WRITABLE);
        break;
    case PGRES_POLLING_OK:
        if (c->no_superuser && is_superuser(c))
            connection_lose_for_good(
                c, "its role is a superuser, and nothing that a "
                   "model writes should run as one");
        else
            connection_established(c);
        break;
    default:
        connection_refused(c, stage);
    }
}

static void connection_start(struct pg_connection *c)
{
    connection_move(c, CONNECTION_CONNECTING);
    c->pg = endpoint_connect(&c->endpoint);
    if (!c->pg || PQstatus(c->pg) == CONNECTION_BAD) {
        const char *why = c->pg ? PQerrorMessage(c->pg) : "out of memory";
        c->permanent = strncmp(why, "connection to server", 20) != 0;
        connection_fail(c, why);
        return;
    }
    PQsetNoticeReceiver(c->pg, drop_notice, c);
    PQsetErrorVerbosity(c->pg, PQERRORS_VERBOSE); /* for the SQLSTATE */
    connection_watch(c, UV_WRITABLE);
}

static void on_endpoint(struct endpoint *e, const char *problem)
{
    struct pg_connection *c = e->who;
    if (c->state == CONNECTION_CLOSING)
        connection_release(c);
    else if (problem)
        connection_lose_for_good(c, problem);
    else
        connection_start(c);
}

static void on_connect_late(struct timer *t)
{
    struct pg_connection *c = connection_of_timer(t);
    connection_lose_for_good(c, c->state == CONNECTION_RESOLVING
                                    ? "the host name was not looked up in time"
                                    : "the database did not answer in time");
}

struct pg_connection *connection_open(const struct connection_options *options)
{
    struct pg_connection *c = mem_new(struct pg_connection);
    c->events = options->events;
    c->who = options->who;
    c->pipeline = options->pipeline;
    c->no_superuser = options->no_superuser;
    snprintf(c->name, sizeof c->name, "%s", options->name);
    uv_prepare_init(loop_uv(), &c->anchor);
    c->anchor.data = c;
    c->anchored = true;
    timer_start(&c->timer, options->connect_ms, on_connect_late);
    c->endpoint.done = on_endpoint;
    c->endpoint.who = c;
    c->endpoint.no_link_local = options->address_from_user;
    char problem[128];
    switch (endpoint_open(&c->endpoint, options->conninfo, problem,
                          sizeof problem)) {
    case ENDPOINT_KNOWN:
        connection_start(c);
        break;
    case ENDPOINT_WAITS:
        connection_move(c, CONNECTION_RESOLVING);
        break;
    case ENDPOINT_BAD:
        c->permanent = true;
        connection_fail(c, problem);
    }
    return c;
}

/* ---- results ------------------------------------------------------------- */

static bool is_copy(const PGresult *r)
{
    ExecStatusType status = PQresultStatus(r);
    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT ||
           status == PGRES_COPY_BOTH;
}

static bool is_talking(const struct pg_connection *c)
{
    return c->state == CONNECTION_BUSY || c->state == CONNECTION_RESTING;
}

/* Calls PQgetResult only when it cannot block. `gone`: the socket is dead, and
 * only what had arrived for the current statement is taken. */
static void connection_take_results(struct pg_connection *c, bool gone)
{
    bool more = true;
    while (more && !c->held && is_talking(c) && !PQisBusy(c->pg)) {
        PGresult *r = PQgetResult(c->pg);
        if (r && is_copy(r)) {
            PQclear(r);
            connection_fail(c, "COPY is not supported");
            return;
        }
        if (r && PQresultStatus(r) == PGRES_PIPELINE_SYNC)
            c->syncs--;
        bool null = !r;
        c->events->result(c, r);
        more = c->pipeline ? c->syncs > 0 : !null;
        if (gone && null)
            more = false;
    }
}

static void connection_take_notifications(struct pg_connection *c)
{
    PGnotify *n;
    while (c->pg && (n = PQnotifies(c->pg))) {
        if (c->events->notified)
            c->events->notified(c, n->relname, n->extra);
        PQfreemem(n);
    }
}

/* Bytes that TLS has decrypted already do not make the socket readable
 * again. */
static bool input_waits(const struct pg_connection *c)
{
    SSL *ssl = c->pg ? PQsslStruct(c->pg, "OpenSSL") : NULL;
    return ssl && SSL_pending(ssl) > 0;
}

static void connection_input(struct pg_connection *c)
{
    do {
        bool gone = !PQconsumeInput(c->pg);
        connection_take_results(c, gone);
        connection_take_notifications(c);
        if (c->pg && (gone || PQstatus(c->pg) == CONNECTION_BAD))
            connection_lose(c, PQerrorMessage(c->pg));
    } while (!c->held && input_waits(c));
}

static void connection_flush(struct pg_connection *c)
{
    int rc = PQflush(c->pg);
    if (rc < 0)
        connection_fail(c, PQerrorMessage(c->pg));
    else
        connection_watch(c,
                         (c->held ? 0 : UV_READABLE) | (rc ? UV_WRITABLE : 0));
}

static void on_poll(uv_poll_t *handle, int status, int events)
{
    struct pg_connection *c = handle->data;
    (void)events;
    if (!c)
        return;
    if (c->state == CONNECTION_CONNECTING) {
        connection_step(c);
        return;
    }
    connection_input(c);
    if (c->state == CONNECTION_CLOSING)
        return;
    if (status < 0)
        connection_lose(c, "its socket failed");
    else
        connection_flush(c);
}

/* ---- the owner's side ---------------------------------------------------- */

void connection_send(struct pg_connection *c)
{
    if (c->state == CONNECTION_IDLE)
        connection_move(c, CONNECTION_BUSY);
    if (c->pipeline) {
        if (!PQpipelineSync(c->pg)) {
            connection_fail(c, PQerrorMessage(c->pg));
            return;
        }
        c->syncs++;
    }
    connection_flush(c);
}

void connection_query(struct pg_connection *c, const char *sql)
{
    if (PQsendQuery(c->pg, sql))
        connection_send(c);
    else
        connection_fail(c, PQerrorMessage(c->pg));
}

/* A socket is writable at once, so watching for that makes the loop take what
 * libpq holds already. */
void connection_hold(struct pg_connection *c, bool held)
{
    if (held == c->held || c->state == CONNECTION_CLOSING)
        return;
    c->held = held;
    connection_watch(c, held ? 0 : UV_READABLE | UV_WRITABLE);
}

void connection_settle(struct pg_connection *c)
{
    c->held = false;
    if (c->state == CONNECTION_RESTING && !c->failing)
        timer_stop(&c->timer);
    connection_move(c, CONNECTION_IDLE);
}

static void on_rest_over(struct timer *t)
{
    connection_lose(connection_of_timer(t), "it did not finish in time");
}

void connection_rest(struct pg_connection *c, unsigned ms)
{
    if (c->state == CONNECTION_BUSY)
        connection_move(c, CONNECTION_RESTING);
    if (!c->failing)
        timer_start(&c->timer, ms, on_rest_over);
}

void connection_resume(struct pg_connection *c)
{
    if (!c->failing)
        timer_stop(&c->timer);
    connection_move(c, CONNECTION_BUSY);
}

/* Unread data on an idle connection is its end, or the error before it. Over
 * TLS it may be a session ticket, so only the end counts there. */
bool connection_stale(const struct pg_connection *c)
{
    char first;
    ssize_t n = recv(PQsocket(c->pg), &first, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n == 1 && first == 'E' && !PQsslInUse(c->pg));
}
