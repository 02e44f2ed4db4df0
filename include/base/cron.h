/* cron.h - the five fields of a cron line, and the next time that they name.
 * Pure.
 *
 *   minute hour day-of-month month day-of-week
 *
 * A field is a list of numbers, ranges (1-5) and steps (8-18/2, and a star with a step), or "*".
 * Months and days of the week may be names of three letters (jan, MON); Sunday
 * is 0 or 7. If both day fields are restricted, a day that fits one of them is
 * due, as in cron(8).
 *
 * Times are of a time zone. When clocks go forward, an hour does not exist: what
 * is due in it is due at the end of the jump. When they go back, an hour exists
 * twice: what is due at a fixed hour is due the first time only. Lines whose
 * hour field begins with "*" follow the real hours instead. */
#pragma once
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cron {
    uint64_t minutes;                    /* bits 0..59 */
    uint32_t hours, days, months;        /* bits 0..23, 1..31, 1..12 */
    uint32_t weekdays;                   /* bits 0..6, Sunday is 0 */
    bool any_hour, any_day, any_weekday; /* the field begins with "*" */
};

/* Parses the fields, which white space separates. On failure *why is a static
 * sentence part ("must have five fields …"). */
MUST_CHECK bool cron_parse(struct str text, struct cron *out, const char **why);

/* How many minutes of an hour are named. */
int cron_per_hour(const struct cron *c);

/* From `from_s` (seconds since 1970, UTC) on, local time is ahead of UTC by
 * offset_s. The first one holds since ever. */
struct cron_offset {
    int64_t from_s;
    int offset_s;
};

enum { CRON_YEARS = 9 };
/* The first time after `after_s`, in seconds since 1970; -1: there is none
 * within CRON_YEARS (such as for February 30). `zone` is in order, and has at
 * least one entry. */
int64_t cron_next(const struct cron *c, const struct cron_offset *zone,
                  size_t n, int64_t after_s);
