/* grounding_clock.h - times of the day, and spans of time in two units. */
#pragma once
#include "grounding_walk.h"

/* Whether the figure is a time of the day that no row has, although rows have
 * such times: "08:15", where a flight left at 07:15. */
bool clock_is_unknown(struct grounding_walk *w, const struct figure *f);
/* Whether the figure is a part of a span in two units that rows have in one:
 * "3 hours and 15 minutes", of 195 minutes. */
bool is_span(struct grounding_walk *w, size_t figure);
