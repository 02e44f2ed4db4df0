/* moment.c - reads dates and intervals as they are written in literals. */
#include "moment.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/banned.h"

bool text_moment(struct str s, double *seconds)
{
    struct tm tm = {.tm_mday = 1};
    int used = 0;
    char text[40];
    if (!s.ptr || s.len >= sizeof text)
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    int n =
        sscanf(text, "%4d-%2d-%2d%n%*[ T]%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon,
               &tm.tm_mday, &used, &tm.tm_hour, &tm.tm_min, &tm.tm_sec);
    if (n < 3 || tm.tm_mon < 1 || tm.tm_mon > 12)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    *seconds = (double)timegm(&tm);
    return true;
}

/* The seconds of a unit; 0 when its name is not known. */
static double unit_of(const char *name, size_t len)
{
    static const struct {
        const char *begins;
        double seconds;
    } units[] = {
        {"microsecond", 1e-6}, {"usec", 1e-6},   {"us", 1e-6},
        {"millisecond", 1e-3}, {"msec", 1e-3},   {"ms", 1e-3},
        {"second", 1},         {"sec", 1},       {"s", 1},
        {"minute", 60},        {"min", 60},      {"m", 60},
        {"hour", 3600},        {"hr", 3600},     {"h", 3600},
        {"day", 86400},        {"d", 86400},     {"week", 604800},
        {"w", 604800},         {"month", 2.6e6}, {"mon", 2.6e6},
        {"quarter", 7.8e6},    {"year", 3.15e7}, {"yr", 3.15e7},
        {"y", 3.15e7},         {"decade", 3e8},  {"century", 3e9},
    };
    if (len > 1 && (name[len - 1] == 's' || name[len - 1] == 'S') &&
        !(len == 2 && (*name == 'm' || *name == 'u')))
        len--;
    struct str s = {name, len};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_eq_nocase(s, str_of(units[i].begins)))
            return units[i].seconds;
    return 0;
}

bool text_step(struct str s, double *seconds)
{
    *seconds = 0;
    if (!s.ptr)
        return false;
    const char *at = s.ptr, *end = s.ptr + s.len;
    while (at < end) {
        char *behind;
        double n = strtod(at, &behind);
        if (behind == at)
            return false;
        while (behind < end && *behind == ' ')
            behind++;
        const char *unit = behind;
        while (behind < end && isalpha((unsigned char)*behind))
            behind++;
        double size = unit_of(unit, (size_t)(behind - unit));
        if (size == 0)
            return false;
        *seconds += n * size;
        while (behind < end && *behind == ' ')
            behind++;
        at = behind;
    }
    return true;
}

double text_days(struct str s)
{
    int year, month, day, used = 0;
    double seconds;
    char text[40];
    if (!s.ptr || s.len >= sizeof text || !s.len)
        return -1;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    if (sscanf(text, "%9d-%2d-%2d%n", &year, &month, &day, &used) == 3 && used)
        return (abs(year - 1970) + 1) * 366.0;
    return text_step(s, &seconds) ? fabs(seconds) / 86400 : -1;
}
