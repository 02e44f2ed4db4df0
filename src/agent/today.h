/* today.h - the day of a run: the one on which it began, in the time zone of its
 * connection (UTC, unless it has one). It stays the same when the run goes on
 * after midnight or in another process. */
#pragma once
#include "agent/run.h"

/* Days since 1970-01-01. */
int64_t run_today(const struct run *r);
/* Today and the usual relative periods as text for a prompt, in `arena`. */
struct str run_calendar(struct arena *arena, const struct run *r);
