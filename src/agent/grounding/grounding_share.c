/* grounding_share.c - of what a share is; see grounding_share.h. */
#include "grounding_share.h"
#include "column_name.h"
#include "compare_clause.h"
#include <math.h>
#include "base/banned.h"

/* "Accounts for", "makes up", "represents": what comes next is a share. */
static bool is_share(const struct grounding_walk *w, const struct figure *f)
{
    static const char links[] = " about around roughly approximately nearly "
                                "almost over just only a ";
    static const char verbs[] = " represents represented represent comprises "
                                "comprised contributes contributed contribute ";
    const struct wording_word *words = walk_words(w);
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].to <= f->from)
        at++;
    while (at && wording_among(words[at - 1].lower, links))
        at--;
    if (!at)
        return false;
    struct str last = words[at - 1].lower,
               before = at > 1 ? words[at - 2].lower : STR("");
    return wording_among(last, verbs) ||
           (str_is(last, "for") &&
            wording_among(before, " account accounts accounted accounting ")) ||
           (str_is(last, "up") &&
            wording_among(before, " make makes made making "));
}

/* The words after "of" that say of what the share is; false: there are none. */
static bool read_whole(const struct grounding_walk *w, const struct figure *f,
                       struct compare_clause *out)
{
    static const char ends[] = " in for during at by with and but while from ";
    const struct wording_word *words = w->wording.words;
    size_t at = w->now.sentence->word, end = at + w->now.sentence->n_words;
    while (at < end && words[at].from < f->to)
        at++;
    if (at + 1 >= end || !str_is(words[at].lower, "of"))
        return false;
    *out = (struct compare_clause){&w->now, at + 1, at + 1};
    while (out->end < end && !wording_among(words[out->end].lower, ends) &&
           (out->end == at + 1 ||
            words[out->end].from - words[out->end - 1].to < 2))
        out->end++;
    return out->end > out->word;
}

/* What the rows are of a column, in percent; `among`: of those only. */
static double share_of(const struct fact_column *c,
                       const struct scope_rows *rows,
                       const struct scope_rows *among)
{
    double whole = among ? rows_sum(c, among) : c->sum;
    return whole == 0 ? NAN : 100 * rows_sum(c, rows) / whole;
}

/* The share among the rows of one of the texts, or of the periods. */
static bool is_within(const struct grounding_scope *s, size_t table,
                      const struct fact_column *c,
                      const struct scope_rows *rows, const struct figure *f)
{
    const struct scope_rows *parts[] = {&s->periods[table], &s->named[table]};
    for (size_t i = 0; i < 2; i++)
        if (parts[i]->n > rows->n &&
            figure_near(f, share_of(c, rows, parts[i])))
            return true;
    for (size_t i = 0; i < s->n_each; i++)
        if (s->each[i] && s->each[i][table].n > rows->n &&
            figure_near(f, share_of(c, rows, &s->each[i][table])))
            return true;
    return false;
}

/* A cell of the row that is a percentage. */
static bool is_percentage(const struct fact_column *c,
                          const struct scope_rows *rows, const struct figure *f)
{
    double sum = rows_sum(c, rows);
    return (c->percent || (!c->whole && fabs(sum) <= 1)) &&
           (figure_near(f, sum) || figure_near(f, 100 * sum));
}

/* The percentage is what the rows are of another column than the named one. */
static bool is_share_of_other(const struct fact_table *t, size_t column,
                              const struct scope_rows *rows,
                              const struct figure *f)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (i != column && t->columns[i].adds && !t->columns[i].percent &&
            figure_near(f, share_of(&t->columns[i], rows, NULL)))
            return true;
    return false;
}

/* The only column that the words name; n_columns: none, or several. */
static size_t column_of(const struct compare_clause *c,
                        const struct fact_table *t)
{
    size_t found = t->n_columns, n = 0;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].adds && t->columns[i].n_sorted &&
            clause_names(c, t->columns[i].name) &&
            !clause_names_more(c, t, i)) {
            found = i;
            n++;
        }
    return n == 1 ? found : t->n_columns;
}

bool share_contradicts(struct grounding_walk *w, size_t figure,
                       const struct grounding_scope *scope)
{
    const struct figure *f = &w->now.figures[figure];
    struct compare_clause whole = {0};
    bool looked = false;
    if (!w->english || f->kind != FIGURE_PERCENT ||
        w->now.sentence->kind == SENTENCE_ROW || !is_share(w, f) ||
        walk_says(w, PROSE_NEGATION | PROSE_REST) || !read_whole(w, f, &whole))
        return false;
    /* "Of Riverside's appointments" */
    for (size_t i = whole.word; i < whole.end; i++)
        if (clause_names_row(&whole, i))
            return false;
    for (size_t t = 0; t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        const struct scope_rows *rows = &scope->rows[t];
        size_t column = column_of(&whole, table);
        if (!table->whole)
            return false;
        if (!rows->n || table->n_rows < 2 || rows->n == table->n_rows)
            continue;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->n_sorted ||
                !facts_work(&w->facts, (4 + table->n_columns) * rows->n))
                continue;
            if (is_percentage(c, rows, f) &&
                (column == table->n_columns ||
                 !is_share_of_other(table, column, rows, f)))
                return false;
            if (!c->adds || c->percent || c->averages ||
                (column < table->n_columns && i != column))
                continue;
            looked = true;
            if (figure_near(f, share_of(c, rows, NULL)) ||
                is_within(scope, t, c, rows, f))
                return false;
        }
    }
    return looked;
}
