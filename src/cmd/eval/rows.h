/* rows.h - two results of queries, compared as somebody would who asks whether
 * they say the same.
 *
 *   alike     the order of columns and their names do not matter, the result may
 *             have columns beyond those that were asked for, rows are a bag
 *             unless their order counts; 12.35 is like 12.3456, a day like its
 *             midnight
 *   the same  cell by cell, in this order of columns
 *
 * NULL is like NULL alone. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

struct eval_rows {
    size_t n_columns, n_rows;
    struct str *cells; /* n_rows * n_columns, as text; ptr NULL is SQL's NULL */
};

/* Memory of the comparison is in the arena. */
bool eval_rows_alike(struct arena *arena, const struct eval_rows *gold,
                     const struct eval_rows *result, bool ordered);
/* `part` may be the first rows of a longer result: each of its rows is one of the
 * gold rows (not ordered), or the one at its place (ordered). */
bool eval_rows_same(struct arena *arena, const struct eval_rows *gold,
                    const struct eval_rows *part, bool ordered);

/* Of one cell; `exact`: no digit may differ but those a double does not have. */
bool eval_cells_equal(struct str a, struct str b, bool exact);
