/* examples.c - questions over a model that this analyst can surely answer: each
 * is tried before it is offered. */
#include "analysis.h"
#include "field.h"
#include "base/banned.h"

struct offers {
    struct arena *arena;
    const struct ontology *o;
    struct reading reading;
    struct str *examples;
    size_t n, most;
};

static bool is_answerable(const struct offers *offers, struct str question)
{
    struct analysis analysis;
    struct analyst_context context = {.ontology = offers->o,
                                      .question = question};
    analysis_with(offers->arena, &context, &offers->reading, &analysis);
    return analysis.kind == ANALYSIS_DATA;
}

static bool offer(struct offers *offers, struct str question)
{
    if (offers->n == offers->most)
        return false;
    for (size_t i = 0; i < offers->n; i++)
        if (str_eq_nocase(offers->examples[i], question))
            return false;
    if (!is_answerable(offers, question))
        return false;
    offers->examples[offers->n++] = question;
    return true;
}

static struct str measure_name(const struct offers *offers, size_t i)
{
    const struct ontology *o = offers->o;
    if (i < o->n_metrics)
        return spoken(offers->arena, o->metrics[i].name);
    i -= o->n_metrics;
    return i < o->n_datasets
               ? arena_printf(offers->arena, "number of %.*s",
                              STR_ARG(spoken(offers->arena, o->datasets[i].name)))
               : STR("");
}

static bool offer_grouped(struct offers *offers, struct str measure, int wanted)
{
    const struct ontology *o = offers->o;
    for (size_t i = 0; i < o->n_datasets; i++)
        for (size_t j = 0; j < o->datasets[i].n_fields; j++) {
            const struct field *field = &o->datasets[i].fields[j];
            if (field_grouping(&o->datasets[i], field) == wanted &&
                offer(offers,
                      arena_printf(offers->arena, "%.*s by %.*s", STR_ARG(measure),
                                   STR_ARG(spoken(offers->arena, field->name)))))
                return true;
        }
    return false;
}

static bool offer_top(struct offers *offers, struct str measure)
{
    const struct ontology *o = offers->o;
    for (size_t i = 0; i < o->n_datasets; i++)
        if (dataset_label(&o->datasets[i]) != SIZE_MAX &&
            offer(offers,
                  arena_printf(offers->arena, "top 5 %.*s by %.*s",
                               STR_ARG(spoken(offers->arena, o->datasets[i].name)),
                               STR_ARG(measure))))
            return true;
    return false;
}

size_t analyst_examples(struct arena *arena, const struct ontology *ontology,
                        struct str *examples, size_t most)
{
    enum { MEASURES_TRIED = 4 };
    struct offers offers = {.arena = arena, .o = ontology,
                            .examples = examples, .most = most};
    reading_make(arena, ontology, &offers.reading);
    size_t measures = ontology->n_metrics + ontology->n_datasets;
    /* Those that the model's author wrote come first. */
    for (size_t i = 0; i < ontology->hints.examples.n; i++)
        offer(&offers, ontology->hints.examples.items[i]);
    for (size_t i = 0; i < measures && i < MEASURES_TRIED && offers.n < most; i++) {
        struct str measure = measure_name(&offers, i);
        for (int score = 3; score > 0; score--)
            if (offer_grouped(&offers, measure, score))
                break;
        offer(&offers, arena_printf(arena, "%.*s by month as a chart",
                                    STR_ARG(measure)));
        offer_top(&offers, measure);
    }
    return offers.n;
}
