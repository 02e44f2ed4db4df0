/* compare_change.c - changes over time in words, "grew" and "fell", against the
 * rows of the periods that a sentence names; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

/* The index of the last value in the period; n: none. */
size_t period_sums_index(const struct period_sums *s,
                         const struct figure *period)
{
    size_t found = s->n;
    for (size_t i = 0; i < s->n; i++) {
        int64_t year;
        int month, day;
        if (s->days[i] == FACT_EARLIER || s->days[i] == FACT_LATER)
            continue;
        figure_date(s->days[i], &year, &month, &day);
        bool in =
            period->kind == FIGURE_PERIOD
                ? s->days[i] >= period->first && s->days[i] <= period->last
                : month >= period->month &&
                      month < period->month + (int)period->first &&
                      (!period->day || period->day == day);
        if (in)
            found = i;
    }
    return found;
}

bool figure_names_period(const struct figure *f)
{
    return f->kind == FIGURE_PERIOD || (f->kind == FIGURE_MONTH && f->month);
}

/* The values of the periods that the clause names, or, when it names none, the
 * sentence, in the order of time; returns how many there are, at most two. */
static size_t named_values(const struct compare_clause *c,
                           const struct period_sums *x, size_t at[2])
{
    const struct grounding_sentence *s = c->s;
    size_t n = 0;
    bool inside = false, split = clause_has(c, " between ");
    for (size_t i = 0; i < s->n_figures && !split; i++)
        inside = inside || (figure_names_period(&s->figures[i]) &&
                            clause_has_figure(c, &s->figures[i]));
    for (size_t i = 0; i < s->n_figures && n < 2; i++) {
        const struct figure *f = &s->figures[i];
        if (!figure_names_period(f) || (inside && !clause_has_figure(c, f)))
            continue;
        size_t k = period_sums_index(x, f);
        if (k < x->n && !(n && at[0] == k))
            at[n++] = k;
    }
    if (n == 2 && at[0] > at[1]) {
        size_t later = at[0];
        at[0] = at[1];
        at[1] = later;
    }
    return n;
}

/* Without periods: over the whole series, or at its end. With one: into it,
 * or up to it, or away from it. With two: between them. */
static bool series_goes(const struct compare_clause *c,
                        const struct period_sums *x, bool up)
{
    static const char since_words[] = " since by until through till over ";
    const struct grounding_sentence *s = c->s;
    size_t at[2] = {0, 0}, n = named_values(c, x, at);
    const double *v = x->sums;
    if (n == 2)
        return value_goes(v[at[0]], v[at[1]], up);
    if (n == 1)
        return (at[0] && (value_goes(v[at[0] - 1], v[at[0]], up) ||
                          (clause_has(c, since_words) &&
                           value_goes(v[0], v[at[0]], up)))) ||
               (at[0] + 1 < x->n && value_goes(v[at[0]], v[x->n - 1], up) &&
                s->n_mentions <= 1 && at[0] == 0);
    return value_goes(v[0], v[x->n - 1], up) ||
           value_goes(v[x->n - 2], v[x->n - 1], up);
}

bool clause_change_ends(const struct compare_clause *c,
                        const struct period_sums *x, size_t *from, size_t *to)
{
    size_t at[2] = {0, 0}, n = x->n > 1 ? named_values(c, x, at) : 0;
    *from = n == 2 ? at[0] : n == 1 && at[0] ? at[0] - 1 : 0;
    *to = n == 2 ? at[1] : n == 1 && at[0] ? at[0] : x->n - 1;
    return x->n > 1;
}

/* ---- columns of several periods ------------------------------------------- */

/* Whether the clause may be about the series of the column: it names it, or no
 * column. */
static bool concerns_series(const struct compare_clause *c,
                            const struct fact_table *t, size_t column)
{
    bool other = false;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *o = &t->columns[i];
        if (fact_same_series(o, &t->columns[column])) {
            if (i < column)
                return false;
            continue;
        }
        other = other ||
                (o->adds && (o->first <= o->last ? clause_names_series(c, o)
                                                 : clause_names(c, o->name)));
    }
    return !other || clause_names_series(c, &t->columns[column]);
}

struct period_sums clause_column_sums(const struct compare_clause *c,
                                      const struct fact_table *t, size_t column,
                                      const struct scope_rows *base)
{
    struct facts *facts = c->s->facts;
    const struct fact_column *first = &t->columns[column];
    struct period_sums out = {.n = 0};
    if (first->first > first->last || !first->n_sorted ||
        (!base->n && !t->whole) ||
        (first->percent && base->n != 1 && t->n_rows != 1) ||
        !facts_work(facts, t->n_columns * (8 + base->n + c->end - c->word)) ||
        !concerns_series(c, t, column))
        return out;
    out.days = arena_new_array(facts->arena, int64_t, t->n_columns + 1);
    out.sums = arena_new_array(facts->arena, double, t->n_columns + 1);
    for (size_t i = column; i < t->n_columns; i++) {
        const struct fact_column *o = &t->columns[i];
        size_t at = out.n;
        double sum = base->n ? rows_sum(o, base) : o->sum;
        if (!fact_same_series(o, first) ||
            (base->n == 1 && isnan(o->values[base->rows[0]])))
            continue;
        for (; at && out.days[at - 1] > o->first; at--) {
            out.days[at] = out.days[at - 1];
            out.sums[at] = out.sums[at - 1];
        }
        out.days[at] = o->first;
        out.sums[at] = sum;
        out.n++;
    }
    return out;
}

/* Whether columns of several periods show the direction: 1 they do, 0 they show
 * another, -1 there are none. */
static int columns_go(const struct compare_clause *c,
                      const struct fact_table *t, const struct scope_rows *base,
                      bool up)
{
    int found = -1;
    for (size_t i = 0; i < t->n_columns; i++) {
        struct period_sums x = clause_column_sums(c, t, i, base);
        if (x.n < 2)
            continue;
        if (series_goes(c, &x, up))
            return 1;
        found = 0;
    }
    return found;
}

/* ---- changes ---------------------------------------------------------------- */

/* A column of changes: 1 some named row has the direction, 0 none, -1: there
 * is no such column. */
static int change_column(const struct grounding_sentence *s,
                         const struct fact_table *t,
                         const struct scope_rows *base, bool up)
{
    int found = -1;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        size_t n = base->n ? base->n : t->n_rows;
        if (!c->n_sorted || !c->change || !facts_work(s->facts, n))
            continue;
        found = found < 0 ? 0 : found;
        for (size_t k = 0; k < n; k++)
            if (value_goes(0, c->values[base->n ? base->rows[k] : k], up))
                return 1;
    }
    return found;
}

/* "revenue_2024", "previous", "period": the name of a time. */
static bool names_time(struct str name)
{
    static const char *const words[] = {"prev", "prior", "last",  "before",
                                        "curr", "this",  "after", "then",
                                        "now",  "19",    "20"};
    static const char spans[] = " year month period week quarter ly py cy ";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_find_nocase(name, str_of(words[i])) >= 0)
            return true;
    /* "Years" are what is counted. */
    return column_name_among(name, spans);
}

/* Rows that could show a change, though not in a form that is read here: two
 * columns or two results to compare, or what Python computed. */
static bool may_show_change(const struct facts *facts)
{
    const struct step_results *results = facts->of->results;
    size_t scalars = 0;
    for (size_t i = 0; results && i < results->n_results; i++)
        if (results->results[i].python_result)
            return true;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        size_t adds = 0, times = 0;
        bool periods = false;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            adds += c->adds && c->n_sorted;
            times += c->adds && c->n_sorted && names_time(c->name);
            periods = periods || (!c->adds && !c->dated && names_time(c->name));
        }
        scalars += table->n_rows == 1 && adds;
        for (size_t i = 0; i < table->n_columns; i++)
            if (table->columns[i].first <= table->columns[i].last)
                return true;
        if ((adds > 1 && times) || (table->n_rows > 1 && periods))
            return true;
    }
    return scalars > 1 || facts->said.n > 0;
}

bool clause_names_texts(const struct compare_clause *c)
{
    const struct grounding_sentence *s = c->s;
    for (size_t i = 0; i < s->n_subjects; i++)
        if (s->subjects[i].place && !clause_is_aside(c, &s->subjects[i]))
            return true;
    return false;
}

/* "Two products": a number of things, at the start of the clause. */
static bool counts_something(const struct compare_clause *c)
{
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (f->kind == FIGURE_NUMBER && f->whole &&
            f->from == clause_word(c, c->word)->from)
            return true;
    }
    return false;
}

/* "From 8 % in Rome to 1 % in Oslo": a difference between two texts. */
static bool text_ends(const struct compare_clause *c,
                      const struct row_mention *ends[2])
{
    size_t n = 0;
    for (size_t i = 0; i < c->s->n_subjects; i++) {
        const struct row_mention *m = &c->s->subjects[i];
        if (!clause_holds(c, m))
            continue;
        if (!m->place || n == 2)
            return false;
        ends[n++] = m;
    }
    return n == 2 && clause_has(c, " from ") && clause_has(c, " to ");
}

static bool holds_any(const struct compare_clause *c)
{
    for (size_t i = 0; i < c->s->n_subjects; i++)
        if (clause_holds(c, &c->s->subjects[i]))
            return true;
    return false;
}

static bool texts_go(const struct compare_clause *c,
                     const struct row_mention *const ends[2], bool up)
{
    struct facts *facts = c->s->facts;
    bool looked = false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        struct scope_rows a = mention_rows(c->s, ends[0], t),
                          b = mention_rows(c->s, ends[1], t);
        const struct fact_table *table = &facts->tables[t];
        for (size_t i = 0; a.n && b.n && i < table->n_columns; i++) {
            if (!clause_concerns(c, table, i))
                continue;
            looked = true;
            if (!facts_work(facts, a.n + b.n) ||
                value_goes(rows_sum(&table->columns[i], &a),
                           rows_sum(&table->columns[i], &b), up))
                return true;
        }
    }
    return !looked;
}

/* The clause names a column of which more is better. */
static bool names_good(const struct compare_clause *c)
{
    static const char good[] =
        " satisfaction score rating revenue sales profit margin occupancy "
        "conversion retention accuracy uptime availability punctuality yield "
        "attendance nps ";
    const struct facts *facts = c->s->facts;
    for (size_t t = 0; t < facts->n_tables; t++)
        for (size_t i = 0; i < facts->tables[t].n_columns; i++) {
            const struct fact_column *of = &facts->tables[t].columns[i];
            bool on_time = column_name_among(of->name, " on ") &&
                           column_name_among(of->name, " time ");
            if (of->adds && facts_work(c->s->facts, 8) &&
                (on_time || column_name_among(of->name, good)) &&
                clause_names(c, of->name))
                return true;
        }
    return false;
}

bool clause_improves(const struct compare_clause *c, size_t i)
{
    return wording_among(clause_text(c, i),
                         " improve improves improved recovered ") &&
           names_good(c);
}

/* The direction of the last word for one before a place of the text. */
static bool last_goes(const struct compare_clause *c, size_t before, bool up)
{
    static const char better[] = " improved improves recovered ",
                      worse[] = " worsened worsens deteriorated ";
    bool found = false, goes = false;
    for (size_t i = c->word; i < c->end; i++) {
        const struct wording_word *word = clause_word(c, i);
        bool judged = wording_among(word->lower, better) ||
                      wording_among(word->lower, worse);
        if (word->to > before || !((word->says & (PROSE_UP | PROSE_DOWN)) ||
                                   (judged && names_good(c))))
            continue;
        found = true;
        goes = judged ? wording_among(word->lower, better)
                      : (word->says & PROSE_UP) != 0;
    }
    return found && goes == up;
}

/* "To" between two figures, or "in May to". */
static bool leads_to(const struct compare_clause *c, const struct figure *a,
                     const struct figure *b)
{
    struct str text = c->s->wording->text;
    struct str gap = str_trim(str_cut(text, a->to, b->from - a->to));
    for (const struct figure *f = a + 1; f < b; f++)
        if (f->kind != FIGURE_PERIOD && f->kind != FIGURE_MONTH)
            return false;
    if (!str_ends(gap, STR("to")) || (b == a + 1 && gap.len > 2))
        return false;
    return b == a + 1 || (str_starts(gap, STR("in ")) && gap.len < 30);
}

bool clause_goes_back(const struct compare_clause *c, bool up)
{
    const struct figure *last = c->s->figures + c->s->n_figures;
    struct str text = c->s->wording->text;
    if (clause_has(c, " rank place position ") || clause_has(c, clause_losses))
        return false;
    for (const struct figure *a = c->s->figures; a && a < last; a++) {
        const struct figure *b = a + 1;
        size_t before = a->from;
        while (b < last &&
               (b->kind == FIGURE_PERIOD || b->kind == FIGURE_MONTH))
            b++;
        if (b >= last || a->kind != b->kind || a->minus || b->minus ||
            (a->kind != FIGURE_NUMBER && a->kind != FIGURE_PERCENT) ||
            a->bound != FIGURE_EXACT || b->bound != FIGURE_EXACT ||
            !clause_has_figure(c, a) || !clause_has_figure(c, b))
            continue;
        while (before && strchr(" $*", text.ptr[before - 1]))
            before--;
        if (leads_to(c, a, b) && a->value != b->value &&
            str_ends(str_cut(text, 0, before), STR("from")) &&
            last_goes(c, before, up) && !value_goes(a->value, b->value, up))
            return true;
    }
    return false;
}

/* "From 28 minutes in the morning to 42 in the afternoon": the values of two
 * texts, which are checked by themselves, go where the words say. */
static bool goes_on(const struct compare_clause *c, bool up)
{
    const struct figure *ends[2];
    struct str text = c->s->wording->text;
    size_t n = 0;
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (!clause_has_figure(c, f) ||
            (f->kind != FIGURE_NUMBER && f->kind != FIGURE_PERCENT))
            continue;
        if (n == 2)
            return false;
        ends[n++] = f;
    }
    if (n < 2 || ends[0]->kind != ends[1]->kind)
        return false;
    struct str before = str_trim(str_cut(text, 0, ends[0]->from)),
               between = str_trim(
                   str_cut(text, ends[0]->to, ends[1]->from - ends[0]->to));
    bool named = str_find(between, STR(" in ")) >= 0 ||
                 str_find(between, STR(" on ")) >= 0 ||
                 str_find(between, STR(" at ")) >= 0;
    return named && str_ends(before, STR("from")) &&
           str_ends(between, STR(" to")) &&
           value_goes(ends[0]->value, ends[1]->value, up);
}

/* The figure is the row's value in the column. */
static bool shows(const struct fact_column *c, size_t row,
                  const struct figure *f)
{
    double x = c->values[row];
    return !isnan(x) && (figure_near(f, x) || (f->kind == FIGURE_PERCENT &&
                                               figure_near(f, 100 * x)));
}

/* 1: the row has the first figure in a column before that of the second; -1:
 * only after it; 0: it has not both in one series. */
static int ends_in_row(struct facts *facts, const struct fact_table *t,
                       size_t row, const struct figure *a,
                       const struct figure *b)
{
    int found = 0;
    for (size_t i = 0; i < t->n_columns; i++)
        for (size_t k = 0; k < t->n_columns; k++) {
            const struct fact_column *early = &t->columns[i],
                                     *late = &t->columns[k];
            if (early->first > early->last || late->first > late->last ||
                early->last >= late->first || !facts_work(facts, 2) ||
                !fact_same_series(early, late))
                continue;
            if (shows(early, row, a) && shows(late, row, b))
                return 1;
            if (shows(early, row, b) && shows(late, row, a))
                found = -1;
        }
    return found;
}

bool clause_wrong_ends(const struct compare_clause *c, size_t word)
{
    const struct row_mention *m = clause_subject(c, false);
    const struct facts *facts = c->s->facts;
    const struct figure *a = NULL;
    bool wrong = false;
    for (size_t i = 0; i + 1 < c->s->n_figures && !a; i++)
        if (c->s->figures[i].from >= clause_word(c, word)->to)
            a = &c->s->figures[i];
    if (!m || !a || !clause_says(c, PROSE_CHANGE | PROSE_UP | PROSE_DOWN) ||
        clause_says(c, PROSE_NEGATION) || !clause_has_figure(c, a + 1) ||
        a->value == a[1].value || a->from - clause_word(c, word)->to > 3 ||
        !leads_to(c, a, a + 1))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        struct scope_rows rows = mention_rows(c->s, m, t);
        int found = rows.n == 1 ? ends_in_row(c->s->facts, &facts->tables[t],
                                              rows.rows[0], a, a + 1)
                                : 0;
        if (found > 0)
            return false;
        wrong = wrong || found < 0;
    }
    return wrong;
}

/* "The only region to decline": it did. */
static bool is_only_one(const struct compare_clause *c)
{
    for (size_t i = c->word; i + 2 < c->end; i++)
        if (str_is(clause_word(c, i)->lower, "only") &&
            wording_among(clause_word(c, i + 2)->lower, " to that with "))
            return !clause_has(c, " each every some all ");
    return false;
}

/* "Rose for six months before falling in May": a clause of two changes, of which it is
 * cut to the one with the direction. */
static struct compare_clause cut_before(struct compare_clause c, bool up)
{
    for (size_t i = c.word; i + 1 < c.end; i++) {
        if (!str_is(clause_word(&c, i)->lower, "before") ||
            !str_ends(clause_word(&c, i + 1)->lower, STR("ing")))
            continue;
        struct compare_clause first = {c.s, c.word, i}, last = {c.s, i, c.end};
        uint32_t role = up ? PROSE_UP : PROSE_DOWN;
        return clause_says(&first, role) && !clause_says(&last, role) ? first
                                                                      : c;
    }
    return c;
}

/* "Rose for three months in a row" */
static bool clause_has_run(const struct compare_clause *c)
{
    for (size_t i = 0; i < c->s->n_figures; i++)
        if (clause_has_figure(c, &c->s->figures[i]) &&
            sentence_counts_run(c->s, &c->s->figures[i]))
            return true;
    return false;
}

static const char levels_of_loss[] = " loss losses deficit shortfall ";

bool clause_no_series(const struct compare_clause *c)
{
    const struct facts *facts = c->s->facts;
    for (size_t t = 0; t < facts->n_tables; t++)
        if (facts->tables[t].period < facts->tables[t].n_columns)
            return false;
    return facts->n_tables > 0 && !may_show_change(facts);
}

bool clause_wrong_change(const struct compare_clause *whole_clause, bool up)
{
    struct compare_clause part = cut_before(*whole_clause, up), *c = &part;
    const struct grounding_sentence *s = c->s;
    const struct row_mention *m = clause_subject(c, false);
    const struct row_mention *ends[2];
    bool looked = false;
    /* A smaller loss is a greater number; how long it rose is checked by itself. */
    if (clause_says(c, PROSE_NEGATION) || clause_has_run(c))
        return false;
    if (clause_has(c, levels_of_loss))
        return clause_no_series(c);
    if (clause_goes_back(c, up))
        return true;
    if (goes_on(c, up))
        return false;
    /* "Churn falls as the fee rises, from 8 % for Basic to 1 % for Pro" */
    struct compare_clause all = {s, s->sentence->word,
                                 s->sentence->word + s->sentence->n_words};
    if (!m && (text_ends(c, ends) || (!holds_any(c) && text_ends(&all, ends))))
        return !texts_go(c, ends, up);
    const struct row_mention *period = clause_subject(c, true);
    /* "Total revenue fell" is not what one row says of itself. */
    struct compare_clause start = {s, s->sentence->word, s->sentence->word + 1};
    bool sums = !m && (clause_has(c, " total overall altogether combined ") ||
                       clause_has(&start, " overall altogether "));
    bool whole = (m || !clause_names_texts(c)) &&
                 (!clause_says(c, PROSE_SOME) || (m && is_only_one(c))) &&
                 !clause_has(c, " one other others rest remaining ") &&
                 !counts_something(c);
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows base = {0};
        if (m)
            base = mention_rows(s, m, t);
        if ((m && !base.n) || table->n_rows == 0)
            continue;
        struct scope_rows of = base;
        if (!m && period)
            of = mention_rows(s, period, t);
        int change = sums ? -1 : change_column(s, table, &of, up);
        if (change > 0)
            return false;
        looked = looked || change == 0;
        int columns = whole ? columns_go(c, table, &of, up) : -1;
        if (columns > 0)
            return false;
        looked = looked || columns == 0;
        if (table->period == table->n_columns || table->n_rows < 2)
            continue;
        if (!table->whole)
            return false;
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!clause_concerns(c, table, i))
                continue;
            struct period_sums x =
                period_sums_of(s->facts, table, &table->columns[i], &base);
            looked = looked || x.n > 1;
            if (x.n > 1 && series_goes(c, &x, up))
                return false;
        }
    }
    return looked || !may_show_change(s->facts);
}

/* "Fell to 5": each period with that value, of those that the clause names, is
 * after one with a greater one. */
static bool is_level(const struct compare_clause *c,
                     const struct period_sums *x, const struct figure *f,
                     bool up, bool *looked)
{
    size_t at[2], n = named_values(c, x, at);
    for (size_t i = 0; i < x->n; i++) {
        if ((n && i != at[n - 1]) || !figure_near(f, x->sums[i]))
            continue;
        *looked = true;
        for (size_t k = 0; k < i; k++)
            if (value_goes(x->sums[k], x->sums[i], up))
                return true;
        if (i == 0) /* what was before is not in the rows */
            return true;
    }
    return false;
}

bool clause_wrong_level(const struct compare_clause *c, size_t word, bool up)
{
    const struct grounding_sentence *s = c->s;
    const struct row_mention *m = clause_subject(c, false);
    const struct figure *f = NULL;
    bool looked = false;
    size_t from = clause_word(c, word)->to;
    for (size_t i = 0; i < s->n_figures && !f; i++)
        if (s->figures[i].from > from)
            f = &s->figures[i];
    if (!f || f->kind != FIGURE_NUMBER || f->bound != FIGURE_EXACT ||
        !clause_has_figure(c, f) || clause_says(c, PROSE_NEGATION) ||
        clause_has(c, " from ") || (!m && clause_names_texts(c)))
        return false;
    struct str gap = str_trim(str_cut(s->wording->text, from, f->from - from));
    if (!str_is(gap, "to") && !str_is(gap, "slightly to") &&
        !str_is(gap, "further to") && !str_is(gap, "back to"))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows base = {0};
        if (m)
            base = mention_rows(s, m, t);
        if (table->period == table->n_columns || (m && !base.n))
            continue;
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!table->columns[i].adds || !table->columns[i].n_sorted)
                continue;
            struct period_sums x =
                period_sums_of(s->facts, table, &table->columns[i], &base);
            if (!table->whole || is_level(c, &x, f, up, &looked))
                return false;
        }
    }
    return looked;
}

bool clause_wrong_loss(const struct compare_clause *c)
{
    const struct grounding_sentence *s = c->s;
    const struct row_mention *m = clause_subject(c, false);
    bool looked = false;
    if (clause_says(c, PROSE_NEGATION | PROSE_SOME) ||
        (!m && clause_names_texts(c)))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows base = {0};
        if (m)
            base = mention_rows(s, m, t);
        if ((m && base.n != 1) || table->n_rows == 0)
            continue;
        for (size_t i = 0; i < table->n_columns; i++)
            if (table->columns[i].n_sorted && table->columns[i].adds &&
                !table->columns[i].change &&
                table->columns[i].sorted[0].value < 0)
                return false; /* a loss may be a level */
        int columns = columns_go(c, table, &base, false);
        if (columns > 0)
            return false;
        looked = looked || columns == 0;
    }
    return looked;
}

bool clause_wrong_since(const struct compare_clause *c, bool up)
{
    static const struct scope_rows all = {0};
    const struct grounding_sentence *s = c->s;
    bool looked = false;
    for (size_t t = 0; t < s->facts->n_tables && !clause_names_texts(c); t++) {
        int columns = columns_go(c, &s->facts->tables[t], &all, up);
        if (columns > 0)
            return false;
        looked = looked || columns == 0;
    }
    return looked;
}
