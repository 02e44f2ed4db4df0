/* compare_date.c - the dates of rows: "bus 5 was bought in 2015", of
 * `bought_year`, and "the oldest bus was bought in 2009"; see
 * compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include "base/banned.h"

/* Of what is said to have happened when. */
struct date_claim {
    const struct figure *when;
    size_t verb; /* the word "bought" */
};

/* The verb before a date: "was reported on", "was filed by Ann on", "built".
 * False: there is none. */
static bool read_verb(const struct compare_clause *c, const struct figure *f,
                      struct date_claim *out)
{
    static const char links[] = " in on at back only again ";
    size_t at = c->word;
    while (at < c->end && clause_word(c, at)->from < f->from)
        at++;
    out->when = f;
    while (at > c->word && wording_among(clause_text(c, at - 1), links))
        at--;
    bool by = false;
    for (size_t i = at; i > c->word && clause_in_subject(c, i - 1); i--)
        by = i > c->word + 1 && str_is(clause_text(c, i - 2), "by");
    while (by && at > c->word && !str_is(clause_text(c, at), "by"))
        at--;
    out->verb = at - 1;
    return at > c->word;
}

/* The only column of dates that the verb names: "closed", of `closed_on`.
 * n_columns: none, or several. */
static size_t column_of_verb(const struct compare_clause *c,
                             const struct fact_table *t, size_t verb)
{
    struct str word = clause_text(c, verb);
    size_t found = t->n_columns, n = 0;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].dated && t->columns[i].days &&
            (column_name_has(t->columns[i].name, word) ||
             column_name_resembles(t->columns[i].name, word))) {
            found = i;
            n++;
        }
    return n == 1 ? found : t->n_columns;
}

/* Whether the date of a cell is in the period, or may be. */
static bool is_then(const struct fact_column *c, int64_t day,
                    const struct figure *f)
{
    int64_t year;
    int month, of_month;
    if (day == INT64_MIN)
        return false;
    if (f->kind == FIGURE_PERIOD)
        return f->first <= fact_last_day(c, day) && day <= f->last;
    figure_date(day, &year, &month, &of_month);
    return c->grain == GRAIN_YEAR || c->grain == GRAIN_QUARTER ||
           (month >= f->month && month < f->month + (int)f->first &&
            (!f->day || c->grain != GRAIN_DAY || of_month == f->day));
}

/* The rows with all texts that the clause names, or, when it names none, the
 * sentence; but for the verb, which may be a text, too. */
static struct scope_rows rows_said(const struct compare_clause *c, size_t table,
                                   size_t verb)
{
    const struct grounding_sentence *s = c->s;
    struct scope_rows out = {0};
    bool inside = false, first = true;
    for (size_t i = 0; i < s->n_mentions; i++)
        inside = inside ||
                 (s->mentions[i].place && clause_holds(c, &s->mentions[i]) &&
                  s->mentions[i].to != clause_word(c, verb)->to);
    for (size_t i = 0; i < s->n_mentions; i++) {
        const struct row_mention *m = &s->mentions[i];
        if (!m->place || (inside && !clause_holds(c, m)) ||
            m->to == clause_word(c, verb)->to)
            continue;
        struct scope_rows rows = mention_rows(s, m, table);
        out = first ? rows : rows_of_both(s->facts, &out, &rows);
        first = false;
    }
    return out;
}

enum end { END_NONE, END_FIRST, END_LAST };

/* "The oldest bus was", right before the verb: of which end of the dates it is,
 * if no words narrow what it is the oldest of. */
static enum end end_of(const struct compare_clause *c, size_t verb)
{
    static const char first[] = " first oldest earliest ";
    static const char last[] = " last newest latest youngest ";
    static const char spans[] = " week month quarter year period list ";
    size_t at = c->word;
    enum end end;
    at += str_is(clause_text(c, at), "the");
    end = wording_among(clause_text(c, at), first)  ? END_FIRST
          : wording_among(clause_text(c, at), last) ? END_LAST
                                                    : END_NONE;
    if (!end || !clause_counts_rows(c, at + 1))
        return END_NONE;
    at += 2;
    if (wording_among(clause_text(c, at + 2), spans)) /* "of the month" */
        at += 3;
    return at + 1 == verb && wording_among(clause_text(c, at), " was is ")
               ? end
               : END_NONE;
}

static int64_t end_day(const struct fact_column *c, size_t n_rows, enum end end)
{
    int64_t found = INT64_MIN;
    for (size_t i = 0; i < n_rows; i++) {
        int64_t day = c->days[i];
        if (day != INT64_MIN &&
            (found == INT64_MIN ||
             (end == END_FIRST ? day < found : day > found)))
            found = day;
    }
    return found;
}

/* 1: some result shows it; -1: one denies it; 0: it says nothing of it. */
static int table_says(const struct compare_clause *c, size_t table,
                      const struct date_claim *claim)
{
    const struct fact_table *t = &c->s->facts->tables[table];
    size_t column = column_of_verb(c, t, claim->verb);
    enum end end = end_of(c, claim->verb);
    if (column == t->n_columns || !t->whole ||
        !facts_work(c->s->facts, t->n_rows + 1))
        return 0;
    const struct fact_column *of = &t->columns[column];
    struct scope_rows rows = rows_said(c, table, claim->verb);
    int64_t day;
    if (end != END_NONE && t->n_rows > 1)
        day = end_day(of, t->n_rows, end);
    else if (rows.n == 1)
        day = of->days[rows.rows[0]];
    else
        return 0;
    return is_then(of, day, claim->when) ? 1 : -1;
}

bool clause_wrong_date(const struct compare_clause *c)
{
    const struct grounding_sentence *s = c->s;
    if (clause_says(c, PROSE_NEGATION))
        return false;
    for (size_t i = 0; i < s->n_figures; i++) {
        const struct figure *f = &s->figures[i];
        struct date_claim claim;
        bool wrong = false, right = false;
        if ((f->kind != FIGURE_PERIOD &&
             (f->kind != FIGURE_MONTH || !f->month)) ||
            !clause_has_figure(c, f) || !read_verb(c, f, &claim))
            continue;
        for (size_t t = 0; t < s->facts->n_tables; t++) {
            int says = table_says(c, t, &claim);
            right = right || says > 0;
            wrong = wrong || says < 0;
        }
        if (wrong && !right)
            return true;
    }
    return false;
}
