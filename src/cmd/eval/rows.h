/* rows.h - compares two query results.
 *
 *   alike     order and names of columns do not matter, the result may have
 *             extra columns, the order of rows matters only on request; 12.35
 *             matches 12.3456, a date matches its midnight
 *   the same  cell by cell, in this order of columns
 *
 * NULL only matches NULL. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

struct eval_rows {
    size_t n_columns, n_rows;
    struct str *cells; /* n_rows * n_columns texts; ptr NULL: SQL's NULL */
};

/* Whether they are alike. Uses the arena for the comparison. */
bool eval_rows_alike(struct arena *arena, const struct eval_rows *gold,
                     const struct eval_rows *result, bool ordered);
/* Whether `part`, which may be the first rows of a longer result, is the same:
 * each of its rows is one of gold's (not ordered) or the one at its position
 * (ordered). */
bool eval_rows_same(struct arena *arena, const struct eval_rows *gold,
                    const struct eval_rows *part, bool ordered);

/* Compares one cell; `exact`: all digits must match, except those that a double
 * does not have. */
bool eval_cells_equal(struct str a, struct str b, bool exact);
/* Orders cells for qsort: numbers by value before texts, and NULL last. Values
 * that are only equal by rounding may come in either order. */
int eval_cells_order(struct str a, struct str b);
