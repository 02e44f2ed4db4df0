/* nearest.c - the question nearest to a refused one that can be answered. It is
 * built from the parts that were understood, and tried before it is offered. */
#include "analysis.h"
#include "read/field.h"
#include "base/edit_distance.h"
#include "base/banned.h"

enum { TRIES_MOST = 12, NAMES_MOST = 3, TEXT_MOST = 300 };

struct attempt {
    const struct analysis *a;
    size_t tries;
};

/* No value is to be looked up, which may find that there is none. */
static bool knows_values(const struct bound_query *query)
{
    for (size_t i = 0; i < query->n_conditions; i++)
        for (size_t j = 0; j < query->conditions[i].n_searches; j++)
            if (!query->conditions[i].searches[j].known)
                return false;
    return true;
}

static bool is_answerable(struct attempt *attempt, struct str question)
{
    const struct analysis *a = attempt->a;
    struct analysis trial;
    struct analyst_context context = {.ontology = a->context->ontology,
                                      .question = question,
                                      .today = a->context->today};
    if (attempt->tries++ >= TRIES_MOST || !question.len ||
        question.len > TEXT_MOST ||
        str_eq_nocase(question, str_trim(a->context->question)))
        return false;
    struct arena_mark mark = arena_mark(a->arena);
    analysis_make_with(a->arena, &context, &a->lexicon, &trial);
    bool answerable = trial.kind == ANALYSIS_DATA && knows_values(trial.query);
    arena_reset(a->arena, mark);
    return answerable;
}

/* The text with `part` replaced, in one line of single spaces. */
static struct str replaced(struct arena *arena, struct str text,
                           struct str part, struct str with)
{
    ptrdiff_t at = str_find(text, part);
    struct buf out;
    if (at < 0)
        return STR("");
    struct str whole =
        arena_printf(arena, "%.*s%.*s%.*s", (int)at, text.ptr, STR_ARG(with),
                     STR_ARG(str_from(text, (size_t)at + part.len)));
    buf_init(&out, arena);
    for (size_t i = 0; i < whole.len; i++) {
        char c = whole.ptr[i];
        bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        bool after = out.len && out.ptr[out.len - 1] != ' ';
        if (!space)
            buf_char(&out, c);
        else if (after)
            buf_char(&out, ' ');
    }
    return str_trim(buf_view(&out));
}

enum { SLIPS_MOST = 2 };

/* "revenue" for "revnue": one noun is put for another. A name that only contains
 * the word, "selling price" for "sell", makes no sentence. */
static bool is_spelt_like(struct str word, struct str name)
{
    return word.len > 2 * SLIPS_MOST && edit_distance(word, name) <= SLIPS_MOST;
}

/* The question reads as a sentence, so that a word cannot just be left out: it may
 * be the verb, or what an article belongs to. */
static bool is_sentence(const struct question_words *words)
{
    static const char verbs[] =
        "did do does were are is was has have had can could most least";
    static const char asks[] = "which who where when why how";
    static const char leads[] = "what what's whats much";
    if (words->n && word_in(&words->items[0], asks))
        return true;
    for (size_t i = 1; i < words->n; i++)
        if (word_in(&words->items[i], verbs) &&
            !(i == 1 && word_in(&words->items[0], leads)))
            return true;
    return false;
}

/* The text has a word of the list. */
static bool holds_word(struct str text, const char *list)
{
    struct str word;
    while (str_split(&text, ' ', &word))
        if (list_has(list, word))
            return true;
    return false;
}

static bool is_unknown(const struct question *q, const char *list)
{
    for (size_t i = 0; i < q->n_unknown; i++)
        if (holds_word(q->unknown[i], list))
            return true;
    return false;
}

/* Without its negation, a question is its opposite. */
static bool is_negated(const struct question *q)
{
    return is_unknown(
        q, "not no never without nor neither none except excluding excluded "
           "but nobody isn't isnt aren't arent wasn't wasnt weren't werent "
           "don't dont doesn't doesnt didn't didnt haven't havent hasn't hasnt "
           "hadn't hadnt won't wont can't cant cannot unless minus");
}

/* Without what it is compared with, or that it is the future, a question is another
 * one. */
static bool is_limited(const struct question *q)
{
    return is_unknown(
        q, "more less than over under above below between least most longer "
           "shorter older younger higher lower larger smaller bigger fewer "
           "later earlier both only until before after within since vs versus "
           "by first last");
}

static bool is_of_future(const struct question *q)
{
    return is_unknown(q, "will would should forecast predict prediction "
                         "expect expected projected tomorrow");
}

/* What is left begins with "of", or ends with "we". */
static bool is_torn(struct str text)
{
    static const char joints[] = "of by from for and per in with to";
    static const char ends[] =
        "of by from for and per in with to we i they that who which the a";
    struct str rest = text, first, word, last = STR("");
    while (str_split(&rest, ' ', &word))
        last = word;
    rest = text;
    return !str_split(&rest, ' ', &first) || list_has(joints, first) ||
           list_has(ends, last) || holds_word(text, "that who which") ||
           str_find(text, STR(" ,")) >= 0 || str_find(text, STR(" .")) >= 0 ||
           str_find(text, STR(" of and ")) >= 0 ||
           str_find(text, STR(" the of ")) >= 0;
}

/* The question with names of the model for its unknown words, or without them. */
static struct str without_unknown(struct attempt *attempt,
                                  const struct question *q, bool sentence)
{
    const struct analysis *a = attempt->a;
    struct str text = a->context->question;
    for (size_t i = 0; i < q->n_unknown; i++) {
        struct str_list near =
            vocabulary_near(&a->lexicon.vocabulary, q->unknown[i], NAMES_MOST);
        struct str left = text;
        for (size_t k = 0; k < q->n_unknown; k++)
            if (k != i)
                left = replaced(a->arena, left, q->unknown[k], STR(""));
        for (size_t j = 0; j < near.n; j++) {
            /* A field by its own name, else with that of its dataset. */
            ptrdiff_t dot = str_find_char(near.items[j], '.');
            struct str name =
                spoken(a->arena, str_from(near.items[j], (size_t)(dot + 1)));
            if (sentence &&
                (q->n_unknown > 1 || !is_spelt_like(q->unknown[i], name)))
                continue;
            struct str trial = replaced(a->arena, left, q->unknown[i], name);
            if (is_answerable(attempt, trial))
                return trial;
            trial = replaced(a->arena, left, q->unknown[i],
                             spoken(a->arena, near.items[j]));
            if (dot >= 0 && !sentence && is_answerable(attempt, trial))
                return trial;
        }
    }
    if (sentence || !q->n_unknown || is_limited(q))
        return STR("");
    for (size_t i = 0; i < q->n_unknown; i++)
        text = replaced(a->arena, text, q->unknown[i], STR(""));
    return !is_torn(text) && is_answerable(attempt, text) ? text : STR("");
}

/* ---- from its parts --------------------------------------------------------- */

static struct str measure_words(struct arena *arena,
                                const struct asked_measure *m)
{
    static const char *const words[] = {"",         "number of ", "number of ",
                                        "total ",   "average ",   "minimum ",
                                        "maximum ", "median "};
    return arena_printf(arena, "%s%.*s", words[m->function],
                        STR_ARG(m->what.words));
}

enum { METRICS_OFFERED = 3 };

/* What may be measured, best first: what was asked for, or the number of the things
 * that are named; the model's first metrics where neither was. */
static size_t measured(const struct analysis *a, const struct question *q,
                       struct str *measures, bool *asked)
{
    struct arena *arena = a->arena;
    const struct ontology *o = a->context->ontology;
    const struct choice *things = q->n_mentions ? &q->mentions[0] : &q->subject;
    bool counts = choice_has(things, TERM_DATASET) && !q->top.ranked;
    const struct term *term = q->subject.n ? &q->subject.terms[0] : NULL;
    bool number =
        term && term->kind == TERM_FIELD &&
        field_is_number(&o->datasets[term->dataset].fields[term->index]);
    size_t n = 0;
    if (q->n_measures)
        measures[n++] = measure_words(arena, &q->measures[0]);
    else if (number) /* "what quantity" */
        measures[n++] = q->subject.words;
    else if (counts)
        measures[n++] =
            arena_printf(arena, "number of %.*s", STR_ARG(things->words));
    *asked = n > 0;
    for (size_t i = 0; !n && i < METRICS_OFFERED && i < o->n_metrics; i++)
        measures[i] = spoken(arena, o->metrics[i].name);
    return n                                ? n
           : o->n_metrics < METRICS_OFFERED ? o->n_metrics
                                            : METRICS_OFFERED;
}

/* " by city by month" */
static struct str groups(struct arena *arena, const struct question *q,
                         struct str measure)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < q->n_dimensions; i++) {
        const struct asked_dimension *d = &q->dimensions[i];
        struct str words =
            d->grain ? str_of(unit_words[d->grain]) : d->what.words;
        if (words.len && str_find(measure, words) < 0)
            buf_printf(&out, " by %.*s", STR_ARG(words));
    }
    if (!q->n_dimensions && q->subject.n &&
        str_find(measure, q->subject.words) < 0)
        buf_printf(&out, " by %.*s", STR_ARG(q->subject.words));
    return buf_view(&out);
}

/* A value that may hold a verb, "Peacock performing". */
static bool is_doubtful(const struct asked_filter *filter)
{
    for (size_t i = 0; i < filter->n_values; i++) {
        struct str rest = filter->values[i].text, word;
        while (filter->kind == FILTER_SEARCH && !filter->values[i].samples &&
               str_split(&rest, ' ', &word))
            if (word.len && word.ptr[0] >= 'a' && word.ptr[0] <= 'z')
                return true;
    }
    return false;
}

/* The filters as written. One that has the noun of the measure, "of cancelled
 * orders", takes its place in *measure. */
static struct str conditions(struct arena *arena, const struct question *q,
                             struct str *measure)
{
    struct buf out;
    static const char negations[] = "not never";
    struct str things = STR("");
    if (q->n_measures && q->measures[0].function == FUNCTION_COUNT)
        things = q->measures[0].what.words;
    else if (!q->n_measures && q->n_mentions)
        things = q->mentions[0].words;
    buf_init(&out, arena);
    for (size_t i = 0; i < q->n_filters; i++) {
        struct str words = q->filters[i].words, rest = words, first;
        bool negated =
            str_split(&rest, ' ', &first) && list_has(negations, first);
        if (is_doubtful(&q->filters[i]))
            continue;
        if (negated && q->filters[i].kind == FILTER_EXISTS) {
            buf_printf(&out, " who have %.*s", STR_ARG(words));
        } else if (things.len && str_ends(words, things)) {
            if (str_starts(words, STR("of ")))
                words = str_from(words, 3);
            *measure = arena_printf(arena, "number of %.*s", STR_ARG(words));
        } else if (words.len) {
            buf_printf(&out, " %.*s", STR_ARG(words));
        }
    }
    return buf_view(&out);
}

/* The measure with as many of the other parts as can be answered; one that was not
 * `asked` for needs a part. */
static struct str with_parts(struct attempt *attempt, const struct question *q,
                             struct str measure, bool asked)
{
    struct arena *arena = attempt->a->arena;
    struct str plain = measure;
    struct str by = groups(arena, q, measure);
    struct str where = is_negated(q) ? STR("") : conditions(arena, q, &measure);
    struct str when = STR(""), top = STR("");
    if (q->window.words.len)
        when = arena_printf(arena, " %.*s", STR_ARG(q->window.words));
    const struct choice *group =
        q->n_dimensions ? &q->dimensions[0].what : &q->subject;
    /* "The most popular": by what they are ranked is not known. */
    if (group->words.len && q->top.ranked && q->n_measures)
        top = arena_printf(arena, "%s %zu %.*s by %.*s",
                           q->top.lowest ? "bottom" : "top",
                           q->top.n > 1 ? q->top.n : 5, STR_ARG(group->words),
                           STR_ARG(measure));
    const struct {
        struct str head, by, where, when;
    } trials[] = {{top, STR(""), where, when},
                  {top, STR(""), STR(""), when},
                  {measure, by, where, when},
                  {plain, by, STR(""), when},
                  {measure, STR(""), where, when},
                  {measure, by, where, STR("")},
                  {plain, STR(""), STR(""), when},
                  {plain, by, STR(""), STR("")},
                  {measure, STR(""), where, STR("")},
                  {q->n_measures || q->n_mentions ? plain : STR(""), STR(""),
                   STR(""), STR("")}};
    attempt->tries = 0;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        bool bare = !trials[i].by.len && !trials[i].where.len &&
                    !trials[i].when.len && !str_eq(trials[i].head, top);
        if (!trials[i].head.len || (bare && !asked))
            continue;
        struct str trial =
            arena_printf(arena, "%.*s%.*s%.*s%.*s", STR_ARG(trials[i].head),
                         STR_ARG(trials[i].by), STR_ARG(trials[i].where),
                         STR_ARG(trials[i].when));
        if (is_answerable(attempt, trial))
            return trial;
    }
    return STR("");
}

static struct str from_parts(struct attempt *attempt, const struct question *q)
{
    struct str measures[METRICS_OFFERED + 1], nearest = STR("");
    bool any = q->n_measures || q->n_mentions || q->subject.n || q->n_filters ||
               q->n_dimensions || q->window.words.len;
    bool asked = false;
    size_t n = any ? measured(attempt->a, q, measures, &asked) : 0;
    /* "What was our profit in 2024": another figure of 2024 is not near. */
    if (!asked && !q->n_dimensions && !q->n_filters && !q->subject.n)
        return nearest;
    for (size_t i = 0; i < n && !nearest.len; i++)
        nearest = with_parts(attempt, q, measures[i], asked);
    return nearest;
}

struct str analysis_nearest(const struct analysis *a)
{
    struct attempt attempt = {.a = a};
    struct question *q = arena_new(a->arena, struct question);
    question_read(&a->lexicon, a->context->question, NULL, q);
    struct question_words words = words_read(a->arena, a->context->question);
    struct str nearest = STR("");
    if (is_of_future(q))
        return nearest;
    if (!is_negated(q))
        nearest = without_unknown(&attempt, q, is_sentence(&words));
    return nearest.len ? nearest : from_parts(&attempt, q);
}
