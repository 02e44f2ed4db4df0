/* grounding_rate.c - how much something was per day or month; see grounding_rate.h. */
#include "grounding_rate.h"
#include "compare_clause.h"
#include "unit.h"
#include <math.h>
#include "base/banned.h"

bool queried_days(const struct facts *facts, int64_t *first, int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    for (size_t i = 0; i < facts->context.n; i++) {
        const struct figure *f = &facts->context.items[i];
        if (f->kind != FIGURE_PERIOD)
            continue;
        *first = f->first < *first ? f->first : *first;
        *last = f->last > *last ? f->last : *last;
    }
    return *first < *last;
}

/* How many whole units the days are; 0: they are no whole ones. */
static int64_t units_in(int64_t first, int64_t last, enum unit unit)
{
    static const int of_months[] = {1, 3, 12};
    int64_t from, to;
    int month, end, day, next_day;
    if (unit == UNIT_DAY)
        return last - first + 1;
    if (unit == UNIT_WEEK)
        return (last - first + 1) % 7 ? 0 : (last - first + 1) / 7;
    if (unit < UNIT_MONTH || unit > UNIT_YEAR)
        return 0;
    figure_date(first, &from, &month, &day);
    figure_date(last + 1, &to, &end, &next_day);
    int64_t months = 12 * (to - from) + end - month;
    int64_t size = of_months[unit - UNIT_MONTH];
    return day == 1 && next_day == 1 && months % size == 0 ? months / size : 0;
}

bool is_length(struct grounding_walk *w, const struct figure *f)
{
    int64_t first, last;
    return f->kind == FIGURE_NUMBER && f->whole &&
           wording_among(walk_word_beside(w, f->from, -1),
                         " over the all across of in these those ") &&
           queried_days(&w->facts, &first, &last) &&
           f->value ==
               (double)units_in(first, last,
                                unit_of_word(walk_word_beside(w, f->to, 1)));
}

/* The unit of time of "per day", "a day" after the figure, or of "daily" in the
 * sentence. */
static enum unit rate_unit(const struct grounding_walk *w,
                           const struct figure *f)
{
    static const char *const every[] = {"daily", "weekly", "monthly",
                                        "quarterly", "yearly"};
    static const enum unit units[] = {UNIT_DAY, UNIT_WEEK, UNIT_MONTH,
                                      UNIT_QUARTER, UNIT_YEAR};
    const struct wording_word *words = walk_words(w);
    size_t n = w->now.sentence->n_words, at = 0, end = w->wording.text.len;
    if (f + 1 < w->now.figures + w->now.n_figures)
        end = f[1].from;
    while (at < n && words[at].from < f->to)
        at++;
    for (; at + 1 < n && words[at].from < end; at++)
        if (wording_among(words[at].lower, " per a each every pro par por al "))
            return unit_of_word(words[at + 1].lower);
    for (at = 0; at < n; at++)
        for (size_t i = 0; i < sizeof every / sizeof *every; i++)
            if (str_is(words[at].lower, every[i]))
                return units[i];
    return UNIT_NONE;
}

/* The days that the sentence is about: those of the only row of a period, or of the only
 * period that it names, or of the queries. */
static bool told_days(struct grounding_walk *w, const struct grounding_scope *s,
                      int64_t *first, int64_t *last)
{
    const struct figure *only = NULL;
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        if (table->period == table->n_columns || s->rows[t].n != 1)
            continue;
        const struct fact_column *c = &table->columns[table->period];
        *first = c->days[s->rows[t].rows[0]];
        *last = *first == INT64_MIN ? *first : fact_last_day(c, *first);
        return *first < *last;
    }
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *f = &w->now.figures[i];
        if (f->kind != FIGURE_PERIOD)
            continue;
        if (only)
            return queried_days(&w->facts, first, last);
        only = f;
    }
    if (!only || only->first == only->last)
        return queried_days(&w->facts, first, last);
    *first = only->first;
    *last = only->last;
    return true;
}

bool is_rate(struct grounding_walk *w, size_t at)
{
    const struct figure *f = &w->now.figures[at];
    int64_t first, last, n = 0;
    enum unit unit = f->kind == FIGURE_NUMBER ? rate_unit(w, f) : UNIT_NONE;
    struct grounding_scope scope;
    if (unit == UNIT_NONE)
        return false;
    walk_scope(w, at, &scope);
    if (told_days(w, &scope, &first, &last))
        n = units_in(first, last, unit);
    for (size_t t = 0; n > 1 && t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        const struct scope_rows *rows = &scope.rows[t];
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (c->adds && c->n_sorted && !c->percent && !c->averages &&
                (rows->n || table->whole) &&
                facts_work(&w->facts, rows->n + 1) &&
                figure_near(f,
                            (rows->n ? rows_sum(c, rows) : c->sum) / (double)n))
                return true;
        }
    }
    return false;
}
