/* analysis.c - understands the question of a chat.
 *
 * The earlier questions are understood first, oldest to newest, because a
 * follow-up leans on the last one that was understood. Each is read (read/), what
 * it lacks is taken from the one before, then it is bound to the model (bind/).
 * Where several things fit equally well, the analysis holds a clarification to
 * ask back; a reply to one is read in two passes: first its answers must pick
 * from what was offered, then they count as more words of the question. */
#include "analysis.h"
#include "bind/ambiguity.h"
#include "bind/why.h"
#include "guard/guard.h"
#include "read/calendar.h"
#include "sql/compose.h"
#include <stdarg.h>
#include "base/banned.h"

enum { EARLIER_MOST = 12, PICKS_MOST = 4 };

static bool __attribute__((format(printf, 2, 3)))
analysis_refuse(struct analysis *a, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    a->kind = ANALYSIS_REFUSED;
    a->problem = arena_vprintf(a->arena, format, values);
    va_end(values);
    return false;
}

/* The words name something of the model, so that it is not they that are unknown. */
static bool is_name(const struct analysis *a, struct str words)
{
    return vocabulary_find(&a->lexicon.vocabulary, words).n > 0;
}

static bool is_said_before(const struct question *q, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (str_eq_nocase(q->unknown[i], q->unknown[at]))
            return true;
    return false;
}

/* Names the words that block; names of the model only where there are no others. */
static struct str unknown_sentence(const struct analysis *a,
                                   const struct question *q)
{
    size_t n_names = 0, n = 0;
    struct buf out;
    buf_init(&out, a->arena);
    for (size_t i = 0; i < q->n_unknown; i++)
        n_names += is_name(a, q->unknown[i]);
    bool names = n_names == q->n_unknown;
    for (size_t i = 0; i < q->n_unknown; i++) {
        struct str_list near = {NULL, 0};
        if (is_said_before(q, i) || (!names && is_name(a, q->unknown[i])))
            continue;
        buf_printf(&out, "%s“%.*s”", n++ ? ", " : "", STR_ARG(q->unknown[i]));
        if (!names)
            near = vocabulary_near(&a->lexicon.vocabulary, q->unknown[i], 3);
        for (size_t j = 0; j < near.n; j++)
            buf_printf(&out, "%s%.*s%s",
                       j ? ", " : " (similar: ", STR_ARG(near.items[j]),
                       j + 1 == near.n ? ")" : "");
    }
    return arena_printf(a->arena, "%s %.*s",
                        names    ? "I do not see what is asked of"
                        : n == 1 ? "I do not know this word:"
                                 : "I do not know these words:",
                        STR_ARG(buf_view(&out)));
}

/* Whether it may ask back: not someone who has just answered, unless their
 * answers must pick from what was offered. */
static bool may_ask(const struct analysis *a)
{
    return !a->reply->n || a->reply->strict;
}

/* "Top 5 customers" does not say by what. One metric that fits is taken, several
 * are asked back; after a reply that picks none, the first is taken. False: it
 * was refused. */
static bool ranking_measure(struct analysis *a, struct question *q)
{
    if (q->n_measures || q->n_havings || !q->top.n || !q->n_dimensions)
        return true;
    struct clarification *ask = ask_ranking(a, q);
    const struct term *term = clarification_pick(a->arena, ask, a->reply);
    if (!ask->n)
        return true;
    if (!term && ask->n > 1 && may_ask(a)) {
        a->ask = ask;
        return analysis_refuse(
            a, "the question does not say by what they are ranked");
    }
    size_t metric = term ? term->index : ask->options[0].index;
    q->measures[q->n_measures++] =
        (struct asked_measure){.what = metric_choice(a, metric)};
    question_note(
        q, STR("By what are they ranked?"),
        arena_printf(a->arena, "By %.*s%s.",
                     STR_ARG(a->context->ontology->metrics[metric].name),
                     term ? "" : ", the first metric that they have"));
    return true;
}

/* "How much did Frank spend" wants a sum but does not say which. False: it was
 * refused. */
static bool amount_measure(struct analysis *a, struct str text,
                           struct question *q)
{
    static const char nothing[] = "I do not see what is to be measured";
    if (q->share || !q->n_filters || str_find_nocase(text, STR("how much")) < 0)
        return analysis_refuse(a, nothing);
    struct clarification *ask = ask_measure(a, q);
    const struct term *term = clarification_pick(a->arena, ask, a->reply);
    if (!term) {
        if (ask->n > 1 && may_ask(a))
            a->ask = ask;
        return analysis_refuse(a, nothing);
    }
    q->measures[q->n_measures++] =
        (struct asked_measure){.what = metric_choice(a, term->index)};
    return true;
}

/* Whether the guard lets the query through; a search of many fields for a value may
 * name too many relations. Else it was refused. */
static bool is_allowed(struct analysis *a, struct bound_query *query)
{
    struct guard_verdict verdict;
    guard_check(a->arena, query_sql(query, FORM_ANSWER),
                &(struct guard_policy){.any_relation = true}, &verdict);
    if (query->problem.len)
        return analysis_refuse(a, "%.*s", STR_ARG(query->problem));
    if (!verdict.ok)
        return analysis_refuse(a, "the query for it would not be allowed: %.*s",
                               STR_ARG(verdict.reason));
    return true;
}

static bool understand_why(struct analysis *a, const struct question *q)
{
    struct str problem = {NULL, 0};
    struct why *why = why_make(bound_query_new(a, q), &problem);
    a->why = NULL;
    if (!why)
        return analysis_refuse(a, "%.*s", STR_ARG(problem));
    bool allowed = is_allowed(a, why->series) && is_allowed(a, why->metrics);
    for (size_t i = 0; allowed && i < why->n_parts; i++)
        allowed = is_allowed(a, why->parts[i]);
    if (!allowed)
        return false;
    a->why = why;
    a->kind = ANALYSIS_DATA;
    a->query = why->series;
    return true;
}

/* Binds the question, again with each answer that settles what was ambiguous.
 * NULL: it was refused. */
static struct bound_query *bind_question(struct analysis *a,
                                         const struct question *q)
{
    struct question *again = arena_new(a->arena, struct question);
    *again = *q;
    for (;;) {
        struct bound_query *query = bound_query_new(a, again);
        const struct term *term = NULL;
        if (query_bind(query))
            return query;
        if (query->ask && again->n_picked < PICKS_MOST)
            term = clarification_pick(a->arena, query->ask, a->reply);
        if (!term) {
            a->ask = query->ask;
            analysis_refuse(a, "%.*s", STR_ARG(query->problem));
            return NULL;
        }
        again->picked[again->n_picked++] = *term;
    }
}

static bool understand_figures(struct analysis *a, const struct question *q)
{
    struct bound_query *query = bind_question(a, q);
    if (!query)
        return false;
    if (!is_allowed(a, query))
        return false;
    a->kind = ANALYSIS_DATA;
    a->query = query;
    return true;
}

/* "Q1" alone: the current year is assumed unless the answer says another. */
static void ask_year(struct analysis *a, const struct question *q)
{
    struct clarification *ask = clarification_new(
        a->arena,
        arena_printf(a->arena, "Of which year is “%.*s”", STR_ARG(q->year_of)),
        STR("year"));
    long long year = (long long)date_of_days(a->context->today).year;
    ask->year_of = q->year_of;
    clarification_offer(ask, (struct term){TERM_ROLE, WEIGHT_NAME, 0, 0},
                        arena_printf(a->arena, "%lld", year));
    a->ask = ask;
}

static bool understand_text(struct analysis *a, struct str text);

/* A word that only some metrics' names hold: an answer replaces it by one of
 * them, else the question is refused. */
static bool understand_unknown(struct analysis *a, struct str text,
                               const struct question *q)
{
    struct clarification *ask = ask_word(a, text, q);
    const struct term *term =
        ask ? clarification_pick(a->arena, ask, a->reply) : NULL;
    if (term)
        return understand_text(
            a, with_metric(a->arena, text, q->unknown[0],
                           a->context->ontology->metrics[term->index].name));
    if (ask && may_ask(a))
        a->ask = ask;
    return analysis_refuse(a, "%.*s", STR_ARG(unknown_sentence(a, q)));
}

/* As a question for figures. `list`: the same as one for things, if it came to
 * nothing as this one; NULL: it is none. */
static bool understand_measures(struct analysis *a, struct str text,
                                const struct question *list)
{
    struct question *q = arena_new(a->arena, struct question);
    const struct question *before = a->earlier ? &a->earlier->question : NULL;
    question_read(&a->lexicon, text, before, q);
    bool figures = q->n_measures || q->n_havings || q->why || q->problem.len;
    /* After another question, "show the houses in Turku" may mean those figures. */
    if (list && (q->n_unknown || (!figures && !before)))
        return understand_figures(a, list);
    if (q->n_unknown)
        return understand_unknown(a, text, q);
    if (q->year_of.len)
        ask_year(a, q);
    if (q->problem.len)
        return analysis_refuse(a, "%.*s", STR_ARG(q->problem));
    if (question_leans(q) && before)
        question_follow(before, q);
    if (q->why)
        return understand_why(a, q);
    if (!ranking_measure(a, q))
        return false;
    bool column = q->listing && q->n_measures == 1 && !q->n_dimensions &&
                  q->measures[0].function == FUNCTION_NONE &&
                  !choice_has(&q->measures[0].what, TERM_METRIC);
    if ((!q->n_measures && !q->n_havings && (q->listing || q->subject.n)) ||
        column)
        return analysis_refuse(a, "I do not see what is to be listed");
    if (!q->n_measures && !q->n_havings && !amount_measure(a, text, q))
        return false;
    return understand_figures(a, q);
}

static bool understand_text(struct analysis *a, struct str text)
{
    struct question *list = arena_new(a->arena, struct question);
    enum list_request lists = question_read_list(&a->lexicon, text, list);
    a->why = NULL;
    a->ask = NULL;
    if (lists != LIST_ASKED)
        return understand_measures(a, text, lists ? list : NULL);
    if (understand_figures(a, list))
        return true;
    struct str problem = a->problem;
    const struct clarification *ask = a->ask;
    a->ask = NULL;
    if (understand_measures(a, text, NULL))
        return true;
    a->problem = problem;
    a->ask = ask;
    return false;
}

static bool understand(struct analysis *a, struct str text)
{
    struct clarification_reply reply = clarification_reply_read(text);
    reply.strict = reply.n > 0;
    a->reply = &reply;
    bool understood = understand_text(a, reply.question);
    if (!understood && reply.n) {
        struct str year_of = a->ask ? a->ask->year_of : STR("");
        reply.strict = false;
        understood = understand_text(
            a, clarification_reply_sentence(a->arena, &reply, year_of));
        a->ask = NULL;
    }
    a->reply = NULL;
    return understood;
}

void analysis_make_with(struct arena *arena,
                        const struct analyst_context *context,
                        const struct lexicon *lexicon, struct analysis *a)
{
    *a = (struct analysis){
        .arena = arena, .context = context, .lexicon = *lexicon};
    size_t skip = context->n_earlier > EARLIER_MOST
                      ? context->n_earlier - EARLIER_MOST
                      : 0;
    for (size_t i = skip; i < context->n_earlier; i++)
        if (understand(a, context->earlier[i]))
            a->earlier = a->query;
    a->why = NULL;
    a->query = NULL;
    a->problem = (struct str){NULL, 0};
    a->ask = NULL;
    struct question_words words =
        words_read(arena, clarification_reply_read(context->question).question);
    a->talk = talk_kind_of(&a->lexicon, &words, &a->topic);
    a->kind = ANALYSIS_TALK;
    if (a->talk == TALK_NONE)
        understand(a, context->question);
}

void analysis_make(struct arena *arena, const struct analyst_context *context,
                   struct analysis *analysis)
{
    struct lexicon lexicon;
    lexicon_init(arena, context->ontology, &lexicon);
    analysis_make_with(arena, context, &lexicon, analysis);
}
