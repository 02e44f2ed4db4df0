/* grounding_days.c - dates of rows, and the time between them; see
 * grounding_days.h. */
#include "grounding_days.h"
#include "prose.h"
#include <math.h>
#include "base/banned.h"

bool is_date_of_row(struct grounding_walk *w, size_t figure)
{
    const struct figure *f = &w->now.figures[figure];
    struct grounding_scope scope;
    walk_scope(w, figure, &scope);
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        const struct scope_rows *named = &scope.named[t];
        bool some = scope.strict && named->n;
        size_t n = some ? named->n : table->n_rows;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->dated || !facts_work(&w->facts, n))
                continue;
            for (size_t k = 0; k < n; k++)
                if (scope_row_is_of(c, some ? named->rows[k] : k, f))
                    return true;
        }
    }
    return false;
}

/* ---- the time between two dates ------------------------------------------- */

/* Days in the unit that a word says; 0: it is none. */
static double days_of(struct str word)
{
    static const struct {
        const char *words;
        double days;
    } units[] = {{" day days ", 1},
                 {" week weeks ", 7},
                 {" month months ", 365.25 / 12},
                 {" year years ", 365.25}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (wording_among(word, units[i].words))
            return units[i].days;
    return 0;
}

/* The unit after a figure, or after the list that it is in: "17, 3 and 8
 * days". */
static double days_after(const struct grounding_walk *w, size_t figure)
{
    for (size_t i = figure; i < w->now.n_figures; i++) {
        const struct figure *f = &w->now.figures[i];
        double unit = days_of(walk_word_beside(w, f->to, 1));
        if (unit > 0 || i + 1 == w->now.n_figures)
            return unit;
        struct str gap =
            str_trim(str_cut(w->wording.text, f->to, f[1].from - f->to));
        if (!str_is(gap, ",") && !str_is(gap, "and") && !str_is(gap, ", and"))
            return 0;
    }
    return 0;
}

/* Whether a figure of the sentence is a day, or a year when the unit is one; of a
 * date without a year, *day is in an ordinary one. */
static bool is_date(const struct figure *f, double unit, int64_t *day)
{
    enum { NO_YEAR = 2001, YEAR_DAYS = 366 };
    bool dated = f->kind == FIGURE_PERIOD;
    *day = dated ? f->first
           : f->kind == FIGURE_MONTH && f->month && f->day
               ? figure_day(NO_YEAR, f->month, f->day)
               : 0;
    return dated ? f->first == f->last ||
                       (unit >= YEAR_DAYS - 1 && f->last - f->first < YEAR_DAYS)
                 : *day != 0;
}

static bool is_between_said(const struct grounding_walk *w,
                            const struct figure *f, double unit)
{
    int64_t a, b;
    for (size_t i = 0; i < w->now.n_figures; i++)
        for (size_t k = 0; k < i; k++) {
            const struct figure *x = &w->now.figures[k],
                                *y = &w->now.figures[i];
            if (x->kind == y->kind && is_date(x, unit, &a) &&
                is_date(y, unit, &b) && a != b &&
                figure_near(f, fabs((double)(b - a)) / unit))
                return true;
        }
    return false;
}

/* Whether the time between two columns of dates in one of the rows, or its mean
 * in them, is the figure. */
static bool is_between_columns(struct facts *facts, const struct fact_table *t,
                               const struct scope_rows *rows,
                               const struct figure *f, double unit)
{
    size_t n = rows->n ? rows->n : t->n_rows;
    for (size_t i = 0; i < t->n_columns; i++)
        for (size_t k = 0; k < i; k++) {
            const struct fact_column *a = &t->columns[k], *b = &t->columns[i];
            double sum = 0;
            size_t known = 0;
            if (!a->dated || !b->dated || !facts_work(facts, n))
                continue;
            for (size_t x = 0; x < n; x++) {
                size_t row = rows->n ? rows->rows[x] : x;
                if (a->days[row] == INT64_MIN || b->days[row] == INT64_MIN)
                    continue;
                double days = fabs((double)(b->days[row] - a->days[row]));
                if (figure_near(f, days / unit))
                    return true;
                sum += days;
                known++;
            }
            if (known && figure_near(f, sum / (double)known / unit))
                return true;
        }
    return false;
}

bool is_between_dates(struct grounding_walk *w, size_t figure)
{
    static const struct scope_rows all = {0};
    const struct figure *f = &w->now.figures[figure];
    double unit = f->kind == FIGURE_NUMBER ? days_after(w, figure) : 0;
    struct grounding_scope scope;
    if (unit <= 0)
        return false;
    if (is_between_said(w, f, unit))
        return true;
    walk_scope(w, figure, &scope);
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct scope_rows *rows = &scope.named[t];
        if (is_between_columns(&w->facts, &w->facts.tables[t],
                               rows->n ? rows : &all, f, unit))
            return true;
    }
    return false;
}

/* ---- "on 5 May" ------------------------------------------------------------ */

static bool is_day(const struct figure *f)
{
    return (f->kind == FIGURE_PERIOD && f->first == f->last) ||
           (f->kind == FIGURE_MONTH && f->month && f->day);
}

/* The table's only column of days, each of which is known. */
static const struct fact_column *day_column(const struct fact_table *t)
{
    const struct fact_column *found = NULL;
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!t->columns[i].dated)
            continue;
        if (found || t->columns[i].grain != GRAIN_DAY)
            return NULL;
        found = &t->columns[i];
    }
    return found;
}

bool day_contradicts(struct grounding_walk *w, const struct figure *f)
{
    const struct fact_place *place = NULL;
    size_t n = 0, days = 0;
    for (size_t i = 0; i < w->now.n_mentions; i++)
        if (w->mentions[i].place && w->mentions[i].place != place) {
            place = w->mentions[i].place;
            n++;
        }
    for (size_t i = 0; i < w->now.n_figures; i++)
        days += is_day(&w->now.figures[i]);
    if (!w->english || !is_day(f) || n != 1 || days != 1 || place->next ||
        walk_says(w, PROSE_NEGATION) || w->facts.n_tables != 1 ||
        !str_is(walk_word_beside(w, f->from, -1), "on"))
        return false;
    const struct fact_table *t = &w->facts.tables[place->table];
    const struct fact_column *c = day_column(t);
    if (!c || !t->whole || c->days[place->row] == INT64_MIN)
        return false;
    int64_t year, day = c->days[place->row];
    int month, of_month;
    figure_date(day, &year, &month, &of_month);
    return f->kind == FIGURE_PERIOD ? day != f->first
                                    : month != f->month || of_month != f->day;
}
