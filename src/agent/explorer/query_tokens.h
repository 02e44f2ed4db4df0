/* query_tokens.h - the words of a query, without knowing its grammar.
 *
 * The queries of the explorer are DuckDB's, which PostgreSQL's parser does not
 * always read. A token is a slice of the text. What two lexers could read
 * differently (nested comments, escape strings, dollar quotes, odd white space)
 * is refused, so that a quote or a comment hides nothing. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum query_token_kind {
    QUERY_WORD,   /* a keyword or a name without quotes */
    QUERY_QUOTED, /* a name in double quotes */
    QUERY_TEXT,   /* a string in single quotes */
    QUERY_NUMBER,
    QUERY_SIGN, /* one other character */
};

struct query_token {
    enum query_token_kind kind;
    struct str text; /* as written, with its quotes */
    int depth;       /* parentheses around it; those of its own do not count */
    size_t partner;  /* of "(" the index of its ")", and the other way round */
};

struct query_tokens {
    struct str sql;
    struct query_token *items;
    size_t n;
    const char *problem; /* a sentence; NULL: the text could be read */
};

/* Reads at most 32 KiB of SQL, in linear time; all memory is in the arena.
 * False: `problem` says why. Comments are no tokens, and semicolons and white
 * space at the end are left out. */
bool query_tokens_read(struct arena *arena, struct str sql,
                       struct query_tokens *tokens);
/* Token i is that word, in any case; false beyond the end. */
bool query_token_is(const struct query_tokens *tokens, size_t i,
                    const char *word);
/* Token i is a sign: this character. */
bool query_token_sign(const struct query_tokens *tokens, size_t i, char sign);
/* The text from token `from` to before token `to`; empty when there is none. */
struct str query_tokens_text(const struct query_tokens *tokens, size_t from,
                             size_t to);
/* The name that the token stands for: without quotes, in the arena when they
 * had to be undone. Empty: it is no name. */
struct str query_token_name(struct arena *arena,
                            const struct query_token *token);
