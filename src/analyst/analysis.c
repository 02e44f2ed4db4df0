#include "analysis.h"
#include "bind/ambiguity.h"
#include "read/calendar.h"
#include "sql/compose.h"
#include "guard/guard.h"
#include "bind/why.h"
#include "base/banned.h"

enum { EARLIER_MOST = 12, PICKS_MOST = 4 };

static struct str unknown_sentence(struct arena *arena,
                                   const struct vocabulary *vocabulary,
                                   const struct question *q)
{
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, q->n_unknown == 1 ? "this word means nothing to me here: "
                                     : "these words mean nothing to me here: ");
    for (size_t i = 0; i < q->n_unknown; i++) {
        buf_printf(&out, "%s“%.*s”", i ? ", " : "", STR_ARG(q->unknown[i]));
        struct str_list near = vocabulary_near(vocabulary, q->unknown[i], 3);
        for (size_t j = 0; j < near.n; j++)
            buf_printf(&out, "%s%.*s%s",
                       j ? ", " : " (near to it: ", STR_ARG(near.items[j]),
                       j + 1 == near.n ? ")" : "");
    }
    return buf_view(&out);
}

static bool refuse(struct analysis *analysis, struct str problem)
{
    analysis->kind = ANALYSIS_REFUSED;
    analysis->problem = problem;
    return false;
}

/* Of several it is asked back; who has been asked and says nothing that fits gets
 * the first. False: it was refused. */
static bool main_measure(struct arena *arena,
                         const struct analyst_context *context,
                         const struct clarification_reply *reply,
                         struct question *q, struct analysis *analysis)
{
    if (q->n_measures || q->n_havings || !q->top.n || !q->n_dimensions)
        return true;
    struct clarification *ask = ask_ranking(arena, context, analysis, q);
    const struct term *term = clarification_pick(arena, ask, reply);
    if (!ask->n)
        return true;
    if (!term && ask->n > 1 && (!reply->n || reply->strict)) {
        analysis->ask = ask;
        return refuse(analysis,
                      STR("the question does not say by what they are "
                          "ranked"));
    }
    const struct ontology *o = context->ontology;
    size_t metric = term ? term->index : ask->options[0].index;
    q->measures[0] =
        (struct asked_measure){FUNCTION_NONE, metric_choice(analysis, metric)};
    q->n_measures = 1;
    question_note(
        q, STR("By what are they ranked?"),
        arena_printf(arena, "By %.*s%s.", STR_ARG(o->metrics[metric].name),
                     term ? "" : ", the first metric that they have"));
    return true;
}

/* "How much did Frank spend": some sum, it does not say which. False: it was
 * refused. */
static bool amount_measure(struct arena *arena,
                           const struct analyst_context *context,
                           struct str text,
                           const struct clarification_reply *reply,
                           struct question *q, struct analysis *analysis)
{
    struct str nothing = STR("I do not see what is to be measured");
    if (q->share || !q->n_filters || str_find_nocase(text, STR("how much")) < 0)
        return refuse(analysis, nothing);
    struct clarification *ask = ask_measure(arena, context, analysis, q);
    const struct term *term = clarification_pick(arena, ask, reply);
    if (!term) {
        if (ask->n > 1 && (!reply->n || reply->strict))
            analysis->ask = ask;
        return refuse(analysis, nothing);
    }
    q->measures[0] = (struct asked_measure){
        FUNCTION_NONE, metric_choice(analysis, term->index)};
    q->n_measures = 1;
    return true;
}

static bool understand_why(struct arena *arena,
                           const struct analyst_context *context,
                           const struct question *q, struct analysis *analysis)
{
    struct str problem = {NULL, 0};
    struct bound_query *plain =
        query_new(arena, context, &analysis->lexicon, q);
    analysis->why = why_make(plain, &problem);
    if (!analysis->why)
        return refuse(analysis, problem);
    analysis->kind = ANALYSIS_DATA;
    analysis->query = analysis->why->series;
    return true;
}

/* Bound, with what was asked back and answered in its place; NULL: refused. */
static struct bound_query *bound(struct arena *arena,
                                 const struct analyst_context *context,
                                 const struct clarification_reply *reply,
                                 const struct question *q,
                                 struct analysis *analysis)
{
    struct question *again = arena_new(arena, struct question);
    *again = *q;
    for (;;) {
        struct bound_query *query =
            query_new(arena, context, &analysis->lexicon, again);
        const struct term *term = NULL;
        if (query_bind(query))
            return query;
        if (query->ask && again->n_picked < PICKS_MOST)
            term = clarification_pick(arena, query->ask, reply);
        if (!term) {
            analysis->ask = query->ask;
            refuse(analysis, query->problem);
            return NULL;
        }
        again->picked[again->n_picked++] = *term;
    }
}

static bool understand_figures(struct arena *arena,
                               const struct analyst_context *context,
                               const struct clarification_reply *reply,
                               const struct question *q,
                               struct analysis *analysis)
{
    struct bound_query *query = bound(arena, context, reply, q, analysis);
    if (!query)
        return false;
    struct guard_verdict verdict;
    guard_check(arena, query_sql(query, FORM_ANSWER),
                &(struct guard_policy){.any_relation = true}, &verdict);
    if (query->problem.len)
        return refuse(analysis, query->problem);
    if (!verdict.ok)
        return refuse(analysis,
                      arena_printf(arena,
                                   "the query for it would not be allowed: "
                                   "%.*s",
                                   STR_ARG(verdict.reason)));
    analysis->kind = ANALYSIS_DATA;
    analysis->query = query;
    return true;
}

/* "Q1" alone: of the year that the clock says, if nothing else is said. */
static void ask_year(struct arena *arena, const struct analyst_context *context,
                     const struct question *q, struct analysis *analysis)
{
    struct clarification *ask = clarification_new(
        arena,
        arena_printf(arena, "Of which year is “%.*s”", STR_ARG(q->year_of)),
        STR("year"));
    ask->year_of = q->year_of;
    clarification_offer(
        ask, (struct term){TERM_ROLE, WEIGHT_NAME, 0, 0},
        arena_printf(arena, "%lld",
                     (long long)date_of_days(context->today).year));
    analysis->ask = ask;
}

/* One sentence after the understood one before it, if any. */
static bool understand_text(struct arena *arena,
                            const struct analyst_context *context,
                            struct str text,
                            const struct clarification_reply *reply,
                            struct analysis *analysis)
{
    struct question *q = arena_new(arena, struct question);
    const struct question *before =
        analysis->earlier ? &analysis->earlier->question : NULL;
    question_read(&analysis->lexicon, text, before, q);
    analysis->followed = false;
    analysis->ask = NULL;
    analysis->unknown = (struct str_list){NULL, 0};
    if (q->n_unknown) {
        struct clarification *ask = ask_word(arena, context, analysis, text, q);
        const struct term *term =
            ask ? clarification_pick(arena, ask, reply) : NULL;
        if (term)
            return understand_text(
                arena, context,
                with_metric(arena, text, q->unknown[0],
                            context->ontology->metrics[term->index].name),
                reply, analysis);
        if (ask && (!reply->n || reply->strict))
            analysis->ask = ask;
        analysis->unknown = (struct str_list){q->unknown, q->n_unknown};
        return refuse(analysis, unknown_sentence(
                                    arena, &analysis->lexicon.vocabulary, q));
    }
    if (q->year_of.len)
        ask_year(arena, context, q, analysis);
    if (q->problem.len)
        return refuse(analysis, q->problem);
    analysis->why = NULL;
    if (question_leans(q) && before) {
        question_follow(before, q);
        analysis->followed = true;
    }
    if (q->why)
        return understand_why(arena, context, q, analysis);
    if (!main_measure(arena, context, reply, q, analysis))
        return false;
    if (!q->n_measures && !q->n_havings && (q->listing || q->subject.n))
        return refuse(analysis, STR("I compute figures; I cannot list rows"));
    if (!q->n_measures && !q->n_havings &&
        !amount_measure(arena, context, text, reply, q, analysis))
        return false;
    return understand_figures(arena, context, reply, q, analysis);
}

/* A reply to what was asked back: its answers pick what was offered, else they are
 * read as more words of the question. */
static bool understand(struct arena *arena,
                       const struct analyst_context *context, struct str text,
                       struct analysis *analysis)
{
    struct clarification_reply reply = clarification_reply_read(text);
    struct str year_of;
    reply.strict = reply.n > 0;
    if (understand_text(arena, context, reply.question, &reply, analysis))
        return true;
    if (!reply.n)
        return false;
    year_of = analysis->ask ? analysis->ask->year_of : STR("");
    reply.strict = false;
    bool understood = understand_text(
        arena, context, clarification_reply_sentence(arena, &reply, year_of),
        &reply, analysis);
    analysis->ask = NULL;
    return understood;
}

void analysis_make_with(struct arena *arena,
                        const struct analyst_context *context,
                        const struct lexicon *lexicon,
                        struct analysis *analysis)
{
    *analysis = (struct analysis){.kind = ANALYSIS_TALK, .lexicon = *lexicon};
    size_t skip = context->n_earlier > EARLIER_MOST
                      ? context->n_earlier - EARLIER_MOST
                      : 0;
    for (size_t i = skip; i < context->n_earlier; i++)
        if (understand(arena, context, context->earlier[i], analysis))
            analysis->earlier = analysis->query;
    analysis->why = NULL;
    analysis->query = NULL;
    analysis->problem = (struct str){NULL, 0};
    analysis->ask = NULL;
    analysis->unknown = (struct str_list){NULL, 0};
    struct question_words words =
        words_read(arena, clarification_reply_read(context->question).question);
    analysis->talk = talk_kind_of(&analysis->lexicon, &words, &analysis->topic);
    analysis->kind = ANALYSIS_TALK;
    if (analysis->talk == TALK_NONE)
        understand(arena, context, context->question, analysis);
}

void analysis_make(struct arena *arena, const struct analyst_context *context,
                   struct analysis *analysis)
{
    struct lexicon lexicon;
    lexicon_init(arena, context->ontology, &lexicon);
    analysis_make_with(arena, context, &lexicon, analysis);
}
