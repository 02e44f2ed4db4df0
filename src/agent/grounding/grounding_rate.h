/* grounding_rate.h - how much something was per day or month. */
#pragma once
#include "grounding_walk.h"

/* The days that the queries are about; false: they say none. */
bool queried_days(const struct facts *facts, int64_t *first, int64_t *last);
/* Whether the figure says how long the period of the queries is: "over the twelve
 * months". */
bool is_length(struct grounding_walk *w, const struct figure *f);
/* Whether the figure is the sum of its rows, or of all, per day, week, month, quarter or
 * year of their period, or of the period of the queries: "716 departures per day". */
bool is_rate(struct grounding_walk *w, size_t figure);
