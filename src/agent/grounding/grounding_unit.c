/* grounding_unit.c - units of figures; see grounding_unit.h. */
#include "grounding_unit.h"
#include "prose.h"
#include <math.h>
#include "base/banned.h"

/* The unit right after a figure: "17 \xc2\xb0C", "17 degrees Celsius", "2.5 m". */
static enum unit unit_after(const struct grounding_walk *w,
                            const struct figure *f)
{
    static const char *const degrees[] = {" \xc2\xb0", "\xc2\xb0", " degrees ",
                                          "-degree "};
    struct str after = str_from(w->wording.text, f->to);
    struct str word = walk_word_beside(w, f->to, 1);
    enum unit unit = unit_of_word(word);
    size_t skip = 0;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees && !skip; i++)
        if (str_starts(after, str_of(degrees[i])))
            skip = strlen(degrees[i]);
    if (skip) {
        unit = unit_of_word(walk_word_beside(w, f->to + skip, 1));
        return unit >= UNIT_CELSIUS ? unit : UNIT_NONE;
    }
    /* "5 of", and a letter may be the name of anything. */
    bool degree = unit >= UNIT_CELSIUS;
    return !after.len || !strchr(" -", after.ptr[0]) || degree ? UNIT_NONE
                                                               : unit;
}

void walk_read_units(struct grounding_walk *w)
{
    for (size_t i = 0; i < w->now.n_figures; i++) {
        struct figure *f =
            &w->figures.items[w->now.figures - w->figures.items] + i;
        double by = 1;
        if (f->kind != FIGURE_NUMBER)
            continue;
        f->measure = unit_after(w, f);
        for (size_t t = 0; t < w->facts.n_tables && by == 1; t++)
            for (size_t k = 0; k < w->facts.tables[t].n_columns && by == 1; k++)
                if (w->facts.tables[t].columns[k].n_sorted)
                    by = fact_factor(&w->facts.tables[t].columns[k], f);
        if (by == 1)
            continue;
        f->other = f->value * by;
        f->other_unit = f->unit * by;
    }
}

/* "1,245 GWh", where what shows it is the sum of a column of MWh. */
static bool is_sum_of_other(const struct grounding_scope *s,
                            const struct figure *f, enum unit unit)
{
    bool against = false;
    if (scope_has_cell(s, f, false))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->n_sorted || !facts_work(s->facts, 4) ||
                !scope_column_shows(s, t, i, f))
                continue;
            enum unit of = c->measure;
            if (of == UNIT_NONE || of == unit || of == UNIT_METRE)
                return false;
            against = true;
        }
    }
    return against;
}

/* "3 hours", where all cells of the row that are 3 are of minutes. */
static bool is_other_unit(const struct figure *f,
                          const struct grounding_scope *s)
{
    enum unit unit = (enum unit)f->measure;
    bool against = false;
    if (unit == UNIT_NONE || unit == UNIT_METRE)
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t n = s->rows[t].n ? s->rows[t].n : table->n_rows;
        if (!facts_work(s->facts, n * table->n_columns))
            return false;
        for (size_t i = 0; i < table->n_columns; i++)
            for (size_t k = 0; table->columns[i].n_sorted && k < n; k++) {
                size_t row = s->rows[t].n ? s->rows[t].rows[k] : k;
                if (!scope_cell_shows(s, t, i, row, f))
                    continue;
                enum unit of = table->columns[i].measure;
                /* "revenue_m" is of millions. */
                if (of == UNIT_NONE || of == UNIT_METRE || of == unit)
                    return false;
                against = true;
            }
    }
    return against || is_sum_of_other(s, f, unit);
}

/* ---- currencies ----------------------------------------------------------- */

/* The sign or the code right before or after the figure. */
static enum currency currency_of_figure(const struct grounding_walk *w,
                                        const struct figure *f)
{
    static const char *const signs[] = {"$", "\xe2\x82\xac", "\xc2\xa3",
                                        "\xc2\xa5"};
    struct str text = w->wording.text;
    size_t from = f->from < 4 ? 0 : f->from - 4;
    struct str near = str_cut(text, from, f->to - from),
               after = str_trim(str_cut(text, f->to, 4));
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (str_starts(after, str_of(signs[i])) ||
            str_find(near, str_of(signs[i])) >= 0)
            return currency_of(str_of(signs[i]));
    enum currency code = currency_of(walk_word_beside(w, f->to, 1));
    return code ? code : currency_of(walk_word_beside(w, f->from, -1));
}

/* "$5", where each cell that is 5 is in a column of another currency. */
static bool is_other_currency(const struct grounding_walk *w,
                              const struct figure *f,
                              const struct grounding_scope *s)
{
    enum currency said = currency_of_figure(w, f);
    bool against = false;
    for (size_t t = 0; said && t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!table->columns[i].n_sorted || !facts_work(s->facts, 4) ||
                !scope_column_shows(s, t, i, f))
                continue;
            enum currency of = table->columns[i].currency;
            if (of == CURRENCY_NONE || of == said)
                return false;
            against = true;
        }
    }
    return against;
}

/* ---- losses --------------------------------------------------------------- */

/* "Lost about 5", "made a loss of 5". */
static bool is_said_lost(const struct grounding_walk *w, const struct figure *f)
{
    static const char links[] = " of about around roughly approximately nearly "
                                "almost over just ";
    const struct wording_word *words = walk_words(w);
    size_t at = 0;
    while (at < w->now.sentence->n_words && words[at].to <= f->from)
        at++;
    bool of = false;
    for (; at && wording_among(words[at - 1].lower, links); at--)
        of = of || str_is(words[at - 1].lower, "of");
    return at &&
           wording_among(words[at - 1].lower,
                         of ? " loss deficit " : " lost loses lose losing ");
}

/* "Lost 5", where each cell, or with `total` each sum, that is 5 is above zero
 * in a column of profits. */
static bool is_profit(const struct grounding_scope *s, const struct figure *f,
                      bool total)
{
    bool against = false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        const struct scope_rows *rows = &s->rows[t];
        if (total ? rows->n || !table->whole : rows->n != 1)
            continue;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->adds || !c->n_sorted || !facts_work(s->facts, 2))
                continue;
            double x = total ? c->sum : c->values[rows->rows[0]];
            if (total ? !figure_near(f, fabs(x))
                      : !scope_cell_shows(s, t, i, rows->rows[0], f))
                continue;
            if (x < 0 || c->sorted[0].value >= 0)
                return false;
            against = true;
        }
    }
    return against;
}

static bool is_no_loss(const struct grounding_walk *w, const struct figure *f,
                       const struct grounding_scope *s)
{
    return f->money && is_said_lost(w, f) && !walk_says(w, PROSE_NEGATION) &&
           (is_profit(s, f, false) ||
            (!w->now.n_mentions && !scope_has_cell(s, f, false) &&
             is_profit(s, f, true)));
}

/* "$5", where each cell that is 5 is of thousands, and the text does not say so. */
static bool is_other_scale(const struct grounding_scope *s,
                           const struct figure *f)
{
    bool against = false;
    if (!f->money || f->scaled || s->facts->scale_said)
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++)
        for (size_t i = 0; i < s->facts->tables[t].n_columns; i++) {
            const struct fact_column *c = &s->facts->tables[t].columns[i];
            if (!c->n_sorted || !facts_work(s->facts, 4) ||
                !scope_column_shows(s, t, i, f))
                continue;
            if (c->scale == 1)
                return false;
            against = true;
        }
    return against;
}

/* A column shows the figure in its own unit. */
static bool is_converted(const struct grounding_scope *s,
                         const struct figure *f)
{
    struct figure own = *f;
    own.value = f->other;
    own.unit = f->other_unit;
    own.other_unit = 0;
    for (size_t t = 0; f->other_unit > 0 && t < s->facts->n_tables; t++)
        for (size_t i = 0; i < s->facts->tables[t].n_columns; i++) {
            const struct fact_column *c = &s->facts->tables[t].columns[i];
            if (c->n_sorted && fact_factor(c, f) != 1 &&
                facts_work(s->facts, 4) && scope_column_shows(s, t, i, &own))
                return true;
        }
    return false;
}

bool unit_contradicts(const struct grounding_walk *w, size_t figure,
                      const struct grounding_scope *scope)
{
    const struct figure *f = &w->now.figures[figure];
    struct figure plain = *f; /* in no other unit than its own */
    plain.other_unit = 0;
    return w->english && f->kind == FIGURE_NUMBER &&
           ((!is_converted(scope, f) &&
             (is_other_unit(&plain, scope) || is_other_scale(scope, &plain))) ||
            is_other_currency(w, f, scope) || is_no_loss(w, f, scope));
}
