/* series.c - how many rows generate_series makes, where its text tells. */
#include "walk.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/banned.h"

/* Seconds since 1970 of "2024-01-31" with or without a time of day. */
static bool moment_of(struct str s, double *seconds)
{
    struct tm tm = {.tm_mday = 1};
    int used = 0;
    char text[40];
    if (!s.ptr || s.len >= sizeof text)
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    int n = sscanf(text, "%4d-%2d-%2d%n%*[ T]%2d:%2d:%2d", &tm.tm_year,
                   &tm.tm_mon, &tm.tm_mday, &used, &tm.tm_hour, &tm.tm_min,
                   &tm.tm_sec);
    if (n < 3 || tm.tm_mon < 1 || tm.tm_mon > 12)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    *seconds = (double)timegm(&tm);
    return true;
}

/* Seconds of a unit's name, by its beginning; 0: not known. */
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

/* "1 day", "1 hour 30 minutes"; false for what is written otherwise. */
static bool step_of(struct str s, double *seconds)
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

static struct measure rows_checked(struct walk *walk, int location,
                                   struct measure m, double most)
{
    if (!(m.rows <= most))
        return refuse(walk, "too_costly", location,
                      "generate_series makes about %.0f rows here; at most "
                      "%.0f are allowed.",
                      fmin(m.rows, 1e18), most);
    return m;
}

static double count_of(double start, double stop, double step)
{
    double n = floor((stop - start) / step);
    return n < 0 ? 0 : n + 1;
}

/* Numbers of which not all are known: a bound when at least one is. */
static struct measure guessed(struct walk *walk, int location,
                              const struct measure *args, size_t n_args,
                              struct measure m)
{
    if (!args[0].exact && !args[1].exact)
        return m;
    double far = fmax(fabs(args[0].value), fabs(args[1].value));
    bool known_step = n_args > 2 && args[2].exact;
    double step = known_step ? fabs(args[2].value) : 1;
    if (!(far / fmax(step, 1e-9) <= MEASURE_MAX_ROWS))
        return refuse(walk, "too_costly", location,
                      "generate_series may make more than %.0f rows here.",
                      MEASURE_MAX_ROWS);
    return m;
}

static struct measure one_series(struct walk *walk, const json_t *call,
                                 const struct measure *args, size_t n_args)
{
    int location = node_location(call);
    const json_t *list = json_object_get(call, "args");
    struct measure m = measure_worse(args[0], args[1]);
    double start, stop, step;
    struct str step_text = node_literal(json_array_get(list, 2));
    bool by_time = n_args > 2 && step_of(step_text, &step);
    bool by_number = n_args > 2 && args[2].exact && !by_time;
    m.rows = 1;
    if ((by_time && step == 0) || (by_number && args[2].value == 0))
        return refuse(walk, "too_costly", location,
                      "The step of generate_series must not be zero.");
    if (by_time && fabs(step) < 1)
        return refuse(walk, "too_costly", location,
                      "The step of generate_series must be a second or more.");
    if (by_time && moment_of(node_literal(json_array_get(list, 0)), &start) &&
        moment_of(node_literal(json_array_get(list, 1)), &stop)) {
        m.rows = count_of(start, stop, step);
        return rows_checked(walk, location, m, MEASURE_MAX_DATES);
    }
    if (by_time)
        return m;
    if (args[0].exact && args[1].exact && (n_args < 3 || by_number)) {
        step = by_number ? args[2].value : 1;
        m.rows = count_of(args[0].value, args[1].value, step);
        return rows_checked(walk, location, m, MEASURE_MAX_SERIES);
    }
    return guessed(walk, location, args, n_args, m);
}

/* 'infinity'::date, where no series ever arrives. */
static bool is_infinite(const json_t *argument)
{
    struct str s = node_literal(argument);
    return s.ptr && str_find_nocase(s, STR("infinity")) >= 0;
}

/* One for each row of its arguments, which may be series themselves. Of those
 * nothing but the largest number is known. */
struct measure series_measure(struct walk *walk, const json_t *call,
                              const struct measure *args, size_t n_args)
{
    double each = 1;
    const json_t *list = json_object_get(call, "args");
    if (is_infinite(json_array_get(list, 0)) ||
        is_infinite(json_array_get(list, 1)))
        return refuse(walk, "too_costly", node_location(call),
                      "generate_series must begin and end at a number or a "
                      "date, not at infinity.");
    for (size_t i = 0; i < n_args; i++)
        each = fmax(each, args[i].rows);
    struct measure m = one_series(walk, call, args, n_args);
    if (each > 1)
        m.rows = each * fmax(m.rows, measure_size(m));
    return rows_checked(walk, node_location(call), m, MEASURE_MAX_ROWS);
}
