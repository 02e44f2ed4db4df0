/* guard.h - is this text exactly one read-only query, and what does it touch?
 *
 * Pure: no I/O and no state. The text is parsed with PostgreSQL's own grammar
 * (libpg_query, PostgreSQL 15) and its tree is walked with allow-lists: of node
 * types, of functions, and of relations. What is not known to be harmless is
 * refused, with a sentence that a model can act on. The guard is the first of
 * several gates (ARCHITECTURE.md, "Safety of what the model writes"). */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

/* Which relations may be read. A name is `table` or `schema.table`, as it would
 * be written in SQL after folding; an unqualified name in the query means a
 * listed table of that name in `search_schema`. */
struct guard_policy {
    bool any_relation; /* every relation outside the catalogs */
    const struct str *relations;
    size_t n_relations;
    struct str search_schema; /* empty: public */
};

struct guard_column {
    struct str relation; /* the alias or table it is qualified with, or empty */
    struct str name;
};

struct guard_verdict {
    bool ok;
    struct str code;   /* when not ok: a stable word, as below */
    struct str reason; /* when not ok: one sentence for a person or a model */
    int position;      /* code points from the start, 1-based; 0: not known */

    /* When ok: the statement without what ends it (a semicolon, white space).
     * It may end in a comment: put a line break behind it when wrapping it. */
    struct str text;

    /* When ok: each once, in order of first appearance. CTE names are not
     * relations. */
    struct str *relations; /* as written, folded: "orders", "public.orders" */
    size_t n_relations;
    struct guard_column *columns; /* column references as written, folded */
    size_t n_columns;
    struct str *functions; /* lower case, without pg_catalog */
    size_t n_functions;
    /* What the text may call beyond this judgement, as JSON for read_options in
     * db/read.h: fields that a table may have, functions and operators by their
     * bare names, of which users may have made more. */
    struct str calls;

    /* When ok: every table is read through an aggregate, and nothing collects
     * rows into a value. A group may still be as small as one row. */
    bool aggregated;
    /* Output columns for which min, max and their kind pick a value out of the
     * rows; `picks_any`: it may be any of them. */
    bool *picks;
    size_t n_picks;
    bool picks_any;
};

/* Codes: empty, too_long, encoding, too_deep, syntax, newer_syntax,
 * many_statements, not_select, into, locking, data_change, node, function,
 * operator, type, column (a system column), relation, catalog, parameter,
 * too_costly (a bomb that its literals give away). docs/guard.md explains. */

enum {
    GUARD_MAX_BYTES = 32 * 1024, /* libpg_query recurses: STACK.md, d */
    GUARD_MAX_TREE = 256 * 1024, /* bytes of its JSON: some 5,000 literals, so
                                    that a check takes at most about 50 ms */
    GUARD_MAX_DEPTH = 200,
    GUARD_MAX_CALLS = 256 * 1024,
};

/* Judges `sql`; everything in *verdict lives in `arena`. */
void guard_check(struct arena *arena, struct str sql,
                 const struct guard_policy *policy,
                 struct guard_verdict *verdict);
