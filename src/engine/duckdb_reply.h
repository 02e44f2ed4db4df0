/* duckdb_reply.h - reads the sandbox's answer to POST /query while it arrives:
 *
 *   {"columns": [{"name", "type"}, …], "rows": [[text or null, …], …],
 *    "moreRows", "cutValues", "executionTimeMs", "error"}
 *
 * Pure. The sandbox runs untrusted code, so the answer is not trusted either:
 * its memory is bounded by the limits of the read, and what does not have this
 * form ends it. `columns` comes before `rows`. */
#pragma once
#include "base/buf.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum {
    DUCKDB_COLUMNS = 16384,
    DUCKDB_CELL_BYTES = 4 * 65536 + 16,
    DUCKDB_MEMBER_BYTES = 4 * 1024 * 1024, /* of a member other than rows */
};

enum duckdb_fault { /* the error's kind */
                    DUCKDB_FINE,
                    DUCKDB_POLICY,
                    DUCKDB_SQL,
                    DUCKDB_DATA,
                    DUCKDB_TIMEOUT,
                    DUCKDB_MEMORY,
};

struct duckdb_reply {
    /* In */
    int max_rows;
    size_t max_bytes; /* of all cells; the first row is always kept */
    /* When set, gets each row, which is then not kept. The cells live for the
     * call. */
    void (*on_row)(void *who, const struct str *cells, int n);
    void *who;

    /* Out */
    struct duckdb_column {
        struct str name, type; /* in `texts` */
        bool is_integer;
    } *columns;
    int n_columns, n_rows;
    bool has_columns, more_rows, cut_values;
    int elapsed_ms;
    enum duckdb_fault fault;
    struct str message; /* in `texts` */
    int position;
    const char *problem; /* why it is not such an answer; NULL: it is, so far */

    /* private */
    enum {
        DUCKDB_AT_START,
        DUCKDB_AT_KEY,      /* a key, or the end of the object */
        DUCKDB_AT_NEXT_KEY, /* after a comma */
        DUCKDB_IN_KEY,
        DUCKDB_AT_COLON,
        DUCKDB_AT_VALUE,
        DUCKDB_IN_MEMBER,
        DUCKDB_AFTER_MEMBER,
        DUCKDB_AT_ROW,       /* a row, or the end of the rows */
        DUCKDB_AT_NEXT_ROW,  /* after a comma */
        DUCKDB_AT_CELL,      /* a cell, or the end of an empty row */
        DUCKDB_AT_NEXT_CELL, /* after a comma */
        DUCKDB_IN_CELL,
        DUCKDB_IN_NULL,
        DUCKDB_AFTER_CELL,
        DUCKDB_AFTER_ROW,
        DUCKDB_AT_END,
    } state;
    char key[32];
    size_t n_key, n_null;
    bool seen_rows;
    /* of a member */
    struct buf member;
    int depth;
    bool in_string, escaped;
    /* of a cell: an escape, and the first half of a surrogate pair */
    char escape[6];
    size_t n_escape;
    unsigned high;
    /* of the row: kept unless it is beyond a limit */
    bool drops;
    int n_cells;
    size_t row_at, cell_at, handed;
    struct buf bytes, texts;
    struct duckdb_cell {
        size_t at, len;
        bool null;
    } *cells;
    size_t n_kept, capacity;
    struct str *handing; /* the cells for on_row */
};

/* Takes the next bytes. False: they do not belong to such an answer, and
 * `problem` says why. */
bool duckdb_reply_take(struct duckdb_reply *r, struct str bytes);
/* Whether the answer is whole. */
bool duckdb_reply_is_whole(const struct duckdb_reply *r);
/* Cell i of the kept rows; ptr NULL is SQL's NULL. Lives until
 * duckdb_reply_done. */
struct str duckdb_reply_cell(const struct duckdb_reply *r, size_t i);
/* Frees all; it is empty again, and keeps what is under "In". */
void duckdb_reply_done(struct duckdb_reply *r);
