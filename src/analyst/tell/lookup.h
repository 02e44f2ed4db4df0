/* lookup.h - what the rows of the lookup step say about the values asked for. */
#pragma once
#include "analysis.h"
#include "data_frame.h"

/* Why there is no figure, in whole sentences: a value that no field holds, one
 * that several fields hold, or two values of one column that must both be true.
 * Empty: nothing is wrong, or nothing was looked up. */
struct str lookup_problem(struct bound_query *query,
                          const struct data_frame *lookup);
/* Where the values were found, for an answer. */
void lookup_tell(struct bound_query *query, const struct data_frame *lookup,
                 struct buf *out);
