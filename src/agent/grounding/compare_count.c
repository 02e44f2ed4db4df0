/* compare_count.c - statements about how many rows do something: "all cities
 * made more than 100", "none of the products grew", "four months had a loss".
 * Only a clause of which every word is read is judged; see compare_clause.h. */
#include "compare_count.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

static const char fillers[] =
    " the a an of in to for at on by with their its this these those them had "
    "has have having made make makes sold sell sells earned earn earns "
    "generated generate generates saw see recorded record records posted is "
    "are was were be been it that and than or during across over only just "
    "exactly there s from between through until steadily consistently ";

static const struct figure *figure_at(const struct compare_clause *c, size_t i)
{
    for (size_t k = 0; i < c->end && k < c->s->n_figures; k++)
        if (c->s->figures[k].from <= clause_word(c, i)->from &&
            c->s->figures[k].to >= clause_word(c, i)->to)
            return &c->s->figures[k];
    return NULL;
}

/* Before texts that a statement about all rows leaves out. */
static const char excepts[] = " except excluding apart from for ";

/* ---- reading -------------------------------------------------------------- */

static bool read_amount(struct count_claim *q, size_t at)
{
    static const char links[] = " of out the these those our its all single ";
    const struct compare_clause *c = &q->clause;
    struct str word = clause_text(c, at), before = clause_text(c, at - 1);
    const struct figure *f = figure_at(c, at);
    size_t next = at + 1;
    q->from = at;
    if (wording_among(word, " all every each both "))
        q->amount = AMOUNT_ALL;
    else if (wording_among(word, " none no never "))
        q->amount = AMOUNT_NONE;
    else if (f && f->kind == FIGURE_NUMBER && f->whole &&
             f->bound == FIGURE_EXACT && f->from == clause_word(c, at)->from &&
             !wording_among(before, " top first last all these those least "
                                    "most by to from than next "))
        q->amount = AMOUNT_EXACT;
    else if (f && f->kind == FIGURE_PERCENT && f->fraction &&
             f->bound == FIGURE_EXACT && f->from == clause_word(c, at)->from)
        q->amount = AMOUNT_SHARE;
    else if (str_is(word, "one") && !wording_among(before, " least no every "))
        q->amount = wording_among(before, " only just exactly ") ? AMOUNT_EXACT
                                                                 : AMOUNT_SOME;
    else
        return false;
    q->count = f ? f->value : 1;
    while (next < c->end && figure_at(c, next) == f && f)
        next++;
    while (next < c->end && (wording_among(clause_text(c, next), links) ||
                             ((q->amount == AMOUNT_ALL || next > at + 1) &&
                              figure_at(c, next)))) {
        if (figure_at(c, next))
            q->of = figure_at(c, next);
        next++;
    }
    if (str_is(word, "never")) { /* in none of the periods */
        q->noun = at;
        return true;
    }
    /* "All closed claims" */
    while (next + 1 < c->end && q->amount == AMOUNT_ALL &&
           clause_in_subject(c, next) && clause_counts_rows(c, next + 1))
        next++;
    q->noun = next + clause_one_noun(c, next);
    return next < c->end && !figure_at(c, next);
}

/* "More than 5", "at least 5", "exceeded 5", "reached 5", "5 or more". */
static bool read_bound(struct count_claim *q, const struct figure *f)
{
    static const char over[] = " over above exceed exceeds exceeded exceeding "
                               "surpass surpassed ";
    const struct compare_clause *c = &q->clause;
    size_t at = c->word, last;
    while (at < c->end && clause_word(c, at)->from < f->from)
        at++;
    for (last = at; last < c->end && clause_word(c, last)->to <= f->to;)
        last++;
    if (at < 2)
        return false;
    struct str w = clause_text(c, at - 1), v = clause_text(c, at - 2);
    bool or = str_is(clause_text(c, last), "or");
    struct str tail = or ? clause_text(c, last + 1) : STR("");
    bool than = str_is(w, "than");
    q->up = wording_among(w, over) ||
            (than && wording_among(v, " more greater higher larger ")) ||
            (str_is(v, "at") && str_is(w, "least")) ||
            wording_among(w, " reach reaches reached hit ") ||
            wording_among(tail, " more higher above ");
    bool down = wording_among(w, " below under ") ||
                (than && wording_among(v, " less fewer lower smaller ")) ||
                (str_is(v, "at") && str_is(w, "most")) ||
                wording_among(tail, " less fewer lower below ");
    q->with = wording_among(w, " least most reach reaches reached hit ") || or;
    q->word = at - 1;
    q->deed = DEED_BOUND;
    q->bound = f;
    return q->up != down && !(than && str_is(clause_text(c, at - 3), "no")) &&
           !(or && !tail.len);
}

/* "Completed", where the question asks what each completes. */
static bool is_asked_verb(const struct count_claim *q, size_t i)
{
    const struct compare_clause *c = &q->clause;
    struct str word = clause_text(c, i);
    if (i <= q->noun || !str_ends(word, STR("ed")) ||
        (clause_word(c, i)->says & ~(uint32_t)(PROSE_COMMON | PROSE_NAME_VERB)))
        return false;
    for (size_t less = 0; less < 3; less++)
        if (map_get(&c->s->facts->words, str_cut(word, 0, word.len - less)))
            return true;
    return false;
}

/* "Three teams have no open tickets." */
static bool reads_zero(struct count_claim *q)
{
    const struct compare_clause *c = &q->clause;
    static const char verbs[] = " have has had with received recorded ";
    size_t at = q->noun + 1, next = at + 1;
    bool none = wording_among(clause_text(c, next), " no zero ");
    if (!(wording_among(clause_text(c, at), verbs) || is_asked_verb(q, at)) ||
        (none && q->amount == AMOUNT_NONE))
        return false;
    if (str_is(clause_text(c, next), "at") &&
        str_is(clause_text(c, next + 1), "least"))
        next += 2 + str_is(clause_text(c, next + 2), "one");
    q->deed = none ? DEED_ZERO : DEED_HAS;
    q->word = none ? next : next - 1;
    for (q->last = q->word + 1;
         q->last < c->end && clause_names_column(c, q->last);)
        q->last++;
    q->tail =
        q->last + facts_noun_of_none(c->s->facts, clause_text(c, q->last));
    return q->last > q->word + 1;
}

/* "All plays have been rated", "have a rating": its columns of numbers or dates
 * are known. */
static bool reads_known(struct count_claim *q)
{
    const struct compare_clause *c = &q->clause;
    size_t at = q->noun + 1;
    bool a = wording_among(clause_text(c, at + 1), " a an ");
    if (!wording_among(clause_text(c, at), " have has had received got ") ||
        !(a || str_is(clause_text(c, at + 1), "been")))
        return false;
    q->deed = DEED_KNOWN;
    q->word = at + 2;
    q->last = q->word + 1;
    return !a || q->last == c->end; /* "a rating of 5" */
}

/* Whether the column is the one that is known: "rated", of `avg_rating`. */
static bool is_known(const struct count_claim *q, const struct fact_column *c)
{
    struct str word = clause_text(&q->clause, q->word);
    return (c->adds || c->dated) && (column_name_resembles(c->name, word) ||
                                     column_is_done(c->name, word));
}

/* "Four flags are enabled", of `is_enabled`. */
static bool reads_flag(struct count_claim *q)
{
    const struct compare_clause *c = &q->clause;
    size_t at = q->noun + 1;
    at += wording_among(clause_text(c, at), " currently still now ");
    if (!wording_among(clause_text(c, at), " are is was were "))
        return false;
    at += 1 + wording_among(clause_text(c, at + 1), " currently still now ");
    q->deed = DEED_FLAG;
    q->word = at;
    return flag_word(c, at, &q->up);
}

/* "Five of the ten customers are based in Germany." */
static bool reads_text(struct count_claim *q)
{
    static const char places[] = " from in due made kept held on ";
    const struct compare_clause *c = &q->clause;
    size_t at = q->noun + 1;
    struct str verb = clause_text(c, at), next = clause_text(c, at + 1);
    bool is = wording_among(verb, " are is was were come comes ") &&
              (wording_among(next, places) || str_ends(next, STR("ed")));
    bool belongs =
        wording_among(verb, " belong belongs ") && str_is(next, "to");
    bool state = wording_among(verb, " are is was were ") && at + 1 < c->end &&
                 clause_in_subject(c, at + 1); /* "are filled" */
    if (!(is || belongs || state) || c->s->n_subjects != 1 ||
        c->s->subjects->from < clause_word(c, at + (state ? 0 : 1))->to)
        return false;
    q->deed = DEED_TEXT;
    q->word = at + 1;
    return true;
}

static bool read_deed(struct count_claim *q)
{
    const struct compare_clause *c = &q->clause;
    size_t n = 0;
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        bool number = f->kind == FIGURE_NUMBER || f->kind == FIGURE_PERCENT;
        bool of_amount = f->from >= clause_word(c, q->from)->from &&
                         f->to <= clause_word(c, q->noun)->from;
        bool zero = f->spelled && f->value == 0;
        if (!clause_has_figure(c, f) || of_amount || f->kind == FIGURE_PERIOD ||
            f->kind == FIGURE_MONTH || zero)
            continue;
        if (!number || n++ || !read_bound(q, f))
            return false;
    }
    for (size_t i = c->word; i < c->end; i++) {
        struct str word = clause_text(c, i);
        bool up = prose_says(word, PROSE_UP) || clause_improves(c, i),
             profit = wording_among(word, " profit profitable positive "),
             money = str_is(clause_text(c, i + 1), "money") &&
                     wording_among(word, " lost loses lose losing ");
        bool zero = wording_among(clause_text(c, i + 1), " below above ") &&
                    str_is(clause_text(c, i + 2), "zero");
        if (zero && !q->deed) { /* "fell below zero" */
            q->deed = DEED_SIGN;
            q->up = str_is(clause_text(c, i + 1), "above");
            q->word = i + 1;
            i += 2;
            continue;
        }
        if (n || (!up && !profit && !prose_says(word, PROSE_DOWN) && !money &&
                  !wording_among(word, " loss losses negative unprofitable ")))
            continue;
        if (q->deed && q->word + 1 != i)
            return false;
        q->deed = up || prose_says(word, PROSE_DOWN) ? DEED_CHANGE : DEED_SIGN;
        q->up = up || profit;
        q->word = i;
    }
    return q->deed != DEED_NONE || reads_flag(q) || reads_zero(q) ||
           reads_known(q) || reads_text(q);
}

/* A word says what is done in other columns, and not in this one. */
static bool is_of_other_deed(const struct count_claim *q,
                             const struct fact_column *of)
{
    const struct compare_clause *c = &q->clause;
    for (size_t i = q->noun + 1; i < c->end; i++)
        if (!clause_in_subject(c, i) && !clause_names_column(c, i) &&
            clause_deed_of_some(c, clause_text(c, i)) &&
            !column_is_of_deed(of->name, clause_text(c, i)))
            return true;
    return false;
}

static const char averages[] = " average averages averaged ";

/* "Milk output fell every month": nouns at the start, of which the deed is. */
static bool is_said_of(const struct count_claim *q, size_t i)
{
    enum { NOUNS = 3 };
    const struct compare_clause *c = &q->clause;
    size_t deed = q->word;
    if (str_is(clause_text(c, q->from), "never"))
        return i < q->from && q->from - c->word <= NOUNS &&
               !(clause_word(c, i)->says & ~(uint32_t)PROSE_COMMON);
    bool fell = q->deed == DEED_SIGN && deed > c->word &&
                (clause_word(c, deed - 1)->says & PROSE_DOWN);
    if (q->deed != DEED_CHANGE && q->deed != DEED_BOUND && q->deed != DEED_SIGN)
        return false;
    deed -= fell; /* "fell below zero" */
    while (deed > c->word &&
           wording_among(clause_text(c, deed - 1), " was were is are has "))
        deed--;
    return i < deed && deed < q->from && deed - c->word <= NOUNS &&
           !(clause_word(c, i)->says & ~(uint32_t)PROSE_COMMON) &&
           clause_text(c, i).ptr[0] > '9';
}

/* "Last year", which is the question's. */
static bool is_asked_time(const struct compare_clause *c, size_t i)
{
    static const char spans[] = " day week month quarter year ";
    struct str word = clause_text(c, i);
    size_t at = wording_among(word, spans) ? i - 1 : i;
    const struct wording_word *one = clause_word(c, at);
    return wording_among(clause_text(c, at), " last this past ") &&
           wording_among(clause_text(c, at + 1), spans) &&
           str_find_nocase(c->s->facts->of->question,
                           str_cut(c->s->wording->text, one->from,
                                   one[1].to - one->from)) >= 0;
}

/* "Of the period", at the end. */
static bool is_tail(const struct count_claim *q, size_t i)
{
    static const char since[] =
        " compared versus vs relative against year years "
        "previous ";
    const struct compare_clause *c = &q->clause;
    struct str word = clause_text(c, i);
    /* "Increased its harvest" */
    bool object = wording_among(clause_text(c, i - 1), " its their ") &&
                  !(clause_word(c, i)->says & ~(uint32_t)PROSE_COMMON);
    return i > q->word && i > q->noun &&
           (wording_among(word, " period shown ") || is_asked_time(c, i) ||
            (q->deed == DEED_CHANGE &&
             (object || wording_among(word, since))) ||
            (q->deed == DEED_KNOWN && wording_among(word, " least once ")));
}

/* "Fell below 90 %": a level, and not a change. */
static bool is_level_verb(const struct count_claim *q, size_t i)
{
    return q->deed == DEED_BOUND && i + 1 == q->word &&
           wording_among(clause_text(&q->clause, q->word),
                         q->up ? " above " : " below under ") &&
           (clause_word(&q->clause, i)->says & (q->up ? PROSE_UP : PROSE_DOWN));
}

/* "At least one job": the bound is of a column that has this noun, if there is
 * one. */
static bool bounds_other(const struct count_claim *q,
                         const struct fact_table *t, size_t column)
{
    const struct compare_clause *c = &q->clause;
    size_t at = q->word;
    while (at < c->end && clause_word(c, at)->from <= q->bound->from)
        at++;
    struct str noun = clause_text(c, at);
    bool some = false;
    for (size_t i = 0; i < t->n_columns && noun.len > 2; i++)
        some = some || (t->columns[i].adds &&
                        column_name_has(t->columns[i].name, noun));
    return some && !column_name_has(t->columns[column].name, noun);
}

/* No word of the clause is left that could say something else. */
static bool reads_all(const struct count_claim *q)
{
    static const char bounds[] =
        " more less fewer greater higher larger lower smaller least most over "
        "above below under exceed exceeds exceeded exceeding surpass surpassed "
        "reach reaches reached hit ";
    const struct compare_clause *c = &q->clause;
    if (!facts_work(c->s->facts, (c->end - c->word) *
                                     (c->s->n_figures + c->s->n_subjects + 8)))
        return false;
    for (size_t i = c->word; i < c->end; i++) {
        struct str word = clause_text(c, i);
        bool percent =
            q->deed == DEED_BOUND && q->bound->kind == FIGURE_PERCENT;
        bool unit = q->deed == DEED_BOUND && q->bound->measure != UNIT_NONE &&
                    unit_of_word(word) == (enum unit)q->bound->measure;
        bool read = unit || (q->deed == DEED_BOUND && str_is(word, "each")) ||
                    (i >= q->from && i <= q->noun) || i == q->word ||
                    wording_among(word, fillers) || figure_at(c, i) ||
                    (q->deed == DEED_BOUND && wording_among(word, bounds)) ||
                    (percent && prose_says(word, PROSE_UP) && q->up) ||
                    (percent && wording_among(word, " by share ")) ||
                    (q->deed == DEED_SIGN && str_is(word, "money")) ||
                    (q->deed == DEED_SIGN && i + 1 == q->word &&
                     (clause_word(c, i)->says & PROSE_DOWN)) ||
                    (i == q->last && i < q->tail) ||
                    (q->deed == DEED_BOUND && wording_among(word, averages)) ||
                    (q->deed == DEED_HAS && i > q->noun && i < q->word) ||
                    (q->except < c->s->n_subjects && i < c->end &&
                     wording_among(word, excepts)) ||
                    (q->deed == DEED_TEXT &&
                     wording_among(word, " from come comes due made kept held "
                                         "belong belongs category group "
                                         "segment type ")) ||
                    is_said_of(q, i) || is_tail(q, i) || is_level_verb(q, i) ||
                    (i < q->word && is_asked_verb(q, i)) ||
                    clause_in_subject(c, i) || clause_names_column(c, i) ||
                    clause_deed_of_some(c, word) || clause_form_of_some(c, i);
        if (!read)
            return false;
    }
    return true;
}

/* ---- judging -------------------------------------------------------------- */

static bool row_does(const struct count_claim *q, const struct fact_column *c,
                     double x)
{
    double than = q->deed == DEED_BOUND ? fact_bound(c, q->bound) : 0;
    if (q->deed == DEED_HAS)
        return x > 0;
    if (q->deed == DEED_ZERO)
        return x == 0;
    return (q->with && x == than) || (q->up ? x > than : x < than);
}

static bool has_negative(const struct fact_column *c)
{
    return c->sorted[0].value < 0;
}

/* Whether the column may be the one of which the deed is. */
static bool fits_deed(const struct count_claim *q, const struct fact_table *t,
                      size_t column, bool named)
{
    const struct fact_column *c = &t->columns[column];
    bool percent = q->deed == DEED_BOUND && q->bound->kind == FIGURE_PERCENT &&
                   c->percent && clause_may_concern(&q->clause, t, column);
    bool other = q->deed == DEED_BOUND && q->bound->other_unit > 0 &&
                 fact_factor(c, q->bound) == 1; /* it is in another unit */
    if ((!percent && !clause_concerns(&q->clause, t, column)) || other ||
        is_of_other_deed(q, c))
        return false;
    if (clause_has(&q->clause, averages) &&
        str_find_nocase(c->name, STR("avg")) < 0 &&
        str_find_nocase(c->name, STR("average")) < 0)
        return false;
    if (q->deed == DEED_SIGN)
        return named || has_negative(c);
    if (q->deed == DEED_BOUND && bounds_other(q, t, column))
        return false;
    if (q->deed == DEED_ZERO || q->deed == DEED_HAS) {
        struct compare_clause name = {q->clause.s, q->word + 1, q->last};
        return named && clause_names_whole(&name, c->name) &&
               (q->deed == DEED_ZERO || !c->percent);
    }
    if (q->deed == DEED_BOUND && q->bound->kind == FIGURE_PERCENT &&
        !is_level_verb(q, q->word - 1) &&
        clause_says(&q->clause, PROSE_UP | PROSE_DOWN))
        return c->change;
    return q->deed != DEED_BOUND ||
           (q->bound->kind == FIGURE_PERCENT) == c->percent;
}

/* Whether some column of the table shows the claim; *looked: there is one. */
static bool table_shows(const struct count_claim *q, const struct fact_table *t,
                        const struct scope_rows *rows, bool *looked)
{
    size_t size = rows->n ? rows->n : t->n_rows;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        size_t n = 0, of = 0;
        bool known = q->deed == DEED_KNOWN;
        if (!(known ? is_known(q, c)
                    : fits_deed(q, t, i, clause_names(&q->clause, c->name))) ||
            !facts_work(q->clause.s->facts, size))
            continue;
        for (size_t k = 0; known && k < size; k++) {
            size_t row = rows->n ? rows->rows[k] : k;
            n += c->days ? c->days[row] != INT64_MIN : !isnan(c->values[row]);
        }
        for (size_t k = 0; !known && k < size; k++) {
            double x = c->values[rows->n ? rows->rows[k] : k];
            of += !isnan(x);
            n += !isnan(x) && row_does(q, c, x);
        }
        of = known ? size : of;
        /* NULL is none; and of rates and averages, 0 is one. */
        if (q->deed == DEED_ZERO && (c->percent || c->averages) && of < size)
            n = 0;
        if (q->deed == DEED_ZERO || q->deed == DEED_HAS) {
            n += q->deed == DEED_ZERO ? size - of : 0;
            of = size;
        }
        *looked = true;
        if (count_amount_holds(q, n, of))
            return true;
        /* "Her two songs reached 80,000" together. */
        double sum = rows->n ? rows_sum(c, rows) : c->sum;
        if (q->deed == DEED_BOUND && q->with && figure_near(q->bound, sum))
            return true;
    }
    return false;
}

/* ---- the whole ------------------------------------------------------------ */

/* "Average" that is no part of a column's name. */
static bool is_of_average(const struct compare_clause *c)
{
    const struct facts *facts = c->s->facts;
    if (!clause_has(c, " average "))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++)
        for (size_t i = 0; i < facts->tables[t].n_columns; i++)
            if (facts->tables[t].columns[i].averages &&
                clause_names(c, facts->tables[t].columns[i].name))
                return false;
    return true;
}

/* "In every month, sales grew": what comes first names no deed. */
static struct compare_clause whole_clause(const struct compare_clause *c)
{
    struct compare_clause out = *c;
    size_t last = c->s->sentence->word + c->s->sentence->n_words;
    if (wording_among(clause_text(c, c->word),
                      " in across for during throughout ") &&
        c->end < last && c->end - c->word < 8)
        out.end = clause_end(c->s, c->end);
    return out;
}

/* The rows with the text, if those that are counted are rows of the table: the
 * noun says so, or "of the ten", which is how many there are. */
static bool text_rows(const struct count_claim *q, size_t table,
                      struct scope_rows *rows)
{
    const struct grounding_sentence *s = q->clause.s;
    const struct fact_table *t = &s->facts->tables[table];
    bool period = !s->subjects->place;
    bool of_all = (q->of && q->of->kind == FIGURE_NUMBER &&
                   q->of->value == (double)t->n_rows) ||
                  (str_is(clause_text(&q->clause, q->noun), "them") &&
                   str_is(clause_text(&q->clause, q->noun - 1), "of"));
    /* "Three orders" may be those of a column, rather than rows. */
    of_all =
        of_all ||
        (!period && column_name_has(t->columns[s->subjects->place->column].name,
                                    clause_text(&q->clause, q->noun)));
    bool things = period && table_has_things(t) &&
                  !clause_names_column(&q->clause, q->noun);
    if (!t->whole ||
        !(things || of_all ||
          table_counts_rows(s->facts, t, clause_text(&q->clause, q->noun))))
        return false;
    *rows = mention_rows(s, s->subjects, table);
    return rows->n > 0;
}

/* "In September", of which alone the question asks: it narrows nothing. */
static bool is_asked_period(const struct facts *facts,
                            const struct row_mention *m)
{
    const struct figure *asked = NULL;
    size_t n = 0;
    int64_t year;
    int month, day;
    for (size_t i = 0; i < facts->asked.n; i++)
        if (figure_names_period(&facts->asked.items[i])) {
            asked = &facts->asked.items[i];
            n++;
        }
    if (m->place || n != 1)
        return false;
    if (asked->kind == FIGURE_MONTH || m->period.kind == FIGURE_PERIOD)
        return asked->kind == m->period.kind &&
               asked->first == m->period.first &&
               asked->last == m->period.last && asked->month == m->period.month;
    figure_date(asked->first, &year, &month, &day);
    return month == m->period.month && asked->last - asked->first < 31;
}

enum count_verdict clause_counts(const struct compare_clause *clause,
                                 size_t word)
{
    struct count_claim q = {.clause = *clause,
                            .except = clause_exception(clause)};
    bool looked = false, left_out = q.except != SIZE_MAX;
    if (!read_amount(&q, word) || (!left_out && clause_is_unsure(clause)))
        return COUNT_UNREAD;
    q.clause = whole_clause(clause);
    if (!read_deed(&q) || !reads_all(&q) ||
        (!left_out && clause_is_unsure(&q.clause)) ||
        (left_out && q.deed == DEED_TEXT) || is_of_average(&q.clause))
        return COUNT_UNREAD;
    const struct grounding_sentence *s = clause->s;
    bool range = count_is_of_range(&q);
    size_t n_subjects = s->n_subjects;
    if (n_subjects == 1 && is_asked_period(s->facts, s->subjects))
        n_subjects = 0;
    if (n_subjects > 1 && !range)
        return COUNT_UNREAD;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows rows = {0};
        if (q.deed == DEED_TEXT) {
            if (!text_rows(&q, t, &rows))
                continue;
            looked = true;
            if (count_amount_holds(&q, rows.n, table->n_rows))
                return COUNT_RIGHT;
            continue;
        }
        bool of_all = q.of && q.of->kind == FIGURE_NUMBER && table->whole &&
                      table->n_rows > 1 && table_has_things(table) &&
                      q.of->value == (double)table->n_rows;
        struct str noun = clause_text(&q.clause, q.noun);
        noun = str_is(noun, "never") ? STR("periods") : noun;
        if (!of_all && !table_counts_rows(s->facts, table, noun))
            continue;
        /* What grew in rows of several days is not read. */
        if (q.deed == DEED_CHANGE && table->period < table->n_columns &&
            !table_counts_periods(table, noun))
            continue;
        if (range)
            rows = count_range_rows(&q, t);
        else if (left_out)
            rows = rows_without(s, s->subjects, t);
        else if (n_subjects)
            rows = mention_rows(s, s->subjects, t);
        if (q.deed == DEED_FLAG) {
            size_t n, of = rows.n ? rows.n : table->n_rows;
            if (!flag_count(&q.clause, table, &rows, q.word, &n))
                continue;
            looked = true;
            if (count_amount_holds(&q, q.up ? n : of - n, of))
                return COUNT_RIGHT;
            continue;
        }
        if ((n_subjects && rows.n < 2) ||
            (q.deed == DEED_CHANGE &&
             ((rows.n && !range) || clause_has(clause, " each "))))
            return COUNT_UNREAD;
        if (q.deed == DEED_CHANGE ? count_changes_in(&q, table, &rows, &looked)
                                  : table_shows(&q, table, &rows, &looked))
            return COUNT_RIGHT;
    }
    return looked ? COUNT_WRONG : COUNT_UNREAD;
}
