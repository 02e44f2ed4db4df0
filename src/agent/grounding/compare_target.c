/* compare_target.c - whether a row is above or below a mark: its target, "Li met
 * the target", or zero, "has a negative balance"; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

enum target_deed { TARGET_NONE, TARGET_MET, TARGET_EXCEEDED, TARGET_MISSED };

static const char targets[] = " target targets goal goals quota quotas budget "
                              "budgets plan forecast ";

/* What the word says is done with a target that the clause names after it:
 * "exceeded her target of 500", "missed the target". */
static enum target_deed deed_of(const struct compare_clause *c, size_t i)
{
    static const char links[] = " the a an its his her their this that s own "
                                "monthly quarterly annual yearly sales ";
    struct str word = clause_text(c, i);
    enum target_deed deed =
        wording_among(word, " exceeded exceeds beat beats surpassed "
                            "surpasses above over ")
            ? TARGET_EXCEEDED
        : wording_among(word, " met meets reached reaches hit hits achieved "
                              "achieves attained ")
            ? TARGET_MET
        : wording_among(word, " missed misses below under ") ? TARGET_MISSED
                                                             : TARGET_NONE;
    size_t at = i + 1;
    while (wording_among(clause_text(c, at), links))
        at++;
    return wording_among(clause_text(c, at), targets) ? deed : TARGET_NONE;
}

/* The only column of targets; n_columns: none, or several. */
static size_t target_column(const struct fact_table *t)
{
    size_t found = t->n_columns, n = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        if (c->adds && !c->percent && c->n_sorted &&
            column_name_among(c->name, targets)) {
            found = i;
            n++;
        }
    }
    return n == 1 ? found : t->n_columns;
}

static bool does(enum target_deed deed, double x, double target)
{
    return deed == TARGET_MISSED     ? x < target
           : deed == TARGET_EXCEEDED ? x > target
                                     : x >= target;
}

bool clause_wrong_target(const struct compare_clause *c)
{
    const struct facts *facts = c->s->facts;
    enum target_deed deed = TARGET_NONE;
    bool looked = false;
    if (!clause_has(c, targets))
        return false;
    for (size_t i = c->word; i < c->end && !deed; i++)
        deed = deed_of(c, i);
    const struct row_mention *m = clause_subject(c, false);
    if (deed == TARGET_NONE || !m || clause_says(c, PROSE_NEGATION) ||
        clause_has(c, " almost nearly close short "))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        struct scope_rows rows = mention_rows(c->s, m, t);
        size_t target = target_column(table);
        if (target == table->n_columns || rows.n != 1)
            continue;
        double than = table->columns[target].values[rows.rows[0]];
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *column = &table->columns[i];
            double x = column->values[rows.rows[0]];
            if (i == target || !column->adds || column->percent ||
                column->change || isnan(x) || isnan(than))
                continue;
            looked = true;
            if (does(deed, x, than))
                return false;
        }
    }
    return looked;
}

/* ---- zero ----------------------------------------------------------------- */

bool clause_wrong_sign(const struct compare_clause *c, size_t word)
{
    bool negative = str_is(clause_text(c, word), "negative");
    const struct row_mention *m = clause_subject(c, false);
    const struct facts *facts = c->s->facts;
    struct compare_clause name = {c->s, word + 1, c->end};
    bool looked = false;
    if ((!negative && !str_is(clause_text(c, word), "positive")) || !m ||
        word + 1 >= c->end || clause_says(c, PROSE_NEGATION))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        struct scope_rows rows = mention_rows(c->s, m, t);
        for (size_t i = 0; rows.n == 1 && i < table->n_columns; i++) {
            double x = table->columns[i].values[rows.rows[0]];
            if (!table->columns[i].adds || isnan(x) ||
                !clause_names(&name, table->columns[i].name))
                continue;
            looked = true;
            if (negative ? x < 0 : x > 0)
                return false;
        }
    }
    return looked;
}
