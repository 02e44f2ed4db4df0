/* calendar.c - conversion between dates and days since 1970-01-01. */
#include "calendar.h"
#include "base/banned.h"

/* Days from 0000-03-01, so that the leap day ends the year. */
int64_t days_of_date(struct date date)
{
    int64_t months = date.year * 12 + date.month - 1;
    int64_t year = months >= 0 ? months / 12 : -((11 - months) / 12);
    int64_t month = months - year * 12 + 1;
    int64_t shifted = month <= 2 ? year - 1 : year;
    int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    int64_t of_era = shifted - era * 400;
    int64_t of_year =
        (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date.day - 1;
    int64_t day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return era * 146097 + day - 719468;
}

struct date date_of_days(int64_t days)
{
    int64_t since = days + 719468;
    int64_t era = (since >= 0 ? since : since - 146096) / 146097;
    int64_t of_era = since - era * 146097;
    int64_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t part = (5 * of_year + 2) / 153;
    struct date date = {.day = (int)(of_year - (153 * part + 2) / 5 + 1),
                        .month = (int)(part < 10 ? part + 3 : part - 9)};
    date.year = year + era * 400 + (date.month <= 2);
    return date;
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
