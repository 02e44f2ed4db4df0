/* grounding_figure.c - whether rows, or the words around it, show a figure of a
 * sentence; see grounding_figure.h. */
#include "grounding_figure.h"
#include "grounding_clock.h"
#include "grounding_column.h"
#include "grounding_unit.h"
#include "prose.h"
#include <math.h>
#include "base/banned.h"

/* The figure is where a sentence limits what it is about. */
static bool limits_here(const struct grounding_walk *w, const struct figure *f)
{
    return f->bound == FIGURE_ABOVE || f->bound == FIGURE_BELOW ||
           w->now.sentence->kind == SENTENCE_CODE ||
           prose_says(walk_word_beside(w, f->from, -1), PROSE_LIMIT) ||
           prose_says(walk_word_beside(w, f->to, 1), PROSE_TIME_UNIT);
}

/* "The top 3", "two reasons": it counts what the text itself has. */
static bool counts_itself(const struct grounding_walk *w,
                          const struct figure *f)
{
    size_t most = 0;
    for (size_t t = 0; t < w->facts.n_tables; t++)
        if (w->facts.tables[t].n_rows > most)
            most = w->facts.tables[t].n_rows;
    if (f->kind != FIGURE_NUMBER || !f->whole || f->value < 1)
        return false;
    bool ranks = prose_says(walk_word_beside(w, f->from, -1), PROSE_RANK) ||
                 prose_says(walk_word_beside(w, f->to, 1), PROSE_RANK);
    if (f->value == 5 &&
        wording_among(walk_word_beside(w, f->to, 1), " working business "))
        return true;
    return (ranks && f->value <= (double)most) ||
           (f->value <= 10 &&
            prose_says(walk_word_beside(w, f->to, 1), PROSE_THING)) ||
           (f->value == 1 && f->spelled);
}

/* The first column of a table may number its rows. */
static bool numbers_rows(const struct grounding_walk *w, const struct figure *f)
{
    struct str name = walk_name_above(w, f->from);
    size_t at = (size_t)(w->now.sentence - w->wording.sentences);
    static const char *const names[] = {"#",     "rank",     "no", "no.", "nr",
                                        "place", "position", "",   "nr.", NULL};
    if (w->now.sentence->kind != SENTENCE_ROW)
        return false;
    for (const char *const *n = names; *n; n++)
        if (str_eq_nocase(name, str_of(*n)))
            return f->value == (double)(at - w->now.sentence->top);
    return false;
}

static bool may_repeat_question(const struct grounding_walk *w)
{
    const struct wording_sentence *s = w->now.sentence;
    return !w->facts.of->no_finding || w->wording.text.ptr[s->to - 1] == '?' ||
           walk_says(w, PROSE_EXCUSE);
}

/* In a table, "2049" may be a number of things. */
static bool counts_in_table(struct grounding_walk *w, size_t at)
{
    struct grounding_scope scope;
    struct figure count = w->now.figures[at];
    enum sentence_kind kind = w->now.sentence->kind;
    if (count.unit <= 0 || (kind != SENTENCE_ROW && kind != SENTENCE_TABLE_TOP))
        return false;
    walk_scope(w, at, &scope);
    count.kind = FIGURE_NUMBER;
    count.whole = true;
    return scope_shows(&scope, &count);
}

/* Whether rows or queries have dates that a month could be one of. */
static bool has_dates(const struct grounding_walk *w)
{
    for (size_t t = 0; t < w->facts.n_tables; t++)
        if (w->facts.tables[t].period < w->facts.tables[t].n_columns)
            return true;
    for (size_t i = 0; i < w->facts.context.n; i++)
        if (w->facts.context.items[i].kind == FIGURE_PERIOD)
            return true;
    return false;
}

/* "After July": some dates are. */
static bool bounds_dates(const struct grounding_walk *w, const struct figure *f)
{
    struct str word = walk_word_beside(w, f->from, -1);
    bool after = wording_among(word, " after since "),
         before = wording_among(word, " before until ");
    bool wide = f->last > f->first;
    for (size_t t = 0; wide && (after || before) && t < w->facts.n_tables;
         t++) {
        const struct fact_table *table = &w->facts.tables[t];
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            for (size_t row = 0; c->days && row < table->n_rows; row++)
                if (c->days[row] != INT64_MIN &&
                    (after ? c->days[row] > f->last : c->days[row] < f->first))
                    return true;
        }
    }
    return false;
}

/* A number is said to be of a period that is before all that was read: "1,200
 * in 2025", of a query from 2026 on. */
static bool is_before_all(const struct grounding_walk *w,
                          const struct figure *f)
{
    const struct fact_figures *lists[] = {&w->facts.context, &w->facts.asked,
                                          &w->facts.said};
    size_t periods = 0, numbers = 0, dates = 0;
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *g = &w->now.figures[i];
        periods += g->kind == FIGURE_PERIOD || g->kind == FIGURE_MONTH;
        numbers += g->kind == FIGURE_NUMBER && !g->spelled && g->to < f->from;
    }
    if (periods != 1 || !numbers || walk_says(w, PROSE_NEGATION) ||
        !wording_among(walk_word_beside(w, f->from, -1), " in during for "))
        return false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->n; k++) {
            const struct figure *g = &lists[i]->items[k];
            dates += g->kind == FIGURE_PERIOD;
            if (g->kind == FIGURE_PERIOD && g->first <= f->last)
                return false;
        }
    for (size_t t = 0; t < w->facts.n_tables; t++)
        for (size_t i = 0; i < w->facts.tables[t].n_columns; i++)
            if (w->facts.tables[t].columns[i].dated ||
                w->facts.tables[t].columns[i].first <=
                    w->facts.tables[t].columns[i].last)
                return false;
    return dates > 0;
}

/* "168 hours (7 days)": another figure of the sentence in another unit. */
static bool converts(struct grounding_walk *w, const struct figure *f)
{
    static const double factors[] = {60, 3600, 24, 7, 12, 1440};
    if (!prose_says(walk_word_beside(w, f->to, 1), PROSE_TIME_UNIT))
        return false;
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *g = &w->now.figures[i];
        if (g == f || g->kind != FIGURE_NUMBER ||
            !facts_work(&w->facts, w->now.sentence->n_words) ||
            !prose_says(walk_word_beside(w, g->to, 1), PROSE_TIME_UNIT))
            continue;
        for (size_t k = 0; k < sizeof factors / sizeof *factors; k++)
            if ((figure_near(f, g->value / factors[k]) ||
                 (g->from > f->from && figure_near(f, g->value * factors[k]))))
                return true;
    }
    return false;
}

/* "Two of the delays were caused by weather": how many rows have a text that the
 * sentence names, also where it begins with a capital only in the cell. */
static bool counts_text(struct grounding_walk *w, const struct figure *f)
{
    const struct wording_word *words = walk_words(w);
    if (f->kind != FIGURE_NUMBER || !f->whole || f->value < 1)
        return false;
    for (size_t i = 0; i < w->now.sentence->n_words; i++) {
        const struct fact_place *place =
            words[i].lower.len > 3 && words[i].from > f->to &&
                    !prose_says(words[i].lower, PROSE_COMMON)
                ? facts_find(&w->facts, words[i].lower)
                : NULL;
        if (place && (double)scope_of_place(&w->facts, place, place->table).n ==
                         f->value)
            return true;
    }
    return false;
}

/* "Rose from 39,800 to 46,100, or 15.8 %": computed from two figures that are in
 * the sentence, and are checked themselves. */
static bool follows_from_others(struct grounding_walk *w,
                                const struct figure *f)
{
    enum { MOST = 8 };
    size_t n = w->now.n_figures < MOST ? w->now.n_figures : MOST;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const struct figure *a = &w->now.figures[i],
                                *b = &w->now.figures[k];
            if (i == k || a == f || b == f || a->kind != b->kind ||
                a->spelled || b->spelled || a->bound != FIGURE_EXACT ||
                b->bound != FIGURE_EXACT || !facts_work(&w->facts, 1))
                continue;
            bool numbers = a->kind == FIGURE_NUMBER,
                 shares = a->kind == FIGURE_PERCENT;
            if (f->kind == FIGURE_PERCENT && numbers && a->value != 0 &&
                (figure_near(f, 100 * fabs(b->value - a->value) / a->value) ||
                 figure_near(f, 100 * b->value / a->value)))
                return true;
            if (f->kind == FIGURE_POINTS && shares &&
                figure_near(f, fabs(a->value - b->value)))
                return true;
            if (f->kind == FIGURE_NUMBER && numbers && !f->spelled &&
                f->value > 10 && figure_near(f, fabs(a->value - b->value)))
                return true;
        }
    return false;
}

bool walk_shows(struct grounding_walk *w, size_t at, bool *elsewhere)
{
    const struct figure *f = &w->now.figures[at];
    struct grounding_scope scope;
    if (day_contradicts(w, f) || clock_is_unknown(w, f))
        return false;
    if (f->kind == FIGURE_MONTH)
        return !f->month || !w->facts.n_tables ||
               figure_said(f, &w->facts.asked) ||
               figure_said(f, &w->facts.context) ||
               figure_said(f, &w->facts.said) || walk_is_of_column(w, f) ||
               walk_has_rows_of(w, f) || !has_dates(w);
    if (f->kind == FIGURE_PERIOD)
        return (scope_has_period(&w->facts, f) && !is_before_all(w, f)) ||
               counts_in_table(w, at) || bounds_dates(w, f);
    if (may_repeat_question(w) && figure_said(f, &w->facts.asked))
        return true;
    if (figure_said(f, &w->facts.said) || counts_itself(w, f) ||
        numbers_rows(w, f) || (converts(w, f) && at > 0) || is_rate(w, f) ||
        is_run(w, f) ||
        (limits_here(w, f) && figure_said(f, &w->facts.context)))
        return true;
    walk_scope(w, at, &scope);
    if (!scope_shows(&scope, f))
        return walk_shows_one(w, at) || is_span(w, at) || is_converted(w, at) ||
               counts_text(w, f) || follows_from_others(w, f) ||
               (w->english && compare_counts(&w->now, f));
    *elsewhere =
        column_contradicts(w, at, &scope) || unit_contradicts(w, at, &scope);
    return !*elsewhere;
}
