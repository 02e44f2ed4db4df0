/* scope_counts.c - how many rows there are, or do something, and sums of those
 * that some texts name; see scope_derive.h. */
#include "scope_derive.h"
#include <math.h>
#include "base/banned.h"

/* How many rows are above, or below, another figure of the sentence; both, when
 * it says neither, or denies it. */
static void count_beyond(struct derivation *d, const struct fact_column *c,
                         double than, enum figure_bound bound)
{
    bool both = d->scope->denied || d->scope->rest;
    bool over = both || bound != FIGURE_BELOW,
         under = both || bound != FIGURE_ABOVE;
    size_t below = fact_count_below(c, than, false),
           equal = fact_count_below(c, than, true) - below,
           above = c->n_sorted - below - equal;
    const size_t counts[] = {over ? above : 0, under ? below : 0, equal,
                             over ? above + equal : 0,
                             under ? below + equal : 0};
    for (size_t i = 0; i < 5; i++)
        if (counts[i])
            derivation_offer(d, DERIVED_LEVEL, (double)counts[i]);
}

/* "Three cities made more than 500,000": the bound is the sentence's own; what
 * it states is the count. */
static bool bounds_count(const struct grounding_scope *s,
                         const struct fact_column *c, const struct figure *f)
{
    if (!c->adds || !facts_work(s->facts, 1))
        return false;
    double than = fact_bound(c, f);
    size_t n = f->bound == FIGURE_ABOVE
                   ? c->n_sorted - fact_count_below(c, than, true)
                   : fact_count_below(c, than, false);
    for (size_t i = 0; n && i < s->n_others; i++)
        if (&s->others[i] != f && s->others[i].kind == FIGURE_NUMBER &&
            s->others[i].whole && s->others[i].value == (double)n)
            return true;
    return false;
}

bool scope_bounds_rows(const struct grounding_scope *s, const struct figure *f)
{
    if (f->bound != FIGURE_ABOVE && f->bound != FIGURE_BELOW)
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++)
        for (size_t i = 0; i < s->facts->tables[t].n_columns; i++)
            if (bounds_count(s, &s->facts->tables[t].columns[i], f))
                return true;
    return false;
}

/* In how many rows a column is more, and less, than one of another time. */
static void count_changes(struct derivation *d, const struct fact_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        for (size_t k = i + 1; k < t->n_columns; k++) {
            const struct fact_column *a = &t->columns[i], *b = &t->columns[k];
            size_t more = 0, less = 0;
            if (!fact_same_series(a, b) ||
                !facts_work(d->scope->facts, t->n_rows))
                continue;
            for (size_t row = 0; row < t->n_rows; row++) {
                more += a->values[row] > b->values[row];
                less += a->values[row] < b->values[row];
            }
            derivation_offer(d, DERIVED_LEVEL, (double)more);
            derivation_offer(d, DERIVED_LEVEL, (double)less);
        }
}

/* "Two have been painted since 2020": in how many rows a date is after, or before,
 * the one that the sentence names. */
static void count_dates(struct derivation *d, const struct fact_table *t,
                        const struct fact_column *c, const struct figure *than)
{
    size_t n = 0;
    if (!c->dated || than->kind != FIGURE_PERIOD ||
        (than->bound != FIGURE_ABOVE && than->bound != FIGURE_BELOW) ||
        !facts_work(d->scope->facts, t->n_rows))
        return;
    for (size_t i = 0; i < t->n_rows; i++)
        n += c->days[i] != INT64_MIN &&
             (than->bound == FIGURE_ABOVE ? c->days[i] >= than->first
                                          : c->days[i] < than->first);
    if (n)
        derivation_offer(d, DERIVED_LEVEL, (double)n);
}

/* How many different numbers few rows have. */
static size_t distinct_in(const struct fact_column *c,
                          const struct scope_rows *rows)
{
    enum { FEW = 64 };
    size_t n = 0;
    if (rows->n > FEW || !c->n_sorted)
        return 0;
    for (size_t i = 0; i < rows->n; i++) {
        bool again = isnan(c->values[rows->rows[i]]);
        for (size_t k = 0; k < i && !again; k++)
            again = c->values[rows->rows[k]] == c->values[rows->rows[i]];
        n += !again;
    }
    return n;
}

void derivation_counts(struct derivation *d)
{
    const struct grounding_scope *s = d->scope;
    for (size_t t = 0; t < s->facts->n_tables && !d->found; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        if (!s->own || !s->rows[t].n)
            derivation_offer(d, DERIVED_LEVEL, (double)table->row_count);
        if (s->rows[t].n)
            derivation_offer(d, DERIVED_LEVEL, (double)s->rows[t].n);
        if (s->flagged && s->flagged[t].n)
            derivation_offer(d, DERIVED_LEVEL, (double)s->flagged[t].n);
        if (s->flagged && s->unflagged[t].n && (s->rest || s->denied))
            derivation_offer(d, DERIVED_LEVEL, (double)s->unflagged[t].n);
        if (s->differs && facts_work(s->facts, table->n_columns))
            count_changes(d, table);
        for (size_t i = 0; i < table->n_columns && !d->found; i++) {
            const struct fact_column *c = &table->columns[i];
            size_t missing = table->n_rows - c->n_sorted;
            if (!s->own)
                derivation_offer(d, DERIVED_LEVEL, (double)c->distinct);
            if (s->rest && c->distinct > 1)
                derivation_offer(d, DERIVED_LEVEL, (double)c->distinct - 1);
            size_t own = s->own ? distinct_in(c, &s->rows[t]) : 0;
            if (own)
                derivation_offer(d, DERIVED_LEVEL, (double)own);
            for (size_t k = 0; k < s->n_others; k++)
                count_dates(d, table, c, &s->others[k]);
            if (!c->adds || !facts_work(s->facts, 10 * (s->n_others + 2)))
                continue;
            if (missing)
                derivation_offer(d, DERIVED_LEVEL, (double)missing);
            if (s->present)
                derivation_offer(d, DERIVED_LEVEL, (double)c->n_sorted);
            if (s->average)
                count_beyond(d, c, c->mean, FIGURE_EXACT);
            if (s->losers || s->winners)
                count_beyond(d, c, 0, s->losers ? FIGURE_BELOW : FIGURE_ABOVE);
            else if (s->signs)
                count_beyond(d, c, 0, FIGURE_EXACT);
            else if (c->change && s->rises != s->falls && s->concerned[t][i])
                count_beyond(d, c, 0, s->rises ? FIGURE_ABOVE : FIGURE_BELOW);
            for (size_t k = 0; k < s->n_others; k++)
                if ((s->others[k].bound == FIGURE_ABOVE ||
                     s->others[k].bound == FIGURE_BELOW) &&
                    (s->others[k].other_unit <= 0 ||
                     fact_factor(c, &s->others[k]) != 1) &&
                    &s->others[k] != d->figure &&
                    s->others[k].value != d->figure->value)
                    count_beyond(d, c, fact_bound(c, &s->others[k]),
                                 s->others[k].bound);
        }
    }
    if (s->listed)
        derivation_offer(d, DERIVED_LEVEL, (double)s->listed);
}

bool derivation_may_count(const struct derivation *d, size_t n, size_t n_rows)
{
    bool said = false;
    for (size_t i = 0; i < d->scope->n_others; i++) {
        const struct figure *f = &d->scope->others[i];
        if (f->kind != FIGURE_NUMBER || !f->spelled || !f->whole ||
            f->value < 2 || f->value > (double)n_rows)
            continue;
        if (f->value == (double)n)
            return true;
        said = true;
    }
    return !said;
}

/* "Hardware and Consulting combined": sums of texts that follow each other. */
void derivation_some(struct derivation *d, const struct fact_table *t,
                     size_t table, const struct fact_column *c)
{
    enum { TEXTS_MOST = 6 };
    const struct grounding_scope *s = d->scope;
    if (!c->adds || c->percent || c->averages)
        return;
    for (size_t i = 0; i < s->n_each && i < TEXTS_MOST; i++) {
        double sum = 0;
        for (size_t k = i; k < s->n_each && k < TEXTS_MOST && s->each[k]; k++) {
            const struct scope_rows *rows = &s->each[k][table];
            if (!rows->n || !facts_work(s->facts, rows->n))
                break;
            for (size_t x = 0; x < rows->n; x++)
                sum += isnan(c->values[rows->rows[x]])
                           ? 0
                           : c->values[rows->rows[x]];
            if (k > i)
                derivation_offer(d, DERIVED_LEVEL, sum);
            if (k > i && t->whole && c->sum != 0)
                derivation_offer(d, DERIVED_SHARE, 100 * sum / c->sum);
        }
    }
}

static double window_sum(const struct fact_column *c, size_t from, size_t size)
{
    double sum = 0;
    for (size_t k = from; k < from + size; k++)
        sum += c->values[k];
    return sum;
}

/* One row is of the same time of a year as another, of one year later. */
static bool is_year_later(const struct fact_column *period, size_t row,
                          size_t later)
{
    int64_t year, other;
    int month, day, other_month, other_day;
    if (period->days[row] == INT64_MIN || period->days[later] == INT64_MIN)
        return false;
    figure_date(period->days[row], &year, &month, &day);
    figure_date(period->days[later], &other, &other_month, &other_day);
    return other == year + 1 && month == other_month && day == other_day;
}

void derivation_windows(struct derivation *d, const struct fact_table *t,
                        const struct fact_column *c, size_t most)
{
    size_t n = t->n_rows, size = d->scope->window;
    for (size_t i = 0; size > 1 && i + size <= n && n <= most; i++) {
        double sum = window_sum(c, i, size);
        derivation_offer(d, DERIVED_LEVEL, sum);
        /* "More than the same quarters of 2025" */
        for (size_t k = i + size;
             d->scope->differs && k + size <= n && !d->found &&
             facts_work(d->scope->facts, size);
             k++) {
            if (!is_year_later(&t->columns[t->period], i, k))
                continue;
            double later = window_sum(c, k, size);
            derivation_offer(d, DERIVED_LESS, later - sum);
            if (sum != 0)
                derivation_offer(d, DERIVED_CHANGE,
                                 100 * (later - sum) / fabs(sum));
        }
    }
}

void derivation_signs(struct derivation *d, const struct fact_column *c)
{
    double sums[2] = {0};
    if (!facts_work(d->scope->facts, c->n_sorted))
        return;
    for (size_t i = 0; i < c->n_sorted; i++)
        sums[c->sorted[i].value < 0] += c->sorted[i].value;
    derivation_offer(d, DERIVED_LEVEL, sums[d->scope->losers]);
    if (c->sum != 0)
        derivation_offer(d, DERIVED_SHARE,
                         100 * sums[d->scope->losers] / c->sum);
}

void derivation_asked(struct derivation *d)
{
    enum { ASKED_MOST = 4 };
    const struct facts *facts = d->scope->facts;
    for (size_t q = 0; q < facts->asked.n && q < ASKED_MOST; q++) {
        const struct figure *asked = &facts->asked.items[q];
        if (asked->kind != FIGURE_NUMBER && asked->kind != FIGURE_PERCENT)
            continue;
        for (size_t t = 0; t < facts->n_tables; t++) {
            const struct scope_rows *rows = &d->scope->rows[t];
            for (size_t i = 0; i < facts->tables[t].n_columns; i++) {
                const struct fact_column *c = &facts->tables[t].columns[i];
                for (size_t k = 0; c->adds && k < rows->n; k++) {
                    double x = c->values[rows->rows[k]] - asked->value;
                    derivation_offer(d, DERIVED_LESS, x);
                    if (c->percent)
                        derivation_offer(d, DERIVED_POINTS, x);
                }
            }
        }
    }
}

bool scope_shows_earlier(const struct grounding_scope *s,
                         const struct figure *f)
{
    enum { ROWS_MOST = 8 };
    struct derivation d = derivation_of(s, f);
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        const struct scope_rows *rows = &s->rows[t];
        for (size_t i = 0; i < table->n_columns && rows->n <= ROWS_MOST; i++) {
            const struct fact_column *by = &table->columns[i];
            if (by->changes >= table->n_columns)
                continue;
            const struct fact_column *c = &table->columns[by->changes];
            bool share = by->named_percent && !c->percent;
            for (size_t k = 0; k < rows->n; k++) {
                double x = c->values[rows->rows[k]],
                       more = by->values[rows->rows[k]];
                if (facts_work(s->facts, 1))
                    derivation_offer_cell(
                        &d, c, share ? x / (1 + more / 100) : x - more);
            }
        }
    }
    return d.found;
}
