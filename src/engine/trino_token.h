/* trino_token.h - SQL as tokens, for trino_sql.c. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

enum trino_token_kind {
    TRINO_END,    /* after the last one */
    TRINO_WORD,   /* a keyword or a name, in lower case */
    TRINO_QUOTED, /* "Name", as written */
    TRINO_STRING, /* 'text', whatever its form was */
    TRINO_NUMBER,
    TRINO_OPEN,
    TRINO_CLOSE,
    TRINO_COMMA,
    TRINO_DOT,
    TRINO_CAST, /* :: */
    TRINO_SIGN, /* any other sign: "+", "||", "~*", "[" */
};

struct trino_token {
    enum trino_token_kind kind;
    struct str text;
    struct str value; /* of a string, without quotes */
};

struct trino_tokens {
    struct trino_token *items; /* with one TRINO_END more */
    size_t n;
};

/* Splits `sql`, in the arena. False: it has something that Trino's SQL cannot
 * say, or that is not whole; *why says what. */
bool trino_tokens_read(struct arena *arena, struct str sql,
                       struct trino_tokens *out, struct str *why);
