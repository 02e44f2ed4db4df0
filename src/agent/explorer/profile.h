/* profile.h - the tool profileData: SQL for the statistics of columns, and what
 * they say. Pure.
 *
 *   counts        numbers of rows, means, deviations, outliers; they describe
 *                 groups. Means of fewer than 5 values are left out: they
 *                 would be the values
 *   values        smallest, largest, quartiles, most frequent: cells
 *   distribution  ten classes of numbers, the ten most frequent texts: cells
 *
 * A query has PROFILE_BATCH columns. */
#pragma once
#include "tools.h"

enum { PROFILE_COLUMNS = 64, PROFILE_BATCH = 8 };

struct profile_request {
    const struct explorer_table *table;
    size_t columns[PROFILE_COLUMNS]; /* indexes of the table's columns */
    size_t n_columns;
    bool distribution, nulls;
    bool all; /* the call named no columns */
};

/* The queries of a request, in the arena; returns how many. */
size_t profile_queries(struct arena *arena, const struct profile_request *p,
                       struct explorer_query **queries);
/* Appends the value of `data` in the tool's result, a JSON object, with what
 * looks wrong as sentences. */
void profile_put(struct buf *out, const struct profile_request *p,
                 const struct explorer_call *call);
