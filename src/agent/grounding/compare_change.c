/* compare_change.c - changes over time in words, "grew" and "fell", against the
 * rows of the periods that a sentence names; see compare_clause.h. */
#include "compare_clause.h"
#include "base/banned.h"

/* The index of the last value in the period; n: none. */
static size_t index_in(const struct period_sums *s, const struct figure *period)
{
    size_t found = s->n;
    for (size_t i = 0; i < s->n; i++) {
        int64_t year;
        int month, day;
        figure_date(s->days[i], &year, &month, &day);
        bool in =
            period->kind == FIGURE_PERIOD
                ? s->days[i] >= period->first && s->days[i] <= period->last
                : month >= period->month &&
                      month < period->month + (int)period->first &&
                      (!period->day || period->day == day);
        if (in)
            found = i;
    }
    return found;
}

/* Without periods: over the whole series, or at its end. With one: into it,
 * or up to it, or away from it. With two: between them. */
static bool series_goes(const struct compare_clause *c,
                        const struct period_sums *x, bool up)
{
    static const char since_words[] = " since by until through till over ";
    const struct grounding_sentence *s = c->s;
    size_t at[2] = {0, 0}, n = 0;
    for (size_t i = 0; i < s->n_mentions && n < 2; i++)
        if (!s->mentions[i].place) {
            size_t k = index_in(x, &s->mentions[i].period);
            if (k < x->n && !(n && at[0] == k))
                at[n++] = k;
        }
    const double *v = x->sums;
    if (n == 2) {
        size_t a = at[0] < at[1] ? at[0] : at[1],
               b = at[0] < at[1] ? at[1] : at[0];
        return value_goes(v[a], v[b], up);
    }
    if (n == 1)
        return (at[0] && (value_goes(v[at[0] - 1], v[at[0]], up) ||
                          (clause_has(c, since_words) &&
                           value_goes(v[0], v[at[0]], up)))) ||
               (at[0] + 1 < x->n && value_goes(v[at[0]], v[x->n - 1], up) &&
                s->n_mentions == 1 && at[0] == 0);
    return value_goes(v[0], v[x->n - 1], up) ||
           value_goes(v[x->n - 2], v[x->n - 1], up);
}

static bool tells_change(const struct fact_column *c)
{
    static const char *const words[] = {"change", "growth", "diff", "delta",
                                        "yoy",    "mom",    "trend"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_find_nocase(c->name, str_of(words[i])) >= 0)
            return true;
    return false;
}

/* A column of changes: 1 some named row has the direction, 0 none, -1: there
 * is no such column. */
static int change_column(const struct grounding_sentence *s,
                         const struct fact_table *t,
                         const struct scope_rows *base, bool up)
{
    int found = -1;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        size_t n = base->n ? base->n : t->n_rows;
        if (!c->n_sorted || !tells_change(c) || !facts_work(s->facts, n))
            continue;
        found = found < 0 ? 0 : found;
        for (size_t k = 0; k < n; k++)
            if (value_goes(0, c->values[base->n ? base->rows[k] : k], up))
                return 1;
    }
    return found;
}

/* "revenue_2024", "previous", "period": the name of a time. */
static bool names_time(struct str name)
{
    static const char *const words[] = {
        "prev",  "prior",  "last", "before",  "curr", "this", "after", "year",
        "month", "period", "week", "quarter", "then", "now",  "19",    "20"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_find_nocase(name, str_of(words[i])) >= 0)
            return true;
    return false;
}

/* Rows that could show a change, though not in a form that is read here: two
 * columns or two results to compare, or what Python computed. */
static bool may_show_change(const struct facts *facts)
{
    const struct step_results *results = facts->of->results;
    size_t scalars = 0;
    for (size_t i = 0; results && i < results->n_results; i++)
        if (results->results[i].python_result)
            return true;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        size_t adds = 0, times = 0;
        bool periods = false;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            adds += c->adds && c->n_sorted;
            times += c->adds && c->n_sorted && names_time(c->name);
            periods = periods || (!c->adds && !c->dated && names_time(c->name));
        }
        scalars += table->n_rows == 1 && adds;
        if ((adds > 1 && times) || (table->n_rows > 1 && periods))
            return true;
    }
    return scalars > 1 || facts->said.n > 0;
}

bool clause_wrong_change(const struct compare_clause *c, bool up)
{
    const struct grounding_sentence *s = c->s;
    const struct row_mention *m = clause_subject(c, false);
    bool looked = false;
    if (clause_has(c, clause_negations))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows base = {0};
        if (m)
            base = mention_rows(s, m, t);
        if ((m && !base.n) || table->n_rows == 0)
            continue;
        int change = change_column(s, table, &base, up);
        if (change > 0)
            return false;
        looked = looked || change == 0;
        if (table->period == table->n_columns || table->n_rows < 2)
            continue;
        if (!table->whole)
            return false;
        for (size_t i = 0; i < table->n_columns; i++) {
            if (!clause_concerns(c, table, i))
                continue;
            struct period_sums x =
                period_sums_of(s->facts, table, &table->columns[i], &base);
            looked = looked || x.n > 1;
            if (x.n > 1 && series_goes(c, &x, up))
                return false;
        }
    }
    return looked || !may_show_change(s->facts);
}
