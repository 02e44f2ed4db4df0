/* value_lookup.h - an empty result is not an answer yet: do the data have the
 * values that its query looks for?
 *
 * Each text literal is looked up in its column (ontology/stored_values.h) by a
 * query of its own, which passes the guard like any other and has a short time.
 * A lookup that fails tells nothing. */
#pragma once
#include "agent/run.h"

struct sought_value;

enum {
    LOOKUP_MS = 5000,      /* of one query */
    LOOKUP_ALL_MS = 10000, /* then no further one begins */
};

struct value_lookup {
    struct run *run;
    enum phase phase;
    int64_t step_id; /* 0: none */
    struct str sql;  /* that found nothing */
    /* Out, in the run's arena: a sentence for each value that the data do not
     * have; empty: they have all, or there is none. */
    struct str missing;
    /* private */
    struct buf text;
    struct tool_context context; /* the run's, with less time */
    struct query_tool query;
    struct tracked_call *call;
    struct sought_value *sought;
    size_t n_sought, at;
    uint64_t started_ms;
};
/* Subflow; locals are the lookup. Fails only if the run must end. */
step_fn value_lookup_begin;

/* The query found no row, only NULL, or one row of NULL and zeros, as a count
 * of nothing is. */
bool value_lookup_due(const struct query_tool *query);

/* What the lookups of these results found, one paragraph for each, if all
 * queries found nothing and some value is missing; else empty. In `arena`.
 * sql_result.no_rows says so of one query: its ptr is NULL when it found rows. */
struct str value_lookup_answer(struct arena *arena,
                               const struct step_results *results);
/* The same as an answer in Markdown: values are escaped. */
struct str value_lookup_markdown(struct arena *arena, struct str answer);
