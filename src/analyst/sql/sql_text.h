/* sql_text.h - SQL as text: names, literals, and the pieces of an expression. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

/* A name as SQL must write it: in double quotes when it is not a plain lower
 * case identifier or when it is a word of SQL. */
struct str sql_name(struct arena *arena, struct str name);
/* A name for an output column: at most 63 bytes, as PostgreSQL keeps. */
struct str sql_column_name(struct str name);
/* A string literal: 'O''Brien'. */
struct str sql_literal(struct arena *arena, struct str text);
/* A pattern for LIKE in which the text's own %, _ and \ are escaped. */
struct str sql_like_literal(struct arena *arena, const char *before,
                            struct str text, const char *after);

enum sql_kind {
    SQL_WORD,   /* an identifier or keyword, folded */
    SQL_QUOTED, /* "An Identifier", without its quotes */
    SQL_OTHER,  /* a string, a number, an operator */
    SQL_OPEN,
    SQL_CLOSE,
    SQL_DOT
};

struct sql_token {
    enum sql_kind kind;
    struct str name; /* of a word or quoted one */
    size_t from, to; /* bytes of the text */
};

struct sql_tokens {
    struct str text;
    struct sql_token *items;
    size_t n;
};

/* Splits SQL into tokens, without comments. */
struct sql_tokens sql_read(struct arena *arena, struct str text);
/* A word or a quoted name. */
bool sql_is_name(const struct sql_token *token);
/* The index of the parenthesis that closes the one at `open`, n if none. */
size_t sql_closing(const struct sql_tokens *tokens, size_t open);
