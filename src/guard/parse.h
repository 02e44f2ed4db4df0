/* parse.h - PostgreSQL's parser (libpg_query), and its tree as JSON. */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include <pg_query.h>

enum parse_fault {
    PARSE_FINE,
    PARSE_SYNTAX,
    PARSE_TOO_LONG,
    PARSE_TOO_DEEP,
    PARSE_OPERATORS, /* too many operator characters in a row */
};

struct parse {
    enum parse_fault fault;
    json_t *tree;              /* of PARSE_FINE, else NULL */
    const PgQueryError *error; /* of PARSE_SYNTAX, else NULL */
    /* private */
    PgQueryParseResult result;
    struct arena *arena;
    void (*on_exhausted)(void *who); /* the arena's own handler */
    void *who;
};

/* Parses `sql` into *parse, which the caller owns and closes. The tree is on
 * the heap: until parse_close, the arena's handler for exhaustion is replaced
 * by one that frees the tree first, so that nothing leaks when the arena is
 * exhausted in between. */
void parse_open(struct parse *parse, struct arena *arena, struct str sql);
/* Frees the tree and restores the arena's handler. */
void parse_close(struct parse *parse);

/* The only statement when it is a SELECT, or NULL. */
const json_t *parse_select(const struct parse *parse);
