/* grounding_beside.c - rows before and after the named one, and marks that rows reach; see
 * grounding_beside.h. */
#include "grounding_beside.h"
#include "prose.h"
#include "base/banned.h"

/* ---- rows next to the named one ------------------------------------------- */

/* The only period that the sentence names; NULL: none, or several. */
static const struct row_mention *only_period(const struct grounding_walk *w)
{
    const struct row_mention *found = NULL;
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        if (w->mentions[i].place)
            continue;
        if (found)
            return NULL;
        found = &w->mentions[i];
    }
    return found;
}

enum beside { BESIDE_NONE, BESIDE_BEFORE, BESIDE_AFTER, BESIDE_YEAR };

/* "8 of the following quarter", "5 in the month before", "7 a year earlier": of
 * which row the words after the figure say that it is. */
static enum beside beside_of(const struct grounding_walk *w,
                             const struct figure *f)
{
    enum { WORDS = 6 };
    static const char links[] = " in of the a an from same units unit for ";
    static const char units[] = " day week month quarter year ";
    static const char before[] = " previous prior preceding last ";
    static const char after[] = " following next subsequent ";
    const struct wording_word *words = walk_words(w);
    size_t n = w->now.sentence->n_words, at = 0;
    while (at < n && words[at].from < f->to)
        at++;
    for (size_t i = at; i + 1 < n && i < at + WORDS; i++) {
        struct str word = words[i].lower, next = words[i + 1].lower;
        bool year = str_is(next, "year") || str_is(word, "year");
        if (wording_among(next, units) && wording_among(word, before))
            return year ? BESIDE_YEAR : BESIDE_BEFORE;
        if (wording_among(next, units) && wording_among(word, after))
            return BESIDE_AFTER;
        if (wording_among(word, units) &&
            wording_among(next, " before earlier ago "))
            return year ? BESIDE_YEAR : BESIDE_BEFORE;
        if (wording_among(word, units) && wording_among(next, " after later "))
            return year ? BESIDE_NONE : BESIDE_AFTER;
        if (!wording_among(word, links) && !wording_among(word, units) &&
            i > at)
            return BESIDE_NONE;
    }
    return BESIDE_NONE;
}

/* The row of a table right before or after another one in time, among some;
 * n_rows: none. */
static size_t row_beside(struct facts *facts, const struct fact_table *t,
                         const struct scope_rows *among, size_t row,
                         enum beside beside)
{
    const struct fact_column *c = &t->columns[t->period];
    size_t found = t->n_rows, n = among->n ? among->n : t->n_rows;
    int64_t day = c->days[row], year, wanted = INT64_MIN;
    int month, of_month;
    if (day == INT64_MIN || !facts_work(facts, n))
        return found;
    figure_date(day, &year, &month, &of_month);
    if (beside == BESIDE_YEAR && c->grain != GRAIN_YEAR)
        wanted = figure_day(year - 1, month, of_month);
    for (size_t i = 0; i < n; i++) {
        size_t k = among->n ? among->rows[i] : i;
        int64_t other = c->days[k];
        bool side = wanted != INT64_MIN ? other == wanted
                    : beside == BESIDE_AFTER
                        ? other > day
                        : other != INT64_MIN && other < day;
        bool nearer = found == t->n_rows ||
                      (beside == BESIDE_AFTER ? other < c->days[found]
                                              : other > c->days[found]);
        if (side && nearer)
            found = k;
    }
    return found;
}

bool is_of_beside(struct grounding_walk *w, size_t at)
{
    const struct figure *f = &w->now.figures[at];
    enum beside beside = beside_of(w, f);
    const struct row_mention *m = beside ? only_period(w) : NULL;
    struct grounding_scope scope;
    if (!m)
        return false;
    walk_scope(w, at, &scope);
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        struct scope_rows base = scope.named[t];
        for (size_t i = 0; i < w->now.n_mentions && !base.n; i++)
            if (w->mentions[i].place)
                base = w->tone.of[i][t];
        struct scope_rows rows = base;
        if (table->period == table->n_columns)
            continue;
        scope_of_table_period(&w->facts, &m->period, t, &rows);
        size_t row = rows.n == 1 ? row_beside(&w->facts, table, &base,
                                              rows.rows[0], beside)
                                 : table->n_rows;
        for (size_t i = 0; row < table->n_rows && i < table->n_columns; i++)
            if (table->columns[i].n_sorted &&
                scope_cell_shows(&scope, t, i, row, f))
                return true;
    }
    return false;
}

/* ---- marks ---------------------------------------------------------------- */

/* "Crossed the mark in May": a row of the period, or one of them all, is at or above it,
 * and the one before is below. */
static bool is_crossed(struct grounding_walk *w, const struct fact_table *table,
                       const struct figure *f)
{
    const struct row_mention *m = only_period(w);
    struct scope_rows rows = {0}, all = {0};
    size_t t = (size_t)(table - w->facts.tables);
    if (m)
        scope_of_table_period(&w->facts, &m->period, t, &rows);
    if ((m && !rows.n) || !facts_work(&w->facts, table->n_rows))
        return false;
    for (size_t k = 0; k < (m ? rows.n : table->n_rows); k++) {
        size_t row = m ? rows.rows[k] : k;
        size_t before = row_beside(&w->facts, table, &all, row, BESIDE_BEFORE);
        for (size_t i = 0; before < table->n_rows && i < table->n_columns;
             i++) {
            const double *v = table->columns[i].values;
            double than = fact_bound(&table->columns[i], f);
            if (table->columns[i].adds && v[row] >= than && v[before] < than)
                return true;
        }
    }
    return false;
}

/* In some column all named rows, or with `denied` none of them, are at or above it; with
 * `only`, no others are. */
static bool is_reached(struct grounding_walk *w, const struct fact_table *table,
                       const struct figure *f, bool denied, bool only)
{
    bool below = f->bound == FIGURE_BELOW;
    const struct scope_rows *named =
        &w->tone.all[(size_t)(table - w->facts.tables)];
    for (size_t i = 0; named->n && i < table->n_columns; i++) {
        const struct fact_column *c = &table->columns[i];
        double than = fact_bound(c, f);
        size_t n = 0;
        if (!c->adds || c->n_sorted < named->n ||
            !facts_work(&w->facts, named->n + 10))
            continue;
        size_t under = fact_count_below(c, than, false);
        for (size_t k = 0; k < named->n; k++)
            n += (c->values[named->rows[k]] < than) == below;
        if (n == (denied ? 0 : named->n) &&
            (!only || n == (below ? under : c->n_sorted - under)) &&
            than > c->sorted[0].value / 2)
            return true;
    }
    return false;
}

bool is_mark(struct grounding_walk *w, const struct figure *f)
{
    static const char marks[] = " mark threshold barrier milestone line ";
    static const char verbs[] =
        " crossed passed broke topped breached crosses passes crossing "
        "surpassed exceeded hit reached reach pass exceed cross top surpass ";
    const struct wording_word *words = walk_words(w);
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].to <= f->from)
        at++;
    at -= at && str_is(words[at - 1].lower, "the");
    bool mark = wording_among(walk_word_beside(w, f->to, 1), marks);
    bool denied = walk_says(w, PROSE_NEGATION) || walk_has(w, " failed "),
         only = walk_has(w, " only ");
    if ((f->kind != FIGURE_NUMBER && f->kind != FIGURE_PERCENT) || !at ||
        !(wording_among(words[at - 1].lower, verbs) ||
          (only && f->bound != FIGURE_EXACT && f->bound != FIGURE_ABOUT)) ||
        !(mark || denied || only))
        return false;
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        bool dated = table->period < table->n_columns;
        if (!table->whole)
            continue;
        if (dated && mark ? is_crossed(w, table, f)
                          : is_reached(w, table, f, denied, only))
            return true;
    }
    return false;
}
