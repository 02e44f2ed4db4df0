/* read.h - one query that a model wrote, on a source.
 *
 * It assumes only that the guard has passed the text. The envelope
 * (docs/architecture.md, "Safety") sends in one pipeline: BEGIN READ ONLY, the
 * session's settings (search_path, time zone, date style, statement_timeout,
 * lock_timeout …), the question whether the text reaches code that users have
 * defined (src/db/user_code.h), Parse and Describe. Then it sends the query
 * wrapped as `select left(c1::text, 65537), … from (<sql>) q(c1, …) limit
 * max_rows + 1` in single-row mode. After the answer it sends ROLLBACK and
 * DISCARD ALL; a session that is not clean afterwards loses its connection.
 *
 * Cells are the database's own text: numbers with all their digits, "t" and
 * "f", ISO dates, times with a zone in that of the pool (UTC
 * unless it has one), bytea as "\x…" in hex. char(n) comes without
 * its padding. Types of variable length, including numeric, are cut at 65,536
 * characters, or at max_bytes / columns when that is less. The order of the
 * inner query is kept: PostgreSQL does not pull up a subquery that sorts, and
 * passes its rows on as they come, also from parallel workers (Gather Merge).
 *
 * A plan (`explain`) is described and fetched by the same steps: the text is
 * prepared as `explain (format json, verbose) <sql>`, and not wrapped.
 *
 * A cancelled read stops the query by pg_cancel_backend on the source's control
 * connection. Its own connection waits for the end of the query, and is closed
 * after 2 s.
 *
 * A read whose connection was lost is retried on another one: a few times while
 * the query had not run, and once when it had run for less than a second and no
 * row had been handed out. All tries together take at most timeout_ms. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "db/source.h"
#include "loop/flow.h"

struct read_column {
    struct str name; /* made unique: a second "id" becomes "id_2" */
    struct str type; /* PostgreSQL's name: "numeric", "timestamptz", "text[]" */
};

struct read;

struct read_options {
    struct source *source;
    struct str sql; /* copied */
    /* guard_verdict.calls of the text; copied. The text does not run when it
     * reaches functions or operators that users have defined */
    struct str calls;
    bool own; /* the text is Sextant's own, and has no calls */
    /* The plan of the text instead of its rows, as one cell of JSON in the
     * engine's form: the same fences, but nothing is executed */
    bool explain;
    int max_rows; /* rows to keep; one more is fetched; 0: 1000 */
    /* of all cells kept; the rest is dropped; 0: 16 MiB. The first row is
     * always kept */
    size_t max_bytes;
    /* statement_timeout; the op's own deadline is 1 s later, counted from when
     * the read got its connection; 0: 30,000 */
    unsigned timeout_ms;
    /* waits, with backoff, for a source that restarts, refuses for the moment
     * or has been away for less than timeout_ms */
    bool patient;
    struct str search_path; /* schema after pg_catalog; empty: public; copied */
    /* When set, rows are handed out as they come and not kept; max_bytes bounds
     * their sum. It is called from the loop, never inside a step. The cells
     * live for the call (ptr NULL is SQL's NULL). A read that has handed out a
     * row is not retried. */
    void (*on_row)(struct read *r, const struct str *cells, int n);
    void *who;
    /* who asks, for a source that shares its capacity fairly among users; may
     * be empty; copied */
    struct str user_id;
};

struct read {
    struct op op; /* first */
    struct read_options options;

    /* After the answer: */
    int n_columns, n_rows;
    bool more_rows;  /* there were more than max_rows (or max_bytes) */
    bool cut_values; /* a value was cut */
    unsigned elapsed_ms;
    char sqlstate[6];
    struct str message; /* the database's sentence, safe for the model */
    struct str hint;
    /* of the error in the given text, in characters, from 1; 0: not known */
    int position;

    /* After read_rows, in its arena: */
    struct read_column *columns;
    struct str *cells; /* n_rows * n_columns; ptr NULL is SQL's NULL */

    void *state; /* private */
};

/* Answers OK, ERR_SQL_FAILED (sqlstate and message say why), ERR_SQL_REFUSED
 * (only files: the engine does not allow the text, and message says why),
 * ERR_TIMEOUT, ERR_DATABASE_UNAVAILABLE, ERR_UNAVAILABLE (too many wait), ERR_CANCELLED, or
 * ERR_INTERNAL (the database refused the envelope itself; logged). `r` is
 * zeroed frame memory with options filled in. */
void read_begin(struct flow *f, struct read *r);
/* Copies columns and rows into the arena; in a step after the answer OK, before
 * the frame ends. Bytes that are not UTF-8 become U+FFFD. */
void read_rows(struct read *r, struct arena *arena);
/* The same for the first rows only: as many as fit into `bytes`, and at least
 * one. Answers their number. */
int read_first_rows(struct read *r, struct arena *arena, size_t bytes);
/* Cell i in the read's own memory, until the frame ends. It is not terminated
 * by a NUL, and may be invalid UTF-8. For callers that transform many rows. */
struct str read_cell(const struct read *r, size_t i);

/* For on_row: the names of the columns, unique and valid UTF-8, in the
 * arena. */
struct str *read_names(const struct read *r, struct arena *arena);
/* The names of their types, in the arena. */
struct str *read_types(const struct read *r, struct arena *arena);
/* Pauses or resumes reading, for a caller that cannot take more rows now; from
 * on_row or later. The database waits meanwhile, but the timeout goes on. */
void read_hold(struct read *r, bool held);
