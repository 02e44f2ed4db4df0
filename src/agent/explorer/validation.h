/* validation.h - the tool validateAnalysis: whether a finding holds up over the
 * rows that its query summarizes. Pure.
 *
 *   sample      how many rows, values and groups there are
 *   outliers    how many, and how far they move the mean
 *   difference  between the groups: analysis of variance; of numbers of rows
 *               chi-square; of two columns their correlation
 *   strata      the same comparison within the values of another column; when
 *               it turns round there, the finding is Simpson's reversal
 *
 * All queries describe groups of rows and quote no cell. A finding is not
 * judged by what it says, but by what its query compares; its words are only
 * read for claims about causes. */
#pragma once
#include "query_parts.h"
#include "tools.h"

enum { VALIDATION_STRATA = 12 }; /* columns that are tried */

struct validation_request {
    const struct explorer_table *table;
    struct str finding, query; /* of the model; the query passed the guard */
    struct query_parts parts;
    bool apart;                       /* `parts` is known */
    size_t strata[VALIDATION_STRATA]; /* indexes of columns */
    size_t n_strata;
};

/* Takes the query apart and chooses the columns for strata. */
void validation_read(struct arena *arena, struct validation_request *v);
/* The queries of a request, in the arena; returns how many. */
size_t validation_queries(struct arena *arena,
                          const struct validation_request *v,
                          struct explorer_query **queries);
/* Appends the value of `data` in the tool's result, a JSON object:
 * {finding, passed, confidence, checks: [{name, passed, severity, message}],
 * statistics}. */
void validation_put(struct buf *out, const struct validation_request *v,
                    const struct explorer_call *call);
