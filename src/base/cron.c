/* cron.c - reads cron fields, and finds the next time that they name.
 *
 * A time zone is a list of segments with a constant offset. In each, local time
 * is a plain calendar: the first local minute that fits is looked for there, day
 * by day, and then shifted to UTC. */
#include "base/cron.h"
#include <string.h>
#include "base/banned.h"

enum {
    MINUTE_S = 60,
    HOUR_MINUTES = 60,
    DAY_MINUTES = 24 * 60,
    DAY_S = 86400,
    TEXT_MOST = 200,
};

/* ---- fields --------------------------------------------------------------- */

static const char *const month_names[] = {"jan", "feb", "mar", "apr",
                                          "may", "jun", "jul", "aug",
                                          "sep", "oct", "nov", "dec"};
static const char *const weekday_names[] = {"sun", "mon", "tue", "wed",
                                            "thu", "fri", "sat"};

struct cron_field {
    int least, most;
    const char *const *names; /* NULL: only numbers */
    int n_names, first;       /* the number of the first name */
    const char *why;
};

static const struct cron_field cron_fields[5] = {
    {0, 59, NULL, 0, 0, "has a minute that is not from 0 to 59"},
    {0, 23, NULL, 0, 0, "has an hour that is not from 0 to 23"},
    {1, 31, NULL, 0, 0, "has a day of the month that is not from 1 to 31"},
    {1, 12, month_names, 12, 1, "has a month that is not from 1 to 12"},
    {0, 7, weekday_names, 7, 0,
     "has a day of the week that is not from 0 (Sunday) to 7"},
};

static bool read_number(const struct cron_field *f, struct str text, int *out)
{
    int64_t n;
    for (int i = 0; i < f->n_names; i++)
        if (str_eq_nocase(text, str_of(f->names[i]))) {
            *out = f->first + i;
            return true;
        }
    if (!text.len || text.len > 2 || !str_to_int64(text, &n) || n < f->least ||
        n > f->most || text.ptr[0] == '+' || text.ptr[0] == '-')
        return false;
    *out = (int)n;
    return true;
}

/* One part of a list: "*", "5", "1-5", and each with "/2". */
static bool read_part(const struct cron_field *f, struct str part,
                      uint64_t *bits)
{
    struct str range, from;
    struct str rest = part;
    int least = f->least, most = f->most, step = 1;
    bool stepped = str_find_char(part, '/') >= 0;
    str_split(&rest, '/', &range);
    if (stepped) {
        int64_t n;
        if (!rest.len || rest.len > 2 || !str_to_int64(rest, &n) || n < 1)
            return false;
        step = (int)n;
    }
    if (!str_is(range, "*")) {
        bool is_range = str_find_char(range, '-') >= 0;
        str_split(&range, '-', &from);
        if (!read_number(f, from, &least))
            return false;
        most = stepped && !is_range ? f->most : least;
        if (is_range && !read_number(f, range, &most))
            return false;
    }
    if (least > most)
        return false;
    for (int i = least; i <= most; i += step)
        *bits |= 1ULL << i;
    return true;
}

static bool read_field(const struct cron_field *f, struct str text,
                       uint64_t *bits)
{
    struct str part;
    *bits = 0;
    if (!text.len || text.ptr[text.len - 1] == ',')
        return false;
    while (str_split(&text, ',', &part))
        if (!read_part(f, part, bits))
            return false;
    return true;
}

/* The words of the text; five at most are stored, and counted beyond. */
static int split_words(struct str text, struct str words[5])
{
    int n = 0;
    for (size_t i = 0; i < text.len;) {
        size_t from = i;
        while (i < text.len && text.ptr[i] != ' ' && text.ptr[i] != '\t')
            i++;
        if (i > from) {
            if (n < 5)
                words[n] = str_cut(text, from, i - from);
            n++;
        }
        i++;
    }
    return n;
}

bool cron_parse(struct str text, struct cron *out, const char **why)
{
    struct str words[5];
    uint64_t bits[5];
    if (text.len > TEXT_MOST || split_words(text, words) != 5) {
        *why = "must have five fields: minute, hour, day of the month, month "
               "and day of the week";
        return false;
    }
    for (int i = 0; i < 5; i++)
        if (!read_field(&cron_fields[i], words[i], &bits[i])) {
            *why = cron_fields[i].why;
            return false;
        }
    uint64_t sunday = bits[4] >> 7 & 1;
    *out = (struct cron){.minutes = bits[0],
                         .hours = (uint32_t)bits[1],
                         .days = (uint32_t)bits[2],
                         .months = (uint32_t)bits[3],
                         .weekdays = (uint32_t)((bits[4] & 0x7f) | sunday),
                         .any_hour = words[1].ptr[0] == '*',
                         .any_day = words[2].ptr[0] == '*',
                         .any_weekday = words[4].ptr[0] == '*'};
    return true;
}

int cron_per_hour(const struct cron *c)
{
    int n = 0;
    for (uint64_t bits = c->minutes; bits; bits &= bits - 1)
        n++;
    return n;
}

/* ---- the calendar --------------------------------------------------------- */

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The day of the month and the month of a day since 1970, by counting eras of
 * 400 years that begin in March. */
static void civil_day(int64_t days, int *day, int *month)
{
    int64_t z = days + 719468;
    int64_t era = floor_div(z, 146097);
    int64_t of_era = z - era * 146097;
    int64_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t m = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
}

static bool day_fits(const struct cron *c, int64_t days)
{
    int day, month;
    civil_day(days, &day, &month);
    int64_t weekday = (days % 7 + 11) % 7; /* 1970-01-01 was a Thursday */
    bool by_day = c->days >> day & 1, by_weekday = c->weekdays >> weekday & 1;
    if (!(c->months >> month & 1))
        return false;
    if (c->any_day || c->any_weekday)
        return by_day && by_weekday;
    return by_day || by_weekday;
}

/* The first local minute from `from` on and before `until`; -1: none. */
static int64_t next_minute(const struct cron *c, int64_t from, int64_t until,
                           bool *found)
{
    *found = false;
    while (from < until) {
        int64_t day = floor_div(from, DAY_MINUTES);
        int in_day = (int)(from - day * DAY_MINUTES);
        int hour = in_day / HOUR_MINUTES, minute = in_day % HOUR_MINUTES;
        if (!day_fits(c, day)) {
            from = (day + 1) * DAY_MINUTES;
        } else if (!(c->hours >> hour & 1)) {
            from += HOUR_MINUTES - minute;
        } else if (!(c->minutes >> minute & 1)) {
            from++;
        } else {
            *found = true;
            return from;
        }
    }
    return -1;
}

static int64_t minute_at_or_after(int64_t seconds)
{
    return -floor_div(-seconds, MINUTE_S);
}

/* A segment of constant offset. Its bounds are in UTC. */
struct cron_segment {
    int64_t from_s, until_s;
    int offset_s;
    int before_s; /* the offset before it; the same for the first one */
};

static int64_t next_in(const struct cron *c, const struct cron_segment *s,
                       int64_t after_s)
{
    bool begins = s->from_s > after_s;
    int64_t start = begins ? s->from_s : after_s + 1;
    int64_t from = minute_at_or_after(start + s->offset_s);
    int64_t until = minute_at_or_after(s->until_s + s->offset_s);
    bool found;
    if (!c->any_hour && s->offset_s > s->before_s && begins) {
        next_minute(c, minute_at_or_after(s->from_s + s->before_s),
                    minute_at_or_after(s->from_s + s->offset_s), &found);
        if (found)
            return s->from_s;
    }
    if (!c->any_hour && s->offset_s < s->before_s) {
        int64_t once = minute_at_or_after(s->from_s + s->before_s);
        from = once > from ? once : from;
    }
    int64_t minute = next_minute(c, from, until, &found);
    return found ? minute * MINUTE_S - s->offset_s : -1;
}

int64_t cron_next(const struct cron *c, const struct cron_offset *zone,
                  size_t n, int64_t after_s)
{
    int64_t end = after_s + (int64_t)CRON_YEARS * 366 * DAY_S;
    for (size_t i = 0; i < n; i++) {
        struct cron_segment s = {
            .from_s = i ? zone[i].from_s : after_s - DAY_S,
            .until_s = i + 1 < n && zone[i + 1].from_s < end
                           ? zone[i + 1].from_s
                           : end,
            .offset_s = zone[i].offset_s,
            .before_s = i ? zone[i - 1].offset_s : zone[i].offset_s};
        if (s.until_s <= after_s || s.from_s >= s.until_s)
            continue;
        int64_t at = next_in(c, &s, after_s);
        if (at >= 0)
            return at;
    }
    return -1;
}
