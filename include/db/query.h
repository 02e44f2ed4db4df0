/* query.h - one statement on a pool of connections to the system database.
 *
 *   pool    connections to one database; queries wait in order when all are
 *           busy, each within its own deadline
 *   query   one prepared statement with text parameters and its rows, as an op
 *
 * A statement is prepared once per connection (unless the pool says unprepared)
 * and is identified by its address: `struct statement` is static. Several
 * queries share a connection in pipeline mode, and each is a transaction of its
 * own; what must be atomic is one statement (a CTE, or a function in sql/). */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "db/pool.h"
#include "loop/flow.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct statement {
    const char *sql;  /* $1, $2 …; with casts where the type is not clear */
    const char *name; /* short and unique: "chats.list" */
    /* it may run twice: a plain select, or an update to a fixed value. Then a
     * lost connection is no failure */
    bool again;
    /* it goes before queries that wait: for a few of our own on which much
     * depends */
    bool urgent;
    /* one plan for all parameters. PostgreSQL makes another for each page of a
     * long list, because it takes an unknown limit for a tenth of the rows */
    bool one_plan;
};

/* Parameters are text, or NULL for SQL's NULL; the first may be binary. They
 * must live until the answer. */
enum { QUERY_MAX_PARAMS = 32 };

struct query {
    struct op op; /* first */
    struct pool *pool;
    const struct statement *statement;
    const char *params[QUERY_MAX_PARAMS];
    int n_params;
    int bytes; /* size of the first parameter when it is binary, else 0 */
    uint64_t deadline_ms; /* 0: the pool's */

    /* After the answer: */
    PGresult *result; /* query_begin defers query_done, which frees it */
    int n_rows;
    int64_t affected;   /* rows changed */
    char sqlstate[6];   /* "" when it is no SQL error */
    struct str message; /* the database's sentence: for logs, not for users */
    /* private */
    struct job job;
    uint8_t tries;
};

/* `q` is zeroed arena memory (here or keep) with pool, statement and params
 * filled in. Answers
 *
 *   OK
 *   ERR_CONFLICT              unique, exclusion or foreign key violation
 *   ERR_TIMEOUT               its deadline, or a timeout of the database
 *   ERR_DATABASE_UNAVAILABLE  no connection, or it was lost; classes 08, 40
 *                             (twice), 53, 57, 58, and a database that has
 *                             become read-only
 *   ERR_UNAVAILABLE           too many queries wait
 *   ERR_CANCELLED
 *   ERR_INTERNAL              any other SQL error (logged)
 *
 * It is retried when the first try cannot have changed anything: it was not
 * sent, a deadlock undid it, its prepared statement was stale, or the statement
 * says `again`. A query that was cancelled or timed out here may still take
 * effect. */
void query_begin(struct flow *f, struct query *q);
/* Frees the result. query_begin defers it. */
void query_done(void *query);
/* True when the database answered this SQLSTATE. */
#define SQLSTATE_READ_ONLY "25006" /* a write in a read-only database */
bool query_failed_with(const struct query *q, const char *sqlstate);

/* For the usual case:
 *
 *   struct query *q = query_new(f, pool, &statement);
 *   query_str(f, q, id); query_int(f, q, 5); query_begin(f, q);
 *   return await(f, rows_fetched);
 *
 * The memory belongs to the frame. */
struct query *query_new(struct flow *f, struct pool *pool,
                        const struct statement *statement);
void query_text(struct query *q, const char *text_or_null);    /* not copied */
void query_str(struct flow *f, struct query *q, struct str s); /* copied */
/* A bytea, not copied; it must be the first parameter, and not empty. */
void query_bytes(struct query *q, struct str bytes);
/* Adds a number, formatted into the frame's memory. */
void query_int(struct flow *f, struct query *q, int64_t n);
/* Adds a boolean. */
void query_bool(struct query *q, bool b);
/* Adds SQL's NULL. */
void query_null(struct query *q);
