/* envelope.h - the SQL around a query that a model wrote. Pure.
 *
 * PostgreSQL has parsed the text already, so it is one statement, and a
 * semicolon outside of quotes and comments can only follow it. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <libpq-fe.h>
#include <stdbool.h>

enum { CELL_CHARS = 65536 };

/* Replaces semicolons outside of quotes and comments by spaces, in place, so
 * that the text can be put into parentheses; positions stay the same. */
void envelope_flatten(char *sql, size_t len);

/* How many characters of one cell are kept: fewer than CELL_CHARS when the
 * columns of one row could exceed max_bytes. */
size_t envelope_cell_chars(int n_columns, size_t max_bytes);

/* Appends select c1, left(c2::text, cell_chars + 1) … from (<sql>) q(c1, c2 …)
 * limit n. Answers the number of characters before the text. */
size_t envelope_wrap(struct buf *out, struct str sql, const Oid *types,
                     int n_columns, size_t cell_chars, int limit);

/* Appends one statement that sets the session's settings for this transaction.
 * An empty schema is "public", an empty time zone is UTC. */
void envelope_settings(struct buf *out, struct str schema, struct str time_zone,
                       unsigned timeout_ms, int server_version);

/* Makes names unique: a second "id" becomes "id_2", or "id_3" when another
 * column is called "id_2". The answer points to `names` or into the arena. */
void envelope_unique_names(struct arena *arena, const char *const *names, int n,
                           struct str *answer);
