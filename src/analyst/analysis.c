#include "analysis.h"
#include "compose.h"
#include "guard/guard.h"
#include "why.h"
#include "base/banned.h"

enum { EARLIER_MOST = 12 };

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
            buf_printf(&out, "%s%.*s%s", j ? ", " : " (near to it: ",
                       STR_ARG(near.items[j]), j + 1 == near.n ? ")" : "");
    }
    return buf_view(&out);
}

static struct query *query_new(struct arena *arena,
                               const struct analyst_context *context,
                               const struct reading *reading,
                               const struct question *question)
{
    struct query *query = arena_new(arena, struct query);
    query->arena = arena;
    query->o = context->ontology;
    query->reading = reading;
    query->question = *question;
    query->today = context->today;
    query->from_today = context->from_today;
    return query;
}

static bool refuse(struct analysis *analysis, struct str problem)
{
    analysis->kind = ANALYSIS_REFUSED;
    analysis->problem = problem;
    return false;
}

/* "Top 5 customers": by the first metric of the model. */
static void main_measure(const struct analysis *analysis, struct question *q)
{
    const struct ontology *o = analysis->reading.ontology;
    if (q->n_measures || q->n_havings || !q->top.n || !q->n_dimensions ||
        !o->n_metrics)
        return;
    struct choice found =
        vocabulary_find(&analysis->reading.vocabulary, o->metrics[0].name);
    q->measures[0] = (struct asked_measure){
        FUNCTION_NONE, choice_of(analysis->reading.arena, found, TERM_METRIC)};
    q->n_measures = q->measures[0].what.n > 0;
    question_note(q, STR("By what are they ranked?"),
                  arena_printf(analysis->reading.arena,
                               "By %.*s, the first metric of the model.",
                               STR_ARG(o->metrics[0].name)));
}

static bool understand_why(struct arena *arena,
                           const struct analyst_context *context,
                           const struct question *q, struct analysis *analysis)
{
    struct str problem = {NULL, 0};
    struct query *plain = query_new(arena, context, &analysis->reading, q);
    analysis->why = why_make(plain, &problem);
    if (!analysis->why)
        return refuse(analysis, problem);
    analysis->kind = ANALYSIS_DATA;
    analysis->query = analysis->why->series;
    return true;
}

static bool understand_figures(struct arena *arena,
                               const struct analyst_context *context,
                               const struct question *q,
                               struct analysis *analysis)
{
    struct query *query = query_new(arena, context, &analysis->reading, q);
    if (!query_bind(query))
        return refuse(analysis, query->problem);
    struct guard_verdict verdict;
    guard_check(arena, query_sql(query, FORM_ANSWER),
                &(struct guard_policy){.any_relation = true}, &verdict);
    if (query->problem.len)
        return refuse(analysis, query->problem);
    if (!verdict.ok)
        return refuse(analysis,
                      arena_printf(arena, "the query for it would not be allowed: "
                                          "%.*s",
                                   STR_ARG(verdict.reason)));
    analysis->kind = ANALYSIS_DATA;
    analysis->query = query;
    return true;
}

/* One question after the understood one before it, if any. */
static bool understand(struct arena *arena, const struct analyst_context *context,
                       struct str text, struct analysis *analysis)
{
    struct question *q = arena_new(arena, struct question);
    const struct question *before =
        analysis->earlier ? &analysis->earlier->question : NULL;
    question_read(&analysis->reading, text, before, q);
    analysis->followed = false;
    analysis->unknown = (struct str_list){NULL, 0};
    if (q->n_unknown) {
        analysis->unknown = (struct str_list){q->unknown, q->n_unknown};
        return refuse(analysis,
                      unknown_sentence(arena, &analysis->reading.vocabulary, q));
    }
    if (q->problem.len)
        return refuse(analysis, q->problem);
    analysis->why = NULL;
    if (question_leans(q) && before) {
        question_follow(before, q);
        analysis->followed = true;
    }
    if (q->why)
        return understand_why(arena, context, q, analysis);
    main_measure(analysis, q);
    if (!q->n_measures && !q->n_havings)
        return refuse(analysis,
                      q->listing || q->subject.n
                          ? STR("I compute figures; I cannot list rows")
                          : STR("I do not see what is to be measured"));
    return understand_figures(arena, context, q, analysis);
}

void analysis_with(struct arena *arena, const struct analyst_context *context,
                   const struct reading *reading, struct analysis *analysis)
{
    *analysis = (struct analysis){.kind = ANALYSIS_TALK, .reading = *reading};
    size_t skip = context->n_earlier > EARLIER_MOST
                      ? context->n_earlier - EARLIER_MOST
                      : 0;
    for (size_t i = skip; i < context->n_earlier; i++)
        if (understand(arena, context, context->earlier[i], analysis))
            analysis->earlier = analysis->query;
    analysis->why = NULL;
    analysis->query = NULL;
    analysis->problem = (struct str){NULL, 0};
    analysis->unknown = (struct str_list){NULL, 0};
    struct words words = words_read(arena, context->question);
    analysis->talk = talk_of(&analysis->reading, &words, &analysis->topic);
    analysis->kind = ANALYSIS_TALK;
    if (analysis->talk == TALK_NONE)
        understand(arena, context, context->question, analysis);
}

void analysis_make(struct arena *arena, const struct analyst_context *context,
                   struct analysis *analysis)
{
    struct reading reading;
    reading_make(arena, context->ontology, &reading);
    analysis_with(arena, context, &reading, analysis);
}
