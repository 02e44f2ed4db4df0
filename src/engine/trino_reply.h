/* trino_reply.h - reads the pages in which Trino answers a statement
 * (https://trino.io/docs/current/develop/client-protocol.html):
 *
 *   {"id", "nextUri", "columns": [{"name", "type", "typeSignature"}, …],
 *    "data": [[value, …], …], "stats", "error": {"message", "errorName", …}}
 *
 * Pure. The server is somebody else's, so its pages are not trusted: what is
 * kept is bounded by the limits of the read, and what does not have this form
 * ends it.
 *
 * Cells get the form that PostgreSQL gives them (db/read.h): decimals with all
 * their digits, "t" and "f", "\x…", times without trailing zeros, UTC as "+00".
 * A time keeps a zone that has a name ("2024-05-01 10:00:00 Europe/Berlin").
 * Arrays, maps and rows are JSON. */
#pragma once
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum {
    TRINO_COLUMNS = 4096,
    TRINO_CELL_CHARS = 65536,
    TRINO_URI_BYTES = 2048,
    TRINO_MESSAGE_BYTES = 2000,
};

/* What an error means; trino_faults in trino_reply.c says which of Trino's. */
enum trino_fault {
    TRINO_FINE,
    TRINO_SQL,      /* the text is wrong */
    TRINO_DATA,     /* a value is: a division by zero */
    TRINO_DENIED,   /* the user may not do that */
    TRINO_TIMEOUT,  /* a time limit was exceeded */
    TRINO_STOPPED,  /* an administrator or a cancel ended it */
    TRINO_LIMIT,    /* too large for the cluster */
    TRINO_STARTING, /* the cluster is not yet ready */
    TRINO_FAILED,   /* the cluster or a database below it failed */
};

struct trino_column {
    struct str name, type; /* the type in our words: "numeric", "json" */
    json_t *signature;     /* the type in Trino's */
};

struct trino_reply {
    /* In */
    int max_rows;
    size_t max_bytes; /* of all cells; the first row is always kept */
    /* When set, gets each row, which is then not kept. The cells live for the
     * call. */
    void (*on_row)(void *who, const struct str *cells, int n);
    void *who;

    /* Out */
    struct trino_column *columns;
    int n_columns, n_rows;
    bool has_columns, more_rows, cut_values;
    struct buf next_uri; /* of the last page; empty: it was the last one */
    enum trino_fault fault;
    struct buf message;  /* Trino's own; one line */
    const char *problem; /* why it is no such page; NULL: it is */

    /* private */
    json_t *described; /* the columns as Trino sent them */
    struct buf bytes;
    struct trino_cell {
        size_t at, len;
        bool null;
    } *cells;
    size_t n_kept, capacity, handed;
    struct str *handing;
};

/* Takes a page. False: it is none, and `problem` says why. */
bool trino_reply_take(struct trino_reply *r, struct str page);
/* Whether all rows are there that the read wants. */
bool trino_reply_is_full(const struct trino_reply *r);
/* Cell i of the kept rows; ptr NULL is SQL's NULL. Lives until the next page. */
struct str trino_reply_cell(const struct trino_reply *r, size_t i);
/* Frees all; it is empty again, and keeps what is under "In". */
void trino_reply_done(struct trino_reply *r);
