/* compare_only.c - "the only play with a rating of 4.5", where two have it, and how
 * many rows lack a value: "ratings are missing for two plays"; see
 * compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

/* ---- the only one --------------------------------------------------------- */

/* "Only Rome has", "Rome is the only city with": of the text. */
static bool says_only(const struct compare_clause *c, size_t word,
                      const struct row_mention *m)
{
    if (word + 1 < c->end && m->from == clause_word(c, word + 1)->from)
        return word == c->word;
    return m->to < clause_word(c, word)->from &&
           str_is(clause_text(c, word - 1), "the") &&
           wording_among(clause_text(c, word - 2), " is was ") &&
           clause_counts_rows(c, word + 1) &&
           wording_among(clause_text(c, word + 2), " with that to ");
}

static bool has_value(const struct fact_column *c, size_t row,
                      const struct figure *f)
{
    double x = c->values[row], than = fact_bound(c, f);
    if (isnan(x))
        return false;
    return f->bound == FIGURE_ABOVE   ? x > than
           : f->bound == FIGURE_BELOW ? x < than
                                      : figure_near(f, x);
}

static const struct figure *only_figure(const struct compare_clause *c)
{
    const struct figure *found = NULL;
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (!clause_has_figure(c, f) || f->kind == FIGURE_PERIOD ||
            f->kind == FIGURE_MONTH || f->kind == FIGURE_PLACE)
            continue;
        if (found || (f->kind != FIGURE_NUMBER && f->kind != FIGURE_PERCENT))
            return NULL;
        found = f;
    }
    return found;
}

bool clause_wrong_only(const struct compare_clause *c, size_t word)
{
    const struct row_mention *m = clause_subject(c, false);
    const struct figure *f = only_figure(c);
    const struct facts *facts = c->s->facts;
    bool looked = false;
    if (!str_is(clause_text(c, word), "only") || !m || !f || f->fraction ||
        c->s->n_subjects > 1 || !says_only(c, word, m) || clause_is_unsure(c) ||
        clause_says(c, PROSE_NEGATION | PROSE_CHANGE | PROSE_RATIO))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        struct scope_rows rows = mention_rows(c->s, m, t);
        for (size_t i = 0; rows.n == 1 && i < table->n_columns; i++) {
            const struct fact_column *of = &table->columns[i];
            size_t n = 0;
            if (!clause_concerns(c, table, i) ||
                !facts_work(c->s->facts, table->n_rows) ||
                !has_value(of, rows.rows[0], f))
                continue;
            for (size_t k = 0; k < table->n_rows; k++)
                n += has_value(of, k, f);
            if (n == 1)
                return false;
            looked = true;
        }
    }
    return looked;
}

/* ---- what is missing ------------------------------------------------------ */

/* The only column that a word of the clause before `end` is part of; n_columns:
 * none, or several. */
static size_t column_before(const struct compare_clause *c, size_t end,
                            const struct fact_table *t)
{
    size_t found = t->n_columns, n = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        bool has = false;
        for (size_t k = c->word; k < end && t->columns[i].adds; k++)
            has =
                has || (clause_text(c, k).len > 3 &&
                        column_name_has(t->columns[i].name, clause_text(c, k)));
        if (has) {
            found = i;
            n++;
        }
    }
    return n == 1 ? found : t->n_columns;
}

/* The number that the word is; 0: none. */
static double number_at(const struct compare_clause *c, size_t word)
{
    for (size_t i = 0; word < c->end && i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (f->from == clause_word(c, word)->from)
            return f->kind == FIGURE_NUMBER && f->whole &&
                           f->bound == FIGURE_EXACT
                       ? f->value
                       : 0;
    }
    return str_is(clause_text(c, word), "one");
}

bool clause_wrong_missing(const struct compare_clause *c, size_t word)
{
    const struct facts *facts = c->s->facts;
    size_t at = word + 2;
    bool looked = false;
    if (!wording_among(clause_text(c, word), " missing unknown unavailable ") ||
        !wording_among(clause_text(c, word + 1), " for in ") ||
        c->s->n_subjects)
        return false;
    at += wording_among(clause_text(c, at), " only just exactly ");
    double said = number_at(c, at);
    if (said == 0 || !clause_counts_rows(c, at + 1))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        size_t column = column_before(c, word, table);
        if (column == table->n_columns)
            continue;
        if (!table->whole ||
            (double)(table->n_rows - table->columns[column].n_sorted) == said)
            return false;
        looked = true;
    }
    return looked;
}
