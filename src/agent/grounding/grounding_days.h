/* grounding_days.h - dates of rows, and the time between them. */
#pragma once
#include "grounding_walk.h"

/* Whether a row that the figure, a date without a year, is of has it in one of its
 * columns of dates. */
bool is_date_of_row(struct grounding_walk *w, size_t figure);
/* "Three days later", "17, 3 and 8 days", "22 years lie between": whether the
 * figure is the time between two dates of a row, the mean of such times, or the
 * time between two dates of the sentence. */
bool is_between_dates(struct grounding_walk *w, size_t figure);
/* Whether the sentence says that the only row that it names is of the day ("on
 * 5 May"), and the row has another one. */
bool day_contradicts(struct grounding_walk *w, const struct figure *f);
