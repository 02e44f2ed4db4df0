/* compare_order.c - texts in an order, "Paris, followed by Lyon and Nice", the
 * ends of a range, "from 100 to 400", and of time, "Paris ordered most recently";
 * see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

/* A sentence with one of these states no order of all rows. */
static const char vague[] =
    " than most mostly typically usually average median if would not without "
    "per alphabetically alphabetical ";

static bool is_vague(const struct compare_clause *c)
{
    return clause_has(c, vague) || clause_has(c, clause_partial);
}

/* ---- lists ---------------------------------------------------------------- */

static bool is_followed(const struct compare_clause *c, size_t i)
{
    struct str word = clause_word(c, i)->lower;
    return i + 1 < c->end && wording_among(word, " followed trailed ") &&
           str_is(clause_word(c, i + 1)->lower, "by");
}

/* "In descending order", "in that order", "highest first". */
static bool is_order(const struct compare_clause *c, size_t i)
{
    struct str word = clause_word(c, i)->lower;
    struct str before = i > c->word ? clause_word(c, i - 1)->lower : STR("");
    if (str_is(word, "order"))
        return wording_among(before, " descending ascending decreasing "
                                     "increasing that this falling rising ");
    return str_is(word, "first") &&
           wording_among(before, " highest largest biggest greatest lowest "
                                 "smallest ");
}

/* "In descending order of revenue": the words after "order" name what is in
 * order, if they name a column; else those before. */
static struct compare_clause ordered_part(const struct compare_clause *c,
                                          size_t word)
{
    struct compare_clause after = {c->s, word + 1, c->end};
    for (size_t i = after.word; i < after.end; i++)
        if (clause_names_column(&after, i))
            return after;
    return (struct compare_clause){c->s, c->word, word};
}

/* The rows of the sentence's texts, one of each; 0: they are no list of rows. */
static size_t list_rows(const struct compare_clause *c, size_t table,
                        size_t *rows)
{
    const struct grounding_sentence *s = c->s;
    size_t n = 0, column = 0;
    for (size_t i = 0; i < s->n_subjects; i++) {
        const struct row_mention *m = &s->subjects[i];
        struct scope_rows of = mention_rows(s, m, table);
        if (!m->place || of.n != 1 || (n && m->place->column != column))
            return 0;
        column = m->place->column;
        for (size_t k = 0; k < n; k++)
            if (rows[k] == of.rows[0])
                return 0;
        rows[n++] = of.rows[0];
    }
    return n;
}

/* Whether the column's values in the rows go down, or up; with `ends` they are
 * those at that end of the column, but for the first `skip`. */
static bool in_order(const struct fact_column *c, const size_t *rows, size_t n,
                     bool down, bool ends, size_t skip)
{
    for (size_t i = 0; i < n; i++) {
        double x = c->values[rows[i]];
        size_t at = down ? c->n_sorted - 1 - i - skip : i + skip;
        if (isnan(x) ||
            (ends && (i + skip >= c->n_sorted || c->sorted[at].value != x)))
            return false;
        if (i &&
            (down ? x > c->values[rows[i - 1]] : x < c->values[rows[i - 1]]))
            return false;
    }
    return true;
}

static bool rows_in_order(const size_t *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (rows[i] != rows[i - 1] + 1)
            return false;
    return true;
}

bool clause_wrong_list(const struct compare_clause *clause, size_t word)
{
    static const char leads[] = " top leads led lead leading highest largest "
                                "biggest greatest most best first ";
    static const char lasts[] = " lowest smallest least fewest bottom worst "
                                "weakest last ascending increasing rising ";
    struct compare_clause c = {clause->s, clause->s->sentence->word,
                               clause->s->sentence->word +
                                   clause->s->sentence->n_words};
    size_t rows[SUBJECTS_MOST];
    bool looked = false;
    if ((!is_followed(&c, word) && !is_order(&c, word)) ||
        clause->s->n_subjects > SUBJECTS_MOST || is_vague(&c) ||
        clause_says(&c, PROSE_NEGATION))
        return false;
    bool up = clause_has(&c, lasts),
         lead = !up && clause_has(&c, leads) && !clause_has(&c, clause_losses);
    struct compare_clause of =
        is_followed(&c, word) ? c : ordered_part(&c, word);
    size_t skip = 0; /* "second-highest": the first one is not in the list */
    for (size_t i = c.word; i < word && !skip; i++)
        if (clause_place_of(clause_word(&c, i)->lower) > 1 &&
            wording_among(clause_text(&c, i + 1), leads))
            skip = clause_place_of(clause_word(&c, i)->lower) - 1;
    bool by_hand = !is_followed(&c, word); /* "in that order": of the text */
    if (of.word == of.end)
        return false;
    for (size_t t = 0; t < c.s->facts->n_tables; t++) {
        const struct fact_table *table = &c.s->facts->tables[t];
        size_t n = list_rows(&c, t, rows);
        bool named = false;
        if (n < 2)
            continue;
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *column = &table->columns[i];
            if (!clause_concerns(&of, table, i))
                continue;
            looked = true;
            named = named || clause_names(&of, column->name);
            if (in_order(column, rows, n, true, lead && table->whole, skip) ||
                (!lead && in_order(column, rows, n, false, false, 0)))
                return false;
        }
        if (!named && (rows_in_order(rows, n) || (by_hand && !lead && !up)))
            return false;
    }
    return looked;
}

/* ---- ranges --------------------------------------------------------------- */

static bool is_value(const struct figure *f, double x)
{
    return figure_near(f, x) ||
           (f->kind == FIGURE_PERCENT && figure_near(f, 100 * x));
}

/* The two figures after the word, joined by "to" or "and". */
static bool read_ends(const struct compare_clause *c, size_t word,
                      const struct figure *end[2])
{
    size_t n = 0;
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (f->from < clause_word(c, word)->to || !clause_has_figure(c, f))
            continue;
        if (f->kind != FIGURE_NUMBER && f->kind != FIGURE_PERCENT)
            continue;
        end[n++] = f;
        if (n == 2)
            break;
    }
    if (n < 2)
        return false;
    for (size_t i = word; i < c->end; i++)
        if (clause_word(c, i)->from >= end[0]->to &&
            clause_word(c, i)->to <= end[1]->from &&
            wording_among(clause_word(c, i)->lower, " to and through "))
            return true;
    return end[1]->from - end[0]->to <= 4;
}

/* The rows that a range is of: those that one text or period names; all, when
 * texts name its ends. */
static bool range_rows(const struct compare_clause *c, size_t table,
                       const struct figure *const end[2],
                       struct scope_rows *rows)
{
    const struct row_mention *of = NULL;
    size_t n = 0;
    for (size_t i = 0; i < c->s->n_subjects; i++) {
        const struct row_mention *m = &c->s->subjects[i];
        if (m->from > end[0]->to && m->to < end[1]->from)
            return *rows = (struct scope_rows){0},
                   true; /* "from 1 in Rome to" */
        of = m;
        n++;
    }
    *rows = (struct scope_rows){0};
    if (n == 1)
        *rows = mention_rows(c->s, of, table);
    return n == 0 || (n == 1 && rows->n > 1);
}

/* The least and the greatest number in the rows. */
static void spread(const struct fact_column *c, const struct scope_rows *rows,
                   double *least, double *most)
{
    *least = c->sorted[0].value;
    *most = c->sorted[c->n_sorted - 1].value;
    if (rows->n)
        *least = INFINITY, *most = -INFINITY;
    for (size_t i = 0; i < rows->n; i++) {
        double x = c->values[rows->rows[i]];
        *least = x < *least ? x : *least;
        *most = x > *most ? x : *most;
    }
}

/* The range as the words say it: its ends are values, or bounds of them. */
static bool is_range(const struct figure *const end[2], double least,
                     double most, bool bounds)
{
    const struct figure *low = end[end[0]->value > end[1]->value],
                        *high = end[end[0]->value <= end[1]->value];
    if (is_value(low, least) && is_value(high, most))
        return true;
    return bounds && low->value <= least && most <= high->value;
}

bool clause_wrong_range(const struct compare_clause *clause, size_t word)
{
    static const char ranges[] = " range ranges ranged ranging vary varies "
                                 "varied varying spans spanned ";
    static const char lies[] =
        " lie lies lay stayed stay stays remained fluctuated is are was were ";
    struct compare_clause c = *clause;
    struct str lower = clause_word(&c, word)->lower;
    struct str next =
        word + 1 < c.end ? clause_word(&c, word + 1)->lower : STR("");
    bool bounds = wording_among(lower, lies) && str_is(next, "between");
    const struct figure *end[2];
    bool looked = false;
    if (!bounds && !(wording_among(lower, ranges) &&
                     wording_among(next, " from between ")))
        return false;
    struct compare_clause all = {c.s, c.s->sentence->word,
                                 c.s->sentence->word + c.s->sentence->n_words};
    while (c.end < all.end &&
           (str_is(clause_word(&c, c.end - 1)->lower, "between") ||
            (!read_ends(&c, word, end) &&
             str_is(clause_word(&c, c.end)->lower, "and"))))
        c.end = clause_end(c.s, c.end);
    if (!read_ends(&c, word, end) || is_vague(&all) ||
        clause_says(&c, PROSE_NEGATION))
        return false;
    for (size_t t = 0; t < c.s->facts->n_tables; t++) {
        const struct fact_table *table = &c.s->facts->tables[t];
        struct scope_rows rows;
        if (table->n_rows < 2)
            continue;
        if (!table->whole || !range_rows(&c, t, end, &rows))
            return false;
        for (size_t i = 0; i < table->n_columns; i++) {
            double least, most;
            if (!clause_concerns(&c, table, i) ||
                !facts_work(c.s->facts, rows.n + 1))
                continue;
            looked = true;
            spread(&table->columns[i], &rows, &least, &most);
            if (is_range(end, least, most, bounds))
                return false;
        }
    }
    return looked;
}

/* ---- ends of time --------------------------------------------------------- */

enum time_end { TIME_NONE, TIME_LATEST, TIME_EARLIEST };

static enum time_end time_end_of(const struct compare_clause *c, size_t word)
{
    struct str w = clause_word(c, word)->lower;
    struct str before =
        word > c->word ? clause_word(c, word - 1)->lower : STR("");
    struct str next =
        word + 1 < c->end ? clause_word(c, word + 1)->lower : STR("");
    if (wording_among(next, " day week month quarter year period data figures "
                            "one two three available "))
        return TIME_NONE;
    bool most = str_is(before, "most");
    if (wording_among(w, " latest newest ") ||
        (most && wording_among(w, " recent recently ")))
        return TIME_LATEST;
    if (str_is(next, "to"))
        return str_is(w, "first")  ? TIME_EARLIEST
               : str_is(w, "last") ? TIME_LATEST
                                   : TIME_NONE;
    return wording_among(w, " earliest oldest ") ? TIME_EARLIEST : TIME_NONE;
}

/* "Expire", of `end_date`. */
static bool is_done_at(struct str name, struct str verb)
{
    static const char *const pairs[][2] = {
        {" expire expires expired expiring end ends ended ending finish run ",
         " end ends expiry expires expiration until to "},
        {" start starts started starting begin begins began commenced ",
         " start starts begin begins from since "}};
    if (verb.len < 3)
        return false;
    for (size_t i = 0; i < 2; i++)
        if (wording_among(verb, pairs[i][0]) &&
            column_name_among(name, pairs[i][1]))
            return true;
    return column_name_has(name, verb) || column_name_resembles(name, verb) ||
           column_is_done(name, verb);
}

/* The only column of dates of the table, or, where there are several or "the first
 * to expire" says a verb, the only one of what words of the sentence say is done.
 * n_columns: none. */
static size_t event_column(const struct compare_clause *c,
                           const struct fact_table *t, size_t word)
{
    size_t found = t->n_columns, only = t->n_columns, n = 0, n_named = 0;
    bool verb = str_is(clause_text(c, word + 1), "to");
    size_t from = verb ? word + 2 : c->word,
           to =
               verb ? word + 3 : c->s->sentence->word + c->s->sentence->n_words;
    for (size_t i = 0; i < t->n_columns; i++) {
        bool named = false;
        if (!t->columns[i].dated || !t->columns[i].days ||
            !facts_work(c->s->facts, 4 * (to - from)))
            continue;
        for (size_t k = from; k < to; k++)
            named = named ||
                    is_done_at(t->columns[i].name, clause_word(c, k)->lower);
        only = i;
        n++;
        found = named ? i : found;
        n_named += named;
    }
    return n_named == 1 ? found : n == 1 && !verb ? only : t->n_columns;
}

bool clause_wrong_time(const struct compare_clause *c, size_t word)
{
    enum time_end end = time_end_of(c, word);
    const struct row_mention *m = clause_subject(c, false);
    bool looked = false;
    if (end == TIME_NONE || !m || clause_has(c, clause_partial) ||
        clause_has(c, " would if ") || clause_says(c, PROSE_NEGATION))
        return false;
    for (size_t t = 0; t < c->s->facts->n_tables; t++) {
        const struct fact_table *table = &c->s->facts->tables[t];
        struct scope_rows rows = mention_rows(c->s, m, t);
        size_t column = event_column(c, table, word);
        if (!rows.n || table->n_rows < 2)
            continue;
        if (!table->whole || column == table->n_columns ||
            !facts_work(c->s->facts, table->n_rows + rows.n))
            return false;
        const int64_t *days = table->columns[column].days;
        int64_t of_all = INT64_MIN, of_rows = INT64_MIN;
        for (size_t i = 0; i < table->n_rows; i++) {
            if (days[i] == INT64_MIN)
                continue;
            int64_t day = end == TIME_LATEST ? days[i] : -days[i];
            of_all = day > of_all ? day : of_all;
        }
        for (size_t i = 0; i < rows.n; i++) {
            int64_t of = days[rows.rows[i]];
            if (of == INT64_MIN)
                continue;
            int64_t day = end == TIME_LATEST ? of : -of;
            of_rows = day > of_rows ? day : of_rows;
        }
        if (of_rows == of_all || of_rows == INT64_MIN)
            return false;
        looked = true;
    }
    return looked;
}
