/* compare.c - checks comparisons in words against the rows that they name; see
 * compare.h. */
#include "compare_clause.h"
#include "column_name.h"
#include <math.h>
#include "base/banned.h"

/* ---- places in an order ------------------------------------------------- */

unsigned clause_place_of(struct str word)
{
    static const char *const places[] = {"first", "second", "third",   "fourth",
                                         "fifth", "sixth",  "seventh", "eighth",
                                         "ninth", "tenth"};
    for (unsigned i = 0; i < 10; i++)
        if (str_is(word, places[i]))
            return i + 1;
    if (word.len == 3 && word.ptr[0] >= '1' && word.ptr[0] <= '9' &&
        wording_among(str_from(word, 1), " st nd rd th "))
        return (unsigned)(word.ptr[0] - '0');
    return str_is(word, "10th") ? 10 : 0;
}

static bool ranks(const struct compare_clause *c, size_t i)
{
    static const char verbs[] = " ranks ranked rank comes came come placed "
                                "finished finishes places is was in ";
    static const char ends[] = " place highest largest biggest greatest best "
                               "most lowest smallest ranked rank position ";
    struct str before = i > c->word ? clause_word(c, i - 1)->lower : STR("");
    struct str earlier =
        i > c->word + 1 ? clause_word(c, i - 2)->lower : STR("");
    struct str next = i + 1 < c->end ? clause_word(c, i + 1)->lower : STR("");
    bool verb = wording_among(before, verbs) && !str_is(before, "in") &&
                (!next.len ||
                 wording_among(next, " with at by in and overall on for "));
    bool in = str_is(before, "in") && wording_among(earlier, verbs) &&
              (!next.len || wording_among(next, " with at by and place "));
    return verb || in || wording_among(next, ends);
}

/* Which ends of a column a place may be counted from: "second-highest" from the
 * top, "second-best" from either. */
enum place_end { FROM_TOP = 1, FROM_BOTTOM = 2, FROM_BOTH = 3 };

static enum place_end place_end_of(const struct compare_clause *c, size_t i)
{
    static const char top[] = " highest largest biggest greatest most ";
    static const char bottom[] = " lowest smallest fewest least ";
    struct str next = clause_text(c, i + 1), noun = clause_text(c, i + 2);
    bool unsure = clause_has(c, clause_losses) ||
                  (wording_among(next, " most least ") && noun.len &&
                   !str_ends(noun, STR("s")) && !clause_names_column(c, i + 2));
    return unsure                        ? FROM_BOTH
           : wording_among(next, top)    ? FROM_TOP
           : wording_among(next, bottom) ? FROM_BOTTOM
                                         : FROM_BOTH;
}

static bool has_place(const struct compare_clause *clause, size_t table,
                      size_t row, unsigned place, enum place_end end)
{
    const struct grounding_sentence *s = clause->s;
    const struct fact_table *t = &s->facts->tables[table];
    bool named = false; /* then it is no place in the order of the rows */
    for (size_t i = 0; i < t->n_columns; i++)
        named = named || (t->columns[i].adds && t->columns[i].n_sorted &&
                          clause_names(clause, t->columns[i].name));
    if (row == place - 1 && !named)
        return true;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        double x = c->values[row];
        if (!clause_concerns(clause, t, i) || isnan(x))
            continue;
        size_t below = fact_count_below(c, x, false),
               equal = fact_count_below(c, x, true) - below,
               above = c->n_sorted - below - equal;
        if (((end & FROM_TOP) && above < place && place <= above + equal) ||
            ((end & FROM_BOTTOM) && below < place && place <= below + equal))
            return true;
    }
    return false;
}

static bool wrong_place(const struct compare_clause *c, size_t i)
{
    unsigned place = clause_place_of(clause_word(c, i)->lower);
    const struct row_mention *m = clause_subject(c, false);
    enum place_end end = place_end_of(c, i);
    bool looked = false;
    if (!m &&
        end != FROM_BOTH) /* "May was the month with the second-highest" */
        m = clause_subject(c, true);
    if (!place || !m || !ranks(c, i) || clause_says(c, PROSE_NEGATION) ||
        clause_has(c, " missed misses missing ") || clause_leads_part(c))
        return false;
    for (size_t t = 0; t < c->s->facts->n_tables; t++) {
        const struct fact_table *table = &c->s->facts->tables[t];
        struct scope_rows rows = mention_rows(c->s, m, t);
        if (rows.n != 1 || table->n_rows < 2)
            continue;
        if (!table->whole || has_place(c, t, rows.rows[0], place, end))
            return false;
        looked = true;
    }
    return looked;
}

/* ---- two texts of one row ------------------------------------------------- */

/* A form of the name of a text's column: "managed by", of `manager`. */
static bool names_place(const struct compare_clause *c, struct str word,
                        const struct fact_place *place)
{
    return column_name_resembles(
        c->s->facts->tables[place->table].columns[place->column].name, word);
}

/* "Opened on 5 May", where a text is "open": what was done, and not a state. */
static bool is_dated(const struct compare_clause *c,
                     const struct row_mention *m)
{
    struct str after = str_from(c->s->wording->text, m->to);
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if ((f->kind == FIGURE_PERIOD || f->kind == FIGURE_MONTH) &&
            f->from > m->to && f->from - m->to <= 4 &&
            (str_starts(after, STR(" on ")) || str_starts(after, STR(" in "))))
            return true;
    }
    return false;
}

/* ", a Kenyan supplier,": the text, and at most a noun for rows, end here. */
static bool ends_apposition(const struct compare_clause *c,
                            const struct row_mention *to)
{
    const struct grounding_sentence *s = c->s;
    size_t last = s->sentence->word + s->sentence->n_words;
    struct compare_clause all = {s, s->sentence->word, last};
    size_t end = to->to;
    for (size_t i = all.word; i < last; i++)
        if (clause_word(&all, i)->from > to->to &&
            clause_counts_rows(&all, i)) {
            end = clause_word(&all, i)->to;
            break;
        } else if (clause_word(&all, i)->from > to->to)
            break;
    return end < s->wording->text.len &&
           strchr(",.)", s->wording->text.ptr[end]);
}

/* "Acme is a German company", "Acme belongs to Ann", "Ann manages Sales": one
 * text is said to be the other one's. */
static bool ascribes(const struct compare_clause *c,
                     const struct row_mention *of, const struct row_mention *to)
{
    static const char forms[] = " is was are were belongs belong works lives "
                                "operates resides sits report reports covers "
                                "cover serves oversees heads represents ";
    static const char links[] =
        " is was are were belongs belong works lives operates resides sits led "
        "report reports covers cover serves oversees heads represents "
        "run held kept made a an in from the of by to at on ";
    struct str text = c->s->wording->text;
    bool form = false, first = true;
    if (!of->place || !to->place || of->place->table != to->place->table ||
        of->place->column == to->place->column)
        return false;
    struct str gap = str_cut(text, of->to, to->from - of->to);
    while (gap.len && strchr(" *_\"'", gap.ptr[0]))
        gap = str_from(gap, 1);
    while (gap.len && strchr(" *_\"'", gap.ptr[gap.len - 1]))
        gap.len--;
    if (str_is(gap, "(") || str_is(gap, "by"))
        return true;
    if (str_is(gap, ", a") || str_is(gap, ", an") || str_is(gap, ", the"))
        return ends_apposition(c, to);
    if (is_dated(c, to))
        return false;
    for (size_t i = of->to; i < to->from; i++)
        if (strchr(",;:(|.", text.ptr[i]))
            return false;
    for (size_t i = c->word; i < c->end; i++) {
        const struct wording_word *word = clause_word(c, i);
        if (word->from < of->to || word->to > to->from)
            continue;
        bool name = names_place(c, word->lower, of->place) ||
                    names_place(c, word->lower, to->place);
        /* "Okafor's claim was" */
        if (first && (str_is(word->lower, "s") || clause_counts_rows(c, i)))
            continue;
        form = form || (first && wording_among(word->lower, forms)) || name;
        first = false;
        bool participle = form && str_ends(word->lower, STR("ed"));
        if (!name && !participle && !wording_among(word->lower, links))
            return false;
    }
    return form;
}

/* Whether the clause ascribes a text to another, and no row has both. */
static bool wrong_text(const struct compare_clause *c)
{
    const struct grounding_sentence *s = c->s;
    bool looked = false;
    if (clause_says(c, PROSE_NEGATION))
        return false;
    for (size_t i = 0; i + 1 < s->n_mentions; i++) {
        const struct row_mention *a = &s->mentions[i], *b = a + 1;
        if (!clause_holds(c, a) || !ascribes(c, a, b))
            continue;
        for (size_t t = 0; t < s->facts->n_tables; t++) {
            struct scope_rows of = mention_rows(s, a, t),
                              to = mention_rows(s, b, t);
            if (!of.n || !to.n)
                continue;
            if (!s->facts->tables[t].whole ||
                rows_of_both(s->facts, &of, &to).n)
                return false;
            looked = true;
        }
    }
    return looked;
}

/* ---- the whole ---------------------------------------------------------- */

/* "Berlin did better than Rome": more, unless a column is of what is bad. */
static bool wrong_better(const struct compare_clause *c, size_t i)
{
    for (size_t t = 0; t < c->s->facts->n_tables; t++)
        if (table_has_bad(&c->s->facts->tables[t]))
            return false;
    return clause_wrong_order(c, i, str_is(clause_word(c, i)->lower, "better"));
}

/* "UPS is slower than DHL": it takes more time. */
static bool wrong_speed(const struct compare_clause *c, size_t i)
{
    bool takes = false;
    for (size_t t = 0; t < c->s->facts->n_tables; t++)
        for (size_t k = 0; k < c->s->facts->tables[t].n_columns; k++)
            takes = takes || c->s->facts->tables[t].columns[k].takes;
    return takes &&
           clause_wrong_order(c, i, str_is(clause_word(c, i)->lower, "slower"));
}

/* "Went up", "is down 5 %": a direction, unlike "up to 5". */
static bool goes(const struct compare_clause *c, size_t i)
{
    static const char verbs[] =
        " went goes gone go going came ticked edged inched ";
    static const char states[] = " is was are were ";
    struct str word = clause_word(c, i)->lower;
    struct str before = i > c->word ? clause_word(c, i - 1)->lower : STR("");
    bool digit = i + 1 < c->end && clause_word(c, i + 1)->lower.ptr[0] <= '9';
    return wording_among(word, " up down ") &&
           (wording_among(before, verbs) ||
            (digit && wording_among(before, states)));
}

static const char only_up[] = " grow rise increase gain ";

/* "The only one to decline" */
static bool is_only_to(const struct compare_clause *c, size_t i)
{
    static const char down[] = " decline fall shrink drop decrease ";
    struct str word = clause_word(c, i)->lower;
    return i > c->word && str_is(clause_word(c, i - 1)->lower, "to") &&
           clause_has(c, " only ") &&
           (wording_among(word, only_up) || wording_among(word, down));
}

/* "Improved from 5 to 3", "the loss widened": changes whose direction depends on
 * what they are of. */
static bool wrong_course(const struct compare_clause *c, struct str word)
{
    bool better = str_is(word, "improved"),
         worse = wording_among(word, " worsened deteriorated "),
         wide = wording_among(word, " widened deepened narrowed ");
    return ((better || worse) &&
            (clause_goes_back(c, better) || (clause_wrong_change(c, true) &&
                                             clause_wrong_change(c, false)))) ||
           (wide && clause_no_series(c) && clause_has(c, clause_losses) &&
            !clause_says(c, PROSE_NEGATION));
}

static const char time_ends[] =
    " latest newest recent recently earliest oldest ";

static const char *wrong_word(const struct compare_clause *c, size_t i)
{
    enum { ENDS = PROSE_HIGH | PROSE_LOW | PROSE_EXTREME };
    const struct wording_word *word = clause_word(c, i);
    uint32_t says = word->says;
    bool digit = word->lower.ptr[0] <= '9';
    if ((says & ENDS) && clause_wrong_extreme(c, i))
        return "is not what the rows show to be so";
    if (((says & PROSE_ORDER) || digit) && wrong_place(c, i))
        return "is not that place in the rows";
    bool below = wording_among(clause_text(c, i + 1), " below under ");
    if (((says & PROSE_UP) && clause_wrong_change(c, true)) ||
        ((says & PROSE_DOWN) && !below && clause_wrong_change(c, false)))
        return "is not a change that the rows show";
    if ((says & (PROSE_UP | PROSE_DOWN)) &&
        clause_wrong_level(c, i, says & PROSE_UP))
        return "is not a change that the rows show";
    if (is_only_to(c, i) &&
        clause_wrong_change(c, wording_among(word->lower, only_up)))
        return "is not a change that the rows show";
    if (wrong_course(c, word->lower))
        return "is not a change that the rows show";
    if (str_is(word->lower, "from") && clause_wrong_ends(c, i))
        return "is not a change that the rows show";
    if (goes(c, i) && clause_wrong_change(c, str_is(word->lower, "up")))
        return "is not a change that the rows show";
    if (wording_among(word->lower, " lost loses lose ") && clause_wrong_loss(c))
        return "is not a change that the rows show";
    if ((says & (PROSE_MORE | PROSE_LESS)) && clause_wrong_pair(c, i))
        return "is not the order of the two in the rows";
    if (wording_among(word->lower, " better worse ") && wrong_better(c, i))
        return "is not the order of the two in the rows";
    if (wording_among(word->lower, " slower faster quicker ") &&
        wrong_speed(c, i))
        return "is not the order of the two in the rows";
    if ((says & PROSE_ORDER) && clause_wrong_list(c, i))
        return "is not the order that the rows have";
    if (((says & PROSE_COUNT) || digit) &&
        (clause_counts(c, i) == COUNT_WRONG || clause_wrong_none(c, i)))
        return "is not the number of rows that do so";
    if (clause_wrong_only(c, i) || clause_wrong_missing(c, i))
        return "is not the number of rows that do so";
    bool to = wording_among(word->lower, " first last ") &&
              str_is(clause_text(c, i + 1), "to");
    if ((to || wording_among(word->lower, time_ends)) &&
        clause_wrong_time(c, i))
        return "is not what the dates show to be so";
    if (clause_wrong_sign(c, i))
        return "is not what the rows say of it";
    if (clause_wrong_flag(c, i))
        return "is not what the rows say of it";
    if ((says & PROSE_RANGE) && clause_wrong_range(c, i))
        return "is not the range of the rows";
    return NULL;
}

/* "Doubled" and "halved" say a direction, too. */
static const char *wrong_ratio(const struct compare_clause *c)
{
    for (size_t i = 0; i < c->s->n_figures; i++) {
        const struct figure *f = &c->s->figures[i];
        if (!clause_has_figure(c, f))
            continue;
        if (f->change && clause_wrong_change(c, f->value > 1))
            return "is not a change that the rows show";
        if (f->change && clause_wrong_multiple(c, f))
            return "is not the ratio of the two in the rows";
        if (clause_wrong_difference(c, f))
            return "is not the difference of the two in the rows";
        if (clause_wrong_times(c, f))
            return "is not the ratio of the two in the rows";
    }
    return NULL;
}

bool compare_counts(const struct grounding_sentence *s, const struct figure *f)
{
    size_t last = s->sentence->word + s->sentence->n_words;
    struct compare_clause c = {s, s->sentence->word, s->sentence->word};
    for (size_t i = c.word; i < last; i++) {
        if (i == c.end) {
            c.word = i;
            c.end = clause_end(s, i);
        }
        if (clause_word(&c, i)->from > f->to)
            return false;
        bool begins = (clause_word(&c, i)->says & PROSE_COUNT) ||
                      clause_word(&c, i)->lower.ptr[0] <= '9';
        if (begins && clause_counts(&c, i) == COUNT_RIGHT)
            return true;
    }
    return false;
}

struct compare_walk compare_begin(const struct grounding_sentence *s)
{
    size_t first = s->sentence->word;
    return (struct compare_walk){first, first, first};
}

bool compare_word(const struct grounding_sentence *s, struct compare_walk *at,
                  struct compare_finding *found)
{
    *found = (struct compare_finding){0};
    if (at->word == s->sentence->word + s->sentence->n_words)
        return false;
    if (at->word == at->end) {
        at->clause = at->end;
        at->end = clause_end(s, at->clause);
    }
    struct compare_clause c = {s, at->clause, at->end};
    if (at->word == c.word)
        found->why = wrong_text(&c) ? "is not in one row with what it is said "
                                      "to be"
                     : clause_wrong_target(&c)
                         ? "is not what the row shows of its target"
                     : clause_wrong_date(&c)
                         ? "is not when the rows say that it was"
                         : wrong_ratio(&c);
    if (!found->why)
        found->why = wrong_word(&c, at->word);
    found->from = clause_word(&c, c.word)->from;
    found->to = clause_word(&c, c.end - 1)->to;
    at->word++;
    return !found->why;
}
