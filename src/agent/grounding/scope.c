/* scope.c - what rows show: cells, and what is derived from cells that belong
 * together; see scope.h. Periods and rounding are in scope_rows.c,
 * counts of rows in scope_counts.c. */
#include "scope_derive.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

enum {
    PAIR_ROWS = 8,     /* of which all pairs are compared */
    PAIR_COLUMNS = 12, /* likewise */
    SCALARS_MOST = 12, /* results of one row */
    SUMS_MOST = 20,    /* sums of the first rows */
    STEPS_MOST = 36,   /* rows, each of which is compared with the next */
};

static const struct scope_rows all_rows = {0};

/* ---- what is derived ---------------------------------------------------- */

static bool fits_kind(const struct grounding_scope *s, const struct figure *f,
                      enum derived_kind kind)
{
    switch (f->kind) {
    case FIGURE_NUMBER:
        return kind == DERIVED_LEVEL || kind == DERIVED_LESS ||
               (kind == DERIVED_RATIO && s->ratio) ||
               (kind != DERIVED_RATIO && s->percent);
    case FIGURE_PERCENT:
        return kind == DERIVED_SHARE || kind == DERIVED_CHANGE;
    case FIGURE_TIMES:
        return kind == DERIVED_RATIO;
    case FIGURE_POINTS:
        return kind == DERIVED_POINTS;
    default:
        return false;
    }
}

struct derivation derivation_of(const struct grounding_scope *s,
                                const struct figure *f)
{
    struct derivation d = {.scope = s, .figure = f};
    for (int kind = DERIVED_LEVEL; kind <= DERIVED_POINTS; kind++)
        d.kinds |= (unsigned)fits_kind(s, f, kind) << kind;
    return d;
}

void derivation_try(struct derivation *d, enum derived_kind kind, double x)
{
    const struct figure *f = d->figure;
    if (!isfinite(x) ||
        !facts_work(d->scope->facts, f->bound == FIGURE_EXACT ? 1 : 10))
        return;
    d->found = figure_near(f, x);
    bool unsigned_kind = kind == DERIVED_LESS || kind == DERIVED_CHANGE ||
                         kind == DERIVED_POINTS;
    if (!d->found && !f->plus &&
        (unsigned_kind ? !f->minus || x < 0 : x < 0 && d->scope->negative))
        d->found = figure_near(f, -x);
}

void derivation_offer_cell(struct derivation *d, const struct fact_column *c,
                           double x)
{
    bool may_be_share = c->percent || !c->whole;
    derivation_offer(d, DERIVED_LEVEL, x);
    if (may_be_share && fabs(x) <= 1.5)
        derivation_offer(d, DERIVED_SHARE, 100 * x);
    if (c->percent || (!c->whole && fabs(x) <= 100))
        derivation_offer(d, c->percent ? DERIVED_CHANGE : DERIVED_SHARE, x);
    derivation_offer(d, DERIVED_RATIO, x);
    if (c->percent)
        derivation_offer(d, DERIVED_POINTS, x);
}

/* Only a sentence about differences may give one. */
static void offer_pair(struct derivation *d, const struct fact_column *c,
                       double a, double b)
{
    const struct grounding_scope *s = d->scope;
    if (!s->differs && (c || !s->changes))
        return;
    derivation_offer(d, DERIVED_LESS, a - b);
    if (!c) /* columns have no order */
        derivation_offer(d, DERIVED_LESS, b - a);
    if (c && c->percent) {
        derivation_offer(d, DERIVED_POINTS, a - b);
        derivation_offer(d, DERIVED_POINTS, 100 * (a - b));
    }
    for (int i = 0; i < 2; i++) {
        double x = i ? b : a, base = i ? a : b;
        if (base == 0)
            continue;
        derivation_offer(d, DERIVED_RATIO, x / base);
        if (!s->of_whole || !c) {
            derivation_offer(d, DERIVED_CHANGE, 100 * (x - base) / fabs(base));
            derivation_offer(d, DERIVED_SHARE, 100 * x / base);
        }
    }
}

/* A change over time is measured by the earlier value. */
static void offer_change(struct derivation *d, const struct fact_column *c,
                         double later, double earlier)
{
    derivation_offer(d, DERIVED_LESS, later - earlier);
    if (c->percent) {
        derivation_offer(d, DERIVED_POINTS, later - earlier);
        derivation_offer(d, DERIVED_POINTS, 100 * (later - earlier));
    }
    if (earlier == 0)
        return;
    derivation_offer(d, DERIVED_CHANGE,
                     100 * (later - earlier) / fabs(earlier));
    derivation_offer(d, DERIVED_RATIO, later / earlier);
    if (later != 0)
        derivation_offer(d, DERIVED_RATIO, earlier / later);
}

/* ---- of one column ------------------------------------------------------ */

struct column_part {
    const struct fact_table *table;
    const struct fact_column *column;
    const struct scope_rows *rows; /* n 0: all */
    const struct scope_rows
        *base; /* among which the row before is looked for */
};

static size_t part_size(const struct column_part *p)
{
    return p->rows->n ? p->rows->n : p->table->n_rows;
}

static double part_value(const struct column_part *p, size_t i)
{
    return p->column->values[p->rows->n ? p->rows->rows[i] : i];
}

static double extreme(const struct column_part *p, bool most)
{
    const struct fact_column *c = p->column;
    return !c->n_sorted ? NAN
           : most       ? c->sorted[c->n_sorted - 1].value
                        : c->sorted[0].value;
}

static bool is_dated(const struct fact_table *t)
{
    return t->period < t->n_columns;
}

/* Two rows against each other: as a change when they have dates and the
 * sentence is about one. */
static void offer_rows(struct derivation *d, const struct column_part *p,
                       size_t a, size_t b)
{
    const double *v = p->column->values;
    if (!d->scope->changes || !is_dated(p->table)) {
        offer_pair(d, p->column, v[a], v[b]);
        return;
    }
    const int64_t *days = p->table->columns[p->table->period].days;
    offer_change(d, p->column, v[days[a] > days[b] ? a : b],
                 v[days[a] > days[b] ? b : a]);
}

static size_t part_row(const struct column_part *p, size_t i)
{
    return p->rows->n ? p->rows->rows[i] : i;
}

/* The rows right before and after a row: in its series when texts name one. */
static void offer_neighbours(struct derivation *d, const struct column_part *p,
                             size_t row)
{
    const struct scope_rows *base = p->base;
    size_t n = base->n ? base->n : p->table->n_rows;
    for (size_t i = 0; i < n; i++) {
        if ((base->n ? base->rows[i] : i) != row)
            continue;
        if (i)
            offer_rows(d, p, row, base->n ? base->rows[i - 1] : i - 1);
        if (i + 1 < n && !d->scope->into)
            offer_rows(d, p, row, base->n ? base->rows[i + 1] : i + 1);
        offer_rows(d, p, row, base->n ? base->rows[0] : 0);
        return;
    }
}

/* A named row against its neighbours and the ends of its column. */
static void derive_row(struct derivation *d, const struct column_part *p,
                       size_t row)
{
    const struct fact_column *c = p->column;
    double x = c->values[row];
    if (isnan(x) || !c->adds)
        return;
    offer_neighbours(d, p, row);
    if (d->scope->changes && is_dated(p->table))
        return;
    offer_pair(d, c, x, extreme(p, true));
    offer_pair(d, c, x, extreme(p, false));
    offer_pair(d, c, x, c->values[p->table->n_rows - 1]);
    if (d->scope->average)
        offer_pair(d, c, x, c->mean);
}

/* Of few rows all pairs; of many the ends. */
static void derive_pairs(struct derivation *d, const struct column_part *p)
{
    size_t n = part_size(p),
           most = p->rows->n || d->scope->of_those ? PAIR_ROWS : 3;
    for (size_t i = 0; i < n && n <= most; i++)
        for (size_t k = i + 1; k < n; k++)
            offer_rows(d, p, part_row(p, i), part_row(p, k));
    /* Rows at the ends are not compared where others are named. */
    if (n <= most || (!p->rows->n &&
                      d->scope->rows[p->table - d->scope->facts->tables].n > 1))
        return;
    /* "15 % in the first month, and another 13 % in the second"; "20 paid and did
     * not come" */
    bool steps = !p->rows->n && (d->scope->denied ||
                                 (d->scope->changes && is_dated(p->table)));
    for (size_t i = 0; steps && i + 1 < n && n <= STEPS_MOST; i++)
        offer_rows(d, p, i, i + 1);
    offer_rows(d, p, part_row(p, 0), part_row(p, n - 1));
    offer_rows(d, p, part_row(p, 0), part_row(p, 1));
    offer_rows(d, p, part_row(p, n - 1), part_row(p, n - 2));
    offer_pair(d, p->column, extreme(p, true), extreme(p, false));
}

static void derive_middle(struct derivation *d, const struct fact_column *c)
{
    size_t n = c->n_sorted;
    if (n)
        derivation_offer_cell(
            d, c,
            n % 2 ? c->sorted[n / 2].value
                  : (c->sorted[n / 2 - 1].value + c->sorted[n / 2].value) / 2);
}

/* Sums of the first and of the greatest rows, for "the top 3 together". */
static void derive_tops(struct derivation *d, const struct column_part *p)
{
    const struct fact_column *c = p->column;
    double first = 0, most = 0, least = 0;
    for (size_t i = 0; i < SUMS_MOST && i < c->n_sorted; i++) {
        most += c->sorted[c->n_sorted - 1 - i].value;
        least += c->sorted[i].value;
        first +=
            i < p->table->n_rows && !isnan(c->values[i]) ? c->values[i] : 0;
        const double sums[] = {most, least, first};
        if (!derivation_may_count(d, i + 1, c->n_sorted))
            continue;
        for (size_t k = 0; k < 3; k++) {
            derivation_offer(d, DERIVED_LEVEL, sums[k]);
            if (p->table->whole && c->sum != 0)
                derivation_offer(d, DERIVED_SHARE, 100 * sums[k] / c->sum);
        }
    }
}

/* Sums of rows in a run, for "Monday to Friday". */
static void derive_runs(struct derivation *d, const struct column_part *p)
{
    size_t n = p->table->n_rows;
    for (size_t i = 0; i < n && n <= 31; i++) {
        double sum = 0;
        for (size_t k = i; k < n && !isnan(p->column->values[k]); k++)
            derivation_offer(d, DERIVED_LEVEL, sum += p->column->values[k]);
    }
}

/* Sums, means and shares, which a result that was cut does not have. */
static void derive_whole(struct derivation *d, const struct column_part *p)
{
    const struct fact_column *c = p->column;
    size_t counted = p->rows->n ? 0 : c->n_sorted;
    double sum = p->rows->n ? 0 : c->sum;
    double most = p->rows->n ? -INFINITY : extreme(p, true);
    double least = p->rows->n ? INFINITY : extreme(p, false);
    bool whole = p->table->whole || d->scope->shown || p->rows->n;
    for (size_t i = 0; i < p->rows->n; i++) {
        double x = part_value(p, i);
        if (isnan(x))
            continue;
        sum += x;
        most = fmax(most, x);
        least = fmin(least, x);
        counted++;
    }
    if (!counted || !whole || !c->adds)
        return;
    derivation_offer_cell(d, c, sum / (double)counted);
    offer_pair(d, c, most, least);
    if (!c->percent && !p->rows->n)
        derive_middle(d, c);
    if (c->percent || (c->averages && counted > 1))
        return;
    if ((!d->scope->losers && !d->scope->winners) || d->scope->denied)
        derivation_offer(d, DERIVED_LEVEL, sum);
    if (p->table->whole && c->sum != 0) {
        derivation_offer(d, DERIVED_SHARE, 100 * sum / c->sum);
        if (p->rows->n && d->scope->rest) {
            derivation_offer(d, DERIVED_SHARE, 100 * (c->sum - sum) / c->sum);
            derivation_offer(d, DERIVED_LEVEL, c->sum - sum);
        }
    }
    if ((d->scope->ranked || d->scope->combined) &&
        !(d->scope->own && p->rows->n))
        derive_tops(d, p);
    if (d->scope->weekdays)
        derive_runs(d, p);
    if (is_dated(p->table))
        derivation_windows(d, p->table, p->column, STEPS_MOST);
    if ((d->scope->losers || d->scope->winners) && !p->rows->n)
        derivation_signs(d, c);
}

/* The share of the rows in others that they are among: "69 % of Q4". */
static void derive_share(struct derivation *d, const struct column_part *p,
                         const struct scope_rows *among)
{
    const struct fact_column *c = p->column;
    double sum = 0, of = 0;
    bool inside = false;
    if (!c->adds || c->percent || c->averages || !p->rows->n ||
        among->n <= p->rows->n || !facts_work(d->scope->facts, among->n))
        return;
    for (size_t i = 0; i < p->rows->n; i++)
        sum += isnan(part_value(p, i)) ? 0 : part_value(p, i);
    for (size_t i = 0, k = 0; i < among->n && k < p->rows->n; i++)
        if (among->rows[i] == p->rows->rows[k] && ++k == p->rows->n)
            inside = true;
    if (!inside)
        return;
    for (size_t i = 0; i < among->n; i++)
        of += isnan(c->values[among->rows[i]]) ? 0 : c->values[among->rows[i]];
    if (of != 0)
        derivation_offer(d, DERIVED_SHARE, 100 * sum / of);
}

/* "Wind makes up 51 % on the Coast": the share among the rows of one of the
 * texts that name the rows together. */
static void derive_shares(struct derivation *d, const struct column_part *p,
                          size_t table)
{
    const struct grounding_scope *s = d->scope;
    for (size_t i = 0; d->figure->kind == FIGURE_PERCENT && i < s->n_each; i++)
        if (s->each[i])
            derive_share(d, p, &s->each[i][table]);
}

static void derive_column(struct derivation *d, const struct column_part *p)
{
    size_t n = part_size(p);
    if (!facts_work(d->scope->facts, p->rows->n + 1) || d->found)
        return;
    for (size_t i = 0; p->rows->n && i < n && !d->found; i++)
        if (!isnan(part_value(p, i)))
            derivation_offer_cell(d, p->column, part_value(p, i));
    if (!p->column->adds || !p->column->n_sorted)
        return;
    derive_whole(d, p);
    if (n > 1)
        derive_pairs(d, p);
    if (p->rows->n && n <= PAIR_ROWS) {
        facts_work(d->scope->facts, n * p->table->n_rows);
        for (size_t i = 0; i < n && !d->found; i++)
            derive_row(d, p, p->rows->rows[i]);
    }
}

/* Of the rows where a column is true, and of the others. */
static void derive_flags(struct derivation *d, const struct fact_table *t,
                         size_t table, const struct fact_column *c)
{
    const struct scope_rows *parts[] = {&d->scope->flagged[table],
                                        &d->scope->unflagged[table]};
    size_t n = d->scope->rest || d->scope->denied ? 2 : 1;
    for (size_t i = 0; i < n; i++) {
        struct column_part p = {t, c, parts[i], parts[i]};
        if (parts[i]->n && c->adds && facts_work(d->scope->facts, parts[i]->n))
            derive_whole(d, &p);
    }
}

/* ---- of several columns ------------------------------------------------- */

/* The sum of a column over the rows; NAN: it cannot be added. */
static double column_total(const struct column_part *p)
{
    double sum = 0;
    size_t n = part_size(p);
    if (!p->column->adds ||
        (n > 1 && (p->column->percent || p->column->averages)) ||
        (!p->rows->n && !p->table->whole))
        return NAN;
    if (!p->rows->n)
        return p->column->sum;
    for (size_t i = 0; i < n; i++)
        sum += isnan(part_value(p, i)) ? 0 : part_value(p, i);
    return sum;
}

/* In each row a count is a part of another: of those on time, of all. */
static bool is_part_of(const struct fact_table *t, const struct fact_column *a,
                       const struct fact_column *b)
{
    if (!a->whole || !b->whole || a->percent || b->percent || a->averages ||
        b->averages || a->n_sorted != t->n_rows || b->n_sorted != t->n_rows)
        return false;
    for (size_t i = 0; i < t->n_rows; i++)
        if (a->values[i] > b->values[i] || a->values[i] < 0)
            return false;
    return t->n_rows > 1;
}

/* "-4.5 points", "+17 %": from the earlier of two columns of times to the later
 * one. False: the figure has no sign, or they are no such columns. */
static bool offer_signed(struct derivation *d, const struct fact_column *a,
                         const struct fact_column *b, double of_a, double of_b)
{
    bool sign = d->figure->minus || d->figure->plus;
    if (!sign || !fact_same_series(a, b))
        return false;
    bool later = b->first > a->first;
    offer_change(d, a, later ? of_b : of_a, later ? of_a : of_b);
    return true;
}

/* `only`: pairs with this column; n_columns: all. */
static void derive_across(struct derivation *d, const struct fact_table *t,
                          const struct scope_rows *rows, size_t only)
{
    double totals[PAIR_COLUMNS];
    size_t of[PAIR_COLUMNS];
    size_t n = 0, size = rows->n ? rows->n : t->n_rows;
    for (size_t i = 0; i < t->n_columns && n < PAIR_COLUMNS; i++) {
        struct column_part p = {t, &t->columns[i], rows, rows};
        if (!facts_work(d->scope->facts, rows->n + 1))
            return;
        totals[n] = column_total(&p);
        of[n] = i;
        n += !isnan(totals[n]);
    }
    for (size_t i = 0; i < n && !d->found; i++)
        for (size_t k = i + 1; k < n; k++) {
            if (only < t->n_columns && of[i] != only && of[k] != only)
                continue;
            if (offer_signed(d, &t->columns[of[i]], &t->columns[of[k]],
                             totals[i], totals[k]))
                continue;
            offer_pair(d, NULL, totals[i], totals[k]);
            if (t->columns[of[i]].percent && t->columns[of[k]].percent)
                derivation_offer(d, DERIVED_POINTS, totals[i] - totals[k]);
            derivation_offer(d, DERIVED_SHARE, 100 * totals[i] / totals[k]);
            derivation_offer(d, DERIVED_SHARE, 100 * totals[k] / totals[i]);
            const struct fact_column *a = &t->columns[of[i]],
                                     *b = &t->columns[of[k]];
            if (!a->change && !b->change)
                derivation_offer(d, DERIVED_LEVEL, totals[i] + totals[k]);
            if (!d->found && facts_work(d->scope->facts, t->n_rows) &&
                (is_part_of(t, a, b) || is_part_of(t, b, a)))
                derivation_offer(d, DERIVED_LEVEL, fabs(totals[i] - totals[k]));
            if (d->scope->ratio && size && totals[k] != 0) {
                /* one thing per another: revenue of an order */
                derivation_offer(d, DERIVED_LEVEL, totals[i] / totals[k]);
                derivation_offer(d, DERIVED_LEVEL,
                                 totals[i] != 0 ? totals[k] / totals[i] : NAN);
            }
        }
}

/* "14 incidents", of `critical`, `high` and `low`: the sum of the columns that
 * count, when they are next to each other. */
static void derive_counted(struct derivation *d, const struct fact_table *t,
                           const struct scope_rows *rows)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        bool counts = c->adds && c->n_sorted && c->whole && !c->percent &&
                      !c->averages && !c->takes && !c->change;
        struct column_part p = {t, c, rows, rows};
        if (!facts_work(d->scope->facts, rows->n + 1))
            return;
        if (counts) {
            sum += column_total(&p);
            n++;
        }
        if (n > 2 && (!counts || i + 1 == t->n_columns))
            derivation_offer(d, DERIVED_LEVEL, sum);
        if (!counts)
            sum = 0, n = 0;
    }
}

/* Results of one row are totals that others are compared with. */
static void derive_scalars(struct derivation *d)
{
    const struct facts *facts = d->scope->facts;
    double scalars[SCALARS_MOST];
    size_t n = 0;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        for (size_t i = 0; table->n_rows == 1 && i < table->n_columns; i++)
            if (n < SCALARS_MOST && table->columns[i].adds &&
                table->columns[i].n_sorted)
                scalars[n++] = table->columns[i].values[0];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            offer_pair(d, NULL, scalars[i], scalars[k]);
    for (size_t t = 0; t < facts->n_tables && !d->found; t++) {
        const struct fact_table *table = &facts->tables[t];
        const struct scope_rows *rows = &d->scope->rows[t];
        for (size_t i = 0; rows->n && i < table->n_columns; i++) {
            struct column_part p = {table, &table->columns[i], rows, rows};
            double sum =
                facts_work(d->scope->facts, rows->n) ? column_total(&p) : NAN;
            for (size_t k = 0; k < n && !isnan(sum); k++)
                offer_pair(d, NULL, sum, scalars[k]);
        }
    }
}

/* ---- the whole ---------------------------------------------------------- */

/* Tries the cells near the figure, by its own rule; of equal ones the first. */
static bool column_shows(const struct grounding_scope *s,
                         const struct fact_column *c, const struct figure *f)
{
    const double readings[][2] = {{f->value, f->unit},
                                  {f->other, f->other_unit}};
    struct derivation d = derivation_of(s, f);
    for (size_t i = 0; i < 2 && readings[i][1] > 0; i++) {
        double v = readings[i][0], room = figure_room(f, v, readings[i][1]);
        double half = f->bound == FIGURE_EXACT ? readings[i][1] : room;
        half = fmax(half, fabs(v) * 1e-6);
        const double centers[] = {v, -v, v / 100};
        for (size_t k = 0; k < 3; k++) {
            double by = k == 2 ? 100 : 1;
            double most = centers[k] + half / by;
            size_t first = fact_count_below(c, centers[k] - half / by, false);
            for (size_t at = first;
                 at < c->n_sorted && !d.found && c->sorted[at].value <= most &&
                 facts_work(s->facts, 1);
                 at++)
                if (at == first ||
                    c->sorted[at].value != c->sorted[at - 1].value)
                    derivation_offer_cell(&d, c, c->sorted[at].value);
            facts_work(s->facts, 10);
        }
    }
    return d.found;
}

bool scope_has_cell(const struct grounding_scope *s, const struct figure *f,
                    bool elsewhere)
{
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        if (elsewhere && s->rows[t].n)
            continue;
        for (size_t i = 0; i < table->n_columns; i++)
            if (column_shows(s, &table->columns[i], f))
                return true;
    }
    return false;
}

bool scope_cell_shows(const struct grounding_scope *s, size_t table,
                      size_t column, size_t row, const struct figure *f)
{
    const struct fact_column *c = &s->facts->tables[table].columns[column];
    struct derivation d = derivation_of(s, f);
    derivation_offer_cell(&d, c, c->values[row]);
    return d.found;
}

bool scope_column_shows(const struct grounding_scope *s, size_t table,
                        size_t column, const struct figure *f)
{
    const struct fact_table *t = &s->facts->tables[table];
    const struct scope_rows *rows = &s->rows[table];
    struct derivation d = derivation_of(s, f);
    struct column_part named = {t, &t->columns[column], rows, rows};
    struct column_part whole = {t, &t->columns[column], &all_rows, &all_rows};
    if (rows->n) {
        derive_column(&d, &named);
        derive_share(&d, &named, &s->periods[table]);
        derive_share(&d, &named, &s->named[table]);
    }
    derive_column(&d, &whole);
    if (s->flagged && !rows->n)
        derive_flags(&d, t, table, &t->columns[column]);
    return d.found || (!rows->n && column_shows(s, &t->columns[column], f));
}

bool scope_ratio_shows(const struct grounding_scope *s, size_t table,
                       size_t column, const struct figure *f)
{
    const struct fact_table *t = &s->facts->tables[table];
    struct derivation d = derivation_of(s, f);
    if (s->rows[table].n)
        derive_across(&d, t, &s->rows[table], column);
    if (!d.found)
        derive_across(&d, t, &all_rows, column);
    return d.found;
}

bool scope_shows(const struct grounding_scope *s, const struct figure *f)
{
    struct derivation d = derivation_of(s, f);
    if (s->counts) {
        derivation_counts(&d);
        return d.found;
    }
    if (!s->strict && scope_has_cell(s, f, false))
        return true;
    if (s->strict && scope_has_cell(s, f, true))
        return true;
    for (size_t t = 0; t < s->facts->n_tables && !d.found; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        for (size_t i = 0; table->n_rows && i < table->n_columns && !d.found;
             i++) {
            struct column_part named = {
                table, &table->columns[i], &s->rows[t],
                s->rows[t].n < s->named[t].n ? &s->named[t] : &all_rows};
            struct column_part both = {table, &table->columns[i], &s->all[t],
                                       &all_rows};
            struct column_part whole = {table, &table->columns[i], &all_rows,
                                        &all_rows};
            if (s->rows[t].n) {
                derive_column(&d, &named);
                derive_share(&d, &named, &s->periods[t]);
                derive_share(&d, &named, &s->named[t]);
                derive_shares(&d, &named, t);
            }
            if (s->adds_up && s->n_each > 2)
                derivation_some(&d, table, t, &table->columns[i]);
            if (s->flagged && !(s->strict && s->rows[t].n))
                derive_flags(&d, table, t, &table->columns[i]);
            if (s->all[t].n > 1 && s->all[t].n <= PAIR_ROWS &&
                table->columns[i].adds)
                derive_pairs(&d, &both);
            if (!s->strict || !s->rows[t].n)
                derive_column(&d, &whole);
        }
        if (table->n_rows && s->rows[t].n)
            derive_across(&d, table, &s->rows[t], table->n_columns);
        if (table->n_rows && s->rows[t].n)
            derive_counted(&d, table, &s->rows[t]);
        if (table->n_rows && (!s->strict || !s->rows[t].n))
            derive_across(&d, table, &all_rows, table->n_columns);
        if (table->n_rows && (!s->strict || !s->rows[t].n))
            derive_counted(&d, table, &all_rows);
    }
    if (!d.found)
        derive_scalars(&d);
    if (!d.found && s->target)
        derivation_asked(&d);
    bool measured = f->other_unit > 0;
    if (!d.found && f->whole && f->kind == FIGURE_NUMBER && !f->money &&
        !measured)
        derivation_counts(&d);
    return d.found || scope_bounds_rows(s, f);
}
