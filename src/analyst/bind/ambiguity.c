/* ambiguity.c - metrics among which a question does not choose. */
#include "ambiguity.h"
#include "base/banned.h"

enum { METRICS_TRIED = 40, METRICS_OFFERED = 4 };

struct bound_query *query_new(struct arena *arena,
                              const struct analyst_context *context,
                              const struct lexicon *lexicon,
                              const struct question *question)
{
    struct bound_query *query = arena_new(arena, struct bound_query);
    query->arena = arena;
    query->o = context->ontology;
    query->lexicon = lexicon;
    query->question = *question;
    query->today = context->today;
    query->from_today = context->from_today;
    return query;
}

struct choice metric_choice(const struct analysis *analysis, size_t metric)
{
    struct term *term = arena_new(analysis->lexicon.arena, struct term);
    *term = (struct term){TERM_METRIC, WEIGHT_NAME, SIZE_MAX, metric};
    return (struct choice){
        .terms = term,
        .n = 1,
        .n_words = 1,
        .words = analysis->lexicon.ontology->metrics[metric].name};
}

static bool can_rank(struct arena *arena, const struct analyst_context *context,
                     const struct analysis *analysis, const struct question *q,
                     size_t metric)
{
    struct question trial = *q;
    trial.measures[0] =
        (struct asked_measure){FUNCTION_NONE, metric_choice(analysis, metric)};
    trial.n_measures = 1;
    struct bound_query *query =
        query_new(arena, context, &analysis->lexicon, &trial);
    if (!query_bind(query) || !query->n_parts || !query->n_dimensions)
        return false;
    /* How many customers each customer is says nothing. */
    return !query->measures[0].counts ||
           query->parts[0].root != query->dimensions[0].spot.dataset;
}

struct clarification *ask_ranking(struct arena *arena,
                                  const struct analyst_context *context,
                                  const struct analysis *analysis,
                                  const struct question *q)
{
    const struct ontology *o = context->ontology;
    struct clarification *ask = clarification_new(
        arena, STR("By what are they ranked"), STR("ranked by"));
    for (size_t i = 0; i < o->n_metrics && i < METRICS_TRIED; i++)
        if (ask->n < METRICS_OFFERED &&
            can_rank(arena, context, analysis, q, i))
            clarification_offer(ask, metric_choice(analysis, i).terms[0],
                                spoken(arena, o->metrics[i].name));
    return ask;
}

struct clarification *ask_measure(struct arena *arena,
                                  const struct analyst_context *context,
                                  const struct analysis *analysis,
                                  const struct question *q)
{
    const struct ontology *o = context->ontology;
    struct clarification *ask = clarification_new(
        arena, STR("What is to be measured"), STR("measured"));
    struct question trial = *q;
    trial.n_measures = 1;
    for (size_t i = 0; i < o->n_metrics && i < METRICS_TRIED; i++) {
        trial.measures[0] =
            (struct asked_measure){FUNCTION_NONE, metric_choice(analysis, i)};
        if (ask->n < METRICS_OFFERED &&
            query_bind(query_new(arena, context, &analysis->lexicon, &trial)))
            clarification_offer(ask, metric_choice(analysis, i).terms[0],
                                spoken(arena, o->metrics[i].name));
    }
    return ask;
}

/* ---- one word that is a part of several metrics' names ---------------------- */

struct str with_metric(struct arena *arena, struct str text, struct str word,
                       struct str metric)
{
    ptrdiff_t at = str_find(text, word);
    if (at < 0)
        return text;
    return arena_printf(arena, "%.*s%.*s%.*s",
                        STR_ARG(str_cut(text, 0, (size_t)at)),
                        STR_ARG(spoken(arena, metric)),
                        STR_ARG(str_from(text, (size_t)at + word.len)));
}

static bool is_understood(struct arena *arena,
                          const struct analyst_context *context,
                          const struct analysis *analysis, struct str text)
{
    struct question *q = arena_new(arena, struct question);
    const struct question *before =
        analysis->earlier ? &analysis->earlier->question : NULL;
    question_read(&analysis->lexicon, text, before, q);
    return !q->n_unknown && q->n_measures && !q->problem.len &&
           query_bind(query_new(arena, context, &analysis->lexicon, q));
}

struct clarification *ask_word(struct arena *arena,
                               const struct analyst_context *context,
                               const struct analysis *analysis, struct str text,
                               const struct question *q)
{
    const struct ontology *o = context->ontology;
    struct str word = q->unknown[0];
    if (q->n_unknown != 1 || q->n_measures || q->problem.len)
        return NULL;
    struct clarification *ask = clarification_new(
        arena, arena_printf(arena, "What is meant by “%.*s”", STR_ARG(word)),
        word);
    for (size_t i = 0; i < o->n_metrics && i < METRICS_TRIED; i++)
        if (vocabulary_has_part(&analysis->lexicon.vocabulary, i, word) &&
            is_understood(arena, context, analysis,
                          with_metric(arena, text, word, o->metrics[i].name)))
            clarification_offer(ask, metric_choice(analysis, i).terms[0],
                                spoken(arena, o->metrics[i].name));
    return ask->n > 1 ? ask : NULL;
}
