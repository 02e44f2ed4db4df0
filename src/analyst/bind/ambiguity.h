/* ambiguity.h - what to ask back where a question fits several metrics. An option
 * is offered only after it was tried: the question can be answered with it. All
 * memory is of the analysis' arena. */
#pragma once
#include "analysis.h"

/* A query for `question`, which query_bind has still to bind. */
struct bound_query *bound_query_new(const struct analysis *analysis,
                                    const struct question *question);
/* A choice of that metric alone. */
struct choice metric_choice(const struct analysis *analysis, size_t metric);

/* "Top 5 customers": the metrics by which they can be ranked; maybe none. */
struct clarification *ask_ranking(const struct analysis *analysis,
                                  const struct question *q);
/* A question that does not say what to measure: the metrics that fit the rest of
 * it; maybe none. */
struct clarification *ask_measure(const struct analysis *analysis,
                                  const struct question *q);
/* "The most profitable": by gross profit, or by gross margin? NULL unless the
 * question `text` has one unknown word, which is part of several metrics' names. */
struct clarification *ask_word(const struct analysis *analysis, struct str text,
                               const struct question *q);
/* The text with the metric's name in place of `word`. */
struct str with_metric(struct arena *arena, struct str text, struct str word,
                       struct str metric);
