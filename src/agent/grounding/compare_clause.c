/* compare_clause.c - the parts of a sentence that compare, the rows that they
 * name, and the columns that they may be about; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include "prose.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

static const char clause_words[] = " and but while whereas although though ";

const char clause_partial[] = " among except excluding apart besides other "
                              "others another within next remaining ";

const char clause_losses[] =
    " loss losses deficit decline drop decrease shortfall lost lose loses losing ";
const char clause_outflows[] =
    " outflow outflows spend spends spent spending invest invests invested "
    "investment investments cost costs expense expenses pay pays paid outlay "
    "outlays payout payouts withdrawal withdrawals withdrew withdrawn refund "
    "refunds refunded debit debits debited deduction deductions deducted "
    "discount discounts burned ";

/* ---- clauses ------------------------------------------------------------ */

const struct wording_word *clause_word(const struct compare_clause *c, size_t i)
{
    return &c->s->wording->words[i];
}

/* "Admissions (1,284)": brackets around nothing but a figure. */
static bool brackets_figure(struct str text, size_t from)
{
    size_t at = from + 1;
    while (at < text.len &&
           ((text.ptr[at] >= '0' && text.ptr[at] <= '9') ||
            strchr(" .,%$+-*", text.ptr[at]) || (text.ptr[at] & 0x80)))
        at++;
    return at > from + 1 && at < text.len && text.ptr[at] == ')';
}

static bool clause_ends(const struct wording *p, size_t i)
{
    struct str gap =
        str_cut(p->text, p->words[i].to, p->words[i + 1].from - p->words[i].to);
    bool digits = p->words[i].lower.ptr[0] <= '9' &&
                  p->words[i + 1].lower.ptr[0] <= '9' && gap.len == 1;
    ptrdiff_t open = str_find_char(gap, '(');
    bool aside =
        open >= 0 && !brackets_figure(p->text, p->words[i].to + (size_t)open);
    bool because = str_is(p->words[i + 1].lower, "because") ||
                   ((p->words[i].says & (PROSE_UP | PROSE_DOWN)) &&
                    wording_among(p->words[i + 1].lower, " as even since "));
    return because || wording_among(p->words[i + 1].lower, clause_words) ||
           (!digits &&
            (str_find_char(gap, ',') >= 0 || str_find_char(gap, ';') >= 0 ||
             aside || str_find_char(gap, '|') >= 0 ||
             str_find(gap, STR("\xe2\x80\x94")) >= 0));
}

static bool names_column(struct facts *facts, struct str word);

/* "By revenue, Rome is first", "in terms of revenue,": what follows is of the
 * column. */
static bool is_by_column(const struct grounding_sentence *s, size_t from,
                         size_t last)
{
    enum { WORDS = 3 };
    static const char leads[] = " in terms of measured ranked the total ";
    const struct wording_word *words = s->wording->words;
    size_t at = from;
    if (from != s->sentence->word)
        return false;
    while (at <= last && wording_among(words[at].lower, leads))
        at++;
    at += at <= last && str_is(words[at].lower, "by");
    return at > from && at <= last && last - at < WORDS &&
           names_column(s->facts, words[at].lower) &&
           names_column(s->facts, words[last].lower);
}

size_t clause_end(const struct grounding_sentence *s, size_t from)
{
    size_t last = s->sentence->word + s->sentence->n_words;
    for (size_t i = from; i + 1 < last; i++)
        if (clause_ends(s->wording, i) && !is_by_column(s, from, i))
            return i + 1;
    return last;
}

struct str clause_text(const struct compare_clause *c, size_t i)
{
    return i >= c->word && i < c->end ? clause_word(c, i)->lower : STR("");
}

bool clause_in_subject(const struct compare_clause *c, size_t i)
{
    for (size_t k = 0; k < c->s->n_subjects; k++)
        if (clause_word(c, i)->from >= c->s->subjects[k].from &&
            clause_word(c, i)->to <= c->s->subjects[k].to)
            return true;
    return false;
}

bool clause_has(const struct compare_clause *c, const char *list)
{
    if (!facts_work(c->s->facts, 10 * (c->end - c->word)))
        return false;
    for (size_t i = c->word; i < c->end; i++)
        if (wording_among(clause_word(c, i)->lower, list))
            return true;
    return false;
}

bool clause_says(const struct compare_clause *c, uint32_t roles)
{
    uint32_t says = 0;
    for (size_t i = c->word; i < c->end; i++)
        says |= clause_word(c, i)->says;
    return facts_work(c->s->facts, c->end - c->word) && (says & roles);
}

bool clause_holds(const struct compare_clause *c, const struct row_mention *m)
{
    return m->from >= clause_word(c, c->word)->from &&
           m->to <= clause_word(c, c->end - 1)->to;
}

bool clause_names_row(const struct compare_clause *c, size_t i)
{
    const struct wording_word *word = clause_word(c, i);
    for (size_t k = 0; k < c->s->n_mentions; k++) {
        const struct row_mention *m = &c->s->mentions[k];
        if (m->place && word->from >= m->from && word->to <= m->to)
            return true;
    }
    return false;
}

bool clause_is_aside(const struct compare_clause *c,
                     const struct row_mention *m)
{
    struct str text = c->s->wording->text;
    size_t end = clause_word(c, c->end - 1)->to;
    for (size_t i = m->from; i > end; i--) {
        if (text.ptr[i - 1] == ')')
            return false;
        if (text.ptr[i - 1] == '(')
            return m->from - i > 2;
    }
    return false;
}

/* The only text of rows that is named in the clause, or, when it names none,
 * in the sentence. NULL: none, or several. */
const struct row_mention *clause_subject(const struct compare_clause *c,
                                         bool period)
{
    const struct row_mention *in = NULL, *all = NULL;
    size_t n_in = 0, n_all = 0;
    for (size_t i = 0; i < c->s->n_subjects; i++) {
        const struct row_mention *m = &c->s->subjects[i];
        if ((m->place == NULL) != period || clause_is_aside(c, m))
            continue;
        if (clause_holds(c, m) && (!in || in->place != m->place || period)) {
            in = m;
            n_in++;
        }
        if (!all || all->place != m->place || period) {
            all = m;
            n_all++;
        }
    }
    return n_in == 1 ? in : n_in == 0 && n_all == 1 ? all : NULL;
}

/* ---- columns that the clause names  ------------------------------------ */

/* Parts of names that a text leaves out. */
static const char unnamed[] =
    " total sum avg count number of n pct percent percentage rate done ";
/* Likewise, next to other words: "closed", of `closed_eur`. */
static const char units[] =
    " pp ms k mn thousand thousands million millions bn "
    "sec seconds min mins minutes hours hrs days weeks "
    "months years kg km mm cm m l litres liters kwh mwh "
    "c f kb mb gb ";

/* The i-th word is one of a name: the word, one for the same end, or its
 * participle before what it is compared with, "rated lower than". */
static bool says_part(const struct compare_clause *c, size_t i, struct str own,
                      int end)
{
    static const char compared[] =
        " lower higher above below at highest lowest "
        "best worst better worse over under ";
    struct str word = clause_word(c, i)->lower;
    return column_word_same(word, own) ||
           (end && end == column_word_end(word)) ||
           (column_word_done(own, word) &&
            wording_among(clause_text(c, i + 1), compared));
}

bool clause_names(const struct compare_clause *c, struct str name)
{
    struct split_name own;
    bool any = false;
    column_name_read(name, &own);
    bool per =
        own.n > 1 && column_name_among(name, " per "); /* "cost per kWh" */
    for (size_t k = 0; k < own.n; k++) {
        bool silent = wording_among(own.words[k], unnamed), said = false;
        bool unit = k > 0 && (wording_among(own.words[k], units) ||
                              is_currency_word(own.words[k]));
        unit = unit || (own.n > 1 && is_plain_unit(own.words[k]));
        int end = column_word_end(own.words[k]);
        for (size_t i = c->word; i < c->end && !silent && !said; i++)
            said = says_part(c, i, own.words[k], end) &&
                   (per || i == c->word ||
                    !str_is(clause_word(c, i - 1)->lower, "per"));
        any = any || said;
        if (!silent && !unit && !said)
            return false;
    }
    return any;
}

bool clause_names_series(const struct compare_clause *c,
                         const struct fact_column *column)
{
    struct str before = str_cut(column->name, 0, column->period_from),
               after = str_from(column->name, column->period_to);
    bool any = before.len > 1 || after.len > 1;
    return any && (before.len < 2 || clause_names(c, before)) &&
           (after.len < 2 || clause_names(c, after));
}

/* Whether the clause names the column, or what its series is of. */
static bool names_or_series(const struct compare_clause *c,
                            const struct fact_column *column)
{
    return clause_names(c, column->name) ||
           (column->percent && column->first <= column->last &&
            clause_names_series(c, column));
}

static bool names_column(struct facts *facts, struct str word)
{
    for (size_t t = 0; t < facts->n_tables; t++)
        for (size_t i = 0; i < facts->tables[t].n_columns; i++) {
            const struct fact_column *c = &facts->tables[t].columns[i];
            if (!facts_work(facts, 4))
                return false;
            if (c->adds && column_name_has(c->name, word))
                return true;
        }
    return false;
}

bool facts_noun_of_none(struct facts *facts, struct str word)
{
    return word.len > 3 && str_ends(word, STR("s")) &&
           map_get(&facts->words, word) && !names_column(facts, word);
}

bool clause_names_column(const struct compare_clause *c, size_t i)
{
    return names_column(c->s->facts, clause_word(c, i)->lower);
}

bool clause_has_figure(const struct compare_clause *c, const struct figure *f)
{
    return f->from >= clause_word(c, c->word)->from &&
           f->from < clause_word(c, c->end - 1)->to;
}

bool clause_has_period(const struct compare_clause *c,
                       const struct fact_column *column)
{
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (clause_has_figure(c, f) && fact_is_of(column, f))
            return true;
    }
    return false;
}

static bool has_word(const struct compare_clause *c, struct str word)
{
    for (size_t i = c->word; i < c->end; i++)
        if (str_eq(clause_word(c, i)->lower, word))
            return true;
    return false;
}

/* The clause has the word, or a form of it. */
static bool says_word(const struct compare_clause *c, struct str word)
{
    static const char means[] = " avg mean ";
    for (size_t i = c->word; i < c->end; i++)
        if (column_word_same(clause_word(c, i)->lower, word) ||
            (wording_among(word, means) &&
             str_is(clause_word(c, i)->lower, "average")))
            return true;
    return false;
}

/* The clause has each word of the name as it is. */
static bool names_exactly(const struct compare_clause *c, struct str name)
{
    struct split_name own;
    column_name_read(name, &own);
    for (size_t k = 0; k < own.n; k++)
        if (!has_word(c, own.words[k]))
            return false;
    return own.n > 0 && !own.cut;
}

/* The clause has a word of `more` that is none of the other name. */
static bool says_beyond(const struct compare_clause *c, struct str more,
                        struct str less)
{
    struct split_name own;
    column_name_read(more, &own);
    for (size_t k = 0; k < own.n; k++)
        if (!column_name_has(less, own.words[k]) &&
            !(k && wording_among(own.words[k], units)) && /* "second-most" */
            says_word(c, own.words[k]))
            return true;
    return false;
}

/* All words of the name that say something are in the other one. */
static bool is_in_name(const struct split_name *own, struct str other)
{
    for (size_t k = 0; k < own->n; k++)
        if (!wording_among(own->words[k], unnamed) &&
            !column_name_has(other, own->words[k]))
            return false;
    return true;
}

bool clause_names_more(const struct compare_clause *c,
                       const struct fact_table *t, size_t column)
{
    struct split_name own;
    struct str name = t->columns[column].name;
    column_name_read(name, &own);
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *other = &t->columns[i];
        if (i == column || !other->adds || !facts_work(c->s->facts, 4) ||
            !clause_names(c, other->name))
            continue;
        bool own_exact = names_exactly(c, name);
        if (other->name.len > name.len && is_in_name(&own, other->name) &&
            (!own_exact || says_beyond(c, other->name, name)))
            return true;
        /* "Sessions" are no `avg_session_seconds`. */
        if (!own_exact && names_exactly(c, other->name) &&
            !says_beyond(c, name, other->name))
            return true;
    }
    return false;
}

/* "More employees than": a number of things, which is no average. */
static bool counts_things(const struct compare_clause *c)
{
    static const char amounts[] = " more fewer most fewest many ";
    for (size_t i = c->word; i + 1 < c->end; i++) {
        struct str next = clause_word(c, i + 1)->lower;
        if (wording_among(clause_word(c, i)->lower, amounts) &&
            ((next.len > 3 && next.ptr[next.len - 1] == 's') ||
             wording_among(next, " people staff ")))
            return true;
    }
    return false;
}

/* Whether a comparison may be about the column: one that the clause names; or,
 * when it names none, one of a period that it names; else any. */
bool clause_concerns(const struct compare_clause *c, const struct fact_table *t,
                     size_t column)
{
    static const char speeds[] =
        " long longer longest fast faster fastest slow "
        "slower slowest quick quicker quickest "
        "shortest shorter ";
    bool named = false, levels = false, timed = false, takes = false;
    bool counts = false;
    if (!t->columns[column].adds || !t->columns[column].n_sorted ||
        !facts_work(c->s->facts, t->n_columns * (c->end - c->word)))
        return false;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *other = &t->columns[i];
        named = named || (other->adds && names_or_series(c, other));
        timed = timed || clause_has_period(c, other);
        levels = levels || (other->adds && !other->percent);
        counts = counts || (other->adds && other->n_sorted && other->whole &&
                            !other->averages && !other->percent);
        takes = takes || (other->adds && other->takes && other->n_sorted);
    }
    /* "Solved tickets fastest" is not about how many. */
    if (takes && !clause_says(c, PROSE_CHANGE) &&
        (clause_has(c, speeds) ||
         (clause_has(c, " time ") && clause_has(c, " less more least most "))))
        return t->columns[column].takes;
    /* "Sold more" is about an amount; "grew most" is about its change. */
    bool fits =
        !levels || !t->columns[column].percent || clause_says(c, PROSE_CHANGE);
    if (!named && counts && t->columns[column].averages && counts_things(c))
        return false;
    return named   ? names_or_series(c, &t->columns[column]) &&
                         (!timed || clause_names(c, t->columns[column].name) ||
                          clause_has_period(c, &t->columns[column])) &&
                         !clause_names_more(c, t, column)
           : timed ? fits && clause_has_period(c, &t->columns[column])
                   : fits;
}

bool clause_may_concern(const struct compare_clause *c,
                        const struct fact_table *t, size_t column)
{
    if (!facts_work(c->s->facts, t->n_columns * (c->end - c->word)))
        return false;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].adds && clause_names(c, t->columns[i].name))
            return false;
    return t->columns[column].adds && t->columns[column].n_sorted;
}

/* ---- rows --------------------------------------------------------------- */

double rows_sum(const struct fact_column *c, const struct scope_rows *rows)
{
    double sum = 0;
    for (size_t i = 0; i < rows->n; i++)
        sum += isnan(c->values[rows->rows[i]]) ? 0 : c->values[rows->rows[i]];
    return sum;
}

struct scope_rows rows_of_both(struct facts *facts, const struct scope_rows *a,
                               const struct scope_rows *b)
{
    struct scope_rows out = {0};
    if (!facts_work(facts, a->n + b->n) || !a->n || !b->n)
        return out;
    out.rows = arena_new_array(facts->arena, size_t, a->n);
    for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
        if (a->rows[i] == b->rows[k])
            out.rows[out.n++] = a->rows[i];
        bool next = a->rows[i] <= b->rows[k];
        k += b->rows[k] <= a->rows[i];
        i += next;
    }
    return out;
}

bool only_between(const struct grounding_sentence *s, size_t from, size_t to,
                  const char *list)
{
    struct str text = s->wording->text;
    for (size_t i = from; i < to; i++)
        if (strchr(",;:(|.", text.ptr[i]))
            return false;
    for (size_t at = from, end; wording_next(str_cut(text, 0, to), &at, &end);
         at = end) {
        char lower[24];
        struct str word = str_cut(text, at, end - at);
        if (word.len > sizeof lower)
            return false;
        wording_lower(lower, word);
        word.ptr = lower;
        if (!wording_among(word, list) && !names_column(s->facts, word))
            return false;
    }
    return true;
}

size_t compare_subjects(const struct grounding_sentence *s,
                        struct row_mention *out)
{
    static const char links[] = " in the s of from via through at for on by ";
    size_t n = 0;
    for (size_t i = 0; i < s->n_mentions; i++) {
        const struct row_mention *m = &s->mentions[i];
        struct row_mention *last = n ? &out[n - 1] : NULL;
        bool joins = last && m->place && last->place && !last->also &&
                     last->place->table == m->place->table &&
                     last->place->column != m->place->column &&
                     m->from - last->to < 40 &&
                     only_between(s, last->to, m->from, links);
        if (joins) {
            last->also = m->place;
            last->to = m->to;
        } else {
            out[n++] = *m;
        }
    }
    return n;
}

struct scope_rows mention_rows(const struct grounding_sentence *s,
                               const struct row_mention *m, size_t table)
{
    struct facts *facts = s->facts;
    struct scope_rows rows = {0};
    if (m->place) {
        rows = scope_of_place(facts, m->place, table);
        if (!m->also)
            return rows;
        struct scope_rows also = scope_of_place(facts, m->also, table);
        return rows_of_both(facts, &rows, &also);
    }
    scope_of_table_period(facts, &m->period, table, &rows);
    return rows;
}

/* ---- sums over time ----------------------------------------------------- */

struct dated_value {
    int64_t day;
    double value;
};

static int by_day(const void *a, const void *b)
{
    const struct dated_value *x = a, *y = b;
    return x->day < y->day ? -1 : x->day > y->day;
}

struct period_sums period_sums_of(struct facts *facts,
                                  const struct fact_table *t,
                                  const struct fact_column *c,
                                  const struct scope_rows *base)
{
    const struct fact_column *period = &t->columns[t->period];
    size_t size = base->n ? base->n : t->n_rows, n = 0;
    struct dated_value *all =
        arena_new_array(facts->arena, struct dated_value, size + 1);
    struct period_sums out = {
        .days = arena_new_array(facts->arena, int64_t, size + 1),
        .sums = arena_new_array(facts->arena, double, size + 1)};
    bool in_order = true;
    if (!facts_work(facts, 4 * size))
        return out;
    for (size_t i = 0; i < size; i++) {
        size_t row = base->n ? base->rows[i] : i;
        if (period->days[row] != INT64_MIN && !isnan(c->values[row]))
            all[n++] = (struct dated_value){period->days[row], c->values[row]};
        in_order = in_order && (n < 2 || all[n - 2].day <= all[n - 1].day);
    }
    if (!in_order)
        qsort(all, n, sizeof *all, by_day);
    for (size_t i = 0; i < n; i++) {
        if (!out.n || out.days[out.n - 1] != all[i].day)
            out.days[out.n++] = all[i].day;
        out.sums[out.n - 1] += all[i].value;
    }
    return out;
}

bool value_goes(double from, double to, bool up)
{
    return up ? to > from : to < from;
}

/* ---- what is left out ---------------------------------------------------- */

size_t clause_exception(const struct compare_clause *c)
{
    const struct grounding_sentence *s = c->s;
    size_t at = c->word;
    if (s->n_subjects != 1 || !s->subjects->place)
        return SIZE_MAX;
    while (at < c->end && clause_word(c, at)->from < s->subjects->from)
        at++;
    if (at < c->word + 2 || at == c->end)
        return SIZE_MAX;
    struct str before = clause_word(c, at - 1)->lower,
               earlier = clause_word(c, at - 2)->lower;
    bool out = wording_among(before, " except excluding ") ||
               (wording_among(before, " for from ") &&
                wording_among(earlier, " except apart "));
    return out ? 0 : SIZE_MAX;
}

struct scope_rows rows_without(const struct grounding_sentence *s,
                               const struct row_mention *m, size_t table)
{
    const struct fact_table *t = &s->facts->tables[table];
    struct scope_rows of = mention_rows(s, m, table), out = {0};
    if (!facts_work(s->facts, t->n_rows))
        return out;
    out.rows = arena_new_array(s->facts->arena, size_t, t->n_rows + 1);
    for (size_t i = 0, k = 0; i < t->n_rows; i++) {
        while (k < of.n && of.rows[k] < i)
            k++;
        if (k == of.n || of.rows[k] != i)
            out.rows[out.n++] = i;
    }
    return out;
}

/* The sentence is about sums of rows, or states nothing. */
static const char unsure[] =
    " but after together combined total per if would could might not cannot "
    "without nearly almost about ";

bool clause_is_unsure(const struct compare_clause *c)
{
    return clause_has(c, unsure) || clause_has(c, clause_partial);
}
