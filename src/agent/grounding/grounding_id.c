/* grounding_id.c - numbers that name rows; see grounding_id.h. */
#include "grounding_id.h"
#include "column_name.h"
#include "base/banned.h"

static bool is_number(const struct figure *f)
{
    return (f->kind == FIGURE_NUMBER && f->whole && !f->spelled && !f->money) ||
           (f->kind == FIGURE_PERIOD && f->value > 0);
}

/* The word before the figure, or before the list of figures that it is in. */
static struct str word_before_list(const struct grounding_walk *w,
                                   size_t figure)
{
    const struct figure *f = &w->now.figures[figure];
    for (size_t i = figure; i-- > 0; f--) {
        size_t to = f[-1].to;
        struct str gap = str_trim(str_cut(w->wording.text, to, f->from - to));
        if (!is_number(&f[-1]) ||
            (!str_is(gap, ",") && !str_is(gap, "and") && !str_is(gap, ", and")))
            break;
    }
    return walk_word_beside(w, f->from, -1);
}

static bool is_id(const struct fact_column *c)
{
    return c->n_sorted && c->whole && !c->dated && !c->adds;
}

/* The column whose numbers the word names: `tram_id`, or, of a table that has such a
 * column, `line`, which numbers several rows. n_columns: none. */
static size_t column_of(const struct fact_table *t, struct str word)
{
    bool ids = false;
    for (size_t i = 0; i < t->n_columns; i++)
        ids = ids || is_id(&t->columns[i]);
    for (size_t i = 0; ids && word.len && i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        struct split_name own;
        bool groups = c->adds && c->whole && c->distinct < c->n_sorted;
        if (!is_id(c) && !groups)
            continue;
        column_name_read(c->name, &own);
        if (own.n && own.n < 3 && column_word_same(own.words[0], word) &&
            (own.n == 1 || !groups))
            return i;
    }
    return t->n_columns;
}

/* Whether the row has what else the sentence names: the number before, and a date. */
static bool row_agrees(const struct grounding_walk *w,
                       const struct fact_table *t, size_t row, size_t column,
                       size_t figure)
{
    for (size_t i = t->columns[column].adds ? 0 : figure; i-- > 0;) {
        const struct figure *g = &w->now.figures[i];
        size_t other =
            is_number(g) ? column_of(t, word_before_list(w, i)) : t->n_columns;
        if (other == t->n_columns || other == column)
            continue;
        if (t->columns[other].values[row] != g->value)
            return false;
        break;
    }
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *g = &w->now.figures[i];
        bool late = g->kind != FIGURE_PERIOD || g->bound != FIGURE_ABOVE;
        for (size_t k = 0; k < t->n_columns && !late; k++)
            late = t->columns[k].dated && t->columns[k].days[row] >= g->first;
        if (!late)
            return false;
    }
    return true;
}

bool is_id_of_row(struct grounding_walk *w, size_t figure)
{
    const struct figure *f = &w->now.figures[figure];
    struct str word = is_number(f) ? word_before_list(w, figure) : STR("");
    for (size_t t = 0; word.len && t < w->facts.n_tables; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        size_t column = column_of(table, word);
        if (column == table->n_columns ||
            !facts_work(&w->facts, table->n_rows + w->now.sentence->n_words))
            continue;
        for (size_t row = 0; row < table->n_rows; row++)
            if (table->columns[column].values[row] == f->value &&
                row_agrees(w, table, row, column, figure))
                return true;
    }
    return false;
}
