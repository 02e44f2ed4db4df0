/* parse.h - the parser's tree as JSON, freed whatever happens. */
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
    const json_t *tree;        /* of PARSE_FINE */
    const PgQueryError *error; /* of PARSE_SYNTAX */
};

/* Parses `sql` and calls `use` with what came of it. The tree is not the
 * arena's: it is freed after `use`, and also when the arena is exhausted in the
 * middle, before the arena's own handler is called. */
void parse_with(struct arena *arena, struct str sql,
                void (*use)(void *who, const struct parse *parse), void *who);
