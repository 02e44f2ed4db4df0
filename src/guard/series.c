/* series.c - how many rows generate_series makes, where its text tells. */
#include "base/clock.h"
#include "walk.h"
#include "moment.h"
#include <math.h>
#include "base/banned.h"

static struct measure rows_checked(struct walk *walk, int location,
                                   struct measure m, double most)
{
    m.many = fmax(m.many, m.rows);
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
    if (far > MEASURE_COLUMN_VALUE)
        m.many = far / fmax(step, 1e-9);
    return m;
}

/* Seconds that the intervals, days and dates written in an end of a series add up
 * to: it is no farther than that from now, or from what a column says. */
static double written_span(const json_t *node, double now)
{
    struct str text = node_literal(node);
    const json_t *number =
        json_object_get(json_object_get(node_inside(node, "A_Const"), "ival"),
                        "ival");
    double seconds, span = 0;
    const char *name;
    size_t i;
    json_t *child;
    if (text.ptr && text_moment(text, &seconds))
        return fabs(seconds - now);
    if (text.ptr)
        return text_step(text, &seconds) ? fabs(seconds) : 0;
    if (number)
        return fabs((double)json_integer_value(number)) * 86400;
    json_object_foreach((json_t *)node, name, child)
        span += written_span(child, now);
    json_array_foreach(node, i, child)
        span += written_span(child, now);
    return span;
}

static struct measure moments(struct walk *walk, int location,
                              const json_t *list, double step, struct measure m)
{
    double now = (double)clock_wall_ms() / 1000;
    double span = written_span(json_array_get(list, 0), now) +
                  written_span(json_array_get(list, 1), now);
    if (!(span / fabs(step) <= MEASURE_MAX_ROWS))
        return refuse(walk, "too_costly", location,
                      "generate_series may make more than %.0f rows here.",
                      MEASURE_MAX_ROWS);
    m.many = fmax(span / fabs(step), 1);
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
    bool by_time = n_args > 2 && text_step(step_text, &step);
    bool by_number = n_args > 2 && args[2].exact && !by_time;
    m.rows = m.many = 1;
    if ((by_time && step == 0) || (by_number && args[2].value == 0))
        return refuse(walk, "too_costly", location,
                      "The step of generate_series must not be zero.");
    if (by_time && fabs(step) < 1)
        return refuse(walk, "too_costly", location,
                      "The step of generate_series must be a second or more.");
    if (by_time && text_moment(node_literal(json_array_get(list, 0)), &start) &&
        text_moment(node_literal(json_array_get(list, 1)), &stop)) {
        m.rows = count_of(start, stop, step);
        return rows_checked(walk, location, m, MEASURE_MAX_DATES);
    }
    if (by_time)
        return moments(walk, location, list, step, m);
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
