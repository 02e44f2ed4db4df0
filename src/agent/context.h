/* context.h - what a run knows, as texts for prompts. All in the given arena: for
 * a prompt its own, which goes when the request is written. */
#pragma once
#include "agent/run.h"

/* YAML of datasets within the prompt budget; n 0: those discovered. */
struct str context_datasets(struct arena *a, struct run *r,
                            const size_t *datasets, size_t n);
struct str context_metrics(struct arena *a, struct run *r);
/* Earlier questions and answers with what their runs did. */
struct str context_conversation(struct arena *a, struct run *r);
/* What the user prefers, a line each: "- key: value". */
struct str context_preferences(struct arena *a, const struct run *r);
/* What the answer before asked him, likewise; never empty when it asked. */
struct str context_asked(struct arena *a, const struct run *r);
/* Why the run is revised; empty: it is not. */
struct str context_diagnosis(struct arena *a, struct run *r);
struct str context_plan(struct arena *a, struct run *r);
struct str context_step(struct arena *a, const struct plan_step *step);
struct str context_joins(struct arena *a, struct run *r);
struct str context_queries(struct arena *a, struct run *r);
/* Results of steps: columns, the first rows, what Python printed, errors.
 * `rows` a step at most. */
struct str context_results(struct arena *a, struct run *r, int rows);
