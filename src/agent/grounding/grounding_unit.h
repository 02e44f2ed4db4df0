/* grounding_unit.h - what the words around a figure say of its unit: a span of
 * time, a loss, or an amount per month. */
#pragma once
#include "grounding_walk.h"

/* Whether the rows show the figure only in another unit than the word after it
 * says ("3 hours", of `wait_minutes`), in another currency ("$5", of
 * `price_eur`), or as a profit where the words say that it was lost. */
bool unit_contradicts(const struct grounding_walk *w, size_t figure,
                      const struct grounding_scope *scope);
/* Whether the word is a unit of time, length, energy and the like. */
bool is_unit(struct str word);
/* Whether a column has the figure in another unit, as its name says: "1.5 hours",
 * of `wait_minutes`. */
bool is_converted(struct grounding_walk *w, size_t figure);
/* Whether the figure is how many periods one after the other went up, or down:
 * "three straight months". */
bool is_run(struct grounding_walk *w, const struct figure *f);
/* "Rose for seven straight months", where nothing did. */
bool is_no_run(struct grounding_walk *w, const struct figure *f);
/* Whether the sentence says that the only row that it names is of the day ("on
 * 5 May"), and the row has another one. */
bool day_contradicts(struct grounding_walk *w, const struct figure *f);
/* Whether the figure says how long the period of the queries is: "over the twelve
 * months". */
bool is_length(struct grounding_walk *w, const struct figure *f);
/* Whether the figure is the only row, or a column's sum, per day, week, month,
 * quarter or year of the period that the queries have. */
bool is_rate(struct grounding_walk *w, const struct figure *f);
