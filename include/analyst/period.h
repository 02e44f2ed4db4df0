/* period.h - relative periods by the calendar: "last month", "the past 30
 * days".
 *
 *   period   whole days, from `from` until before `to`, counted since
 *            1970-01-01
 *   current  the `count` units of which the last one holds today
 *
 * Weeks begin on Monday (ISO 8601). A period that is counted from today is
 * replaced by the data's last complete one when the data end before the
 * current period by more than its length (period_limit). Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum time_unit {
    UNIT_NONE,
    UNIT_DAY,
    UNIT_WEEK,
    UNIT_MONTH,
    UNIT_QUARTER,
    UNIT_YEAR
};

extern const char *const unit_words[]; /* "day" … "year" by unit */

struct period {
    int64_t from, to;
};

/* The first day of the unit that holds `day`. */
int64_t period_unit_start(enum time_unit unit, int64_t day);
/* The first day of the unit that begins `by` units after the one that begins
 * at `start`; not before the year 1. */
int64_t period_unit_shift(enum time_unit unit, int64_t start, int64_t by);

/* The `count` units of which the last one ends `back` units before the end of
 * today's. */
struct period period_relative(enum time_unit unit, size_t count, size_t back,
                              int64_t today);
/* Data whose last date is before this day end clearly earlier than the period
 * of `count` units that holds today. */
int64_t period_limit(enum time_unit unit, size_t count, int64_t today);
/* The last `count` complete units of data whose last date is `last`. */
struct period period_complete(enum time_unit unit, size_t count, int64_t last);

/* "2026-10-01 to 2026-10-31": both days belong to it. In the arena. */
struct str period_days_text(struct arena *arena, struct period period);
/* The text of a day, "2026-10-01", in the arena. */
struct str period_day_text(struct arena *arena, int64_t day);
/* Reads "2026-10-01". False: it is no such day. */
bool period_day_read(struct str text, int64_t *day);

/* Today, its zone and the current and previous day, week, month, quarter and
 * year, one line each, as a text for prompts. In the arena. */
struct str period_calendar(struct arena *arena, int64_t today, struct str zone);
