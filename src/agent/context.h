/* context.h - what a run knows as texts for prompts, in the given arena. A
 * prompt has an arena of its own, which is freed when the request is
 * written. */
#pragma once
#include "agent/run.h"

/* YAML of n datasets within the prompt budget; n 0: the discovered ones. */
struct str context_datasets(struct arena *a, struct run *r,
                            const size_t *datasets, size_t n);
/* The metrics of the ontology, a line each. */
struct str context_metrics(struct arena *a, struct run *r);
/* Earlier questions and answers, with the digests of their runs. */
struct str context_conversation(struct arena *a, struct run *r);
/* The user's preferences, a line each: "- key: value". */
struct str context_preferences(struct arena *a, const struct run *r);
/* The clarifying questions of the previous answer, a line each. Not empty when
 * it asked any. */
struct str context_asked(struct arena *a, const struct run *r);
/* The results of the run: columns, at most `rows` rows each, what Python
 * printed, errors. */
struct str context_results(struct arena *a, struct run *r, int rows);
