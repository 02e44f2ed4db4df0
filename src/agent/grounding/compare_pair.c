/* compare_pair.c - one against another: "Dallas made more than Houston", "twice
 * as many as in May", "more orders than returns"; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include "prose.h"
#include <math.h>
#include "base/banned.h"

/* ---- two texts, or two periods -------------------------------------------- */

struct pair {
    struct row_mention side[2]; /* before and after the comparing words */
    struct row_mention joint;   /* what both sides share: "in the North" */
    bool has_joint;
    bool any;    /* any column of numbers may be meant */
    bool amount; /* "more coffee than": no price, average or share */
};

/* The only subjects of their kind before and after two places of the text;
 * false: the clause has others. */
static bool read_sides(const struct compare_clause *c, size_t from, size_t to,
                       bool period, struct pair *out)
{
    const struct row_mention *side[2] = {NULL, NULL};
    out->any = out->amount = false;
    for (size_t i = 0; i < c->s->n_subjects; i++) {
        const struct row_mention *m = &c->s->subjects[i];
        if ((m->place == NULL) != period || !clause_holds(c, m))
            continue;
        size_t k = m->from >= to;
        if (side[k] || (!k && m->to > from))
            return false;
        side[k] = m;
    }
    if (!side[0] || !side[1] ||
        (!period && side[0]->place == side[1]->place &&
         side[0]->also == side[1]->also))
        return false;
    out->side[0] = *side[0];
    out->side[1] = *side[1];
    return true;
}

/* Whether two subjects say different things: of two columns, or of time. */
static bool differ_in_kind(const struct row_mention *a,
                           const struct row_mention *b)
{
    return !a->place || !b->place || a->place->table != b->place->table ||
           (a->place->column != b->place->column && !a->also && !b->also);
}

/* "In the North, Retail outsold Online": what else the sentence names. False:
 * it names too much. */
static bool read_joint(const struct compare_clause *c, struct pair *p)
{
    p->has_joint = false;
    for (size_t i = 0; i < c->s->n_subjects; i++) {
        const struct row_mention *m = &c->s->subjects[i];
        if (m->from == p->side[0].from || m->from == p->side[1].from)
            continue;
        if (p->has_joint || !differ_in_kind(m, &p->side[0]) ||
            !differ_in_kind(m, &p->side[1]))
            return false;
        p->joint = *m;
        p->has_joint = true;
    }
    return true;
}

static bool read_pair(const struct compare_clause *c, size_t from, size_t to,
                      struct pair *p)
{
    return (read_sides(c, from, to, false, p) ||
            read_sides(c, from, to, true, p)) &&
           read_joint(c, p);
}

/* "Retail outsold Online in the South": both may be of the South. False: they
 * share nothing. */
static bool share(struct pair *p)
{
    struct row_mention *one = &p->side[0], *two = &p->side[1];
    if (!one->place || !two->place ||
        (one->also == NULL) == (two->also == NULL))
        return false;
    struct row_mention *less = one->also ? two : one,
                       *more = one->also ? one : two;
    less->also =
        less->place->column == more->place->column ? more->also : more->place;
    return less->also->column != less->place->column;
}

/* "At every clinic", "in each month": the column of the texts or times that the
 * sentence goes through; n_columns: none. */
static size_t each_of(const struct compare_clause *c,
                      const struct fact_table *t)
{
    static const char *const grains[] = {"day", "month", "quarter", "year"};
    struct compare_clause all = {c->s, c->s->sentence->word,
                                 c->s->sentence->word +
                                     c->s->sentence->n_words};
    if (clause_has(&all, " but except apart excluding "))
        return t->n_columns;
    for (size_t i = all.word; i + 1 < all.end; i++) {
        if (!wording_among(clause_text(&all, i), " every each "))
            continue;
        for (size_t k = 0; k < t->n_columns; k++)
            if (!t->columns[k].adds && !t->columns[k].dated &&
                column_name_has(t->columns[k].name, clause_text(&all, i + 1)))
                return k;
        if (t->period < t->n_columns &&
            str_is(clause_text(&all, i + 1),
                   grains[t->columns[t->period].grain]))
            return t->period;
    }
    return t->n_columns;
}

/* The rows of `among` with the date of one of them. */
static struct scope_rows rows_of_day(struct facts *facts,
                                     const struct fact_column *dates,
                                     const struct scope_rows *among,
                                     int64_t day)
{
    struct scope_rows out = {
        .rows = arena_new_array(facts->arena, size_t, among->n + 1)};
    for (size_t i = 0; i < among->n; i++)
        if (dates->days[among->rows[i]] == day)
            out.rows[out.n++] = among->rows[i];
    return out;
}

/* The same of each date of the rows. */
static bool fits_days(struct facts *facts, const struct fact_column *dates,
                      const struct fact_column *column,
                      const struct scope_rows *a, const struct scope_rows *b,
                      bool (*fits)(double, double, const void *),
                      const void *with)
{
    for (size_t i = 0; i < a->n; i++) {
        int64_t day = dates->days[a->rows[i]];
        if (!facts_work(facts, a->n + b->n))
            return true;
        struct scope_rows one = rows_of_day(facts, dates, a, day),
                          two = rows_of_day(facts, dates, b, day);
        if (day != INT64_MIN && two.n &&
            !fits(rows_sum(column, &one), rows_sum(column, &two), with))
            return false;
    }
    return true;
}

/* Whether `fits` is true of the two sums in the rows of each text of a column. */
static bool fits_each(struct facts *facts, const struct fact_table *t,
                      size_t each, const struct fact_column *column,
                      const struct scope_rows *a, const struct scope_rows *b,
                      bool (*fits)(double, double, const void *),
                      const void *with)
{
    size_t table = (size_t)(t - facts->tables);
    if (t->columns[each].dated)
        return fits_days(facts, &t->columns[each], column, a, b, fits, with);
    for (struct map_entry *e = NULL; (e = map_next(&facts->places, e));) {
        const struct fact_place *place = e->value;
        if (!facts_work(facts, 1))
            return true;
        if (place->table != table || place->column != each)
            continue;
        struct scope_rows of = scope_of_place(facts, place, table);
        struct scope_rows one = rows_of_both(facts, a, &of),
                          two = rows_of_both(facts, b, &of);
        if (one.n && two.n &&
            !fits(rows_sum(column, &one), rows_sum(column, &two), with))
            return false;
    }
    return true;
}

/* Calls `fits` with the two sums of each column that the clause may be about.
 * True: there are some, and none fits. */
static bool no_column_fits(const struct compare_clause *c, const struct pair *p,
                           bool (*fits)(double, double, const void *),
                           const void *with)
{
    const struct grounding_sentence *s = c->s;
    bool looked = false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        struct scope_rows a = mention_rows(s, &p->side[0], t),
                          b = mention_rows(s, &p->side[1], t);
        if (p->has_joint) {
            struct scope_rows both = mention_rows(s, &p->joint, t);
            a = rows_of_both(s->facts, &a, &both);
            b = rows_of_both(s->facts, &b, &both);
        }
        if (!a.n || !b.n)
            continue;
        size_t each = each_of(c, table);
        for (size_t i = 0; i < table->n_columns; i++) {
            const struct fact_column *column = &table->columns[i];
            if (p->any ? !column->adds || !column->n_sorted
                       : !clause_concerns(c, table, i))
                continue;
            if (p->amount && (column->averages || column->percent) &&
                !clause_names(c, column->name))
                continue;
            looked = true;
            if (!facts_work(s->facts, a.n + b.n) ||
                (fits(rows_sum(column, &a), rows_sum(column, &b), with) &&
                 (each == table->n_columns ||
                  fits_each(s->facts, table, each, column, &a, &b, fits,
                            with))))
                return false;
        }
    }
    return looked;
}

/* Both readings of what the sides share are wrong. */
static bool pair_contradicts(const struct compare_clause *c, struct pair *p,
                             bool (*fits)(double, double, const void *),
                             const void *with)
{
    return no_column_fits(c, p, fits, with) &&
           (!share(p) || no_column_fits(c, p, fits, with));
}

static bool is_order(double a, double b, const void *with)
{
    return value_goes(b, a, *(const bool *)with);
}

/* ---- two columns of the same rows ----------------------------------------- */

/* The only column that words of the clause name: by its name, or by the period
 * in it. n_columns: none, or several. */
static size_t column_in(const struct compare_clause *c, size_t from, size_t to,
                        const struct fact_table *t)
{
    struct compare_clause part = {c->s, from, to};
    size_t named = t->n_columns, timed = t->n_columns, n_named = 0, n_timed = 0;
    if (from >= to || !facts_work(c->s->facts, t->n_columns * (to - from)))
        return t->n_columns;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *column = &t->columns[i];
        if (!column->adds || !column->n_sorted)
            continue;
        if (clause_names(&part, column->name) &&
            !clause_names_more(&part, t, i)) {
            named = i;
            n_named++;
        } else if (clause_has_period(&part, column)) {
            timed = i;
            n_timed++;
        }
    }
    return n_named == 1               ? named
           : !n_named && n_timed == 1 ? timed
                                      : t->n_columns;
}

/* The word that is between what is compared: the "than" after the word, or the
 * word itself, if it is a verb. c->end: it compares nothing here. */
static size_t middle_of(const struct compare_clause *c, size_t at)
{
    static const char verbs[] =
        " exceed exceeds exceeded exceeding outnumber outnumbers outnumbered "
        "surpass surpasses surpassed twice thrice times double triple half "
        "third quarter ";
    static const char states[] = " is was are were stayed remained lay lies ";
    struct str word = clause_word(c, at)->lower;
    for (size_t i = at + 1; i < c->end; i++)
        if (str_is(clause_word(c, i)->lower, "than"))
            return i;
    bool verb = wording_among(word, verbs) ||
                (wording_among(word, " above below ") && at > c->word &&
                 wording_among(clause_word(c, at - 1)->lower, states));
    return verb ? at : c->end;
}

/* The two columns around the word that compares. */
static bool read_columns(const struct compare_clause *c, size_t at,
                         const struct fact_table *t, size_t column[2])
{
    size_t middle = middle_of(c, at);
    if (middle == c->end)
        return false;
    column[0] = column_in(c, c->word, middle, t);
    column[1] = column_in(c, middle + 1, c->end, t);
    if (column[0] == t->n_columns)
        column[0] = column_in(c, c->s->sentence->word, middle, t);
    return column[0] < t->n_columns && column[1] < t->n_columns &&
           column[0] != column[1] &&
           t->columns[column[0]].percent == t->columns[column[1]].percent;
}

/* The rows that the clause is about; false: it names several. */
static bool rows_of_clause(const struct compare_clause *c, size_t table,
                           struct scope_rows *rows)
{
    const struct row_mention *text = clause_subject(c, false),
                             *period = clause_subject(c, true);
    size_t texts = 0, periods = 0;
    for (size_t i = 0; i < c->s->n_subjects; i++)
        if (clause_holds(c, &c->s->subjects[i])) {
            texts += c->s->subjects[i].place != NULL;
            periods += c->s->subjects[i].place == NULL;
        }
    if ((texts && !text) || (periods && !period))
        return false;
    *rows = (struct scope_rows){0};
    if (text)
        *rows = mention_rows(c->s, text, table);
    if (period) {
        struct scope_rows of = mention_rows(c->s, period, table);
        *rows = text ? rows_of_both(c->s->facts, rows, &of) : of;
    }
    return rows->n || (!text && !period);
}

static bool columns_contradict(const struct compare_clause *c, size_t at,
                               bool (*fits)(double, double, const void *),
                               const void *with)
{
    const struct facts *facts = c->s->facts;
    bool looked = false;
    if (clause_says(c, PROSE_CHANGE) || clause_says(c, PROSE_RATIO) ||
        clause_says(c, PROSE_SOME))
        return false;
    for (size_t t = 0; t < facts->n_tables; t++) {
        const struct fact_table *table = &facts->tables[t];
        struct scope_rows rows;
        size_t column[2];
        if (!read_columns(c, at, table, column) || !rows_of_clause(c, t, &rows))
            continue;
        const struct fact_column *a = &table->columns[column[0]],
                                 *b = &table->columns[column[1]];
        if ((!rows.n && !table->whole) || (a->percent && rows.n != 1) ||
            !facts_work(c->s->facts, rows.n))
            return false;
        looked = true;
        if (fits(rows.n ? rows_sum(a, &rows) : a->sum,
                 rows.n ? rows_sum(b, &rows) : b->sum, with))
            return false;
    }
    return looked;
}

/* "50 more orders than in September", "than before". */
static bool is_than_before(const struct compare_clause *c, size_t word)
{
    static const char times[] = " before previous last prior earlier in ";
    size_t than = middle_of(c, word);
    if (word == c->word || than == c->end || than + 1 >= c->end ||
        !wording_among(clause_word(c, word)->lower, " more fewer less "))
        return false;
    bool counted = false;
    for (size_t i = 0; i < c->s->n_figures; i++)
        counted =
            counted || (c->s->figures[i].to <= clause_word(c, word)->from &&
                        clause_word(c, word)->from - c->s->figures[i].to <= 1);
    struct str next = clause_word(c, than + 1)->lower;
    bool the = str_is(next, "the") && than + 2 < c->end;
    return counted &&
           wording_among(the ? clause_word(c, than + 2)->lower : next, times);
}

bool clause_wrong_pair(const struct compare_clause *c, size_t word)
{
    /* "180 per kilogram, more than twice what Rome has": of no column. */
    struct compare_clause before = {c->s, c->s->sentence->word, word};
    if (clause_says(&before, PROSE_RATIO) &&
        !clause_has(&before, " every each "))
        return false;
    return clause_wrong_order(c, word, clause_word(c, word)->says & PROSE_MORE);
}

/* "Lakeview had 5 visits, more than Riverside", "which is more than": the clause
 * goes on with what the one before compares. */
static struct compare_clause with_before(const struct compare_clause *c,
                                         size_t word)
{
    static const char links[] =
        " which that is was are were just slightly well "
        "narrowly far comfortably still putting it ";
    struct compare_clause out = *c;
    size_t at = c->word, first = c->s->sentence->word;
    bool ahead = wording_among(clause_text(c, word), " ahead behind ");
    for (size_t t = 0; t < c->s->facts->n_tables; t++)
        ahead = ahead && !table_has_bad(&c->s->facts->tables[t]);
    while (at < word && wording_among(clause_word(c, at)->lower, links))
        at++;
    if (at != word || c->word == first ||
        !(ahead || str_is(clause_text(c, word + 1), "than")))
        return out;
    for (size_t end; (end = clause_end(c->s, first)) < c->word;)
        first = end;
    out.word = first;
    return out;
}

/* "More coffee than", and not "more expensive than". */
static bool is_amount(const struct compare_clause *c, size_t word)
{
    static const char *const adjectives[] = {"ive", "ful", "ble", "ent",
                                             "ant", "ous", "al",  "ic",
                                             "ed",  "ing", "ly",  "lar"};
    struct str noun = clause_text(c, word + 1);
    if (!wording_among(clause_text(c, word), " more less fewer ") ||
        !str_is(clause_text(c, word + 2), "than"))
        return false;
    for (size_t i = 0; i < sizeof adjectives / sizeof *adjectives; i++)
        if (str_ends(noun, str_of(adjectives[i])))
            return false;
    return true;
}

bool clause_wrong_order(const struct compare_clause *clause, size_t word,
                        bool more)
{
    struct compare_clause whole = with_before(clause, word);
    const struct compare_clause *c = &whole;
    struct pair p;
    if (clause_says(c, PROSE_NEGATION))
        return false;
    if (read_pair(c, clause_word(c, word)->from, clause_word(c, word)->to,
                  &p)) {
        p.amount = is_amount(c, word);
        return pair_contradicts(c, &p, is_order, &more);
    }
    /* "More orders were returned than delivered" */
    size_t than = middle_of(c, word);
    if (than < c->end && than > word &&
        read_pair(c, clause_word(c, than)->from, clause_word(c, than)->to, &p))
        return pair_contradicts(c, &p, is_order, &more);
    return columns_contradict(c, word, is_order, &more) ||
           (is_than_before(c, word) && clause_wrong_since(c, more));
}

/* ---- ratios --------------------------------------------------------------- */

static bool is_ratio(double a, double b, const void *with)
{
    const struct figure *f = with;
    double by = f->kind == FIGURE_PERCENT ? 100 : 1;
    return b == 0 || figure_near(f, by * a / b) ||
           (f->kind == FIGURE_TIMES && figure_near(f, a / b - 1));
}

bool clause_wrong_times(const struct compare_clause *c, const struct figure *f)
{
    static const char links[] =
        " of the what that those as many much in for s "
        "a an long large high big often frequently fast quickly "
        "did made sold had its were was times than "
        "more ";
    size_t next = c->word;
    struct pair p;
    if (f->change || (f->kind != FIGURE_TIMES && f->kind != FIGURE_PERCENT) ||
        clause_says(c, PROSE_NEGATION))
        return false;
    while (next < c->end && clause_word(c, next)->from < f->to)
        next++;
    if (next == c->end ||
        (f->kind == FIGURE_PERCENT &&
         !wording_among(clause_word(c, next)->lower, " of the as what that ")))
        return false;
    if (read_pair(c, f->from, f->to, &p))
        return only_between(c->s, f->to, p.side[1].from, links) &&
               pair_contradicts(c, &p, is_ratio, f);
    return columns_contradict(c, next - 1, is_ratio, f);
}

/* ---- differences ------------------------------------------------------------ */

static bool is_difference(double a, double b, const void *with)
{
    const struct figure *f = with;
    double by = fabs(a - b);
    bool shares = f->kind == FIGURE_POINTS || f->kind == FIGURE_PERCENT;
    return figure_near(f, by) || (shares && figure_near(f, 100 * by)) ||
           (f->kind == FIGURE_PERCENT &&
            ((b != 0 && figure_near(f, 100 * by / fabs(b))) ||
             (a != 0 && figure_near(f, 100 * by / fabs(a)))));
}

/* "(310)": the value of what comes before it. */
static bool in_brackets(const struct compare_clause *c, const struct figure *f)
{
    struct str before = str_cut(c->s->wording->text, 0, f->from);
    return str_ends(before, STR("(")) || str_ends(before, STR("($")) ||
           str_ends(before, STR("(**"));
}

bool clause_wrong_difference(const struct compare_clause *c,
                             const struct figure *f)
{
    static const char links[] =
        " percentage percent points point lower higher more less fewer greater "
        "larger smaller ahead above below behind clear than of s the in for that "
        "those ";
    static const char compares[] = " than ahead above below behind clear ";
    struct pair p;
    if ((f->kind != FIGURE_NUMBER && f->kind != FIGURE_POINTS &&
         f->kind != FIGURE_PERCENT) ||
        f->change || f->fraction || in_brackets(c, f) ||
        clause_says(c, PROSE_NEGATION) || !clause_has(c, compares) ||
        !read_pair(c, f->from, f->to, &p) ||
        !only_between(c->s, f->to, p.side[1].from, links))
        return false;
    p.any = true;
    struct compare_clause between = {c->s, c->word, c->end};
    while (between.word < between.end &&
           clause_word(&between, between.word)->from < f->to)
        between.word++;
    while (between.end > between.word &&
           clause_word(&between, between.end - 1)->from >= p.side[1].from)
        between.end--;
    return between.word < between.end && clause_has(&between, compares) &&
           pair_contradicts(c, &p, is_difference, f);
}
