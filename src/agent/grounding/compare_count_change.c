/* compare_count_change.c - how many rows rose or fell, or did so in a range of
 * months; see compare_count.h. */
#include "compare_count.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

bool count_amount_holds(const struct count_claim *q, size_t n, size_t of)
{
    switch (q->amount) {
    case AMOUNT_ALL:
        return n == of;
    case AMOUNT_NONE:
        return n == 0;
    case AMOUNT_SOME:
        return n > 0;
    case AMOUNT_SHARE:
        return of && fabs(100 * (double)n / (double)of - q->count) < 3;
    default:
        return (double)n == q->count;
    }
}

/* Whether a word of the clause is of the name of a column of changes: "margins
 * fell", of `margin_change`. */
static bool names_change(const struct count_claim *q,
                         const struct fact_column *of)
{
    const struct compare_clause *c = &q->clause;
    bool found = false;
    for (size_t i = c->word; i < c->end && of->change && of->n_sorted; i++)
        found = found ||
                (i != q->word && column_name_has(of->name, clause_text(c, i)));
    return found;
}

bool count_changes_in(const struct count_claim *q, const struct fact_table *t,
                      const struct scope_rows *rows, bool *looked)
{
    struct facts *facts = q->clause.s->facts;
    bool dated = t->period < t->n_columns;
    for (size_t i = 0; i < t->n_columns; i++) {
        size_t n = 0, of = 0;
        bool change = names_change(q, &t->columns[i]);
        for (size_t row = 0; change && row < t->n_rows; row++) {
            double by = t->columns[i].values[row];
            of += !isnan(by);
            n += value_goes(0, by, q->up);
        }
        if (dated && !change && clause_concerns(&q->clause, t, i)) {
            struct period_sums x =
                period_sums_of(facts, t, &t->columns[i], rows);
            for (size_t k = 1; k < x.n; k++, of++)
                n += value_goes(x.sums[k - 1], x.sums[k], q->up);
        }
        for (size_t row = 0; !dated && !change && row < t->n_rows; row++) {
            struct scope_rows one = {&row, 1};
            struct period_sums x = clause_column_sums(&q->clause, t, i, &one);
            size_t a, b;
            if (!clause_change_ends(&q->clause, &x, &a, &b))
                break;
            n += value_goes(x.sums[a], x.sums[b], q->up);
            of++;
        }
        if (!of)
            continue;
        *looked = true;
        if (count_amount_holds(q, n, of))
            return true;
    }
    return false;
}

bool count_is_of_range(const struct count_claim *q)
{
    const struct grounding_sentence *s = q->clause.s;
    const struct row_mention *a = s->subjects, *b = a + 1;
    return s->n_subjects == 2 && q->amount == AMOUNT_ALL && !a->place &&
           !b->place && figure_names_period(&a->period) &&
           figure_names_period(&b->period) &&
           (a->period.kind == FIGURE_MONTH ||
            b->period.kind == FIGURE_PERIOD) &&
           clause_holds(&q->clause, a) && clause_holds(&q->clause, b) &&
           only_between(s, a->to, b->from, " to through until ");
}

struct scope_rows count_range_rows(const struct count_claim *q, size_t table)
{
    const struct row_mention *of = q->clause.s->subjects;
    struct row_mention range = *of;
    const struct figure *last = &of[1].period;
    int64_t year;
    int month, day, first = range.period.month;
    if (last->kind == FIGURE_MONTH) {
        range.period.first = last->month - first + 1;
        return range.period.first < 1
                   ? (struct scope_rows){0}
                   : mention_rows(q->clause.s, &range, table);
    }
    if (range.period.kind == FIGURE_MONTH) { /* of the last one's year */
        figure_date(last->first, &year, &month, &day);
        range.period = *last;
        range.period.first = figure_day(year, first, 1);
    }
    range.period.last = last->last;
    return range.period.first > range.period.last
               ? (struct scope_rows){0}
               : mention_rows(q->clause.s, &range, table);
}
