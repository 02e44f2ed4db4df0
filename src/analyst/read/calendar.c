/* calendar.c - conversion between dates and days since 1970-01-01. */
#include "calendar.h"
#include <time.h>
#include "base/banned.h"

enum { SECONDS_PER_DAY = 86400 };

int64_t days_of_date(struct date date)
{
    struct tm tm = {.tm_year = (int)date.year - 1900,
                    .tm_mon = date.month - 1,
                    .tm_mday = date.day};
    return timegm(&tm) / SECONDS_PER_DAY;
}

struct date date_of_days(int64_t days)
{
    struct tm tm;
    time_t seconds = days * SECONDS_PER_DAY;
    gmtime_r(&seconds, &tm);
    return (struct date){tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday};
}

bool date_exists(struct date date)
{
    if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31)
        return false;
    return date_of_days(days_of_date(date)).day == date.day;
}

struct str date_text(struct arena *arena, int64_t days)
{
    struct date date = date_of_days(days);
    return arena_printf(arena, "%04lld-%02d-%02d", (long long)date.year,
                        date.month, date.day);
}

int month_of(struct str lower)
{
    static const char *const months[] = {
        "january", "february", "march",     "april",   "may",      "june",
        "july",    "august",   "september", "october", "november", "december"};
    for (int i = 0; i < 12; i++) {
        struct str month = str_of(months[i]);
        if (str_eq(lower, month) || str_eq(lower, str_cut(month, 0, 3)))
            return i + 1;
    }
    return str_is(lower, "sept") ? 9 : 0;
}
