/* compare_extreme.c - "the highest", "the fewest", "peaked": whether what a
 * clause names has the extreme of a column; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

/* A comparison with one of these is not with all rows, either. */
static const char limits[] = " after than ";

/* ---- rows -------------------------------------------------------------------- */

/* Rows are in their order. */
static bool holds_row(const struct scope_rows *rows, size_t row)
{
    size_t low = 0, high = rows->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->n && rows->rows[low] == row;
}

/* ---- extremes ----------------------------------------------------------- */

/* The greatest or the least sum of the rows of one text of the column. */
static double extreme_group(struct facts *facts, size_t table, size_t column,
                            const struct fact_column *c, bool most)
{
    double found = NAN;
    for (struct map_entry *e = NULL; (e = map_next(&facts->places, e));) {
        double sum = 0;
        size_t n = 0, seen = 0;
        for (const struct fact_place *p = e->value; p; p = p->next, seen++)
            if (p->table == table && p->column == column &&
                !isnan(c->values[p->row])) {
                sum += c->values[p->row];
                n++;
            }
        if (!facts_work(facts, seen + 1))
            return NAN;
        if (n && (isnan(found) || (most ? sum > found : sum < found)))
            found = sum;
    }
    return found;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* "The busiest clinic overall with 1,049": of the sum over its rows, and of no
 * single one. */
static bool is_of_sums(const struct compare_clause *c,
                       const struct row_mention *m,
                       const struct scope_rows *rows,
                       const struct fact_column *of, bool among_texts)
{
    if (!m->place || m->also || rows->n < 2 || of->percent || of->averages)
        return false;
    for (size_t i = 0; i < c->s->n_figures; i++)
        if (c->s->figures[i].kind == FIGURE_NUMBER &&
            figure_near(&c->s->figures[i], rows_sum(of, rows)))
            return true;
    return among_texts || clause_has(c, " overall altogether total ");
}

static bool is_extreme(const struct grounding_sentence *s, size_t table,
                       const struct row_mention *m,
                       const struct scope_rows *rows, size_t column, bool most,
                       bool of_sums)
{
    const struct fact_column *c = &s->facts->tables[table].columns[column];
    double end = most ? c->sorted[c->n_sorted - 1].value : c->sorted[0].value;
    for (size_t i = 0; i < rows->n && !of_sums; i++)
        if (same(c->values[rows->rows[i]], end))
            return true;
    if (!m->place || rows->n < 2)
        return false;
    return same(rows_sum(c, rows),
                extreme_group(s->facts, table, m->place->column, c, most));
}

/* The extreme within a named period, or within the rows of a named text. */
static bool is_extreme_within(const struct fact_column *c,
                              const struct scope_rows *rows,
                              const struct scope_rows *base, bool most)
{
    double end = NAN;
    for (size_t i = 0; i < base->n; i++) {
        double x = c->values[base->rows[i]];
        if (!isnan(x) && (isnan(end) || (most ? x > end : x < end)))
            end = x;
    }
    for (size_t i = 0; i < base->n; i++)
        if (holds_row(rows, base->rows[i]) &&
            same(c->values[base->rows[i]], end))
            return true;
    return false;
}

enum { END_LOW = 1, END_HIGH = 2 };

/* The sums of a column in the periods of its table; the extreme one is that of
 * the rows. */
static bool is_extreme_period(struct facts *facts, const struct fact_table *t,
                              const struct fact_column *c,
                              const struct scope_rows *rows, bool most)
{
    static const struct scope_rows all = {0};
    if (t->period == t->n_columns || rows->n < 2)
        return false;
    struct period_sums x = period_sums_of(facts, t, c, &all),
                       in = period_sums_of(facts, t, c, rows);
    for (size_t i = 0; in.n == 1 && i < x.n; i++)
        if (most ? x.sums[i] > in.sums[0] : x.sums[i] < in.sums[0])
            return false;
    return in.n == 1;
}

/* "Toys was the top category in June" is among categories, "Toys peaked in
 * June" among months; other words may be of both. */
struct readings {
    bool texts, times;
};

static struct readings readings_of(const struct compare_clause *c,
                                   const struct row_mention *m, size_t word)
{
    struct readings out = {true, true};
    if (!m->place)
        return out;
    const struct fact_column *of =
        &c->s->facts->tables[m->place->table].columns[m->place->column];
    if (wording_among(clause_word(c, word)->lower, " peaked peak peaks "))
        out.texts = false;
    else
        out.times =
            !(word + 1 < c->end &&
              column_name_resembles(of->name, clause_word(c, word + 1)->lower));
    return out;
}

/* Whether the rows of a mention have an extreme of the column: within the rows
 * of the other mention, or the other way round; without one, of all. */
static bool has_extreme(const struct compare_clause *c, size_t t, size_t word,
                        const struct row_mention *m,
                        const struct scope_rows *rows,
                        const struct scope_rows *base, size_t column, bool most)
{
    const struct fact_table *table = &c->s->facts->tables[t];
    struct readings may = readings_of(c, m, word);
    if (base->n && base->n < table->n_rows)
        return (may.texts &&
                is_extreme_within(&table->columns[column], rows, base, most)) ||
               (may.times && m->place && rows->n > 1 &&
                is_extreme_within(&table->columns[column], base, rows, most));
    bool of_sums = facts_work(c->s->facts, rows->n) &&
                   is_of_sums(c, m, rows, &table->columns[column], !may.times);
    return is_extreme(c->s, t, m, rows, column, most, of_sums) ||
           (!m->place &&
            is_extreme_period(c->s->facts, table, &table->columns[column], rows,
                              most));
}

static bool has_series(const struct fact_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].first <= t->columns[i].last)
            return true;
    return false;
}

/* Of what it is good to have little. */
static bool is_bad(struct str name)
{
    static const char *const words[] = {
        "churn",    "return",   "error",  "loss",     "cost",   "price",
        "refund",   "cancel",   "defect", "bounc",    "overdu", "delay",
        "fail",     "complain", "expens", "debt",     "stock",  "rank",
        "incident", "accident", "absen",  "attrition"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_find_nocase(name, str_of(words[i])) >= 0)
            return true;
    return false;
}

static bool has_losses(const struct fact_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        if (c->adds && !c->percent && c->n_sorted && c->sorted[0].value < 0)
            return true;
    }
    return false;
}

bool table_has_bad(const struct fact_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].takes || is_bad(t->columns[i].name))
            return true;
    return false;
}

/* What a word for an end means in one column: the fastest takes the least time,
 * and grows most. 0: the column is not what the words are about. */
static unsigned ends_in(const struct compare_clause *c,
                        const struct fact_table *t, size_t column, size_t word,
                        unsigned ends)
{
    static const char fast[] = " fastest quickest shortest ";
    static const char slow[] = " slowest longest ";
    struct str w = clause_word(c, word)->lower;
    bool quick = wording_among(w, fast), dull = wording_among(w, slow);
    bool growth = false;
    for (size_t i = 0; i < t->n_columns; i++)
        growth = growth || (t->columns[i].change && t->columns[i].n_sorted);
    if (growth && clause_says(c, PROSE_UP | PROSE_DOWN)) {
        if (!t->columns[column].change)
            return 0;
        return clause_says(c, PROSE_DOWN) ? END_LOW | END_HIGH
               : quick                    ? END_HIGH
               : dull                     ? END_LOW
                                          : ends;
    }
    const struct fact_column *of = &t->columns[column];
    /* of two columns, not of one; "added most" is no percentage */
    if (clause_says(c, PROSE_CHANGE) && has_series(t) &&
        (!of->change || clause_has(c, " added gained ")))
        return 0;
    /* "The largest loss" is the least number of a column that has some below
     * zero, unless one is named after losses. */
    struct str next =
        word + 1 < c->end ? clause_word(c, word + 1)->lower : STR("");
    if (wording_among(w, " largest biggest greatest highest worst ") &&
        wording_among(next, " loss losses deficit ") && has_losses(t) &&
        !clause_names_column(c, word + 1))
        return of->adds && !of->percent && of->sorted[0].value < 0 ? END_LOW
                                                                   : 0;
    /* So is "the largest outflow" in a column that has them with a minus. */
    if (clause_has(c, clause_outflows) && of->n_sorted &&
        of->sorted[0].value < 0 &&
        wording_among(w, " largest biggest greatest highest most "))
        return of->adds ? END_LOW : 0;
    if (clause_has(c, clause_outflows) && of->n_sorted &&
        of->sorted[of->n_sorted - 1].value <= 0 &&
        wording_among(w, " smallest lowest least "))
        return of->adds ? END_HIGH : 0;
    /* "The shortest tenure" is the least. */
    if (!of->takes && wording_among(w, " longest shortest ") &&
        clause_names(c, of->name))
        return str_is(w, "longest") ? END_HIGH : END_LOW;
    /* "Sells fastest" is of what is sold. */
    if ((quick || dull) && word > c->word &&
        wording_among(clause_word(c, word - 1)->lower,
                      " sells sell sold selling moves moving grows growing "))
        return of->takes ? 0 : quick ? END_HIGH : END_LOW;
    if ((quick || dull) && of->takes)
        return quick ? END_LOW : END_HIGH;
    /* "The largest invoice" is not the oldest one. */
    if (wording_among(w, " largest biggest smallest ") && of->takes &&
        !clause_names(c, of->name))
        return 0;
    if (wording_among(w, " weakest strongest ") && is_bad(of->name))
        return str_is(w, "weakest") ? END_HIGH : END_LOW;
    /* Where less is better in a column, the best may be of that. */
    if (wording_among(w, " best worst ") && !table_has_bad(t))
        return str_is(w, "best") ? END_HIGH : END_LOW;
    return ends;
}

/* "The highest default rate": whether the words right after name the column;
 * n_columns: any. */
static bool names_after(const struct compare_clause *c,
                        const struct fact_table *t, size_t word, size_t column)
{
    enum { WORDS = 3 };
    size_t end = word + 1 + WORDS < c->end ? word + 1 + WORDS : c->end;
    struct compare_clause after = {c->s, word + 1, end};
    if (word + 1 >= c->end || !clause_names_column(c, word + 1))
        return false;
    for (size_t i = 0; i < t->n_columns; i++)
        if ((i == column || column == t->n_columns) && t->columns[i].adds &&
            clause_names(&after, t->columns[i].name) &&
            !clause_names_more(c, t, i))
            return true;
    return false;
}

/* "The busiest shop, with 990 orders", or "was 5.75, the lowest": the column of
 * which the figure next to the clause is the rows' sum; n_columns: none, or
 * several. */
static size_t column_given(const struct compare_clause *c,
                           const struct fact_table *t,
                           const struct scope_rows *rows)
{
    enum { COUNTS = 20, GAP = 4, UNIT = 10 /* "154 hours, the" */ };
    const struct grounding_sentence *s = c->s;
    size_t found = t->n_columns, n = 0;
    size_t last = s->sentence->word + s->sentence->n_words;
    bool with = c->end < last &&
                wording_among(clause_word(c, c->end)->lower, " with at ");
    bool so = c->word > s->sentence->word &&
              wording_among(clause_text(c, c->word), " the which making ");
    size_t from = with ? clause_word(c, c->end)->to : 0;
    size_t to = so ? clause_word(c, c->word)->from : 0;
    for (size_t k = 0; (with || so) && k < s->n_figures; k++) {
        const struct figure *f = &s->figures[k];
        bool after = with && f->from >= from && f->from - from <= GAP,
             before = so && f->to <= to && to - f->to <= GAP + UNIT;
        if (!(after || before) || f->kind != FIGURE_NUMBER || f->spelled ||
            (f->whole && f->value <= COUNTS))
            continue;
        for (size_t i = 0; i < t->n_columns; i++)
            if (t->columns[i].adds && t->columns[i].n_sorted &&
                facts_work(s->facts, rows->n) &&
                figure_near(f, rows_sum(&t->columns[i], rows))) {
                found = i;
                n++;
            }
    }
    return n == 1 ? found : t->n_columns;
}

/* Whether rows contradict that the mention has an extreme. `within`: the other
 * mention of the clause, or NULL. */
static bool not_extreme(const struct compare_clause *c,
                        const struct row_mention *m,
                        const struct row_mention *within, size_t word,
                        unsigned ends)
{
    static const char judges[] = " best worst "; /* "converts best" */
    const struct grounding_sentence *s = c->s;
    bool looked = false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows rows = mention_rows(s, m, t), base = {0};
        struct compare_clause part;
        if (within)
            base = mention_rows(s, within, t);
        if (clause_part(c, &part) && !within)
            base = clause_part_rows(&part, t);
        if (clause_part(c, &part) && !base.n)
            return false;
        if (!rows.n || table->n_rows < 2 || rows.n == table->n_rows)
            continue;
        if (!table->whole)
            return false;
        bool right_after = names_after(c, table, word, table->n_columns);
        size_t given =
            base.n ? table->n_columns : column_given(c, table, &rows);
        for (size_t i = 0; i < table->n_columns; i++)
            for (unsigned end = END_LOW; end <= END_HIGH; end++) {
                if (!(clause_concerns(c, table, i) ||
                      ((wording_among(clause_word(c, word)->lower, judges) ||
                        (is_bad(table->columns[i].name) &&
                         wording_among(clause_word(c, word)->lower,
                                       " weakest strongest "))) &&
                       clause_may_concern(c, table, i))) ||
                    !(ends_in(c, table, i, word, ends) & end) ||
                    (right_after && !names_after(c, table, word, i)) ||
                    (given < table->n_columns && i != given))
                    continue;
                looked = true;
                if (!facts_work(s->facts, rows.n + 8 * base.n) ||
                    has_extreme(c, t, word, m, &rows, &base, i,
                                end == END_HIGH))
                    return false;
            }
    }
    return looked;
}

/* "The highest revenue was 5": a cell, but not of an extreme row. */
static bool not_extreme_figure(const struct grounding_sentence *s,
                               const struct figure *f, unsigned ends,
                               bool of_time)
{
    bool looked = false, takes = false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        if (table->n_rows == 1)
            return false;
        for (size_t i = 0; of_time && i < table->n_columns; i++)
            takes = takes || table->columns[i].takes;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            if (!c->adds || !c->n_sorted || !table->whole ||
                (takes && !c->takes))
                continue;
            if (!facts_work(s->facts, c->n_sorted + table->n_columns))
                return false;
            for (size_t k = 0; k < table->n_columns; k++) {
                const struct fact_column *d = &table->columns[k];
                size_t high = c->sorted[c->n_sorted - 1].row,
                       low = c->sorted[0].row;
                if (takes && d != c)
                    continue;
                if (((ends & END_HIGH) && figure_near(f, d->values[high])) ||
                    ((ends & END_LOW) && figure_near(f, d->values[low])))
                    return false;
            }
            for (size_t k = 0; k < c->n_sorted; k++)
                looked = looked || figure_near(f, c->sorted[k].value);
        }
    }
    return looked;
}

static const struct figure *only_number(const struct compare_clause *c)
{
    const struct figure *found = NULL;
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (f->kind != FIGURE_NUMBER || f->bound != FIGURE_EXACT ||
            !clause_has_figure(c, f))
            continue;
        if (found)
            return NULL;
        found = f;
    }
    return found;
}

/* "The fastest of all", and not "most of all orders". */
static bool is_of_all(const struct compare_clause *c, size_t i)
{
    static const char whole[] = " all the these our them ";
    struct str after = clause_text(c, i + 2);
    bool all = str_is(after, "all") || (str_is(clause_text(c, i + 3), "all") &&
                                        wording_among(after, whole));
    return all && !wording_among(clause_word(c, i)->lower, " most best top ");
}

/* "Lakeview's longest wait", of `longest_wait`: the word is part of the name of a
 * column, and the sentence gives the row's value: it says nothing of other rows,
 * unless it is what the row has: "has the longest wait". */
static bool is_of_name(const struct compare_clause *c, size_t i)
{
    enum { ENDS = PROSE_HIGH | PROSE_LOW | PROSE_EXTREME, WORDS = 4 };
    static const char owners[] = " a an s its their his her ";
    static const char links[] = " at in of for from on ";
    const struct facts *facts = c->s->facts;
    int end = column_word_end(clause_word(c, i)->lower);
    struct compare_clause run = {c->s, i, i + 1};
    bool named = false;
    while (run.end < c->end && run.end < i + WORDS &&
           clause_names_column(c, run.end))
        run.end++;
    /* "The maximum delivery time of FedEx" */
    bool statistic =
        wording_among(clause_word(c, i)->lower, " maximum minimum max min ");
    for (size_t k = run.end; statistic && k < c->end && k < i + WORDS; k++)
        if (wording_among(clause_text(c, k), links)) {
            run.end = k;
            break;
        }
    for (size_t t = 0; end && t < facts->n_tables; t++)
        for (size_t k = 0; k < facts->tables[t].n_columns && !named; k++) {
            const struct fact_column *of = &facts->tables[t].columns[k];
            struct split_name own;
            if (!of->adds || !(statistic || clause_names(&run, of->name)))
                continue;
            column_name_read(of->name, &own);
            for (size_t x = 0; x < own.n && own.n > 1; x++)
                named = named || column_word_end(own.words[x]) == end;
        }
    if (!named)
        return false;
    struct str before = clause_text(c, i - 1);
    size_t after = run.end + 1 + str_is(clause_text(c, run.end + 1), "the");
    bool of_row = wording_among(clause_text(c, run.end), links) &&
                  after < c->end && clause_in_subject(c, after) &&
                  (i == c->word || str_is(before, "the")) && i < c->word + 2;
    return of_row || wording_among(before, owners) ||
           (i > c->word && (clause_word(c, i - 1)->says & ENDS));
}

/* The word is a comparison, and not a part of a phrase like "at most". */
static bool compares(const struct compare_clause *c, size_t i)
{
    struct str before = i > c->word ? clause_word(c, i - 1)->lower : STR("");
    struct str earlier =
        i > c->word + 1 ? clause_word(c, i - 2)->lower : STR("");
    struct str next = i + 1 < c->end ? clause_word(c, i + 1)->lower : STR("");
    bool first_one = i >= c->word + 3 && str_is(earlier, "of") &&
                     str_is(clause_word(c, i - 3)->lower, "one");
    return !wording_among(before, " at second third fourth fifth sixth 2nd 3rd "
                                  "4th 5th next one two three not 2 3 4 5 ") &&
           !first_one && !prose_says(earlier, PROSE_NEGATION) &&
           !str_is(before, "between") && !str_is(earlier, "between") &&
           (!str_is(next, "of") || is_of_all(c, i)) &&
           !wording_among(next, " likely recent recently probably commonly "
                                "importantly notably two three four five six "
                                "seven eight nine ten to up down by ") &&
           !(next.len && next.ptr[0] >= '0' && next.ptr[0] <= '9');
}

/* Whether the clause names the time of one of several columns. */
static bool names_series(const struct compare_clause *c)
{
    size_t n = 0;
    for (size_t t = 0; t < c->s->facts->n_tables; t++)
        for (size_t i = 0; i < c->s->facts->tables[t].n_columns; i++)
            n += c->s->facts->tables[t].columns[i].month &&
                 clause_has_period(c, &c->s->facts->tables[t].columns[i]);
    return n > 0 && clause_has(c, " peaked peak peaks ");
}

/* "Paris is the largest French branch": the only texts before and after the
 * word, of two columns of a table. */
static bool text_within(const struct compare_clause *c, size_t i,
                        const struct row_mention **text,
                        const struct row_mention **within)
{
    size_t before = 0, after = 0;
    for (size_t k = 0; k < c->s->n_subjects; k++) {
        const struct row_mention *m = &c->s->subjects[k];
        if (!clause_holds(c, m) || !m->place)
            continue;
        bool left = m->from < clause_word(c, i)->from;
        *(left ? text : within) = m;
        before += left;
        after += !left;
    }
    return before == 1 && after == 1 && !(*text)->also && !(*within)->also &&
           (*text)->place->table == (*within)->place->table &&
           (*text)->place->column != (*within)->place->column;
}

/* "Most punctual" may be what has least delays. */
static bool may_mean_least(const struct compare_clause *c, size_t i)
{
    static const char known[] =
        " expensive popular frequent frequently common productive active "
        "profitable valuable successful lucrative used sold ordered viewed "
        "visited played streamed listened watched often heavily revenue "
        "money sales people ";
    struct str word = i < c->end ? clause_word(c, i)->lower : STR("");
    return word.len > 3 && !str_ends(word, STR("s")) &&
           !wording_among(word, known) && !clause_names_column(c, i) &&
           !map_get(&c->s->facts->words, word) && !clause_word(c, i)->says;
}

/* The queries, or the question, are about an end. */
static bool seeks_end(const struct facts *facts, struct str word)
{
    static const char *const parts[] = {"max(", "min(", "order by", "limit ",
                                        "rank("};
    const struct step_results *results = facts->of->results;
    if (str_find_nocase(facts->of->question, word) >= 0)
        return true;
    for (size_t i = 0; results && i < results->n_results; i++) {
        const struct sql_result *sql = results->results[i].sql_result;
        for (size_t k = 0; sql && k < sizeof parts / sizeof *parts; k++)
            if (str_find_nocase(sql->sql, str_of(parts[k])) >= 0)
                return true;
        if (results->results[i].python_result)
            return true;
    }
    return facts->said.n > 0;
}

/* "Heating was the largest expense", of one sum: the result has nothing that it
 * could be larger than. */
static bool has_no_rival(const struct compare_clause *c, size_t i)
{
    static const char ends[] =
        " largest biggest greatest highest lowest smallest costliest busiest "
        "cheapest longest shortest ";
    static const char owners[] = " the s its their our single second third ";
    const struct facts *facts = c->s->facts;
    if (!wording_among(clause_text(c, i), ends) ||
        !wording_among(clause_text(c, i - 1), owners) || i + 1 >= c->end ||
        !clause_has(c, " is was are were ") || clause_says(c, PROSE_EXCUSE))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++)
        if (facts->tables[t].n_rows != 1 || facts->tables[t].n_columns != 1 ||
            !facts->tables[t].columns->adds)
            return false;
    return facts->n_tables == 1 && !seeks_end(facts, clause_text(c, i));
}

bool clause_wrong_extreme(const struct compare_clause *c, size_t i)
{
    uint32_t says = clause_word(c, i)->says;
    unsigned ends = says & PROSE_HIGH  ? END_HIGH
                    : says & PROSE_LOW ? END_LOW
                                       : END_LOW | END_HIGH;
    const struct row_mention *m = clause_subject(c, false),
                             *period = clause_subject(c, true);
    const struct figure *f = only_number(c);
    bool majority = str_is(clause_word(c, i)->lower, "most") &&
                    clause_counts_rows(c, i + 1);
    if (clause_has(c, clause_partial) || clause_has(c, limits) ||
        clause_says(c, PROSE_NEGATION) || !compares(c, i) || majority ||
        clause_names_row(c, i) || is_of_name(c, i))
        return false;
    if (has_no_rival(c, i))
        return true;
    if (str_is(clause_word(c, i)->lower, "most") && may_mean_least(c, i + 1))
        ends = END_LOW | END_HIGH;
    if (clause_has(c,
                   clause_losses)) /* the largest loss is the lowest profit */
        ends = END_LOW | END_HIGH;
    bool of_time = i + 1 < c->end && wording_among(clause_word(c, i + 1)->lower,
                                                   " day week month quarter "
                                                   "year period ");
    if (names_series(c)) /* of one row, over columns */
        return false;
    for (size_t t = 0; m && t < c->s->facts->n_tables; t++) {
        enum gain_verdict gain = clause_text_gain(c, m, t, i);
        if (gain != GAIN_UNREAD)
            return gain == GAIN_WRONG;
    }
    enum gain_verdict gain =
        !m && period ? clause_period_gain(c, period, i) : GAIN_UNREAD;
    if (gain != GAIN_UNREAD)
        return gain == GAIN_WRONG;
    if (m && period && of_time) /* "West's best quarter was Q3" */
        return not_extreme(c, period, m, i, ends);
    if (m)
        return not_extreme(c, m, period, i, ends);
    const struct row_mention *within = NULL;
    if (!period && text_within(c, i, &m, &within))
        return not_extreme(c, m, within, i, ends);
    for (size_t k = 0; k < c->s->n_subjects; k++)
        if (c->s->subjects[k].place)
            return false;
    if (period)
        return not_extreme(c, period, NULL, i, ends);
    bool speed = wording_among(clause_word(c, i)->lower,
                               " longest shortest slowest fastest ");
    return f && not_extreme_figure(c->s, f, speed ? END_LOW | END_HIGH : ends,
                                   speed);
}
