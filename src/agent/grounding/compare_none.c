/* compare_none.c - "had no returns": a row that is said to have none of what a
 * column counts; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

/* The only column that the words right after `at` name; *end: after them. */
static size_t column_after(const struct compare_clause *c, size_t at,
                           const struct fact_table *t, size_t *end)
{
    size_t found = t->n_columns, n = 0, longest = 0, most = at + 1;
    while (most < c->end && most < at + 4 && clause_names_column(c, most))
        most++;
    struct compare_clause part = {c->s, at, most};
    for (size_t i = 0; at < c->end && i < t->n_columns; i++) {
        size_t len = t->columns[i].name.len;
        if (!t->columns[i].adds || len < longest ||
            !clause_names(&part, t->columns[i].name))
            continue;
        n = len > longest ? 1 : n + 1;
        longest = len; /* "open tickets", rather than "tickets" */
        found = i;
    }
    *end = most;
    if (n == 1 && most < c->end)
        *end += facts_noun_of_none(c->s->facts, clause_text(c, most));
    return n == 1 ? found : t->n_columns;
}

bool clause_wrong_none(const struct compare_clause *c, size_t word)
{
    static const char kept[] = " recorded registered reported known ";
    static const char verbs[] =
        " had has have recorded saw made sold received with "
        "got reported registered were was are is ";
    static const char ends[] = " in for at during on of ";
    const struct row_mention *text = clause_subject(c, false),
                             *period = clause_subject(c, true),
                             *m = text ? text : period;
    size_t at = word + 1 + wording_among(clause_text(c, word + 1), kept), end;
    const struct facts *facts = c->s->facts;
    bool looked = false;
    bool zero = wording_among(clause_text(c, word), " zero 0 ");
    if ((!zero && !str_is(clause_text(c, word), "no")) || !m ||
        c->s->n_subjects > 1 ||
        !wording_among(clause_text(c, word - 1), verbs) || clause_is_unsure(c))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        size_t column = column_after(c, at, table, &end);
        struct scope_rows rows = mention_rows(c->s, m, t);
        if (column == table->n_columns || !rows.n || !table->whole ||
            !(end == c->end || wording_among(clause_text(c, end), ends) ||
              clause_in_subject(c, end)))
            continue;
        looked = true;
        for (size_t i = 0; i < rows.n; i++) {
            double x = table->columns[column].values[rows.rows[i]];
            if (x == 0 || (isnan(x) && !zero)) /* what is unknown is not 0 */
                return false;
        }
    }
    return looked;
}
