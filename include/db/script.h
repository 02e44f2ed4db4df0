/* script.h - SQL scripts on a connection of their own, as an op.
 *
 *   script   one text of several statements in the simple protocol: one
 *            transaction, unless it contains BEGIN and COMMIT
 *   session  a connection kept for several scripts, so that locks, settings
 *            and a transaction last from one to the next
 *
 * For migrations, demo data, roles and databases. Never for text that a model
 * or a user wrote: several statements are allowed here. COPY is refused. */
#pragma once
#include "base/str.h"
#include "loop/flow.h"
#include <libpq-fe.h>

struct session;
/* A session that connects with its first script. The conninfo is copied. */
struct session *session_new(const char *conninfo);
void session_free(void *session); /* For defer. No script may be in flight. */

struct script {
    struct op op;            /* first */
    struct session *session; /* either a session … */
    const char *conninfo;    /* … or an address, for one script alone */
    bool address_from_user;  /* as in pool.h */
    struct str sql;          /* no NUL byte in it */
    uint64_t deadline_ms;    /* 0: 60,000; includes connecting */

    /* After the answer: */
    /* of the last statement with rows, or NULL; freed when the frame ends */
    PGresult *result;
    char sqlstate[6]; /* "" when it is no SQL error */
    /* the database's sentence, or why it could not connect */
    struct str message;
    int position; /* of the error in sql, in characters, from 1; 0: none */
    /* private */
    struct session *own;
    const char *text;
    char problem[256];
};

/* `s` is zeroed frame memory with the first part filled in. Answers OK,
 * ERR_CONFLICT, ERR_TIMEOUT, ERR_DATABASE_UNAVAILABLE, ERR_CANCELLED, or
 * ERR_INTERNAL for other SQL errors (by the classes of query.h; nothing is
 * logged). A script that is cancelled or late loses its connection. */
void script_begin(struct flow *f, struct script *s);
