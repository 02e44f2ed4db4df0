/* statement.h - whether a query of the explorer may run.
 *
 * A query is one SELECT over the table and its own common table expressions.
 * PostgreSQL's grammar judges what it can read (guard/guard.h); the rest is
 * judged here by its tokens, with an allow-list of functions. The place that
 * runs it checks again: the sandbox with the engine's parser, the page with a
 * guard of its own. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

struct statement_check {
    struct str table; /* the only one that may be read */
    /* Out */
    struct str text;    /* the statement without its semicolon */
    struct str problem; /* one sentence, when it may not run */
};

/* Judges `sql`; the memory of the results is in the arena. */
bool statement_check(struct arena *arena, struct str sql,
                     struct statement_check *check);

/* The sandbox's lists of functions, sorted; made by functions.py. */
extern const char *const explorer_scalars[], *const explorer_table_functions[];
