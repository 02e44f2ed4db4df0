/* grounding_column.h - whether a figure is of the column that its sentence
 * names: "Berlin's revenue was 17" is wrong when 17 is Berlin's number of
 * orders. */
#pragma once
#include "grounding_walk.h"

/* Whether the words around a figure name exactly one column of a row, that
 * column does not show the figure, and another column of the row does. `scope`
 * is the figure's; a figure that is elsewhere in the results, too, is left
 * alone. */
bool column_contradicts(const struct grounding_walk *w, size_t figure,
                        const struct grounding_scope *scope);
/* The row of the table that the figure is about; n_rows: none, or several. */
size_t column_row(const struct grounding_walk *w,
                  const struct grounding_scope *s, size_t table);
