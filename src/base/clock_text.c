/* clock_text.c - times in the format of RFC 3339. */
#include "base/clock.h"
#include <time.h>
#include "base/banned.h"

static char *put_digits(char *at, int n, int digits, char after)
{
    for (int i = digits - 1; i >= 0; i--, n /= 10)
        at[i] = (char)('0' + n % 10);
    at[digits] = after;
    return at + digits + 1;
}

/* Written by hand, not with strftime: each row of a list has two of these. */
void clock_rfc3339(int64_t wall_ms, char out[CLOCK_RFC3339_SIZE])
{
    int64_t ms = wall_ms % 1000;
    if (ms < 0)
        ms += 1000;
    time_t seconds = (time_t)((wall_ms - ms) / 1000);
    struct tm t;
    gmtime_r(&seconds, &t);
    int year = t.tm_year + 1900;
    out = put_digits(out, year < 0 ? 0 : year > 9999 ? 9999 : year, 4, '-');
    out = put_digits(out, t.tm_mon + 1, 2, '-');
    out = put_digits(out, t.tm_mday, 2, 'T');
    out = put_digits(out, t.tm_hour, 2, ':');
    out = put_digits(out, t.tm_min, 2, ':');
    out = put_digits(out, t.tm_sec, 2, '.');
    out = put_digits(out, (int)ms, 3, 'Z');
    *out = '\0';
}

/* Parses n digits and, unless it is 0, the sign after them. */
static bool parse_digits(struct str *s, size_t n, char sign, int *out)
{
    int64_t value;
    if (s->len < n || s->ptr[0] == '+' || s->ptr[0] == '-' ||
        !str_to_int64(str_cut(*s, 0, n), &value))
        return false;
    *out = (int)value;
    *s = str_from(*s, n);
    if (!sign)
        return true;
    if (!s->len || (s->ptr[0] | 0x20) != (sign | 0x20))
        return false;
    *s = str_from(*s, 1);
    return true;
}

/* Digits after milliseconds are dropped. */
static bool parse_fraction(struct str *s, int *ms)
{
    int weight = 100;
    size_t i = 1;
    *ms = 0;
    if (!s->len || s->ptr[0] != '.')
        return true;
    for (; i < s->len && s->ptr[i] >= '0' && s->ptr[i] <= '9'; i++) {
        *ms += (s->ptr[i] - '0') * weight;
        weight /= 10;
    }
    *s = str_from(*s, i);
    return i > 1;
}

static bool parse_zone(struct str s, int *minutes)
{
    int hours = 0, rest = 0;
    *minutes = 0;
    if (s.len == 1 && (s.ptr[0] | 0x20) == 'z')
        return true;
    bool east = s.len && s.ptr[0] == '+';
    if (s.len != 6 || (!east && s.ptr[0] != '-'))
        return false;
    s = str_from(s, 1);
    if (!parse_digits(&s, 2, ':', &hours) || !parse_digits(&s, 2, 0, &rest) ||
        hours > 23 || rest > 59)
        return false;
    *minutes = (east ? 1 : -1) * (hours * 60 + rest);
    return true;
}

bool clock_parse_rfc3339(struct str text, int64_t *wall_ms)
{
    struct tm t = {0};
    int ms, east;
    if (!parse_digits(&text, 4, '-', &t.tm_year) ||
        !parse_digits(&text, 2, '-', &t.tm_mon) ||
        !parse_digits(&text, 2, 't', &t.tm_mday) ||
        !parse_digits(&text, 2, ':', &t.tm_hour) ||
        !parse_digits(&text, 2, ':', &t.tm_min) ||
        !parse_digits(&text, 2, 0, &t.tm_sec) || !parse_fraction(&text, &ms) ||
        !parse_zone(text, &east))
        return false;
    if (t.tm_hour > 23 || t.tm_min > 59 || t.tm_sec > 59)
        return false;
    t.tm_year -= 1900;
    t.tm_mon -= 1;
    struct tm same = t;
    time_t seconds = timegm(&same);
    *wall_ms = ((int64_t)seconds - east * 60) * 1000 + ms;
    return same.tm_mday == t.tm_mday && same.tm_mon == t.tm_mon;
}

int64_t clock_parse_day(struct str date)
{
    char text[CLOCK_RFC3339_SIZE];
    int64_t ms;
    size_t n = str_copy(text, sizeof text - 10, date);
    n += str_copy(text + n, sizeof text - n, STR("T00:00:00Z"));
    return clock_parse_rfc3339((struct str){text, n}, &ms) && ms >= 0
               ? ms / (24 * 3600 * 1000LL)
               : -1;
}
