/* facts_column.h - columns of a result, whose rows have been read. */
#pragma once
#include "facts.h"

/* Sorts the column's numbers and reads its name. */
void fact_column_end(struct arena *arena, struct fact_column *c, size_t n_rows);
/* What the numbers of a column name: "bus", of `bus_no`; empty: nothing. */
struct str fact_column_noun(struct str name);
/* Finds columns for times without a date in their names, such as
 * "revenue_previous" and "revenue", or "october", once all columns have been
 * ended; called for each column in their order. */
void fact_column_pair(struct fact_table *t, size_t column);
