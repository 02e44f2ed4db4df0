/* grounding_figure.c - whether rows, or the words around it, show a figure of a
 * sentence; see grounding_figure.h. */
#include "grounding_figure.h"
#include "grounding_beside.h"
#include "grounding_clock.h"
#include "grounding_column.h"
#include "grounding_days.h"
#include "grounding_id.h"
#include "grounding_rate.h"
#include "grounding_share.h"
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

/* A number is said to be of a period after all that the rows and the queries
 * have: "in Q4, output will be 440". */
static bool is_after_all(struct grounding_walk *w, const struct figure *f)
{
    enum { COUNTS = 20 };
    const struct fact_figures *lists[] = {&w->facts.context, &w->facts.asked,
                                          &w->facts.said};
    size_t periods = 0, numbers = 0, dated = 0;
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *g = &w->now.figures[i];
        periods += g->kind == FIGURE_PERIOD || g->kind == FIGURE_MONTH;
        numbers += g->kind == FIGURE_NUMBER && !g->spelled && g->value > COUNTS;
    }
    if (!w->english || f->kind != FIGURE_PERIOD || f->first == f->last ||
        periods != 1 || !numbers || walk_says(w, PROSE_NEGATION) ||
        walk_says(w, PROSE_DIFFERENCE) ||
        !wording_among(walk_word_beside(w, f->from, -1), " in during for "))
        return false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->n; k++) {
            const struct figure *g = &lists[i]->items[k];
            if (g->kind == FIGURE_PERIOD && g->last >= f->first)
                return false;
        }
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (c->first <= c->last || !facts_work(&w->facts, table->n_rows))
                return false;
            for (size_t row = 0; c->dated && row < table->n_rows; row++) {
                dated++;
                if (c->days[row] != INT64_MIN &&
                    fact_last_day(c, c->days[row]) >= f->first)
                    return false;
            }
        }
        if (!table->whole || table->period == table->n_columns ||
            table->columns[table->period].grain == GRAIN_DAY)
            return false;
    }
    return dated > 0;
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

/* "Four of the six" */
static bool is_part_of(const struct grounding_walk *w, const struct figure *a,
                       const struct figure *b)
{
    static const char *const links[] = {"of",         "out of", "of the",
                                        "out of the", "of all", "in"};
    struct str gap = str_trim(str_cut(w->wording.text, a->to, b->from - a->to));
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (str_is(gap, links[i]))
            return true;
    return false;
}

/* "25 %, more than twice what Metal has (10 %)", "twice as much (25 % vs. 10 %)":
 * the figures before and after the ratio, or the two in brackets after it. */
static bool is_pair_of(const struct grounding_walk *w, const struct figure *f,
                       const struct figure *a, const struct figure *b)
{
    struct str text = w->wording.text;
    bool around = f == a + 1 && b == f + 1, after = a == f + 1 && b == a + 1;
    return (around || after) && w->english &&
           (text.ptr[(after ? a : b)->from - 1] == '(' ||
            (around && str_ends(str_cut(text, 0, b->from), STR("'s "))));
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
            bool of = (k == i + 1 && b < f && is_part_of(w, a, b)) ||
                      (i == k + 1 && a < f && is_part_of(w, b, a));
            if (i == k || a == f || b == f || a->kind != b->kind ||
                ((a->spelled || b->spelled) && !of) ||
                a->bound != FIGURE_EXACT || b->bound != FIGURE_EXACT ||
                !facts_work(&w->facts, 1))
                continue;
            bool numbers = a->kind == FIGURE_NUMBER,
                 shares = a->kind == FIGURE_PERCENT;
            if (f->kind == FIGURE_PERCENT && numbers && a->value != 0 &&
                (figure_near(f, 100 * fabs(b->value - a->value) / a->value) ||
                 figure_near(f, 100 * b->value / a->value)))
                return true;
            if (f->kind == FIGURE_TIMES && !f->change && (numbers || shares) &&
                b->value > 0 && is_pair_of(w, f, a, b) &&
                figure_near(f, a->value / b->value))
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

/* "They make up 30 %: 16 % paper, 9 % glass and 5 % metal": the sum of all figures
 * after it. */
static bool sums_others(const struct grounding_walk *w, size_t at)
{
    const struct figure *f = &w->now.figures[at];
    double sum = 0;
    size_t n = 0;
    for (size_t i = at + 1; i < w->now.n_figures; i++, n++) {
        if (w->now.figures[i].kind != f->kind || w->now.figures[i].spelled ||
            w->now.figures[i].bound != FIGURE_EXACT)
            return false;
        sum += w->now.figures[i].value;
    }
    return n > 1 && !f->spelled && w->english && figure_near(f, sum) &&
           str_find_char(str_cut(w->wording.text, f->to, f[1].from - f->to),
                         ':') >= 0;
}

/* "Nine out of ten orders": a share, of which both numbers are parts. */
static bool is_of_ten(struct grounding_walk *w, size_t at)
{
    enum { MOST = 20, HUNDRED = 100 };
    const struct figure *all = w->now.figures;
    size_t first = at && is_part_of(w, &all[at - 1], &all[at]) ? at - 1 : at;
    struct grounding_scope scope;
    if (first + 1 >= w->now.n_figures)
        return false;
    const struct figure *a = &all[first], *b = a + 1;
    struct str gap = str_trim(str_cut(w->wording.text, a->to, b->from - a->to));
    if (a->kind != FIGURE_NUMBER || b->kind != FIGURE_NUMBER || !a->whole ||
        !b->whole || a->value < 1 || a->value >= b->value ||
        (b->value > MOST && b->value != HUNDRED) ||
        (!str_is(gap, "out of") && !str_is(gap, "in")))
        return false;
    struct figure share = *a;
    share.kind = FIGURE_PERCENT;
    share.value = 100 * a->value / b->value;
    share.unit = b->value == HUNDRED ? 1 : 5;
    share.other_unit = 0;
    share.whole = false;
    share.spelled = share.fraction = b->value != HUNDRED;
    walk_scope(w, b->value == HUNDRED ? first + 1 : first, &scope);
    scope.counts = false;
    return scope_shows(&scope, &share);
}

/* "Five times as much as Oslo (60 vs. 20)", "180, twelve times what Oslo has (40)" */
static bool is_other_ratio(const struct grounding_walk *w, size_t at)
{
    const struct figure *f = &w->now.figures[at];
    if (f->kind != FIGURE_TIMES || f->change || !w->english)
        return false;
    if (walk_compares_pair(w, at))
        return f[1].kind == f[2].kind && f[2].value > 0 &&
               !figure_near(f, f[1].value / f[2].value);
    return at && at + 1 < w->now.n_figures &&
           str_starts(str_from(w->wording.text, f->to), STR(" what ")) &&
           is_pair_of(w, f, f - 1, f + 1) && f[-1].kind == f[1].kind &&
           f[-1].money == f[1].money && f[1].value > 0 &&
           !figure_near(f, f[-1].value / f[1].value);
}

/* "Rome and Oslo together have 58", where 58 is not their sum. */
static bool is_no_sum(struct grounding_walk *w, size_t at)
{
    enum { COUNTS = 20 };
    static const char sums[] = " together combined jointly ";
    const struct figure *f = &w->now.figures[at];
    const struct fact_place *last = NULL;
    struct grounding_scope scope;
    bool looked = false;
    size_t n = 0, end = 0;
    if (!w->english || f->kind != FIGURE_NUMBER || f->spelled ||
        f->value <= COUNTS || f->bound == FIGURE_ABOVE ||
        f->bound == FIGURE_BELOW || w->now.sentence->kind == SENTENCE_ROW ||
        !walk_has(w, sums) ||
        walk_has(w, " average averages averaged each per than of ") ||
        walk_says(w, PROSE_NEGATION | PROSE_DIFFERENCE | PROSE_CHANGE))
        return false;
    for (size_t i = 0; i < at; i++)
        if (w->now.figures[i].kind != FIGURE_PERIOD)
            return false;
    for (size_t i = 0; i < w->now.n_mentions; i++) {
        const struct row_mention *m = &w->mentions[i];
        if (!m->place || m->from > f->from ||
            (last && (last->table != m->place->table || last == m->place ||
                      last->column != m->place->column)))
            return false;
        last = m->place;
        end = m->to;
        n++;
    }
    if (n < 2 || !wording_among(walk_word_beside(w, end, 1), sums))
        return false;
    walk_scope(w, at, &scope);
    for (size_t t = 0; t < w->facts.n_tables; t++)
        for (size_t i = 0; i < w->facts.tables[t].n_columns; i++) {
            const struct fact_column *c = &w->facts.tables[t].columns[i];
            const struct scope_rows *rows = &scope.rows[t];
            double sum = 0;
            if (!c->adds || !rows->n || !facts_work(&w->facts, rows->n))
                continue;
            looked = true;
            for (size_t k = 0; k < rows->n; k++)
                sum += isnan(c->values[rows->rows[k]])
                           ? 0
                           : c->values[rows->rows[k]];
            if (figure_near(f, sum))
                return false;
        }
    return looked;
}

/* "19 points higher", of percentages. */
static bool is_points(struct grounding_walk *w, size_t at)
{
    struct figure points = w->now.figures[at];
    struct grounding_scope scope;
    if (points.kind != FIGURE_NUMBER ||
        !wording_among(walk_word_beside(w, points.to, 1), " point points "))
        return false;
    points.kind = FIGURE_POINTS;
    walk_scope(w, at, &scope);
    scope.counts = false;
    return scope_shows(&scope, &points);
}

/* "The 2024 figures", "no 2024 figure": a year, and not a number of things. In other
 * languages than English the words around it do not tell. */
static bool is_year(struct grounding_walk *w, const struct figure *f)
{
    static const char before[] = " no the its their a our both this that ";
    struct figure year = *f;
    if (f->kind != FIGURE_NUMBER || !f->whole || f->to - f->from != 4 ||
        f->value < 1900 || f->value > 2100 ||
        (w->english &&
         !wording_among(walk_word_beside(w, f->from, -1), before)))
        return false;
    year.kind = FIGURE_PERIOD;
    year.first = figure_day((int64_t)f->value, 1, 1);
    year.last = figure_day((int64_t)f->value, 12, 31);
    return walk_is_of_column(w, &year) || scope_has_period(&w->facts, &year);
}

/* "If you'd like, I can compare it with 2024": what might be done next, and no
 * finding. */
static bool is_offered(const struct grounding_walk *w, const struct figure *f)
{
    static const char *const offers[][2] = {
        {"i", "can"}, {"i", "could"}, {"you", "like"}, {"you", "want"},
        {"me", "to"}, {"shall", "i"}, {"happy", "to"}, {"let", "me"}};
    static const char deeds[] = " compare compares comparing comparison break "
                                "look check add extend run pull repeat ";
    const struct wording_word *words = walk_words(w);
    bool offered = false;
    for (size_t i = 0; i + 1 < w->now.sentence->n_words; i++) {
        if (words[i].to > f->from)
            return false;
        for (size_t k = 0; k < sizeof offers / sizeof *offers; k++)
            offered = offered || (str_is(words[i].lower, offers[k][0]) &&
                                  str_is(words[i + 1].lower, offers[k][1]));
        if (offered && wording_among(words[i].lower, deeds))
            return true;
    }
    return false;
}

/* "In 2024", of changes from then to the period of the queries. */
static bool is_year_before(const struct grounding_walk *w,
                           const struct figure *f)
{
    enum { YEAR_DAYS = 365 };
    int64_t first, last;
    if (!queried_days(&w->facts, &first, &last) || f->last >= first ||
        f->last + YEAR_DAYS + 1 < first || f->last - f->first < YEAR_DAYS - 1)
        return false;
    for (size_t t = 0; t < w->facts.n_tables; t++)
        for (size_t i = 0; i < w->facts.tables[t].n_columns; i++)
            if (w->facts.tables[t].columns[i].changes != SIZE_MAX)
                return true;
    return false;
}

/* "Last year, the margin of Desks was 33.4 %, so it dropped by 2.4 points." */
static bool is_before_change(struct grounding_walk *w, size_t at)
{
    struct grounding_scope scope;
    if (!walk_has(w, " last previous prior earlier before ago from "))
        return false;
    walk_scope(w, at, &scope);
    return scope_shows_earlier(&scope, &w->now.figures[at]);
}

/* ---- the whole ------------------------------------------------------------ */

/* "Rose for seven straight months" */
static bool is_run(const struct grounding_walk *w, const struct figure *f,
                   enum run_verdict verdict)
{
    return w->english && sentence_counts_run(&w->now, f) &&
           sentence_run(&w->now, f) == verdict;
}

bool walk_shows(struct grounding_walk *w, size_t at, bool *elsewhere)
{
    const struct figure *f = &w->now.figures[at];
    struct grounding_scope scope;
    if (day_contradicts(w, f) || clock_is_unknown(w, f) ||
        walk_names_no_row(w, at) || is_no_sum(w, at) || is_other_ratio(w, at) ||
        is_run(w, f, RUN_WRONG))
        return false;
    if (f->kind == FIGURE_MONTH)
        return !f->month || !w->facts.n_tables ||
               figure_said(f, &w->facts.asked) ||
               figure_said(f, &w->facts.context) ||
               figure_said(f, &w->facts.said) || walk_is_of_column(w, f) ||
               walk_has_rows_of(w, f) || is_date_of_row(w, at) || !has_dates(w);
    if (f->kind == FIGURE_PERIOD)
        return (scope_has_period(&w->facts, f) && !is_before_all(w, f) &&
                !is_after_all(w, f)) ||
               counts_in_table(w, at) || bounds_dates(w, f) ||
               is_year_before(w, f) || is_offered(w, f) || is_id_of_row(w, at);
    if (may_repeat_question(w) && figure_said(f, &w->facts.asked))
        return true;
    if (figure_said(f, &w->facts.said) || counts_itself(w, f) ||
        numbers_rows(w, f) || (converts(w, f) && at > 0) || is_rate(w, at) ||
        is_length(w, f) || is_run(w, f, RUN_RIGHT) || is_before_change(w, at) ||
        (limits_here(w, f) && figure_said(f, &w->facts.context)))
        return true;
    walk_scope(w, at, &scope);
    if (!scope_shows(&scope, f))
        return walk_shows_one(w, at) || walk_shows_carried(w, at) ||
               walk_shows_group(w, at) || is_span(w, at) ||
               is_between_dates(w, at) || counts_text(w, f) ||
               follows_from_others(w, f) || sums_others(w, at) ||
               is_id_of_row(w, at) || is_of_ten(w, at) || is_year(w, f) ||
               is_of_beside(w, at) || is_mark(w, f) || is_points(w, at) ||
               (w->english && compare_counts(&w->now, f));
    *elsewhere = column_contradicts(w, at, &scope) ||
                 unit_contradicts(w, at, &scope) ||
                 share_contradicts(w, at, &scope);
    return !*elsewhere;
}
