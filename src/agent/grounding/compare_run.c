/* compare_run.c - how many periods one after the other something went up or down: "rose
 * for three months in a row, through May"; see compare.h. */
#include "compare_clause.h"
#include "base/banned.h"

static const char steps[] = " straight consecutive successive ";

/* The word of the sentence at a place after its start; empty: there is none. */
static const struct wording_word *word_at(const struct grounding_sentence *s,
                                          size_t i)
{
    return i < s->sentence->n_words ? s->wording->words + s->sentence->word + i
                                    : NULL;
}

static bool word_is(const struct grounding_sentence *s, size_t i,
                    const char *list)
{
    const struct wording_word *word = word_at(s, i);
    return word && wording_among(word->lower, list);
}

/* The first word after the figure. */
static size_t word_after(const struct grounding_sentence *s,
                         const struct figure *f)
{
    size_t i = 0;
    while (i < s->sentence->n_words && word_at(s, i)->from < f->to)
        i++;
    return i;
}

/* "Three straight months", "three months in a row", "three months running" */
static bool is_said_run(const struct grounding_sentence *s,
                        const struct figure *f)
{
    static const char units[] =
        " day days week weeks month months quarter quarters year years ";
    size_t at = word_after(s, f);
    if (word_is(s, at, steps))
        return true;
    at += word_is(s, at, units);
    return word_is(s, at, " running ") ||
           (word_is(s, at, " in ") && word_is(s, at + 1, " a ") &&
            word_is(s, at + 2, " row ")) ||
           (word_is(s, at, " in ") && word_is(s, at + 1, " succession "));
}

/* The direction that the last word before the figure says; 0: none. */
static uint32_t run_direction(const struct grounding_sentence *s,
                              const struct figure *f)
{
    uint32_t both = PROSE_UP | PROSE_DOWN, found = 0;
    for (size_t i = 0; i < s->sentence->n_words; i++) {
        uint32_t says = word_at(s, i)->says & both;
        if (says && says != both && (word_at(s, i)->to <= f->from || !found))
            found = says;
    }
    return found;
}

bool sentence_counts_run(const struct grounding_sentence *s,
                         const struct figure *f)
{
    if (f->kind != FIGURE_NUMBER || !f->whole || f->value < 2)
        return false;
    if (is_said_run(s, f))
        return true;
    /* "Then fell for two" */
    size_t at = word_after(s, f);
    bool end = at == s->sentence->n_words || s->wording->text.ptr[f->to] == ',';
    bool before = false;
    for (const struct figure *g = s->figures; g < f && end && !before; g++)
        before = g->kind == FIGURE_NUMBER && is_said_run(s, g);
    return before && at > 2 && word_is(s, at - 2, " for ") &&
           (word_at(s, at - 3)->says & (PROSE_UP | PROSE_DOWN));
}

/* Rows that the sentence says bound the run; n_rows: none. */
struct run_bounds {
    size_t after, first, last;
};

/* A mention is of the last run before it; of the first one, if it is before
 * all. */
static bool is_of_run(const struct grounding_sentence *s,
                      const struct row_mention *m, const struct figure *f)
{
    const struct figure *of = NULL;
    for (size_t i = 0; i < s->n_figures; i++)
        if (sentence_counts_run(s, &s->figures[i]) &&
            (!of || s->figures[i].from < m->from))
            of = &s->figures[i];
    return of == f;
}

static struct run_bounds bounds_of(const struct grounding_sentence *s,
                                   const struct figure *f, size_t table)
{
    const struct fact_table *t = &s->facts->tables[table];
    struct run_bounds out = {t->n_rows, t->n_rows, t->n_rows};
    for (size_t i = 0; i < s->n_mentions; i++) {
        const struct row_mention *m = &s->mentions[i];
        struct scope_rows rows = {0};
        size_t at = 0;
        while (at < s->sentence->n_words && word_at(s, at)->from < m->from)
            at++;
        if (m->place || !at || !is_of_run(s, m, f))
            continue;
        scope_of_table_period(s->facts, &m->period, table, &rows);
        if (rows.n != 1)
            continue;
        if (word_is(s, at - 1, " after since "))
            out.after = rows.rows[0];
        else if (word_is(s, at - 1, " from "))
            out.first = rows.rows[0];
        else if (word_is(s, at - 1, " through until till to "))
            out.last = rows.rows[0];
    }
    return out;
}

/* Whether the days of the table are in their order, without one twice. */
static bool days_rise(const struct fact_table *t)
{
    const int64_t *days = t->columns[t->period].days;
    for (size_t i = 0; i < t->n_rows; i++)
        if (days[i] == INT64_MIN || (i && days[i] <= days[i - 1]))
            return false;
    return t->n_rows > 1;
}

/* The value of the row is past the one before it in the direction. */
static bool goes_into(const struct fact_column *c, size_t n_rows, size_t row,
                      bool up)
{
    return row > 0 && row < n_rows &&
           (up ? c->values[row] > c->values[row - 1]
               : c->values[row] < c->values[row - 1]);
}

/* Whether n rows, or of three changes four, go one way, and those around them do not
 * unless the sentence says where it begins or ends. */
static bool has_run(const struct fact_column *c, size_t n_rows, size_t n,
                    bool up, const struct run_bounds *b)
{
    for (size_t last = n; last < n_rows; last++) {
        size_t before = last - n, at = last;
        while (at > before && goes_into(c, n_rows, at, up))
            at--;
        bool begins =
            b->after < n_rows ? b->after == before
            : b->first < n_rows
                ? b->first == before + 1 || b->first == before
                : b->last < n_rows || !goes_into(c, n_rows, before, up);
        bool ends = b->last < n_rows ? b->last == last
                                     : !goes_into(c, n_rows, last + 1, up);
        if (at == before && begins && ends)
            return true;
    }
    return false;
}

enum run_verdict sentence_run(const struct grounding_sentence *s,
                              const struct figure *f)
{
    struct compare_clause all = {s, s->sentence->word,
                                 s->sentence->word + s->sentence->n_words};
    uint32_t direction = run_direction(s, f);
    enum run_verdict found = RUN_UNREAD;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t n = (size_t)f->value;
        if (table->period == table->n_columns || !table->whole || !direction ||
            !facts_work(s->facts, 3 * table->n_rows * table->n_columns) ||
            !days_rise(table))
            continue;
        struct run_bounds bounds = bounds_of(s, f, t);
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->adds || c->n_sorted != table->n_rows ||
                !clause_concerns(&all, table, i))
                continue;
            if (has_run(c, table->n_rows, n, direction == PROSE_UP, &bounds))
                return RUN_RIGHT;
            found = RUN_WRONG;
        }
    }
    return found;
}
