/* script.c - see script.h. A session connects with its first script; on_result
 * keeps the last rows and the first error until the script is answered. */
#include "db/script.h"
#include "base/mem.h"
#include "connection.h"
#include "sqlstate.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

enum { DEADLINE_MS = 60000 };

struct session {
    char *conninfo;
    struct pg_connection *connection; /* NULL: not connected yet, or lost */
    struct script *script;            /* NULL: none in flight */
    bool greeting;
};

static void session_answer(struct session *session, enum err how)
{
    struct script *s = session->script;
    session->script = NULL;
    op_complete(&s->op, how);
}

/* A backend whose client is gone should not go on with the script for long. */
static void on_up(struct pg_connection *c)
{
    struct session *session = c->who;
    session->greeting = PQserverVersion(c->pg) >= 140000;
    connection_query(c, session->greeting
                            ? "set client_connection_check_interval = '2s'"
                            : session->script->text);
}

static void script_note_error(struct script *s, PGresult *r)
{
    const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    const char *position = PQresultErrorField(r, PG_DIAG_STATEMENT_POSITION);
    int64_t n = 0;
    snprintf(s->sqlstate, sizeof s->sqlstate, "%s", state ? state : "");
    snprintf(s->problem, sizeof s->problem, "%s",
             message ? message : PQresultErrorMessage(r));
    s->message = str_of(s->problem);
    str_to_int64(str_of(position), &n);
    s->position = (int)n;
}

static void script_take_result(struct script *s, PGresult *r)
{
    if (PQresultStatus(r) == PGRES_FATAL_ERROR && !s->message.ptr)
        script_note_error(s, r);
    if (PQresultStatus(r) == PGRES_TUPLES_OK) {
        PQclear(s->result);
        s->result = r;
    } else {
        PQclear(r);
    }
}

static void on_result(struct pg_connection *c, PGresult *r)
{
    struct session *session = c->who;
    struct script *s = session->script;
    if (session->greeting) {
        PQclear(r);
        if (!r) {
            session->greeting = false;
            connection_query(c, s->text);
        }
    } else if (r) {
        script_take_result(s, r);
    } else {
        connection_settle(c);
        session_answer(session,
                       s->message.ptr ? sqlstate_err(s->sqlstate) : OK);
    }
}

static void on_lost(struct pg_connection *c)
{
    struct session *session = c->who;
    struct script *s = session->script;
    session->connection = NULL;
    if (!s)
        return;
    if (!s->message.ptr) {
        snprintf(s->problem, sizeof s->problem, "%s", c->why);
        s->message = str_of(s->problem);
    }
    session_answer(session, ERR_DATABASE_UNAVAILABLE);
}

static const struct connection_events events = {
    .up = on_up, .result = on_result, .lost = on_lost};

struct session *session_new(const char *conninfo)
{
    struct session *session = mem_new(struct session);
    session->conninfo = mem_copy(conninfo, strlen(conninfo));
    return session;
}

void session_free(void *what)
{
    struct session *session = what;
    assert(!session->script && "a script outlives its session");
    if (session->connection)
        connection_close(session->connection);
    explicit_bzero(session->conninfo, strlen(session->conninfo));
    mem_free(session->conninfo);
    mem_free(session);
}

static void script_done(void *what)
{
    struct script *s = what;
    PQclear(s->result);
    s->result = NULL;
    if (s->own)
        session_free(s->own);
    s->own = NULL;
}

static void script_cancel(struct op *op)
{
    struct session *session = ((struct script *)op)->session;
    connection_close(session->connection);
    session->connection = NULL;
    session_answer(session, ERR_CANCELLED);
}

void script_begin(struct flow *f, struct script *s)
{
    assert(!memchr(s->sql.ptr, 0, s->sql.len) && "a NUL in a script");
    s->text = arena_cstr(flow_here(f), s->sql);
    defer(f, script_done, s);
    if (!s->session)
        s->session = s->own = session_new(s->conninfo);
    struct session *session = s->session;
    assert(!session->script && "one script at a time");
    begin(f, &s->op, "script", script_cancel);
    op_deadline(&s->op, s->deadline_ms ? s->deadline_ms : DEADLINE_MS);
    session->script = s;
    if (session->connection) {
        connection_query(session->connection, s->text);
        return;
    }
    session->connection = connection_open(
        &(struct connection_options){.name = "script",
                                     .conninfo = session->conninfo,
                                     .connect_ms = 10000,
                                     .address_from_user = s->address_from_user,
                                     .events = &events,
                                     .who = session});
}
