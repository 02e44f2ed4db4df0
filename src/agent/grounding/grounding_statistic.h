/* grounding_statistic.h - averages, medians and extremes that are mistaken for each
 * other. */
#pragma once
#include "grounding_walk.h"

/* Whether the words before the figure name a statistic, such as the median, and
 * only columns of other ones show it. */
bool statistic_contradicts(const struct grounding_walk *w,
                           const struct grounding_scope *s,
                           const struct figure *f);
