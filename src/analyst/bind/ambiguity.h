/* ambiguity.h - what is asked back where several metrics fit a question as well.
 * All that are offered were tried: the question can be answered with them. */
#pragma once
#include "analysis.h"

/* The question, still to be bound. */
struct bound_query *query_new(struct arena *arena,
                              const struct analyst_context *context,
                              const struct lexicon *lexicon,
                              const struct question *question);
struct choice metric_choice(const struct analysis *analysis, size_t metric);

/* "Top 5 customers": by any metric that can be had of them. */
struct clarification *ask_ranking(struct arena *arena,
                                  const struct analyst_context *context,
                                  const struct analysis *analysis,
                                  const struct question *q);
/* A question in which nothing says what is to be measured: what can be had of the
 * rest of it. */
struct clarification *ask_measure(struct arena *arena,
                                  const struct analyst_context *context,
                                  const struct analysis *analysis,
                                  const struct question *q);
/* "The most profitable": by gross profit, or by gross margin? Of a question with
 * one unknown word that is a part of several metrics' names; else NULL. */
struct clarification *ask_word(struct arena *arena,
                               const struct analyst_context *context,
                               const struct analysis *analysis, struct str text,
                               const struct question *q);
/* The text with the metric in the place of that word. */
struct str with_metric(struct arena *arena, struct str text, struct str word,
                       struct str metric);
