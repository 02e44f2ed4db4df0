/* scope_rows.c - whether a figure rounds to a value, which rows a text or a
 * period names, and whether a period is in the data; see scope.h. */
#include "scope.h"
#include <math.h>
#include "base/banned.h"

/* ---- near --------------------------------------------------------------- */

/* The largest power of ten that divides the value: 600,000 has 100,000. */
static double round_unit(const struct figure *f, double value, double unit)
{
    (void)f;
    for (int i = 0; i < 15; i++) {
        double next = unit * 10, parts = value / next;
        if (next > fabs(value) || fabs(parts - round(parts)) > 1e-9)
            break;
        unit = next;
    }
    return unit;
}

/* "More than a thousand" leaves room up to the next round number. */
double figure_room(const struct figure *f, double value, double unit)
{
    double wide = fmax(round_unit(f, value, unit), fabs(value) / 10);
    if (f->kind == FIGURE_PERCENT && !f->fraction)
        wide = 10;
    if (f->fraction)
        wide = 17;
    if (f->kind == FIGURE_TIMES)
        wide = fabs(value) / 2;
    if (f->nearly && f->kind != FIGURE_NUMBER)
        wide = fmin(wide, fabs(value) / 8);
    return fmin(wide, fabs(value));
}

static bool near(const struct figure *f, double value, double unit, double x)
{
    double greater = fabs(value) > fabs(x) ? fabs(value) : fabs(x);
    double grain = 1e-9 * greater + 1e-12;
    double half = unit / 2;
    if (f->bound == FIGURE_EXACT && !f->spelled &&
        fabs(x - value) > half + grain)
        return false; /* as most values that are tried */
    double most = fabs(value) / (f->whole || unit <= 1 ? 20 : 10);
    if (f->spelled && f->kind != FIGURE_NUMBER) {
        half = f->kind == FIGURE_PERCENT ? 2.5 : unit / 2;
    } else if (f->bound == FIGURE_ABOUT) {
        half =
            fmin(fmax(half, round_unit(f, value, unit) / 2), fabs(value) / 20);
    } else if (half > most) {
        half = most;
    }
    if (f->bound == FIGURE_ABOVE && x >= value - grain &&
        x <= value + figure_room(f, value, unit))
        return true;
    if (f->bound == FIGURE_BELOW && x <= value + grain &&
        x >= value - figure_room(f, value, unit))
        return true;
    /* "Over 2.85 million" may be said of 2.849, and not of 2.6. */
    if (f->bound == FIGURE_ABOVE || f->bound == FIGURE_BELOW)
        half = fmin(half, fabs(value) / 200);
    return fabs(x - value) <= half + grain;
}

bool figure_near(const struct figure *f, double x)
{
    return near(f, f->value, f->unit, x) ||
           (f->other_unit > 0 && f->kind != FIGURE_PERIOD &&
            near(f, f->other, f->other_unit, x));
}

/* The same month, and day if there is one. */
static bool says_month(const struct figure *f, const struct figure *g)
{
    int64_t year;
    int month = 0, day = 0;
    if (g->kind == FIGURE_MONTH)
        return f->month == g->month && (!f->day || f->day == g->day);
    if (g->kind != FIGURE_PERIOD)
        return false;
    for (int i = 0; i < 2; i++) {
        figure_date(i ? g->last : g->first, &year, &month, &day);
        if (month == f->month && (!f->day || day == f->day))
            return true;
    }
    return false;
}

/* The same period, a wider one, or the first or last day. */
static bool says_period(const struct figure *f, const struct figure *g)
{
    bool day = f->first == f->last;
    return (f->first <= g->first && f->last >= g->last) ||
           (day && (f->first == g->first || f->first == g->last ||
                    f->first == g->last + 1));
}

bool figure_said(const struct figure *f, const struct fact_figures *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct figure *g = &list->items[i];
        bool counts = f->kind == FIGURE_NUMBER || f->kind == FIGURE_TIMES;
        if (f->kind == FIGURE_MONTH) {
            if (says_month(f, g))
                return true;
        } else if (f->kind == FIGURE_PERIOD) {
            if (g->kind == FIGURE_PERIOD && says_period(f, g))
                return true;
        } else if ((g->kind == f->kind ||
                    (counts && g->kind == FIGURE_NUMBER)) &&
                   figure_near(f, g->value)) {
            return true;
        }
    }
    return false;
}

/* ---- rows --------------------------------------------------------------- */

struct scope_rows scope_of_place(struct facts *facts,
                                 const struct fact_place *place, size_t table)
{
    struct scope_rows out = {0};
    size_t n = 0, seen = 0;
    for (const struct fact_place *p = place; p && p->table <= table;
         p = p->next, seen++)
        n += p->table == table;
    if (!facts_work(facts, 2 * seen) || !n)
        return out;
    out.rows = arena_new_array(facts->arena, size_t, n);
    for (const struct fact_place *p = place; p && p->table <= table;
         p = p->next)
        if (p->table == table && (!out.n || out.rows[out.n - 1] != p->row))
            out.rows[out.n++] = p->row;
    return out;
}

bool scope_row_is_of(const struct fact_column *c, size_t row,
                     const struct figure *period)
{
    int64_t day = c->days[row], year;
    int month = c->row_months[row], of_month;
    if (day == INT64_MIN)
        return false;
    if (period->kind == FIGURE_PERIOD)
        return (day >= period->first &&
                fact_last_day(c, day) <= period->last) ||
               (c->grain == GRAIN_DAY && day >= period->first &&
                day <= period->last);
    if (month < period->month || month >= period->month + (int)period->first)
        return false;
    if (!period->day)
        return true;
    figure_date(day, &year, &month, &of_month);
    return c->grain == GRAIN_DAY && period->day == of_month;
}

void scope_of_table_period(struct facts *facts, const struct figure *period,
                           size_t table, struct scope_rows *rows)
{
    const struct fact_table *t = &facts->tables[table];
    size_t n = 0, all = rows->n ? rows->n : t->n_rows;
    if (t->period == t->n_columns || !facts_work(facts, all))
        return;
    const struct fact_column *c = &t->columns[t->period];
    size_t *kept = arena_new_array(facts->arena, size_t, all + 1);
    for (size_t i = 0; i < all; i++) {
        size_t row = rows->n ? rows->rows[i] : i;
        if (scope_row_is_of(c, row, period))
            kept[n++] = row;
    }
    if (n)
        *rows = (struct scope_rows){kept, n};
}

void scope_of_period(struct facts *facts, const struct figure *period,
                     struct scope_rows *rows)
{
    for (size_t t = 0; t < facts->n_tables; t++)
        scope_of_table_period(facts, period, t, &rows[t]);
}

static bool overlaps_bound(const struct figure *f, const struct figure *bound)
{
    /* A day next to a bound is one that includes or excludes it. */
    int64_t room = f->first == f->last;
    return bound->kind == FIGURE_PERIOD && f->first <= bound->last + room &&
           bound->first - room <= f->last;
}

/* The current and the previous day, month, quarter and year are known without
 * data. */
static bool around_today(const struct figure *f, int64_t today)
{
    int64_t days = f->last - f->first;
    return today >= f->first - 1 && today <= f->last + (days ? days + 3 : 1);
}

bool scope_has_period(struct facts *facts, const struct figure *f)
{
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        for (size_t k = 0; k < table->n_columns; k++) {
            const struct fact_column *c = &table->columns[k];
            if (!c->dated || !facts_work(facts, table->n_rows))
                continue;
            for (size_t i = 0; i < table->n_rows; i++) {
                int64_t day = c->days[i], last;
                if (day == INT64_MIN)
                    continue;
                last = fact_last_day(c, day);
                if (f->first <= last && day <= f->last &&
                    (f->last - f->first >= last - day || last == f->last ||
                     day == f->first))
                    return true;
                if (f->other_unit > 0 && f->other >= (double)day &&
                    f->other <= (double)last)
                    return true;
            }
        }
    }
    for (size_t i = 0; i < facts->context.n; i++)
        if (overlaps_bound(f, &facts->context.items[i]))
            return true;
    return figure_said(f, &facts->asked) || figure_said(f, &facts->said) ||
           around_today(f, facts->of->today);
}
