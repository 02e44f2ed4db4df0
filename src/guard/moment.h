/* moment.h - dates and intervals as they are written. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

/* Seconds since 1970 of "2024-01-31" with or without a time of day. */
bool text_moment(struct str s, double *seconds);
/* Those of "1 day", "1 hour 30 minutes"; false for what is written otherwise. */
bool text_step(struct str s, double *seconds);
/* The length of an interval, or the distance of a date from 1970, in days; -1: it
 * is neither. */
double text_days(struct str s);
