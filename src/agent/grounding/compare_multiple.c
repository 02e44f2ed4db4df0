/* compare_multiple.c - by how many times a series has grown: "more than quadrupled
 * between February and August"; see compare_clause.h. */
#include "compare_clause.h"
#include "base/banned.h"

/* The index of the only value in the period; n: none, or several. */
static size_t only_in(const struct period_sums *x, const struct figure *period)
{
    size_t last = period_sums_index(x, period);
    struct period_sums before = *x;
    before.n = last;
    return last < x->n && period_sums_index(&before, period) == last ? last
                                                                     : x->n;
}

bool clause_wrong_multiple(const struct compare_clause *c,
                           const struct figure *f)
{
    const struct grounding_sentence *s = c->s;
    const struct row_mention *m = clause_subject(c, false);
    const struct figure *ends[2];
    size_t n = 0;
    bool looked = false;
    for (size_t i = 0; i < s->n_figures; i++)
        if (figure_names_period(&s->figures[i])) {
            if (n == 2)
                return false;
            ends[n++] = &s->figures[i];
        }
    if (n < 2 || clause_says(c, PROSE_NEGATION) ||
        (!m && clause_names_texts(c)))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows base = {0};
        if (m)
            base = mention_rows(s, m, t);
        if (table->period == table->n_columns || (m && !base.n))
            continue;
        if (!table->whole)
            return false;
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!clause_concerns(c, table, i))
                continue;
            struct period_sums x =
                period_sums_of(s->facts, table, &table->columns[i], &base);
            size_t a = only_in(&x, ends[0]), b = only_in(&x, ends[1]);
            if (a == x.n || b == x.n || x.sums[a < b ? a : b] == 0)
                return false;
            looked = true;
            if (figure_near(f, x.sums[a < b ? b : a] / x.sums[a < b ? a : b]))
                return false;
        }
    }
    return looked;
}
