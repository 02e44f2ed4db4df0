/* step.h - one step of the plan: its queries and its Python. */
#pragma once
#include "../cut_totals.h"
#include "../value_lookup.h"
#include "agent/consult.h"
#include "gather.h"
#include "pipeline.h"

struct executing;

struct executing_step {
    struct executing *all;
    const struct plan_step *step;
    struct step_result *result;
    struct str *full_data; /* all fetched rows as JSON */
    struct child child;
    bool started, over;
    int64_t skipped_for; /* id of a failed step that it needs; 0: none */
    /* private to step.c */
    struct str sql;
    struct str problem; /* for a repair: what is wrong with the query */
    bool repaired;
    int lookups; /* of the values of an empty result */
    struct value_lookup lookup;
    struct cut_totals totals;
    struct sql_result *empty; /* the result before its values were corrected */
    struct str empty_data;
    struct query_tool query;
    struct python_tool python;
    struct consult consult;
    struct phase_inputs inputs;
    struct gather gather;
    struct str data;           /* what Python may use: text for its prompt */
    struct tracked_call *call; /* that has not ended; else NULL */
};

struct executing {
    struct run *run;
    size_t *order;
    struct executing_step *steps; /* in that order */
};

/* A child flow; locals are the step. It ends OK, with its result filled in,
 * also when the step failed. */
step_fn step_begin;

/* Emits step_complete. `error` may be empty. */
void step_emit_end(struct run *r, const struct plan_step *step,
                   struct str error);
