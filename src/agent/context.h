/* context.h - what a run knows as texts for prompts, in the given arena. A
 * prompt has an arena of its own, which is freed when the request is
 * written. */
#pragma once
#include "agent/prompt.h"
#include "agent/run.h"

enum { CONTEXT_DATASETS = 60 }; /* described in one prompt */

/* The datasets that the question is about, CONTEXT_DATASETS at most. */
size_t context_found(struct arena *a, const struct run *r, size_t **datasets);
/* YAML of n datasets within `budget`, a line for each field; those beyond
 * CONTEXT_DATASETS are named. n 0: the discovered ones. Its last line begins
 * with PROMPT_SHORTENED when datasets are shorter than they should be. */
struct str context_datasets(struct arena *a, struct run *r,
                            const size_t *datasets, size_t n, size_t budget);
/* What the owner of the model says about it: description, instructions. */
struct str context_owner(struct arena *a, const struct run *r);
/* The relationships between these datasets, with cardinality and notes. */
struct str context_relationships(struct arena *a, const struct run *r,
                                 const size_t *datasets, size_t n);
/* The metrics of the ontology, a line each, those of the datasets first. */
struct str context_metrics(struct arena *a, const struct run *r,
                           const size_t *datasets, size_t n);
/* The functions that SQL may call. */
struct str context_functions(struct arena *a);
/* Questions like this one with the SQL that answers them. */
struct str context_examples(struct arena *a, const struct run *r);
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
/* Text with several lines that may quote the data, for a prompt's fence: each line
 * is indented, so that none ends the fence or begins like one of the prompt's. */
struct str context_lines(struct arena *a, struct str text);
