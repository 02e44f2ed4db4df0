/* trino_piece.h - the text for Trino while it is written (trino_sql.c): a list of
 * pieces, of which the last ones may still be wrapped. Pure. */
#pragma once
#include "base/buf.h"
#include "trino_token.h"

struct trino_piece {
    enum trino_token_kind kind;
    struct str text;
    struct str value; /* of a string */
    size_t open;      /* of TRINO_CLOSE: the index of its TRINO_OPEN */
};

enum {
    TRINO_DEPTH = 256,        /* of parentheses */
    TRINO_LEVELS = 64,        /* of operands in operands */
    TRINO_MADE = 1024 * 1024, /* bytes that wrapping has copied */
};

struct trino_text {
    struct arena *arena;
    const struct trino_tokens *tokens;
    struct trino_piece *items;
    size_t n;
    size_t opens[TRINO_DEPTH];
    size_t depth;
    size_t *made; /* bytes copied so far, also by other passes */
    int level;
    struct str why; /* why it cannot be written; empty: it can */
};

/* Appends a token, or a text that counts as one value. */
void piece_add(struct trino_text *t, const struct trino_token *token);
void piece_add_text(struct trino_text *t, enum trino_token_kind kind,
                    struct str text);
/* Whether piece i is that word; false when there is no such piece. */
bool piece_is(const struct trino_text *t, size_t i, const char *word);
/* The text of the pieces from `from` on, before `to`. */
struct str piece_join(const struct trino_text *t, size_t from, size_t to);
/* Puts one value in the place of all pieces from `from` on. */
void piece_replace(struct trino_text *t, size_t from, struct str text);
/* The index of the first piece of the value that ends the text: "a.b", "f(x)
 * over (…)", "(…)", "'x'". */
size_t piece_value(const struct trino_text *t);
/* Refuses the text; only the first reason counts. */
bool piece_refuse(struct trino_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* trino_call.c: the last piece closes a call: writes it as Trino does, if Trino
 * does otherwise. False: Trino cannot. */
bool call_rewrite(struct trino_text *t);
/* percentile_cont(share) within group (order by value): the last pieces are the
 * call. `condition` is that of FILTER, or empty. */
bool call_percentile(struct trino_text *t, struct str value, bool descending,
                     struct str condition);
