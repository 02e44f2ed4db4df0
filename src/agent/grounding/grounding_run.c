/* grounding_run.c - how long something went up or down, and how much it was per day or
 * month; see grounding_run.h. */
#include "grounding_run.h"
#include "prose.h"
#include "unit.h"
#include <math.h>
#include "base/banned.h"

/* ---- runs ---------------------------------------------------------------- */

/* Whether the days of the column are in their order, without one twice. */
static bool days_rise(const struct fact_table *t)
{
    const int64_t *days = t->columns[t->period].days;
    for (size_t i = 0; i < t->n_rows; i++)
        if (days[i] == INT64_MIN || (i && days[i] <= days[i - 1]))
            return false;
    return t->n_rows > 1;
}

/* `start`: the row before the first change; n_rows: any. */
static bool has_run(const struct fact_column *c, size_t n_rows, double n,
                    bool up, size_t start)
{
    size_t run = 0;
    for (size_t i = 1; i <= n_rows; i++) {
        bool goes = i < n_rows && (up ? c->values[i] > c->values[i - 1]
                                      : c->values[i] < c->values[i - 1]);
        /* Of three changes, four months are. */
        if (!goes && run && ((double)run == n || (double)run + 1 == n) &&
            (start == n_rows || i - 1 - run == start))
            return true;
        run = goes ? run + 1 : 0;
    }
    return false;
}

/* "After February": the row of the only period that the sentence names so; n_rows:
 * none. */
static size_t run_start(struct grounding_walk *w, size_t table)
{
    const struct fact_table *t = &w->facts.tables[table];
    size_t found = t->n_rows;
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct row_mention *m = &w->mentions[i];
        struct scope_rows rows = {0};
        if (m->place || !str_is(walk_word_beside(w, m->from, -1), "after"))
            continue;
        scope_of_table_period(&w->facts, &m->period, table, &rows);
        if (found < t->n_rows || rows.n != 1)
            return t->n_rows;
        found = rows.rows[0];
    }
    return found;
}

bool is_no_run(struct grounding_walk *w, const struct figure *f)
{
    static const char runs[] = " straight consecutive successive ";
    const struct wording_word *words = walk_words(w);
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].to <= f->from)
        at++;
    const struct fact_table *t = w->facts.tables;
    return w->english && f->kind == FIGURE_NUMBER && f->whole && at > 1 &&
           wording_among(walk_word_beside(w, f->to, 1), runs) &&
           str_is(words[at - 1].lower, "for") &&
           (words[at - 2].says & (PROSE_UP | PROSE_DOWN)) &&
           w->facts.n_tables == 1 && t->whole && t->period < t->n_columns &&
           days_rise(t) && !is_run(w, f);
}

bool is_run(struct grounding_walk *w, const struct figure *f)
{
    bool up = walk_says(w, PROSE_UP), down = walk_says(w, PROSE_DOWN);
    if (f->kind != FIGURE_NUMBER || !f->whole ||
        !wording_among(walk_word_beside(w, f->to, 1),
                       " straight consecutive successive "))
        return false;
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        if (table->period == table->n_columns || !table->whole ||
            !facts_work(&w->facts, 3 * table->n_rows * table->n_columns) ||
            !days_rise(table))
            continue;
        size_t start = run_start(w, t);
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (c->adds && c->n_sorted == table->n_rows &&
                (((up || !down) &&
                  has_run(c, table->n_rows, f->value, true, start)) ||
                 ((down || !up) &&
                  has_run(c, table->n_rows, f->value, false, start))))
                return true;
        }
    }
    return false;
}

/* ---- rates --------------------------------------------------------------- */

/* The days that the queries are about; false: they say none. */
static bool queried_days(const struct facts *facts, int64_t *first,
                         int64_t *last)
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

bool is_rate(struct grounding_walk *w, const struct figure *f)
{
    const struct wording_word *words = walk_words(w);
    int64_t first, last, n = 0;
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].from < f->to)
        at++;
    if (f->kind != FIGURE_NUMBER || at + 1 >= w->now.sentence->n_words ||
        !wording_among(words[at].lower, " per a each every pro par por al "))
        return false;
    if (queried_days(&w->facts, &first, &last))
        n = units_in(first, last, unit_of_word(words[at + 1].lower));
    for (size_t t = 0; n > 1 && t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        for (size_t i = 0; table->whole && i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (c->adds && c->n_sorted && !c->percent && !c->averages &&
                facts_work(&w->facts, 1) && figure_near(f, c->sum / (double)n))
                return true;
        }
    }
    return false;
}
