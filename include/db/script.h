/* script.h - SQL scripts over a connection of their own, as an op.
 *
 *   script   one text of several statements in the simple protocol: one
 *            transaction, unless it says begin and commit itself
 *   session  a connection kept for several scripts, so that locks, settings
 *            and a transaction live from one to the next
 *
 * For migrations, demo data, roles and databases. Never for text that a model
 * or a user wrote: nothing here keeps it to one statement. COPY is refused. */
#pragma once
#include "base/str.h"
#include "loop/flow.h"
#include <libpq-fe.h>

struct session;
/* Connects with its first script. The conninfo is copied. */
struct session *session_new(const char *conninfo);
void session_free(void *session); /* for defer; no script in flight */

struct script {
    struct op op;            /* first */
    struct session *session; /* either this … */
    const char *conninfo;    /* … or this, for one script alone */
    bool of_a_user;          /* as in pool.h */
    struct str sql;          /* no NUL byte in it */
    uint64_t deadline_ms;    /* 0: 60,000; includes connecting */

    /* After the answer: */
    PGresult *result;   /* of the last statement with rows, or NULL; freed when
                           the frame ends */
    char sqlstate[6];   /* "" when it is no SQL error */
    struct str message; /* the database's, or why there is no connection */
    int position; /* of the error in sql, in characters, from 1; 0: none */
    /* private */
    struct session *own;
    const char *text;
    char problem[256];
};

/* `s` is zeroed frame memory with the first part filled in. Answers OK,
 * ERR_CONFLICT, ERR_TIMEOUT, ERR_DATABASE_UNAVAILABLE, ERR_CANCELLED, or
 * ERR_INTERNAL for other SQL errors (query.h's classes; nothing is logged).
 * A script that is cancelled or late loses its connection. */
void script_begin(struct flow *f, struct script *s);
