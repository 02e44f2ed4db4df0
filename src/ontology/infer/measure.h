/* measure.h - which columns are measures, and what may be done with them.
 *
 *   amount   may be added up over rows: a total, a quantity, a weight
 *   rate     may not: prices, limits, percentages, scores, and the state at
 *            the end of a day (balances, stock); their mean may be asked
 *   neither  keys, references, codes, moments as numbers, positions, switches */
#pragma once
#include "infer_core.h"

enum measure_kind { NEITHER, AMOUNT, RATE };

struct measures {
    struct arena *arena;
    const struct catalog *catalog;
    struct table_names names;
    struct name_cores cores;
    bool **identifies; /* of each column: part of a key or of a link */
};
/* Looks at names, keys and links; the catalog must outlive it. */
void measures_make(struct arena *arena, const struct catalog *c,
                   struct measures *m);
/* What the column is. */
enum measure_kind measure_of(struct measures *m, size_t table, size_t column);
