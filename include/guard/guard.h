/* guard.h - is this text exactly one read-only query, and what does it touch?
 *
 * Pure: no I/O and no state. PostgreSQL's own grammar (libpg_query, PostgreSQL
 * 15) parses the text, and a walk over the tree compares it with allow-lists:
 * of node types, functions, operators, types and relations. What is not known
 * to be harmless is refused, with a sentence that a model can act on. The guard
 * is the first of several gates (docs/architecture.md, "Safety"); docs/guard.md
 * explains its rules. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

/* Which relations a query may read. A name is `table` or `schema.table`,
 * written as SQL folds it; an unqualified name in the query means a listed
 * table of that name in `search_schema`. */
struct guard_policy {
    bool any_relation; /* every relation except system catalogs */
    const struct str *relations;
    size_t n_relations;
    struct str search_schema; /* empty: public */
    /* The source is a Trino cluster: its functions and types are allowed, too,
     * and names of three parts. A relation of the policy may then be
     * `catalog.schema.table`; one without a catalog is of `catalog`. */
    bool trino;
    struct str catalog;
};

struct guard_column {
    struct str relation; /* the alias or table before the dot, or empty */
    struct str name;
};

struct guard_verdict {
    bool ok;
    struct str code;   /* when not ok: a stable word from the list below */
    struct str reason; /* when not ok: one sentence for a person or a model */
    int position;      /* in code points from 1; 0: not known */

    /* When ok: the statement without its semicolon and the white space around
     * it. It may end in a comment, so a caller that wraps it puts a line break
     * after it. */
    struct str text;

    /* When ok: each name once, in order of first appearance. Common table
     * expressions are not relations. */
    struct str *relations; /* as written, folded: "orders", "public.orders" */
    size_t n_relations;
    struct guard_column *columns; /* column references as written, folded */
    size_t n_columns;
    /* What the text may call that the guard cannot judge, as JSON for
     * read_options in db/read.h: fields that a table may have, and unqualified
     * functions and operators, which users may have defined too. */
    struct str calls;

    /* When ok: every table is read through an aggregate, and no aggregate
     * collects rows into a value. A group may still be as small as one row. */
    bool aggregated;
    /* Output columns in which min, max or a similar aggregate picks a value out
     * of the rows; with `picks_any` any column may be one. */
    bool *picks;
    size_t n_picks;
    bool picks_any;
};

/* Codes: empty, too_long, encoding, too_deep, syntax, newer_syntax,
 * many_statements, not_select, into, locking, data_change, node, function,
 * operator, type, column (a system column), relation, catalog, parameter,
 * too_costly (its own literals show that it would take too much time or
 * memory). */

enum {
    /* libpg_query recurses, and must not exhaust the stack */
    GUARD_MAX_BYTES = 32 * 1024,
    /* bytes of the tree as JSON: some 5,000 literals, so that a check takes at
     * most about 50 ms */
    GUARD_MAX_TREE = 256 * 1024,
    GUARD_MAX_DEPTH = 200,
    GUARD_MAX_CALLS = 256 * 1024,
};

/* Whether the policy lists the relation; without a schema, that of
 * search_schema. */
bool guard_policy_lists(const struct guard_policy *policy, struct str schema,
                        struct str name);

/* Judges `sql` and fills in *verdict, all of whose memory is in `arena`. It
 * never fails: a text that cannot be judged is refused. When the arena is
 * exhausted, its handler is called and nothing leaks. */
void guard_check(struct arena *arena, struct str sql,
                 const struct guard_policy *policy,
                 struct guard_verdict *verdict);
