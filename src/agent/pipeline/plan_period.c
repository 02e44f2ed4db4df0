/* plan_period.c - settles the period of a plan; see plan_period.h.
 *
 *   plan_period_settle_begin -> (latest date) -> end_read */
#include "plan_period.h"
#include "../today.h"
#include "analyst/period.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include <stdio.h>
#include "base/banned.h"

enum { END_MS = 5000, WINDOW_BYTES = 300 };

static struct next end_read(struct flow *f);

/* ---- is it a period ------------------------------------------------------ */

static bool period_problem(struct artifact_problem *problem, const char *what)
{
    snprintf(problem->text, sizeof problem->text, "period%s", what);
    return false;
}

bool plan_period_check(const struct plan *plan,
                       struct artifact_problem *problem)
{
    const struct plan_period *p = plan->period;
    int64_t from, to;
    if (!p)
        return true;
    if (!period_day_read(p->from, &from))
        return period_problem(problem, ".from: must be a day, YYYY-MM-DD");
    if (!period_day_read(p->to, &to))
        return period_problem(problem, ".to: must be a day, YYYY-MM-DD");
    return from <= to || period_problem(problem, ".to: is before from");
}

/* ---- the date that it is about ------------------------------------------- */

static const struct field *time_field(const struct dataset *d, struct str name)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (d->fields[i].is_time &&
            (!name.len || str_eq_nocase(d->fields[i].name, name)))
            return &d->fields[i];
    return NULL;
}

/* The field that the plan names, else the first date of its datasets. */
static const struct field *field_of_plan(struct run *r, const struct plan *plan,
                                         const struct dataset **of)
{
    const struct ontology *o = r->ontology->model;
    struct str named = plan->period->field;
    ptrdiff_t dot = str_find_char(named, '.');
    const struct field *field = NULL;
    if (dot > 0) {
        *of = ontology_dataset(o, str_cut(named, 0, (size_t)dot));
        field = *of ? time_field(*of, str_from(named, (size_t)dot + 1)) : NULL;
    }
    for (size_t i = 0; !field && i < plan->n_steps; i++)
        for (size_t d = 0; !field && d < plan->steps[i].n_datasets; d++) {
            *of = ontology_dataset(o, plan->steps[i].datasets[d]);
            field = *of ? time_field(*of, STR("")) : NULL;
        }
    return field;
}

static struct str quoted(struct arena *a, struct str name)
{
    struct buf out;
    buf_init(&out, a);
    buf_quoted(&out, name, '"');
    return buf_view(&out);
}

static struct str end_sql(struct arena *a, const struct run *r,
                          const struct dataset *d, const struct field *field)
{
    return arena_printf(
        a,
        "SELECT CAST(MAX(%.*s) AS date) AS data_end\nFROM %.*s AS %.*s\n"
        "WHERE %.*s < DATE '%.*s'",
        STR_ARG(field->expression), STR_ARG(dataset_relation(a, d)),
        STR_ARG(quoted(a, d->name)), STR_ARG(field->expression),
        STR_ARG(period_day_text(a, run_today(r) + 1)));
}

/* ---- the settling -------------------------------------------------------- */

static struct str days_of(struct arena *a, const struct plan_period *p)
{
    return arena_printf(a, "%.*s to %.*s", STR_ARG(p->from), STR_ARG(p->to));
}

/* "last month: 2026-10-01 to 2026-10-31": the plan's words and the days. */
static struct str with_days(const struct plan_period_settle *s, struct str days,
                            struct str why)
{
    struct str words = s->plan->time_window;
    if (words.len > WINDOW_BYTES || str_find(words, days) >= 0)
        words = STR("");
    return arena_printf(&s->run->arena, "%.*s%s%.*s%.*s", STR_ARG(words),
                        words.len ? ": " : "", STR_ARG(days), STR_ARG(why));
}

static void say_days(struct plan_period_settle *s)
{
    struct str days = days_of(&s->run->scratch, s->plan->period);
    s->plan->time_window = with_days(s, days, STR(""));
}

struct next plan_period_settle_begin(struct flow *f)
{
    struct plan_period_settle *s = locals(f, struct plan_period_settle);
    struct run *r = s->run;
    const struct dataset *d = NULL;
    if (!s->plan->period)
        return back(f);
    s->plan->period->moved = false;
    const struct field *field =
        s->plan->period->relative ? field_of_plan(r, s->plan, &d) : NULL;
    if (!field || r->tools.share_rows == SHARE_NONE) {
        say_days(s);
        return back(f);
    }
    s->field = arena_printf(&r->arena, "%.*s.%.*s", STR_ARG(d->name),
                            STR_ARG(field->name));
    s->context = r->tools;
    if (s->context.sql_timeout_ms > END_MS)
        s->context.sql_timeout_ms = END_MS;
    s->query = (struct query_tool){.context = &s->context,
                                   .sql = end_sql(&r->scratch, r, d, field),
                                   .max_rows = 1,
                                   .memory = &r->scratch};
    return call(f, query_tool_begin, &s->query, end_read);
}

/* How many units the period touches. */
static size_t units_in(enum time_unit unit, int64_t from, int64_t to)
{
    enum { UNITS_MOST = 10000 };
    size_t n = 0;
    for (int64_t at = period_unit_start(unit, from); at <= to && n < UNITS_MOST;
         at = period_unit_shift(unit, at, 1))
        n++;
    return n;
}

/* All texts come before the plan changes: memory may run out in between. */
static void move(struct plan_period_settle *s, struct period to, int64_t end)
{
    struct arena *a = &s->run->arena;
    struct plan *plan = s->plan;
    struct plan_period *p = plan->period;
    struct plan_ambiguity *all =
        arena_new_array(a, struct plan_ambiguity, plan->n_ambiguities + 1);
    struct str asked = days_of(a, p), days = period_days_text(a, to);
    struct str last = period_day_text(a, end);
    struct str first_day = period_day_text(a, to.from);
    struct str last_day = period_day_text(a, to.to - 1);
    struct plan_ambiguity why = {
        .question = arena_printf(a,
                                 "Which days are the period, as the data end "
                                 "before %.*s?",
                                 STR_ARG(asked)),
        .assumption =
            arena_printf(a,
                         "%.*s ends on %.*s, so the period is its "
                         "last complete one, %.*s.",
                         STR_ARG(s->field), STR_ARG(last), STR_ARG(days))};
    struct str window = with_days(
        s, days,
        arena_printf(a,
                     ", the last complete period of the data, which end on "
                     "%.*s (%.*s); not %.*s",
                     STR_ARG(last), STR_ARG(s->field), STR_ARG(asked)));
    for (size_t i = 0; i < plan->n_ambiguities; i++)
        all[i] = plan->ambiguities[i];
    all[plan->n_ambiguities] = why;
    plan->ambiguities = all;
    plan->n_ambiguities++;
    plan->time_window = window;
    p->moved = true;
    p->from = first_day;
    p->to = last_day;
}

static struct next end_read(struct flow *f)
{
    struct plan_period_settle *s = locals(f, struct plan_period_settle);
    const struct query_tool *q = &s->query;
    const struct plan_period *p = s->plan->period;
    enum time_unit unit = (enum time_unit)(p->unit + UNIT_DAY);
    int64_t from = 0, to = 0, end;
    bool read = !q->failed && q->n_shown == 1 && q->n_columns == 1 &&
                q->cells[0].ptr && period_day_read(q->cells[0], &end);
    period_day_read(p->from, &from);
    period_day_read(p->to, &to);
    size_t n = units_in(unit, from, to);
    if (read && end < from && end < period_limit(unit, n, run_today(s->run)))
        move(s, period_complete(unit, n, end), end);
    else
        say_days(s);
    return back(f);
}
