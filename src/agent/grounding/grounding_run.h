/* grounding_run.h - how long something went up or down, and how much it was per day or
 * month. */
#pragma once
#include "grounding_walk.h"

/* Whether the figure is how many periods one after the other went up, or down:
 * "three straight months". */
bool is_run(struct grounding_walk *w, const struct figure *f);
/* "Rose for seven straight months", where nothing did. */
bool is_no_run(struct grounding_walk *w, const struct figure *f);
/* Whether the figure says how long the period of the queries is: "over the twelve
 * months". */
bool is_length(struct grounding_walk *w, const struct figure *f);
/* Whether the figure is the only row, or a column's sum, per day, week, month,
 * quarter or year of the period that the queries have. */
bool is_rate(struct grounding_walk *w, const struct figure *f);
