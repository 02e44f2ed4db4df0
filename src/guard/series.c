/* series.c - how many rows does generate_series make, as far as its text
 * shows? */
#include "base/clock.h"
#include "walk.h"
#include "moment.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/banned.h"

#define YEAR 3.156e7 /* seconds */
#define FIRST_YEAR -4713
#define UNKNOWN_STEP 1e-6
/* Rows of a series whose ends are not known. A table may be multiplied by one
 * such series and be collected per group; two such series may not be collected
 * together. */
#define UNKNOWN_ROWS 720.0

static struct estimate series_check(struct walk *walk, int location,
                                    struct estimate m, double most)
{
    m.many = fmax(m.many, m.rows);
    if (!(m.rows <= most))
        return walk_refuse(
            walk, "too_costly", location,
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

/* Does it contain an interval: interval '1 day' * 7, make_interval(days =>
 * 7)? */
static bool is_interval(const json_t *node)
{
    struct str text = node_literal(node);
    struct node_children c = NODE_CHILDREN(node);
    double seconds;
    if ((text.ptr && text_step(text, &seconds)) ||
        str_is(node_function(node), "make_interval"))
        return true;
    while (node_next(&c))
        if (is_interval(c.child))
            return true;
    return false;
}

/* A series of numbers of which some are not known: a bound where one end is
 * known, else a guess. Between two years of data there are few rows; with an
 * unknown step there may be many. */
static struct estimate series_guessed(struct walk *walk, int location,
                                      const struct estimate *args,
                                      size_t n_args, const json_t *step_node,
                                      struct estimate m)
{
    double far = fmax(fabs(args[0].value), fabs(args[1].value));
    bool known_step = n_args < 3 || args[2].exact;
    double step = n_args > 2 && known_step ? fabs(args[2].value) : 1;
    bool known_end = args[0].exact || args[1].exact;
    if (known_end && !(far / fmax(step, 1e-9) <= ESTIMATE_MAX_ROWS))
        return walk_refuse(walk, "too_costly", location,
                           "generate_series may make more than %.0f rows here.",
                           ESTIMATE_MAX_ROWS);
    if (!known_step)
        step = is_interval(step_node) ? fmin(fabs(args[2].value), 1)
                                      : UNKNOWN_STEP;
    if (!known_end && known_step && far <= ESTIMATE_MAX_YEAR)
        m.many = far > ESTIMATE_COLUMN_VALUE ? UNKNOWN_ROWS : 1;
    else if (!known_step || far / fmax(step, 1e-9) > ESTIMATE_COLUMN_VALUE)
        m.many = far / fmax(step, 1e-9);
    return m;
}

/* Is it a date in another form than 2024-01-31, such as 1 Jan 1970 or epoch? */
static bool is_some_moment(struct str s)
{
    int digits = 0;
    for (size_t i = 0; i < s.len && digits < 4; i++)
        digits = s.ptr[i] >= '0' && s.ptr[i] <= '9' ? digits + 1 : 0;
    return digits == 4 || str_find_nocase(s, STR("epoch")) >= 0;
}

static double text_span(struct str text, bool is_day, double now)
{
    double seconds;
    if (text_moment(text, &seconds))
        return fabs(seconds - now);
    if (text_step(text, &seconds))
        return fabs(seconds);
    return is_day && is_some_moment(text) ? now : 0;
}

/* The number of a literal. The parser's JSON leaves out integers that are not
 * above zero. */
static double number_literal_or(const json_t *argument, double otherwise)
{
    const json_t *constant = node_inside(argument, "A_Const");
    struct str digits =
        json_get_text(json_object_get(constant, "fval"), "fval");
    const json_t *ival =
        json_object_get(json_object_get(constant, "ival"), "ival");
    if (digits.ptr)
        return strtod(digits.ptr, NULL);
    return ival ? (double)json_integer_value(ival) : otherwise;
}

/* The distance from now of to_timestamp(0), make_date(1970, …) and their kind,
 * in seconds. */
static double made_span(const json_t *call, struct str name, double now)
{
    const json_t *args = json_object_get(call, "args");
    const json_t *first = json_array_get(args, 0);
    struct str text = node_literal(first);
    if (node_holds(args, "ColumnRef"))
        return 0;
    if (text.ptr)
        return text_span(text, true, now);
    if (str_is(name, "to_timestamp"))
        return fabs(now - number_literal_or(first, INT32_MIN));
    return fabs(now - (number_literal_or(first, FIRST_YEAR) - 1970) * YEAR);
}

static double trunc_span(struct walk *walk, const json_t *call)
{
    struct str unit =
        node_literal(json_array_get(json_object_get(call, "args"), 0));
    struct str one = arena_printf(walk->arena, "1 %.*s", STR_ARG(unit));
    double seconds;
    return unit.ptr && text_step(one, &seconds) ? seconds : 1000 * YEAR;
}

/* The seconds that the intervals, days and dates in an end of a series add up
 * to. The end is no farther than that from now, or from a column. */
static double written_span(struct walk *walk, const json_t *node, bool is_end,
                           double now)
{
    struct str text = node_literal(node);
    const json_t *number = json_object_get(node_integer(node), "ival");
    struct node_children c = NODE_CHILDREN(node);
    if (text.ptr)
        return text_span(text, is_end || json_object_get(node, "TypeCast"),
                         now);
    if (number)
        return fabs((double)json_integer_value(number)) * 86400;
    const json_t *call = json_object_get(node, "FuncCall");
    struct str function = node_function(node);
    if (str_is(function, "to_timestamp") || str_is(function, "make_date") ||
        str_starts(function, STR("make_timestamp")))
        return made_span(call, function, now);
    double span = str_is(function, "date_trunc") ? trunc_span(walk, call) : 0;
    while (node_next(&c))
        span += written_span(walk, c.child, false, now);
    return span;
}

static struct estimate series_of_moments(struct walk *walk, int location,
                                         const json_t *list, double step,
                                         struct estimate m)
{
    double now = (double)clock_wall_ms() / 1000;
    double span = written_span(walk, json_array_get(list, 0), true, now) +
                  written_span(walk, json_array_get(list, 1), true, now);
    if (!(span / fabs(step) <= ESTIMATE_MAX_ROWS))
        return walk_refuse(walk, "too_costly", location,
                           "generate_series may make more than %.0f rows here.",
                           ESTIMATE_MAX_ROWS);
    m.many = fmax(span / fabs(step), 1);
    return m;
}

static struct estimate one_series(struct walk *walk, const json_t *call,
                                  const struct estimate *args, size_t n_args)
{
    int location = node_location(call);
    const json_t *list = json_object_get(call, "args");
    struct estimate m = estimate_worse(args[0], args[1]);
    double start, stop, step;
    struct str step_text = node_literal(json_array_get(list, 2));
    bool by_time = n_args > 2 && text_step(step_text, &step);
    bool by_number = n_args > 2 && args[2].exact && !by_time;
    m.rows = m.many = 1;
    if ((by_time && step == 0) || (by_number && args[2].value == 0))
        return walk_refuse(walk, "too_costly", location,
                           "The step of generate_series must not be zero.");
    if (by_time && fabs(step) < 1)
        return walk_refuse(
            walk, "too_costly", location,
            "The step of generate_series must be a second or more.");
    if (by_time && text_moment(node_literal(json_array_get(list, 0)), &start) &&
        text_moment(node_literal(json_array_get(list, 1)), &stop)) {
        m.rows = count_of(start, stop, step);
        return series_check(walk, location, m, ESTIMATE_MAX_DATES);
    }
    if (by_time)
        return series_of_moments(walk, location, list, step, m);
    if (args[0].exact && args[1].exact && (n_args < 3 || by_number)) {
        step = by_number ? args[2].value : 1;
        m.rows = count_of(args[0].value, args[1].value, step);
        return series_check(walk, location, m, ESTIMATE_MAX_SERIES);
    }
    return series_guessed(walk, location, args, n_args, json_array_get(list, 2),
                          m);
}

/* 'infinity'::date, which no series reaches. */
static bool is_infinite(const json_t *argument)
{
    struct str s = node_literal(argument);
    return s.ptr && str_find_nocase(s, STR("infinity")) >= 0;
}

/* Its arguments may be series themselves; there is then one series for each of
 * their rows, and only their largest number is known. */
struct estimate series_estimate(struct walk *walk, const json_t *call,
                                const struct estimate *args, size_t n_args)
{
    double each = 1;
    const json_t *list = json_object_get(call, "args");
    if (is_infinite(json_array_get(list, 0)) ||
        is_infinite(json_array_get(list, 1)))
        return walk_refuse(
            walk, "too_costly", node_location(call),
            "generate_series must begin and end at a number or a "
            "date, not at infinity.");
    for (size_t i = 0; i < n_args; i++)
        each = fmax(each, args[i].rows);
    struct estimate m = one_series(walk, call, args, n_args);
    if (each > 1)
        m.rows = each * fmax(m.rows, estimate_size(m));
    return series_check(walk, node_location(call), m, ESTIMATE_MAX_ROWS);
}
