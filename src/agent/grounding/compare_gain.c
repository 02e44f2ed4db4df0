/* compare_gain.c - which of several changed most: "Toys gained the most", "the
 * strongest gain came in April"; see compare_clause.h. */
#include "compare_clause.h"
#include <math.h>
#include "base/banned.h"

static const char rises[] = " gain gains increase increases growth rise rises "
                            "jump jumps improvement upswing ";
static const char falls[] = " drop drops decline declines decrease decreases "
                            "fall falls dip dips slump reduction plunge ";

enum gain { GAIN_NONE, GAIN_UP, GAIN_DOWN };

/* The direction of the change that the word is about; *noun: it is said as a
 * noun after it, "the largest increase". */
static enum gain gain_of(const struct compare_clause *c, size_t word,
                         bool *noun)
{
    enum { WORDS = 5 };
    static const char amounts[] = " most fastest least quickest strongest "
                                  "slowest ";
    *noun = true;
    for (size_t i = word + 1; i < c->end && i <= word + WORDS; i++) {
        struct str w = clause_text(c, i);
        if (wording_among(w, rises))
            return GAIN_UP;
        if (wording_among(w, falls))
            return GAIN_DOWN;
        if (wording_among(w, " in of at for with by was were is "))
            break;
    }
    *noun = false;
    if (!wording_among(clause_text(c, word), amounts))
        return GAIN_NONE;
    for (size_t i = word; i > c->word && i + WORDS > word; i--) {
        uint32_t says = clause_word(c, i - 1)->says;
        struct str w = clause_text(c, i - 1);
        if ((says & PROSE_UP) || wording_among(w, " added adds add "))
            return GAIN_UP;
        if ((says & PROSE_DOWN) || wording_among(w, " lost loses lose "))
            return GAIN_DOWN;
    }
    return GAIN_NONE;
}

/* The sentence says that it means amounts, or shares of what was before. */
static bool is_absolute(const struct compare_clause *c)
{
    struct compare_clause all = {c->s, c->s->sentence->word,
                                 c->s->sentence->word +
                                     c->s->sentence->n_words};
    return clause_has(&all, " absolute absolutely ");
}

static bool is_relative(const struct compare_clause *c, size_t word)
{
    return wording_among(clause_text(c, word), " fastest quickest slowest ") ||
           clause_has(c, " relative percent percentage proportionally ");
}

struct gain_claim {
    const struct compare_clause *clause;
    bool up, least, absolute, relative;
};

/* The second change is more than the first in what the claim is about. */
static bool beats(const struct gain_claim *g, double own, double other)
{
    bool more = g->up ? other > own : other < own;
    bool less = g->up ? other < own : other > own;
    double room = 1e-9 * fmax(1, fabs(own));
    if (fabs(other - own) <= room)
        return false;
    /* The least gain is among those that gained. */
    return g->least ? less && (g->up ? other > 0 : other < 0) : more;
}

static double change_of(double from, double to, bool share)
{
    return share ? (from == 0 ? NAN : (to - from) / fabs(from)) : to - from;
}

/* Whether the row changed most between the ends of the columns of a series. */
static bool is_most_in(const struct gain_claim *g, const struct fact_table *t,
                       size_t column, size_t row, bool share, bool *looked)
{
    double own = NAN;
    bool most = true;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < t->n_rows; i++) {
            size_t a, b;
            struct scope_rows one = {&i, 1};
            if (pass == 0 && i != row)
                continue;
            struct period_sums x =
                clause_column_sums(g->clause, t, column, &one);
            if (!clause_change_ends(g->clause, &x, &a, &b))
                continue;
            double by = change_of(x.sums[a], x.sums[b], share);
            if (pass == 0)
                own = by;
            else if (!isnan(own) && !isnan(by) && i != row)
                most = most && !beats(g, own, by);
        }
    *looked = *looked || !isnan(own);
    return most && !isnan(own) && (g->up ? own > 0 : own < 0);
}

static bool has_changes(const struct fact_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].change && t->columns[i].n_sorted)
            return true;
    return false;
}

enum gain_verdict clause_text_gain(const struct compare_clause *c,
                                   const struct row_mention *m, size_t table,
                                   size_t word)
{
    enum { ROWS_MOST = 200 };
    bool noun, looked = false;
    enum gain gain = gain_of(c, word, &noun);
    const struct fact_table *t = &c->s->facts->tables[table];
    struct gain_claim g = {
        c, gain == GAIN_UP,
        wording_among(clause_text(c, word), " least smallest lowest slowest "),
        is_absolute(c), is_relative(c, word)};
    struct scope_rows rows = mention_rows(c->s, m, table);
    if (gain == GAIN_NONE || rows.n != 1 || !t->whole || t->n_rows < 2 ||
        t->n_rows > ROWS_MOST)
        return GAIN_UNREAD;
    for (size_t i = 0; i < t->n_columns; i++) {
        if (t->columns[i].first > t->columns[i].last || t->columns[i].percent ||
            !facts_work(c->s->facts, t->n_rows * t->n_columns))
            continue;
        if ((!g.relative &&
             is_most_in(&g, t, i, rows.rows[0], false, &looked)) ||
            (!g.absolute && is_most_in(&g, t, i, rows.rows[0], true, &looked)))
            return GAIN_RIGHT;
    }
    /* A column of changes may be meant. */
    return looked && (g.absolute || !has_changes(t)) ? GAIN_WRONG : GAIN_UNREAD;
}

/* Whether the change into the k-th value is the most of them. */
static bool is_most_step(const struct gain_claim *g,
                         const struct period_sums *x, size_t k, bool share)
{
    double own = change_of(x->sums[k - 1], x->sums[k], share);
    if (isnan(own) || (g->up ? own <= 0 : own >= 0))
        return false;
    for (size_t i = 1; i < x->n; i++)
        if (i != k &&
            beats(g, own, change_of(x->sums[i - 1], x->sums[i], share)))
            return false;
    return true;
}

enum gain_verdict clause_period_gain(const struct compare_clause *c,
                                     const struct row_mention *m, size_t word)
{
    static const struct scope_rows all = {0};
    bool noun, looked = false;
    enum gain gain = gain_of(c, word, &noun);
    struct gain_claim g = {
        c, gain == GAIN_UP,
        wording_among(clause_text(c, word), " least smallest lowest slowest "),
        is_absolute(c), is_relative(c, word)};
    if (gain == GAIN_NONE || m->place)
        return GAIN_UNREAD;
    for (size_t t = 0; t < c->s->facts->n_tables; t++) {
        const struct fact_table *table = &c->s->facts->tables[t];
        struct scope_rows rows = {0};
        if (table->period == table->n_columns || table->n_rows < 3)
            continue;
        if (!table->whole)
            return GAIN_UNREAD;
        scope_of_table_period(c->s->facts, &m->period, t, &rows);
        int64_t day = rows.n ? table->columns[table->period].days[rows.rows[0]]
                             : INT64_MIN;
        for (size_t i = 0; rows.n && i < table->n_columns; i++) {
            if (!clause_concerns(c, table, i))
                continue;
            struct period_sums x =
                period_sums_of(c->s->facts, table, &table->columns[i], &all);
            size_t k = 0;
            while (k < x.n && x.days[k] != day)
                k++;
            if (x.n < 3 || k == x.n)
                continue;
            looked = looked || !has_changes(table);
            if (k && ((!g.relative && is_most_step(&g, &x, k, false)) ||
                      (!g.absolute && is_most_step(&g, &x, k, true))))
                return GAIN_RIGHT;
        }
    }
    return looked && noun ? GAIN_WRONG : GAIN_UNREAD;
}
