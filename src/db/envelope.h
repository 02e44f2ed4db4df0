/* envelope.h - the SQL put around a query that a model wrote. Pure.
 *
 * The text is assumed to have passed Parse as it is: so it holds one statement,
 * and a semicolon outside of quotes and comments can only stand behind it. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <libpq-fe.h>
#include <stdbool.h>

enum { CELL_CHARS = 65536 };

/* Turns semicolons outside of quotes and comments into spaces, in place, so
 * that the text can stand in parentheses; positions stay. */
void envelope_flatten(char *sql, size_t len);

/* Characters kept of one cell: fewer than CELL_CHARS when so many columns could
 * exceed max_bytes in one row. */
size_t envelope_cell_chars(int n_columns, size_t max_bytes);

/* select c1, left(c2::text, cell_chars + 1) … from (<sql>) q(c1, c2 …) limit n.
 * Answers the characters that stand before the text. */
size_t envelope_wrap(struct buf *out, struct str sql, const Oid *types,
                     int n_columns, size_t cell_chars, int limit);

/* One statement that fixes the session for this transaction alone. */
void envelope_settings(struct buf *out, struct str schema, unsigned timeout_ms,
                       int server_version);

/* Makes names unique: a second "id" is "id_2", or "id_3" when a column is called
 * "id_2". The answer points at names or into the arena. */
void envelope_unique_names(struct arena *arena, const char *const *names, int n,
                           struct str *answer);
