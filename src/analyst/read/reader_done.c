/* reader_done.c - what was done, or not: "who ordered in 2025 but not in 2024", "have
 * never ordered", "products that were never ordered". The verb stands for its noun
 * (verbs.def), of which there is a row. */
#include "calendar.h"
#include "reader.h"
#include "base/banned.h"

/* ---- when -------------------------------------------------------------------- */

enum { SPANS_MOST = 2 };

/* Periods in each of which there is a row, or is none. */
struct spans {
    struct window windows[SPANS_MOST];
    bool negated[SPANS_MOST];
    size_t n;
};

/* "2024 and 2025" as two. False: it is no such pair. */
static bool span_split(struct question_reader *reader, struct spans *spans)
{
    struct window both = spans->windows[0];
    if (both.n != SPANS_MOST || both.versus)
        return false;
    for (size_t i = 0; i < SPANS_MOST; i++) {
        const struct range *r = &both.ranges[i];
        spans->windows[i] =
            (struct window){.ranges = {*r},
                            .n = 1,
                            .words = arena_printf(
                                reader->arena, "from %.*s to %.*s",
                                STR_ARG(date_text(reader->arena, r->from)),
                                STR_ARG(date_text(reader->arena, r->to - 1)))};
        spans->negated[i] = false;
    }
    spans->n = SPANS_MOST;
    return true;
}

/* A period, and whether "but not", "and also" another one follows; `verbs` are those
 * that may be said again. Returns how many words; 0: there is none. */
static size_t spans_at(struct question_reader *reader, size_t at,
                       const char *nouns, struct spans *spans)
{
    static const char not[] =
        "but not|and not|but never|but did not|but have not|"
        "but has not|but had not|and did not";
    static const char also[] = "and also|and then again|and again|and";
    size_t from = at, pair = reader_phrase(reader, at, "in both|both in");
    struct str problem;
    bool before = reader_is(reader, at, "both");
    at += pair;
    at -= pair && before; /* "in" */
    size_t n = window_read(reader->arena, &reader->words, at, NULL,
                           &spans->windows[0], &problem);
    spans->n = n > 0;
    spans->negated[0] = false;
    at += n;
    if (!n || problem.len)
        return 0;
    if (pair && span_split(reader, spans))
        return at - from;
    size_t denied = reader_phrase(reader, at, not);
    size_t joint = denied ? denied : reader_phrase(reader, at, also);
    size_t again = at + joint;
    const char *said = verb_nouns(reader, again);
    again += joint && said && str_is(str_of(said), nouns);
    /* "And 2025" would be one period with the first. */
    n = joint && reader_in(reader, again, "in on during since after before")
            ? window_read(reader->arena, &reader->words, again, NULL,
                          &spans->windows[1], &problem)
            : 0;
    if (!n)
        return pair || denied ? 0 : at - from;
    spans->negated[1] = denied > 0;
    spans->n = SPANS_MOST;
    return again + n - from;
}

/* "With orders in 2024 and 2025" may be in one of them or in both. */
static void check_either(struct question_reader *reader,
                         const struct spans *spans)
{
    struct str rest = spans->windows[0].words, word;
    bool and = false, or = false;
    while (str_split(&rest, ' ', &word)) {
        and = and || str_is(word, "and");
        or = or || str_is(word, "or");
    }
    if (spans->windows[0].n > 1 && and && !or)
        reader_object(reader,
                      "“%.*s” may be in one of the periods or in each; say “in "
                      "both” or “or”",
                      STR_ARG(spans->windows[0].words));
}

bool rows_held(struct question_reader *reader, struct choice rows, bool negated,
               size_t from, size_t to, const char *nouns)
{
    struct spans spans = {.n = 0};
    const char *said = verb_nouns(reader, to);
    if (said && to && list_has(said, reader_word(reader, to - 1)->stem))
        to++; /* "a sale recorded" */
    size_t n = spans_at(reader, to, nouns, &spans);
    if (n)
        check_either(reader, &spans);
    for (size_t i = 0; i < (spans.n && n ? spans.n : 1); i++) {
        struct asked_filter *filter =
            filter_new(reader, FILTER_EXISTS, negated != spans.negated[i]);
        filter->what = rows;
        if (n)
            filter->window = spans.windows[i];
        filter->words = reader_span(reader, from, to + n);
    }
    if (negated && spans.n > 1)
        reader_object(
            reader, "“%.*s” does not say whether each of the periods is meant",
            STR_ARG(reader_span(reader, from, to + n)));
    reader->at = to + n;
    return true;
}

/* The same for a verb at the word, whose own date is meant: booked_on by "booked". */
static bool done_held(struct question_reader *reader, struct choice rows,
                      bool negated, size_t from, size_t to, size_t verb)
{
    struct question *q = reader->question;
    size_t n = q->n_filters;
    rows_held(reader, rows, negated, from, to, verb_nouns(reader, verb));
    for (size_t i = n; i < q->n_filters; i++)
        q->filters[i].when = date_of_deed(reader, rows.terms[0].dataset, verb);
    return true;
}

/* ---- what persons did ------------------------------------------------------- */

/* The dataset that a noun of the verb names; n is 0 when there is none. */
static struct choice rows_of(const struct question_reader *reader,
                             const char *nouns)
{
    struct str rest = str_of(nouns), noun;
    while (str_split(&rest, ' ', &noun)) {
        struct choice found =
            vocabulary_find(&reader->lexicon->vocabulary, noun);
        struct choice rows = choice_of(reader->arena, found, TERM_DATASET);
        if (rows.n)
            return rows;
    }
    return (struct choice){.n = 0};
}

/* Persons are counted or listed, and nothing else yet: "how many customers". */
static bool asks_persons(const struct question_reader *reader)
{
    static const char persons[] =
        "customer client buyer shopper member user patient guest subscriber "
        "student passenger donor visitor person people account company";
    struct choice who = reader->list ? list_things(reader) : reader->counted;
    return who.n && (reader->list || reader->question->n_measures == 1) &&
           who.terms[0].dataset == reader->near &&
           list_has(persons, word_stem(reader->arena,
                                       lower_case(reader->arena, who.words)));
}

/* What the persons before it have, or have not, ends right before the word: "no phone
 * recorded" says that of the phone. */
static bool follows_held(const struct question_reader *reader, size_t at)
{
    const struct question *q = reader->question;
    struct str before = at ? reader_word(reader, at - 1)->text : STR("");
    for (size_t i = 0; i < q->n_filters; i++) {
        const struct asked_filter *f = &q->filters[i];
        bool holds = f->kind == FILTER_EXISTS || f->comparison == IS_MISSING;
        if (holds && f->words.ptr + f->words.len == before.ptr + before.len)
            return true;
    }
    return false;
}

/* Nothing follows that would say more about what was done. */
static bool is_end(const struct question_reader *reader, size_t at)
{
    return at >= reader->words.n || reader_in(reader, at, "? . !");
}

bool acted_read(struct question_reader *reader)
{
    static const char passive[] = "is are was were be been being did do does";
    /* What others do with them, or for them. */
    static const char others[] =
        "sell sells sold record records recorded log logs logged issue issues "
        "issued handle handles handled process processes processed supply "
        "supplies supplied";
    static const char objects[] =
        "anything at all|something at all|anything|something|at all";
    size_t from = reader->at;
    bool never = reader_in(reader, from, "never not");
    size_t verb = from + never;
    const char *nouns = verb_nouns(reader, verb);
    if (!nouns || !asks_persons(reader) || !from ||
        reader_in(reader, verb, others) || follows_held(reader, from) ||
        reader_in(reader, from - 1, passive))
        return false;
    struct choice rows = rows_of(reader, nouns);
    size_t to = verb + 1;
    to += reader_phrase(reader, to, objects);
    struct spans spans = {.n = 0};
    size_t period = spans_at(reader, to, nouns, &spans);
    if (!rows.n || (spans.n && !period) || !is_end(reader, to + period) ||
        rows.terms[0].dataset == reader->near)
        return false;
    return done_held(reader, rows, never, from, to, verb);
}

/* ---- what was never done with things --------------------------------------------- */

/* The things that are counted or listed, and nothing else yet. */
static bool asks_things(const struct question_reader *reader)
{
    struct choice things = reader->list ? list_things(reader) : reader->counted;
    return things.n && (reader->list || reader->question->n_measures == 1) &&
           things.terms[0].dataset == reader->near;
}

bool undealt_read(struct question_reader *reader)
{
    static const char links[] = "that which have has had are is were was been";
    static const char ends[] = "yet|at all|so far|before|by anyone|by anybody";
    size_t from = reader->at, at = from, denied = 0, being = 0, n;
    for (;; at++) {
        if (reader_in(reader, at, "never not"))
            denied++;
        else if (reader_in(reader, at, "are is were was been"))
            being++;
        else if (!reader_in(reader, at, links))
            break;
    }
    const char *nouns = verb_nouns(reader, at);
    bool participle = is_participle(reader_word(reader, at)->lower);
    /* "Never ordered" is passive of things that order nothing. */
    if (denied != 1 || !nouns || *nouns == '*' || !participle ||
        !asks_things(reader) || asks_persons(reader) ||
        !(being || reader_is(reader, at - 1, "never")) ||
        samples_match(&reader->lexicon->samples, &reader->words, at,
                      reader->words.n, &n))
        return false;
    struct choice rows = rows_of(reader, nouns);
    size_t to = at + 1;
    to += reader_phrase(reader, to, ends);
    struct window window;
    struct str problem;
    n = window_read(reader->arena, &reader->words, to, NULL, &window, &problem);
    if (!rows.n || problem.len || !is_end(reader, to + n) ||
        rows.terms[0].dataset == reader->near)
        return false;
    return done_held(reader, rows, true, from, to, at);
}
