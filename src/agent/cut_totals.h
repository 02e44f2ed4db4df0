/* cut_totals.h - totals of a result of which only the first rows were read.
 *
 * They are computed in SQL, over all rows of the query, by a query around it
 * that passes the guard like any other and has a short time. An answer may state
 * them; nothing else that is summed over the first rows is a total. A query that
 * fails leaves no totals. */
#pragma once
#include "agent/run.h"

enum { TOTALS_MS = 10000 /* of one query */ };

struct cut_totals {
    struct run *run;
    enum phase phase;
    int64_t step_id; /* of the tool call; 0: none */
    /* The results; those that were cut get their totals. */
    struct step_result *items;
    size_t n;
    /* private */
    size_t at;
    size_t *columns, n_columns; /* those that are summed */
    struct tool_context context;
    struct query_tool query;
    struct tracked_call *call;
};
/* Subflow; locals are the totals. Fails only if the run must end. */
step_fn cut_totals_begin;

/* "All 12,345 rows, computed in SQL: revenue adds up to 617085.20." in `arena`;
 * empty: the result has no totals. */
struct str cut_totals_text(struct arena *arena, const struct sql_result *s);
