/* moment.h - dates and intervals in literals. A text in another form answers
 * false, or -1. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

/* Seconds since 1970 of "2024-01-31", with or without a time of day. */
bool text_moment(struct str s, double *seconds);
/* Seconds of an interval such as "1 day" or "1 hour 30 minutes". */
bool text_step(struct str s, double *seconds);
/* The length of an interval, or the distance of a date from 1970, in days. */
double text_days(struct str s);
