/* ambiguity.c - finds the metrics that a question may mean, by binding it with
 * each of them. */
#include "ambiguity.h"
#include "base/banned.h"

enum { METRICS_TRIED = 40, METRICS_OFFERED = 4 };

struct bound_query *bound_query_new(const struct analysis *a,
                                    const struct question *question)
{
    struct bound_query *query = arena_new(a->arena, struct bound_query);
    *query = (struct bound_query){.arena = a->arena,
                                  .o = a->context->ontology,
                                  .lexicon = &a->lexicon,
                                  .question = *question,
                                  .today = a->context->today};
    return query;
}

static struct term metric_term(size_t metric)
{
    return (struct term){TERM_METRIC, WEIGHT_NAME, SIZE_MAX, metric};
}

struct choice metric_choice(const struct analysis *a, size_t metric)
{
    return choice_one(a->arena, metric_term(metric),
                      a->context->ontology->metrics[metric].name, 1);
}

/* Binds the question with this metric as its only measure. NULL: it does not
 * fit. */
static struct bound_query *bind_with(const struct analysis *a,
                                     const struct question *q, size_t metric)
{
    struct question trial = *q;
    trial.measures[0] =
        (struct asked_measure){.what = metric_choice(a, metric)};
    trial.n_measures = 1;
    struct bound_query *query = bound_query_new(a, &trial);
    return query_bind(query) ? query : NULL;
}

/* How many customers each customer is says nothing. */
static bool can_rank(const struct bound_query *query)
{
    return query->n_parts && query->n_dimensions &&
           (!query->measures[0].counts ||
            query->parts[0].root != query->dimensions[0].ref.dataset);
}

static void offer_metrics(const struct analysis *a, const struct question *q,
                          bool ranks, struct clarification *ask)
{
    const struct ontology *o = a->context->ontology;
    for (size_t i = 0; i < o->n_metrics && i < METRICS_TRIED; i++) {
        if (ask->n >= METRICS_OFFERED)
            return;
        const struct bound_query *query = bind_with(a, q, i);
        if (query && (!ranks || can_rank(query)))
            clarification_offer(ask, metric_term(i),
                                spoken(a->arena, o->metrics[i].name));
    }
}

struct clarification *ask_ranking(const struct analysis *a,
                                  const struct question *q)
{
    struct clarification *ask = clarification_new(
        a->arena, STR("By what are they ranked"), STR("ranked by"));
    offer_metrics(a, q, true, ask);
    return ask;
}

struct clarification *ask_measure(const struct analysis *a,
                                  const struct question *q)
{
    struct clarification *ask = clarification_new(
        a->arena, STR("What is to be measured"), STR("measured"));
    offer_metrics(a, q, false, ask);
    return ask;
}

/* ---- one word that is part of several metrics' names ------------------------ */

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

static bool is_understood(const struct analysis *a, struct str text)
{
    struct question *q = arena_new(a->arena, struct question);
    const struct question *before = a->earlier ? &a->earlier->question : NULL;
    question_read(&a->lexicon, text, before, q);
    return !q->n_unknown && q->n_measures && !q->problem.len &&
           query_bind(bound_query_new(a, q));
}

struct clarification *ask_word(const struct analysis *a, struct str text,
                               const struct question *q)
{
    const struct ontology *o = a->context->ontology;
    struct str word = q->unknown[0];
    if (q->n_unknown != 1 || q->n_measures || q->problem.len)
        return NULL;
    struct clarification *ask = clarification_new(
        a->arena,
        arena_printf(a->arena, "What is meant by “%.*s”", STR_ARG(word)), word);
    for (size_t i = 0; i < o->n_metrics && i < METRICS_TRIED; i++)
        if (vocabulary_has_part(&a->lexicon.vocabulary, i, word) &&
            is_understood(
                a, with_metric(a->arena, text, word, o->metrics[i].name)))
            clarification_offer(ask, metric_term(i),
                                spoken(a->arena, o->metrics[i].name));
    return ask->n > 1 ? ask : NULL;
}
