/* read.h - one query that a model wrote, on somebody else's database.
 *
 * Assumes nothing about the text but that the guard has passed it. The envelope
 * (ARCHITECTURE.md, "Safety of what the model writes"): in one pipeline BEGIN
 * READ ONLY, the session's settings (search_path, time zone, date style,
 * statement_timeout, lock_timeout …), the question whether the text reaches what
 * users have made (src/db/fence.h), Parse and Describe; then the query wrapped
 * as `select left(c1::text, 65537), … from (<sql>) q(c1, …) limit max_rows + 1`
 * in single-row mode; after the answer ROLLBACK and DISCARD ALL, and whatever
 * does not end in a clean session loses its connection.
 *
 * Cells are the database's own text: numbers with all their digits, "t" and "f",
 * ISO dates, times in UTC, bytea as "\x…" in hex. char(n) comes without its
 * padding. Types of variable length, numeric among them, are cut at 65,536
 * characters, or at max_bytes / columns when that is less. The inner order is
 * kept: PostgreSQL does not pull up a subquery that sorts, and hands its rows on
 * as they come, also from parallel workers (Gather Merge).
 *
 * A cancelled read stops the query by pg_cancel_backend on a control connection
 * kept for the source; its connection rests until it has answered, and is closed
 * after 2 s.
 *
 * A read whose connection was lost is tried again on another one: a few times
 * while the query had not run, and once when it had run for less than a second
 * and told no row. All of it takes place within timeout_ms of the first try. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "db/pool.h"
#include "loop/flow.h"

struct read_column {
    struct str name; /* made unique: a second "id" is "id_2" */
    struct str type; /* PostgreSQL's name: "numeric", "timestamptz", "text[]" */
};

struct read;

struct read_options {
    struct pool *source; /* with pipeline 1 */
    struct str sql;      /* copied */
    struct str calls;    /* guard_verdict.calls of the text; copied. Nothing
                               of the text is run when it reaches functions or
                               operators that users have made there */
    bool own;            /* the text is Sextant's own: no calls are told */
    int max_rows;        /* rows kept; one more is asked for; 0: 1000 */
    size_t max_bytes;    /* of all cells kept; the rest is cut; 0: 16 MiB. The
                               first row is always kept */
    unsigned timeout_ms; /* statement_timeout; our own deadline is +1 s, from
                               when the read got its connection; 0: 30,000 */
    bool patient; /* a source that restarts, refuses for the moment or was away
                     for less than timeout_ms is waited for, with back-off */
    struct str search_path; /* schema after pg_catalog; empty: public; copied */
    /* Rows are told as they come and not kept; max_bytes bounds them all. Comes
     * from the loop, never inside a step; the cells (ptr NULL is SQL's NULL) live
     * for the call. A read that has told a row is not tried again. */
    void (*on_row)(struct read *r, const struct str *cells, int n);
    void *who;
};

struct read {
    struct op op; /* first */
    struct read_options options;

    /* After the answer: */
    int n_columns, n_rows;
    bool more_rows;  /* there were more than max_rows (or max_bytes) */
    bool cut_values; /* a value was longer than may be */
    unsigned elapsed_ms;
    char sqlstate[6];
    struct str message; /* the database's sentence, safe for the model */
    struct str hint;
    int position; /* in the text as given, in characters, from 1; 0: not known */

    /* After read_rows, in its arena: */
    struct read_column *columns;
    struct str *cells; /* n_rows * n_columns; ptr NULL is SQL's NULL */

    void *state; /* private */
};

/* Answers OK, ERR_SQL_FAILED (sqlstate and message say why), ERR_TIMEOUT,
 * ERR_DATABASE_UNAVAILABLE, ERR_UNAVAILABLE (too many wait), ERR_CANCELLED,
 * ERR_INTERNAL (the envelope itself was refused; logged). `r` is zeroed frame
 * memory with options filled in. */
void read_begin(struct flow *f, struct read *r);
/* In a step after the answer OK, before the frame ends: copies columns and rows
 * into the arena. Bytes that are not UTF-8 become U+FFFD. */
void read_rows(struct read *r, struct arena *arena);
/* The same, but with cells of the first rows alone: as many as fit `bytes`, and
 * one at least. The number of those rows. */
int read_first_rows(struct read *r, struct arena *arena, size_t bytes);
/* Cell i of all, where it lies until the frame ends: neither ended by a NUL nor
 * surely UTF-8. For those who make something else of many rows. */
struct str read_cell(const struct read *r, size_t i);

/* For on_row: the names of the columns, unique and repaired, in the arena. */
struct str *read_names(const struct read *r, struct arena *arena);
/* Likewise those of their types. */
struct str *read_types(const struct read *r, struct arena *arena);
/* For who cannot take more rows now, from on_row or later: the database waits
 * until there is room again. Its timeout goes on. */
void read_hold(struct read *r, bool held);

/* Only Parse and Describe: does this text plan, and what are its columns? */
void read_describe_begin(struct flow *f, struct read *r);
