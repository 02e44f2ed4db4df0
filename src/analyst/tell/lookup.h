/* lookup.h - what the rows of further steps say against the figures asked for. */
#pragma once
#include "analysis.h"
#include "data_frame.h"

/* Why there is no figure, in whole sentences: a value that no field holds, one
 * that several fields hold, or two values of one column that must both be true.
 * Empty: nothing is wrong, or nothing was looked up. */
struct str lookup_problem(struct bound_query *query,
                          const struct data_frame *lookup);
/* Why the fewest are not known: others have no row at all. Empty: none have none,
 * or that was not asked. */
struct str absent_problem(struct bound_query *query,
                          const struct data_frame *absent);
/* Why the data have no figure for a period, period_told.c: they begin after it, or
 * end before it. Empty: they have days of it, or that was not looked up. */
struct str period_problem(struct bound_query *query,
                          const struct data_frame *periods);
/* The first of these problems that the results show; empty: none. */
struct str results_problem(struct bound_query *query,
                           const struct step_results *results);
/* Where the values were found, for an answer. */
void lookup_tell(struct bound_query *query, const struct data_frame *lookup,
                 struct buf *out);
