/* period_sql.c - conditions on time: a field lies in a period.
 *
 * A relative period is that of the calendar, unless the data end clearly
 * earlier: then it is their last complete one (analyst/period.h). Only the
 * data can tell, so the query itself decides: each end of the period is a
 * subquery over the latest date up to today. Later dates never count. */
#include "analyst/period.h"
#include "base/buf.h"
#include "read/calendar.h"
#include "read/field.h"
#include "compose.h"
#include "from.h"
#include "sql_text.h"
#include "base/banned.h"

/* A day as SQL: a date, or its year for a column of years. */
static struct str day_sql(struct bound_query *query, int64_t day, bool year)
{
    if (year)
        return arena_printf(query->arena, "%lld",
                            (long long)date_of_days(day).year);
    return arena_printf(query->arena, "DATE '%.*s'",
                        STR_ARG(date_text(query->arena, day)));
}

/* "5 month"; quarters are three months each. */
static struct str interval_sql(struct bound_query *query, enum time_unit unit,
                               size_t count)
{
    bool quarter = unit == UNIT_QUARTER;
    return arena_printf(query->arena, "INTERVAL '%zu %s'",
                        quarter ? 3 * count : count,
                        unit_words[quarter ? UNIT_MONTH : unit]);
}

static struct str minus_sql(struct bound_query *query, struct str from,
                            enum time_unit unit, size_t count)
{
    if (!count)
        return from;
    return arena_printf(query->arena, "%.*s - %.*s", STR_ARG(from),
                        STR_ARG(interval_sql(query, unit, count)));
}

/* "FROM public.orders AS orders WHERE orders.order_date < DATE '…'": the rows
 * up to today, or all of them. */
static struct str rows_sql(struct bound_query *query, struct field_ref ref,
                           bool until_today)
{
    struct buf out;
    buf_init(&out, query->arena);
    buf_text(&out, "FROM ");
    put_relation(query, ref.dataset, &out);
    if (until_today)
        buf_printf(&out, " WHERE %.*s < %.*s",
                   STR_ARG(field_ref_sql(query, ref)),
                   STR_ARG(day_sql(query, query->today + 1, false)));
    return buf_view(&out);
}

static struct str latest_of_sql(struct bound_query *query, struct field_ref ref)
{
    return arena_printf(query->arena, "MAX(%.*s)",
                        STR_ARG(field_ref_sql(query, ref)));
}

/* The latest date in the data up to today. */
static struct str latest_sql(struct bound_query *query, struct field_ref ref)
{
    return arena_printf(query->arena, "(SELECT %.*s %.*s)",
                        STR_ARG(latest_of_sql(query, ref)),
                        STR_ARG(rows_sql(query, ref, true)));
}

/* How many units a relative window has, and how many units before today's the
 * last of them is. */
static size_t window_units(const struct window *w, size_t *back)
{
    *back = w->relative == RELATIVE_BEFORE ? 1 : 0;
    bool counts =
        w->relative == RELATIVE_LAST || w->relative == RELATIVE_LATEST;
    return counts && w->count ? w->count : 1;
}

int64_t window_limit(const struct bound_query *query, const struct window *w)
{
    size_t back;
    return period_limit(w->unit, window_units(w, &back), query->today);
}

struct period window_calendar(const struct bound_query *query,
                              const struct window *w)
{
    size_t back, count = window_units(w, &back);
    struct period p = period_relative(w->unit, count, back, query->today);
    if (w->to_date && p.to > query->today + 1)
        p.to = query->today + 1;
    return p;
}

/* One end of a relative period as an expression over the rows up to today, with
 * an aggregate of the latest date. */
static struct str end_sql(struct bound_query *query, const struct window *w,
                          struct field_ref ref, bool first)
{
    struct arena *a = query->arena;
    const char *unit = unit_words[w->unit];
    struct str latest = latest_of_sql(query, ref);
    size_t back, count = window_units(w, &back);
    if (w->relative == RELATIVE_LATEST) {
        struct str start =
            arena_printf(a, "DATE_TRUNC('%s', %.*s)", unit, STR_ARG(latest));
        if (first)
            return minus_sql(query, start, w->unit, count - 1);
        return arena_printf(a, "%.*s + %.*s", STR_ARG(start),
                            STR_ARG(interval_sql(query, w->unit, 1)));
    }
    struct period asked = window_calendar(query, w);
    struct str whole = arena_printf(
        a, "DATE_TRUNC('%s', %.*s + INTERVAL '1 day')", unit, STR_ARG(latest));
    return arena_printf(
        a, "CASE WHEN %.*s < %.*s THEN %.*s ELSE %.*s END", STR_ARG(latest),
        STR_ARG(day_sql(query, window_limit(query, w), false)),
        STR_ARG(minus_sql(query, whole, w->unit, first ? count : 0)),
        STR_ARG(day_sql(query, first ? asked.from : asked.to, false)));
}

static struct str bound_sql(struct bound_query *query, const struct window *w,
                            struct field_ref ref, bool first)
{
    return arena_printf(query->arena, "(SELECT %.*s %.*s)",
                        STR_ARG(end_sql(query, w, ref, first)),
                        STR_ARG(rows_sql(query, ref, true)));
}

static struct str relative_sql(struct bound_query *query,
                               const struct window *w, struct field_ref ref)
{
    struct str when = field_ref_sql(query, ref);
    return arena_printf(query->arena, "(%.*s >= %.*s\n  AND %.*s < %.*s)",
                        STR_ARG(when), STR_ARG(bound_sql(query, w, ref, true)),
                        STR_ARG(when),
                        STR_ARG(bound_sql(query, w, ref, false)));
}

struct str period_before(struct bound_query *query, const struct window *w,
                         struct field_ref ref)
{
    struct str when = field_ref_sql(query, ref), first, last;
    if (w->n) {
        first = day_sql(query, w->ranges[0].from, false);
        last = day_sql(query, w->ranges[0].to, false);
    } else {
        first = bound_sql(query, w, ref, true);
        last = bound_sql(query, w, ref, false);
    }
    /* Ends at the same day of the year as the data. */
    return arena_printf(
        query->arena,
        "(%.*s >= %.*s - INTERVAL '1 year'\n  AND %.*s < "
        "LEAST(%.*s, DATE_TRUNC('day', %.*s) + INTERVAL '1 day') "
        "- INTERVAL '1 year')",
        STR_ARG(when), STR_ARG(first), STR_ARG(when), STR_ARG(last),
        STR_ARG(latest_sql(query, ref)));
}

static struct str ranges_sql(struct bound_query *query, const struct window *w,
                             struct field_ref ref, bool year)
{
    struct str when = field_ref_sql(query, ref);
    bool several = w->n > 1 || year;
    struct buf out;
    buf_init(&out, query->arena);
    if (year)
        when =
            arena_printf(query->arena, "CAST(%.*s AS integer)", STR_ARG(when));
    buf_text(&out, several ? "(" : "");
    for (size_t i = 0; i < w->n; i++) {
        const struct range *r = &w->ranges[i];
        buf_text(&out, i ? " OR (" : "(");
        if (r->has_from)
            buf_printf(&out, "%.*s >= %.*s", STR_ARG(when),
                       STR_ARG(day_sql(query, r->from, year)));
        if (r->has_from && r->has_to)
            buf_text(&out, " AND ");
        if (r->has_to)
            buf_printf(&out, "%.*s < %.*s", STR_ARG(when),
                       STR_ARG(day_sql(query, r->to, year)));
        buf_char(&out, ')');
    }
    buf_text(&out, several ? ")" : "");
    return buf_view(&out);
}

struct str weekday_sql(struct bound_query *query, struct str when)
{
    return arena_printf(query->arena, "EXTRACT(ISODOW FROM %.*s)",
                        STR_ARG(when));
}

struct str period_is(struct bound_query *query, const struct window *w,
                     struct field_ref ref)
{
    bool year = !field_is_date(field_of_ref(query, ref));
    struct str period = w->n          ? ranges_sql(query, w, ref, year)
                        : w->relative ? relative_sql(query, w, ref)
                                      : STR("");
    struct buf out;
    if (!w->weekdays)
        return period;
    buf_init(&out, query->arena);
    buf_printf(&out, "%.*s%s%.*s IN (", STR_ARG(period),
               period.len ? "\n  AND " : "",
               STR_ARG(weekday_sql(query, field_ref_sql(query, ref))));
    const char *joint = "";
    for (int day = 0; day < 7; day++)
        if (w->weekdays & 1u << day) {
            buf_printf(&out, "%s%d", joint, day + 1);
            joint = ", ";
        }
    return arena_printf(query->arena, "(%.*s))", STR_ARG(buf_view(&out)));
}

/* ---- which period it was ------------------------------------------------- */

struct dated {
    const struct window *window;
    struct field_ref ref;
};

enum { DATED_MOST = QUERY_PARTS + QUESTION_FILTERS };

bool window_is_closed(const struct window *w)
{
    return w->n == 1 && w->ranges[0].has_from && w->ranges[0].has_to;
}

/* Only the data know the ends of a window that is not closed. */
static void dated_add(const struct bound_query *query, struct dated *all,
                      size_t *n, const struct window *w, struct field_ref ref)
{
    bool open = w->n == 1 && !window_is_closed(w);
    /* A single figure and a list do not show whether the data have the period at
     * all. */
    bool bare = window_is_closed(w) &&
                (!query->n_dimensions || query->question.lists) &&
                w == &query->question.window;
    if (ref.dataset == SIZE_MAX || !field_is_date(field_of_ref(query, ref)) ||
        !(w->relative || open || bare))
        return;
    for (size_t i = 0; i < *n; i++)
        if (all[i].window == w && field_ref_same(all[i].ref, ref))
            return;
    all[(*n)++] = (struct dated){w, ref};
}

static size_t dated_list(const struct bound_query *query, struct dated *all)
{
    size_t n = 0;
    for (size_t i = 0; i < query->n_parts; i++)
        if (window_is_set(&query->question.window))
            dated_add(query, all, &n, &query->question.window,
                      query->parts[i].time);
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        if (c->asked->kind == FILTER_TIME)
            dated_add(query, all, &n, &c->asked->window, c->ref);
        else if (c->asked->kind == FILTER_EXISTS &&
                 window_is_set(&c->asked->window))
            dated_add(query, all, &n, &c->asked->window, c->time);
    }
    return n;
}

/* The first or the last day of a window. */
static struct str shown_end_sql(struct bound_query *query,
                                const struct dated *d, bool first)
{
    const struct window *w = d->window;
    const struct range *r = &w->ranges[0];
    struct str end;
    if (w->n && first)
        end = r->has_from ? day_sql(query, r->from, false)
                          : arena_printf(query->arena, "MIN(%.*s)",
                                         STR_ARG(field_ref_sql(query, d->ref)));
    else if (w->n)
        end = r->has_to ? day_sql(query, r->to - 1, false)
                        : latest_of_sql(query, d->ref);
    else
        end = end_sql(query, w, d->ref, first);
    return arena_printf(query->arena, "CAST(%.*s%s AS date)", STR_ARG(end),
                        w->n || first ? "" : " - INTERVAL '1 day'");
}

static struct str moved_sql(struct bound_query *query, const struct dated *d)
{
    const struct window *w = d->window;
    if (w->n || w->relative == RELATIVE_LATEST)
        return STR("FALSE");
    return arena_printf(query->arena, "COALESCE(%.*s < %.*s, FALSE)",
                        STR_ARG(latest_of_sql(query, d->ref)),
                        STR_ARG(day_sql(query, window_limit(query, w), false)));
}

static void put_dated(struct bound_query *query, const struct dated *d,
                      size_t at, struct buf *out)
{
    struct arena *a = query->arena;
    buf_printf(out,
               "SELECT %zu AS place, %.*s AS period, %.*s AS field,\n"
               "  %.*s AS first_day,\n  %.*s AS last_day,\n"
               "  CAST(MIN(%.*s) AS date) AS data_begin,\n"
               "  CAST(%.*s AS date) AS data_end, %.*s AS moved\n%.*s",
               at, STR_ARG(sql_literal(a, d->window->words)),
               STR_ARG(sql_literal(a, field_ref_path(query, d->ref))),
               STR_ARG(shown_end_sql(query, d, true)),
               STR_ARG(shown_end_sql(query, d, false)),
               STR_ARG(field_ref_sql(query, d->ref)),
               STR_ARG(latest_of_sql(query, d->ref)),
               STR_ARG(moved_sql(query, d)),
               STR_ARG(rows_sql(query, d->ref, !window_is_closed(d->window))));
}

struct str query_periods(struct bound_query *query)
{
    struct dated all[DATED_MOST];
    size_t n = dated_list(query, all);
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < n; i++) {
        buf_text(&out, i ? "\nUNION ALL\n" : "");
        put_dated(query, &all[i], i + 1, &out);
    }
    if (n > 1)
        buf_text(&out, "\nORDER BY place");
    return buf_view(&out);
}

struct query_spec periods_spec(struct bound_query *query, int64_t id)
{
    static const char *const names[] = {"place",     "period",   "field",
                                        "first_day", "last_day", "data_begin",
                                        "data_end",  "moved"};
    enum { N = sizeof names / sizeof *names };
    struct str sql = query_periods(query);
    struct query_spec spec = {.step_id = id,
                              .description = STR("The days of the period"),
                              .pilot_sql = sql,
                              .full_sql = sql,
                              .n_expected_columns = N};
    spec.expected_columns = arena_new_array(query->arena, struct str, N);
    for (size_t i = 0; i < N; i++)
        spec.expected_columns[i] = str_of(names[i]);
    return spec;
}
