/* grounding_column.c - binds figures to columns; see grounding_column.h.
 *
 * A column is named by all words of its name and by no others, right before the
 * figure ("revenue in Berlin was 17", "revenue: 17"), right after it ("17
 * orders", "17 in revenue") or at the top of its table. Between the name and
 * the figure there are only words that say nothing else: "net revenue", "the
 * revenue rank" and "revenue from 17 shops" name no column `revenue`. A sentence
 * that this grammar does not read binds nothing. */
#include "grounding_column.h"
#include "column_name.h"
#include "compare_clause.h"
#include "grounding_statistic.h"
#include "base/banned.h"

enum { NAME_WORDS_MOST = 6 };

/* Between a name and its figure, or before a name. */
static const char linking[] =
    " the a an its their this that s for in on of at to during is was are were "
    "be been has had have came amounted reached stood stands totaled totalled "
    "totals equals equaled hit made generated earned recorded with and about "
    "only just around roughly exactly nearly almost approximately some total "
    "overall highest lowest best worst largest smallest greatest ";

/* The last word before a figure whose name comes before it. */
static const char stating[] =
    " is was are were of at to reached totaled totalled totals equals equaled "
    "hit about only just around roughly exactly nearly almost approximately ";

/* The last word before a figure whose name comes after it. */
static const char counting[] =
    " had has have with from and made got received placed recorded saw on of "
    "brought generated produced sold drew counted contributed "
    "handled processed earned "
    "was were is are only just about around roughly exactly nearly almost "
    "approximately ";

/* After a figure, or after the name that follows it. */
static const char following[] =
    " in for on at during and but while which with this last over across from "
    "after before dollars euros usd eur gbp chf ";

/* In names of columns and of tables they say little. */
static const char generic[] =
    " total sum count number of n the overall all every pct percent percentage "
    "in m mn k bn million millions thousand billion ";

struct column_words {
    struct str items[NAME_WORDS_MOST];
    size_t n;
    bool over; /* there were more words */
};

static void name_add(struct column_words *to, struct str word)
{
    if (!word.len || wording_among(word, generic) || is_currency_word(word))
        return;
    if (to->n == NAME_WORDS_MOST)
        to->over = true;
    else
        to->items[to->n++] =
            str_is(word, "avg") || str_is(word, "mean") ? STR("average") : word;
}

static bool name_has(const struct column_words *name, struct str word)
{
    for (size_t i = 0; i < name->n; i++)
        if (column_word_same(name->items[i], word))
            return true;
    return false;
}

static bool names_equal(const struct column_words *a,
                        const struct column_words *b)
{
    bool equal = a->n == b->n && a->n && !a->over && !b->over;
    for (size_t i = 0; equal && i < a->n; i++)
        equal = name_has(b, a->items[i]) && name_has(a, b->items[i]);
    return equal;
}

/* The words of a column's name that say something; `name` holds them. */
static struct column_words words_of_name(struct str of, struct split_name *name)
{
    struct column_words out = {.n = 0};
    column_name_read(of, name);
    out.over = name->cut;
    for (size_t i = 0; i < name->n; i++)
        name_add(&out, name->words[i]);
    return out;
}

/* ---- the words around a figure ------------------------------------------- */

/* The word is part of the name of a row, or of a period. */
static bool is_place(const struct grounding_walk *w,
                     const struct wording_word *word)
{
    for (size_t i = 0; i < w->now.n_mentions; i++)
        if (w->mentions[i].from <= word->from && w->mentions[i].to >= word->to)
            return true;
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *f = &w->now.figures[i];
        if ((f->kind == FIGURE_PERIOD || f->kind == FIGURE_MONTH) &&
            f->from <= word->from && f->to >= word->to)
            return true;
    }
    return false;
}

static bool is_figure(const struct grounding_walk *w,
                      const struct wording_word *word)
{
    for (size_t i = 0; i < w->now.n_figures; i++)
        if (w->now.figures[i].from < word->to &&
            w->now.figures[i].to > word->from)
            return true;
    return false;
}

/* Marks between two places of the text that part what they say. */
static bool is_parted(const struct grounding_walk *w, size_t from, size_t to,
                      const char *marks)
{
    for (size_t i = from; i < to; i++)
        if (w->wording.text.ptr[i] && strchr(marks, w->wording.text.ptr[i]))
            return true;
    return false;
}

/* Words of no name end a run of them. */
static bool ends_run(const struct grounding_walk *w,
                     const struct wording_word *word)
{
    return wording_among(word->lower, linking) || is_place(w, word) ||
           is_figure(w, word);
}

/* The words up to and with number `last` of the sentence. */
static struct column_words run_before(const struct grounding_walk *w,
                                      size_t last)
{
    const struct wording_word *words = walk_words(w);
    struct column_words run = {.n = 0}, none = {.n = 0};
    size_t i = last + 1;
    for (; i && !run.over; i--) {
        const struct wording_word *word = &words[i - 1];
        if (ends_run(w, word) ||
            (i <= last && is_parted(w, word->to, words[i].from, ",;:|()/&")))
            break;
        name_add(&run, word->lower);
    }
    /* "Revenue and orders were 5 and 6" */
    bool listed = i && i <= last &&
                  (is_parted(w, words[i - 1].to, words[i].from, "/&") ||
                   (wording_among(words[i - 1].lower, " and or ") &&
                    !(i > 1 && is_figure(w, &words[i - 2]))));
    return listed ? none : run;
}

/* The name before a figure whose first word is number `at`: over linking
 * words, places and periods. */
static struct column_words name_before(const struct grounding_walk *w,
                                       size_t at, const struct figure *f)
{
    const struct wording_word *words = walk_words(w);
    struct column_words none = {.n = 0};
    size_t end = f->from;
    for (size_t i = at; i; i--) {
        const struct wording_word *word = &words[i - 1];
        bool place = is_place(w, word);
        if (is_parted(w, word->to, end, ",;|") && !(place && i < at))
            return none;
        if (i == at && !is_parted(w, word->to, end, ":=(") &&
            (place || (wording_among(word->lower, linking) &&
                       !wording_among(word->lower, stating))))
            return none;
        if (!place && is_figure(w, word))
            return none;
        if (!place && !wording_among(word->lower, linking))
            return run_before(w, i - 1);
        end = word->from;
    }
    return none;
}

/* Whether nothing more is said about the figure after a place of the text;
 * `i`: the word after it. */
static bool ends_here(const struct grounding_walk *w, size_t to, size_t i)
{
    const struct wording_word *words = walk_words(w);
    if (i == w->now.sentence->n_words)
        return true;
    return is_parted(w, to, words[i].from, ".,;:)|!?(") ||
           wording_among(words[i].lower, following);
}

/* The name right after a figure: "17 orders", "17 in revenue". */
static struct column_words name_after(const struct grounding_walk *w, size_t at,
                                      size_t next, const struct figure *f)
{
    const struct wording_word *words = walk_words(w);
    size_t n = w->now.sentence->n_words, i = next, end = f->to;
    struct column_words run = {.n = 0}, none = {.n = 0};
    bool counted = !at || is_place(w, &words[at - 1]) ||
                   is_parted(w, words[at - 1].to, f->from, ",;:(|") ||
                   wording_among(words[at - 1].lower, counting);
    if (i < n && (str_is(words[i].lower, "in") || str_is(words[i].lower, "of")))
        end = words[i++].to;
    for (; counted && i < n && !ends_run(w, &words[i]) && !run.over; i++) {
        if (is_parted(w, end, words[i].from, ".,;:)|!?(") ||
            (run.n && wording_among(words[i].lower, following)))
            break;
        name_add(&run, words[i].lower);
        end = words[i].to;
    }
    return run.n && ends_here(w, end, i) ? run : none;
}

/* The name at the top of a table's column whose cell is the figure alone. */
static struct column_words name_above(const struct grounding_walk *w,
                                      const struct figure *f,
                                      struct split_name *lower)
{
    struct str text = w->wording.text;
    struct column_words none = {.n = 0};
    size_t from = f->from, to = f->to;
    const struct wording_sentence *s = w->now.sentence;
    while (from > s->from && text.ptr[from - 1] != '|')
        if (str_is_alnum(text.ptr[--from]))
            return none;
    while (to < s->to && text.ptr[to] != '|')
        if (str_is_alnum(text.ptr[to++]))
            return none;
    return words_of_name(walk_name_above(w, f->from), lower);
}

/* What may name the column of a figure. A figure is of what follows it, if that
 * is a column. */
struct figure_names {
    struct column_words before, after;
    struct split_name above;
};

static void names_of_figure(const struct grounding_walk *w,
                            const struct figure *f, struct figure_names *out)
{
    const struct wording_word *words = walk_words(w);
    enum sentence_kind kind = w->now.sentence->kind;
    size_t n = w->now.sentence->n_words, at = 0, next;
    out->before.n = out->after.n = 0;
    if (kind == SENTENCE_ROW)
        out->before = name_above(w, f, &out->above);
    if (kind != SENTENCE_PROSE && kind != SENTENCE_ITEM)
        return;
    while (at < n && words[at].to <= f->from)
        at++;
    for (next = at; next < n && words[next].from < f->to;)
        next++;
    out->after = name_after(w, at, next, f);
    if (out->after.n || ends_here(w, f->to, next))
        out->before = name_before(w, at, f);
}

/* ---- the column ----------------------------------------------------------- */

/* The only column of the name; n_columns: none, or several. */
static size_t column_of_name(const struct fact_table *t,
                             const struct column_words *name)
{
    size_t found = t->n_columns, n = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        struct split_name lower;
        struct column_words own = words_of_name(t->columns[i].name, &lower);
        if (!t->columns[i].n_sorted || !names_equal(name, &own))
            continue;
        found = i;
        n++;
    }
    return n == 1 ? found : t->n_columns;
}

/* The only column that is named; n_columns: none, or several. */
static size_t column_of_names(struct facts *facts, const struct fact_table *t,
                              const struct figure_names *names)
{
    size_t before = column_of_name(t, &names->before),
           after = column_of_name(t, &names->after);
    struct column_words less = names->after;
    if (after == t->n_columns && less.n > 1 &&
        facts_noun_of_none(facts, less.items[--less.n]))
        after = column_of_name(t, &less); /* "critical incidents" */
    if (after < t->n_columns)
        return before < t->n_columns ? t->n_columns : after;
    return names->after.n ? t->n_columns : before;
}

size_t column_row(const struct grounding_walk *w,
                  const struct grounding_scope *s, size_t table)
{
    const struct fact_table *t = &s->facts->tables[table];
    if (s->rows[table].n == 1)
        return s->rows[table].rows[0];
    return t->n_rows == 1 && !w->now.n_mentions ? 0 : t->n_rows;
}

static bool row_shows(const struct grounding_scope *s, size_t table, size_t row,
                      const struct figure *f)
{
    const struct fact_table *t = &s->facts->tables[table];
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].n_sorted && scope_cell_shows(s, table, i, row, f))
            return true;
    return false;
}

/* ---- columns of a period --------------------------------------------------- */

/* The period right after the figure, "1,500 in 2025"; else the only one of the
 * sentence. NULL: none. */
static const struct figure *period_of_figure(const struct grounding_walk *w,
                                             const struct figure *f)
{
    const struct figure *only = NULL;
    size_t n = 0;
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *p = &w->now.figures[i];
        if (p->kind != FIGURE_PERIOD && p->kind != FIGURE_MONTH)
            continue;
        if (p->from > f->to && p->from - f->to <= 5 &&
            wording_among(
                str_trim(str_cut(w->wording.text, f->to, p->from - f->to)),
                " in for ( "))
            return p;
        only = p;
        n++;
    }
    return n == 1 ? only : NULL;
}

/* Whether the column is of another period, and one of its series is of this, or
 * none is. */
static bool has_other_of(const struct fact_table *t,
                         const struct fact_column *c,
                         const struct figure *period)
{
    if (fact_is_of(c, period))
        return false;
    if (period->kind == FIGURE_PERIOD && c->first <= c->last && !c->month &&
        c->first > 0 && (period->last < c->first || period->first > c->last))
        return true;
    for (size_t i = 0; i < t->n_columns; i++)
        if (fact_is_of(&t->columns[i], period) &&
            fact_same_series(&t->columns[i], c))
            return true;
    return false;
}

/* "Total revenue in 2025 was 1,500", which is the sum of the column of 2024
 * only. */
static bool total_contradicts(const struct grounding_walk *w,
                              const struct grounding_scope *s,
                              const struct figure *f,
                              const struct figure *period)
{
    bool against = false;
    if (w->now.n_mentions || f->kind != FIGURE_NUMBER || !w->english ||
        !walk_says(w, PROSE_SUM | PROSE_WHOLE) || scope_has_cell(s, f, false))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        for (size_t i = 0; table->whole && i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->adds || c->percent || c->averages || !c->n_sorted ||
                !facts_work(s->facts, 4) || !figure_near(f, c->sum))
                continue;
            if (!has_other_of(table, c, period))
                return false;
            against = true;
        }
    }
    return against;
}

/* "Chair made 1,500 in 2025", but 1,500 is in the column of 2024 only. */
static bool period_contradicts(const struct grounding_walk *w,
                               const struct grounding_scope *s,
                               const struct figure *f)
{
    const struct figure *period = period_of_figure(w, f);
    struct str before = walk_word_beside(w, f->from, -1);
    bool against = false;
    if (!period || wording_among(before, " by from than "))
        return false;
    if (total_contradicts(w, s, f, period))
        return true;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t row = column_row(w, s, t);
        if (row == table->n_rows || !facts_work(s->facts, table->n_columns))
            continue;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->n_sorted || !scope_cell_shows(s, t, i, row, f))
                continue;
            if (!has_other_of(table, c, period))
                return false;
            against = true;
        }
    }
    return against;
}

/* "Won 63 deals" may be of `deals_won`. */
static bool may_be_other(const struct grounding_walk *w,
                         const struct fact_table *t, size_t column)
{
    struct split_name lower, more;
    struct column_words own = words_of_name(t->columns[column].name, &lower);
    for (size_t i = 0; i < t->n_columns; i++) {
        struct column_words other = words_of_name(t->columns[i].name, &more);
        bool all = i != column && other.n > own.n;
        for (size_t k = 0; k < own.n; k++)
            all = all && name_has(&other, own.items[k]);
        for (size_t k = 0; all && k < other.n; k++) {
            bool said = false;
            for (size_t x = 0; x < w->now.sentence->n_words; x++)
                said = said ||
                       column_word_same(other.items[k], walk_words(w)[x].lower);
            all = said;
        }
        if (all)
            return true;
    }
    return false;
}

/* No cell is the figure, and it is no small number of rows. */
static bool is_derived(const struct grounding_scope *s, const struct figure *f)
{
    return (!f->whole || f->value > 20) && !scope_has_cell(s, f, false);
}

/* "87 customers", where 87.35 is an average: the noun after a whole number is
 * part of the name of another column. */
static bool counts_others(const struct grounding_walk *w,
                          const struct grounding_scope *s,
                          const struct figure *f)
{
    struct str noun = walk_word_beside(w, f->to, 1);
    bool against = false;
    if (!f->whole || f->kind != FIGURE_NUMBER || noun.len < 4 ||
        is_parted(w, f->to, (size_t)(f->to + 1), ",.;:)|("))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t row = column_row(w, s, t);
        bool named = false, cell = false;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            struct split_name lower;
            struct column_words own = words_of_name(c->name, &lower);
            if (!c->adds || !c->n_sorted)
                continue;
            if (name_has(&own, noun)) {
                if (scope_column_shows(s, t, i, f) ||
                    scope_ratio_shows(s, t, i, f))
                    return false;
                named = true;
            } else if (row < table->n_rows && !c->whole &&
                       scope_cell_shows(s, t, i, row, f)) {
                cell = true;
            }
        }
        if (cell && !named)
            return false;
        against = against || (cell && named);
    }
    return against;
}

/* "The default rate of personal loans is 4.5 %": a column with that figure is
 * named earlier in the clause, with more words than the noun right before it. */
static bool is_named_before(const struct grounding_walk *w,
                            const struct grounding_scope *s, size_t table,
                            size_t row, const struct figure *f)
{
    const struct fact_table *t = &s->facts->tables[table];
    const struct wording_sentence *sentence = w->now.sentence;
    size_t end = sentence->word, last = sentence->word + sentence->n_words;
    while (end < last && w->wording.words[end].to <= f->from)
        end++;
    struct compare_clause before = {&w->now, sentence->word, end};
    if (end == sentence->word || f->kind != FIGURE_PERCENT)
        return false;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].n_sorted && t->columns[i].percent &&
            scope_cell_shows(s, table, i, row, f) &&
            clause_names(&before, t->columns[i].name))
            return true;
    return false;
}

/* ---- what is said of a number of things ------------------------------------ */

/* "1,678 shipments (9 %) were late": the words after the verb, which name the
 * column that counts them. False: there are none. */
static bool read_predicate(const struct grounding_walk *w,
                           const struct figure *f, struct compare_clause *out)
{
    enum { NOUNS = 3, WORDS = 4 };
    static const char verbs[] = " were was are is arrived ";
    static const char whole[] = " of the all these those other ";
    const struct wording_word *words = w->wording.words;
    size_t end = w->now.sentence->word + w->now.sentence->n_words;
    size_t at = w->now.sentence->word, nouns = 0;
    if (f->kind != FIGURE_NUMBER || !f->whole || !w->english ||
        walk_says(w, PROSE_NEGATION) ||
        wording_among(walk_word_beside(w, f->from, -1), whole))
        return false;
    while (at < end && words[at].from < f->to)
        at++;
    for (; at < end && !wording_among(words[at].lower, verbs); at++) {
        bool inside = is_parted(w, f->to, words[at].from, "(") &&
                      !is_parted(w, f->to, words[at].from, ")");
        if (!inside && (++nouns > NOUNS || is_figure(w, &words[at]) ||
                        is_place(w, &words[at])))
            return false;
    }
    if (at + 1 >= end || !nouns || is_parted(w, f->to, words[at].from, ",;:."))
        return false;
    *out = (struct compare_clause){&w->now, at + 1, at + 1};
    while (out->end < end && out->end < at + 1 + WORDS &&
           !is_figure(w, &words[out->end]) &&
           !is_parted(w, words[out->end - 1].to, words[out->end].from, ",;:.("))
        out->end++;
    return out->end > out->word;
}

/* 1: the column that the predicate names shows the figure; -1: it does not, and
 * another one of the row does; 0: there is none. */
static int predicate_shows(const struct grounding_walk *w,
                           const struct grounding_scope *s,
                           const struct figure *f)
{
    struct compare_clause predicate;
    int found = 0;
    if (!read_predicate(w, f, &predicate))
        return 0;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t row = column_row(w, s, t);
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->adds || !c->n_sorted || !c->whole ||
                !facts_work(s->facts, 8) || !clause_names(&predicate, c->name))
                continue;
            if (scope_column_shows(s, t, i, f))
                return 1;
            if (row < table->n_rows && row_shows(s, t, row, f))
                found = -1;
        }
    }
    return found;
}

/* No word of the sentence says that figures are added, parted or compared, but
 * for those of the column's own name. */
static bool states_cells(const struct grounding_walk *w, struct str name)
{
    enum {
        DERIVES = PROSE_CHANGE | PROSE_DIFFERENCE | PROSE_RATIO | PROSE_SUM |
                  PROSE_WHOLE | PROSE_REST | PROSE_NEGATION
    };
    const struct wording_word *words = walk_words(w);
    for (size_t i = 0; i < w->now.sentence->n_words; i++)
        if ((words[i].says & DERIVES) && !is_place(w, &words[i]) &&
            !column_name_has(name, words[i].lower))
            return false;
    return true;
}

/* "Lyon has 32 points", where 32 is what Paris has. */
static bool is_of_other_row(const struct grounding_walk *w,
                            const struct grounding_scope *s,
                            const struct figure *f,
                            const struct figure_names *names)
{
    if (s->facts->n_tables != 1 || !s->strict || s->rows[0].n != 1 ||
        w->now.sentence->kind == SENTENCE_ROW || f->spelled)
        return false;
    const struct fact_table *t = &s->facts->tables[0];
    size_t column = column_of_names(s->facts, t, names);
    return column < t->n_columns && t->whole &&
           (f->kind != FIGURE_PERCENT || t->columns[column].percent) &&
           states_cells(w, t->columns[column].name) &&
           !scope_cell_shows(s, 0, column, s->rows[0].rows[0], f);
}

bool column_contradicts(const struct grounding_walk *w, size_t figure,
                        const struct grounding_scope *s)
{
    int predicate;
    const struct figure *f = &w->now.figures[figure];
    struct figure_names names;
    bool against = false;
    if ((f->kind != FIGURE_NUMBER && f->kind != FIGURE_PERCENT) ||
        (f->bound != FIGURE_EXACT && f->bound != FIGURE_ABOUT) || s->counts)
        return false;
    if (period_contradicts(w, s, f) || statistic_contradicts(w, s, f) ||
        counts_others(w, s, f))
        return true;
    names_of_figure(w, f, &names);
    predicate = predicate_shows(w, s, f);
    if (predicate)
        return predicate < 0;
    if (!names.before.n && !names.after.n)
        return false;
    if (is_of_other_row(w, s, f, &names))
        return true;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t row = column_row(w, s, t);
        if (!facts_work(s->facts, 10 * table->n_columns))
            return false;
        size_t column = column_of_names(s->facts, table, &names);
        if (column < table->n_columns && scope_column_shows(s, t, column, f))
            return false;
        if (column < table->n_columns && is_derived(s, f) && table->whole) {
            /* A percentage is the ratio of others. */
            size_t of =
                table->columns[column].percent ? table->n_columns : column;
            if (scope_ratio_shows(s, t, of, f) ||
                may_be_other(w, table, column))
                return false;
            against = true;
            continue;
        }
        if (row == table->n_rows || !row_shows(s, t, row, f))
            continue;
        if (is_named_before(w, s, t, row, f))
            return false;
        if (column == table->n_columns) /* another result may mean it */
            return false;
        against = true;
    }
    return against;
}
