/* difference.h - what a reader of the report sees of two results that are not
 * alike: the first cells of each, and the first difference. */
#pragma once
#include "rows.h"

/* The first cells of a result, long ones cut. */
struct eval_sample {
    struct str *names; /* of its columns */
    struct eval_rows rows;
    /* of the whole result; 0 columns: there was none */
    size_t all_rows, all_columns;
};

/* Copies the first cells into the arena. `names` has one text for each column;
 * `all_rows` counts the rows of which `rows` may be the first ones. */
struct eval_sample eval_sample_take(struct arena *arena,
                                    const struct eval_rows *rows,
                                    const struct str *names, size_t all_rows);

/* The first difference as a sentence in the arena; empty if it finds none.
 * Columns are paired by their values. Unless `ordered`, rows are sorted first.
 * Of results with too many rows it only compares their number. */
struct str eval_difference(struct arena *arena, const struct eval_rows *gold,
                           const struct eval_rows *found, bool ordered);
