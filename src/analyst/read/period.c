/* period.c - relative periods by the calendar; see analyst/period.h. */
#include "analyst/period.h"
#include "base/buf.h"
#include "calendar.h"
#include "window.h"
#include "base/banned.h"

const char *const unit_words[] = {"",      "day",     "week",
                                  "month", "quarter", "year"};

enum { DAYS_OF_WEEK = 7, SHIFT_MOST = 1000000, CALENDAR_BYTES = 800 };

static int64_t first_day(void)
{
    return days_of_date((struct date){1, 1, 1});
}

/* 0: Monday. 1970-01-01 was a Thursday. */
static int weekday(int64_t day)
{
    int64_t rest = (day + 3) % DAYS_OF_WEEK;
    return (int)(rest < 0 ? rest + DAYS_OF_WEEK : rest);
}

int64_t period_unit_start(enum time_unit unit, int64_t day)
{
    struct date date = date_of_days(day);
    switch (unit) {
    case UNIT_WEEK:
        return day - weekday(day);
    case UNIT_MONTH:
        return days_of_date((struct date){date.year, date.month, 1});
    case UNIT_QUARTER:
        return days_of_date(
            (struct date){date.year, (date.month - 1) / 3 * 3 + 1, 1});
    case UNIT_YEAR:
        return days_of_date((struct date){date.year, 1, 1});
    default:
        return day;
    }
}

int64_t period_unit_shift(enum time_unit unit, int64_t start, int64_t by)
{
    struct date date = date_of_days(start);
    int64_t most = by < -SHIFT_MOST ? -SHIFT_MOST : by;
    by = most > SHIFT_MOST ? SHIFT_MOST : most;
    int64_t day = start, least = first_day();
    if (unit == UNIT_DAY || unit == UNIT_WEEK)
        day = start + by * (unit == UNIT_WEEK ? DAYS_OF_WEEK : 1);
    else if (unit == UNIT_YEAR)
        day = days_of_date((struct date){date.year + by, date.month, date.day});
    else
        day = days_of_date((struct date){
            date.year, date.month + (int)by * (unit == UNIT_QUARTER ? 3 : 1),
            date.day});
    return day < least ? least : day;
}

struct period period_relative(enum time_unit unit, size_t count, size_t back,
                              int64_t today)
{
    int64_t now = period_unit_start(unit, today);
    int64_t end = period_unit_shift(unit, now, 1 - (int64_t)back);
    return (struct period){period_unit_shift(unit, end, -(int64_t)count), end};
}

int64_t period_limit(enum time_unit unit, size_t count, int64_t today)
{
    struct period current = period_relative(unit, count, 0, today);
    return period_unit_shift(unit, current.from, -(int64_t)count);
}

struct period period_complete(enum time_unit unit, size_t count, int64_t last)
{
    int64_t end = period_unit_start(unit, last + 1);
    return (struct period){period_unit_shift(unit, end, -(int64_t)count), end};
}

/* ---- as text ------------------------------------------------------------ */

struct str period_day_text(struct arena *arena, int64_t day)
{
    return date_text(arena, day);
}

struct str period_days_text(struct arena *arena, struct period period)
{
    return arena_printf(arena, "%.*s to %.*s",
                        STR_ARG(date_text(arena, period.from)),
                        STR_ARG(date_text(arena, period.to - 1)));
}

static bool digits_at(struct str text, size_t at, size_t n, int64_t *out)
{
    *out = 0;
    for (size_t i = at; i < at + n; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *out = *out * 10 + (text.ptr[i] - '0');
    }
    return true;
}

bool period_day_read(struct str text, int64_t *day)
{
    int64_t year, month, of_month;
    if (text.len != 10 || text.ptr[4] != '-' || text.ptr[7] != '-' ||
        !digits_at(text, 0, 4, &year) || !digits_at(text, 5, 2, &month) ||
        !digits_at(text, 8, 2, &of_month) || year < 1)
        return false;
    struct date date = {year, (int)month, (int)of_month};
    if (!date_exists(date))
        return false;
    *day = days_of_date(date);
    return true;
}

struct str period_calendar(struct arena *arena, int64_t today, struct str zone)
{
    struct buf out;
    buf_init(&out, arena);
    buf_reserve(&out, CALENDAR_BYTES);
    buf_printf(&out,
               "Today is %s, %.*s, in the time zone %.*s. Weeks begin on "
               "Monday. Both days belong to a period:\n",
               weekday_names[weekday(today)], STR_ARG(date_text(arena, today)),
               STR_ARG(zone));
    buf_printf(&out, "- yesterday: %.*s\n",
               STR_ARG(date_text(arena, today - 1)));
    for (enum time_unit unit = UNIT_WEEK; unit <= UNIT_YEAR; unit++)
        for (size_t back = 0; back < 2; back++)
            buf_printf(&out, "- %s %s: %.*s\n", back ? "last" : "this",
                       unit_words[unit],
                       STR_ARG(period_days_text(
                           arena, period_relative(unit, 1, back, today))));
    /* What people mean by these differs, and the analyst counts them so. */
    for (size_t months = 6; months <= 12; months += 6)
        buf_printf(&out, "- last %zu months: %.*s\n", months,
                   STR_ARG(period_days_text(
                       arena, period_relative(UNIT_MONTH, months, 0, today))));
    struct period year = period_relative(UNIT_YEAR, 1, 0, today);
    year.to = today + 1;
    buf_printf(&out, "- year to date: %.*s\n",
               STR_ARG(period_days_text(arena, year)));
    buf_printf(&out, "- last 30 days: %.*s",
               STR_ARG(period_days_text(
                   arena, period_relative(UNIT_DAY, 30, 0, today))));
    return buf_view(&out);
}
