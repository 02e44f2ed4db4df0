/* sql_scan.h - SQL as pieces: names, literals, comments, by PostgreSQL's rules
 * (standard_conforming_strings is on), which are DuckDB's too. Pure.
 *
 * It never fails: what is not closed reaches to the end of the text. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

enum sql_piece {
    SQL_SPACE,
    SQL_COMMENT,
    SQL_STRING,      /* '…', e'…' with its continuations, $tag$…$tag$ */
    SQL_QUOTED_NAME, /* "…" */
    SQL_WORD,        /* a key word, or a name without quotes */
    SQL_NUMBER,
    SQL_OTHER, /* one byte: an operator, a parenthesis, a semicolon */
};

/* The piece that begins at *at, which becomes the offset after it; empty at the
 * end of the text. */
struct str sql_scan_next(struct str sql, size_t *at, enum sql_piece *kind);

/* The text for a log: a question mark for each literal, no comments, one space
 * where there was white space, `most` bytes at most. In `arena`. */
struct str sql_without_literals(struct arena *arena, struct str sql,
                                size_t most);
