/* examples.c - example questions for an ontology. Each is tried before it
 * is offered, so all of them can be answered. */
#include "analysis.h"
#include "ontology/example.h"
#include "read/field.h"
#include "base/banned.h"

/* In an ontology of many unrelated tables few questions can be answered, so
 * tries are limited. */
enum { TRIES_MOST = 40 };

struct offers {
    struct arena *arena;
    const struct ontology *o;
    struct lexicon lexicon;
    struct str *examples;
    size_t n, most, tried;
};

/* It has enough examples, or has tried enough. */
static bool is_done(const struct offers *offers)
{
    return offers->n == offers->most || offers->tried >= TRIES_MOST;
}

static bool is_answerable(struct offers *offers, struct str question)
{
    struct analysis analysis;
    struct analyst_context context = {.ontology = offers->o,
                                      .question = question};
    struct arena_mark mark = arena_mark(offers->arena);
    offers->tried++;
    analysis_make_with(offers->arena, &context, &offers->lexicon, &analysis);
    arena_reset(offers->arena, mark);
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

/* Offers `subject` as a sentence, "What is the revenue by city?", or, if that
 * cannot be answered, as it is. */
static bool offer_asked(struct offers *offers, const char *before,
                        struct str subject, const char *after)
{
    struct str asked = arena_printf(offers->arena, "%s %.*s%s", before,
                                    STR_ARG(subject), after);
    return offer(offers, asked) || offer(offers, subject);
}

/* A measure to ask for: a metric, or the number of a dataset's rows. */
struct offered {
    struct str name;
    size_t counted; /* the dataset whose rows it counts, or SIZE_MAX */
};

/* The dataset that a metric counts: orders for "count(orders.order_id)". */
static size_t counted_by(const struct ontology *o, const struct metric *metric)
{
    struct str e = metric->expression;
    if (e.len < 6 || !str_eq_nocase(str_cut(e, 0, 5), STR("count")))
        return SIZE_MAX;
    for (size_t i = 0; i < o->n_datasets; i++) {
        struct str name = o->datasets[i].name;
        ptrdiff_t at = str_find_nocase(e, name);
        size_t end = (size_t)at + name.len;
        if (at > 0 && end < e.len && e.ptr[end] == '.' &&
            (e.ptr[at - 1] == '(' || e.ptr[at - 1] == ' '))
            return i;
    }
    return SIZE_MAX;
}

/* Metrics that are amounts, then metrics that count, then counts of rows. */
static size_t measures_of(const struct offers *offers, struct offered *out,
                          size_t most)
{
    const struct ontology *o = offers->o;
    size_t n = 0;
    for (int counts = 0; counts < 2; counts++)
        for (size_t i = 0; i < o->n_metrics && n < most; i++) {
            size_t counted = counted_by(o, &o->metrics[i]);
            if ((counted != SIZE_MAX) == counts)
                out[n++] = (struct offered){
                    spoken(offers->arena, o->metrics[i].name), counted};
        }
    for (size_t i = 0; i < o->n_datasets && n < most; i++)
        out[n++] = (struct offered){
            arena_printf(offers->arena, "number of %.*s",
                         STR_ARG(spoken(offers->arena, o->datasets[i].name))),
            i};
    return n;
}

/* Skips counts by their own label: one for each row says nothing. */
static bool offer_grouped(struct offers *offers, const struct offered *measure,
                          int wanted)
{
    const struct ontology *o = offers->o;
    for (size_t i = 0; i < o->n_datasets && !is_done(offers); i++)
        for (size_t j = 0; j < o->datasets[i].n_fields && !is_done(offers);
             j++) {
            const struct field *field = &o->datasets[i].fields[j];
            bool itself =
                measure->counted == i && dataset_label(&o->datasets[i]) == j;
            if (!itself && field_grouping(&o->datasets[i], field) == wanted &&
                offer_asked(
                    offers, "What is the",
                    arena_printf(offers->arena, "%.*s by %.*s",
                                 STR_ARG(measure->name),
                                 STR_ARG(spoken(offers->arena, field->name))),
                    "?"))
                return true;
        }
    return false;
}

static bool offer_top(struct offers *offers, const struct offered *measure)
{
    const struct ontology *o = offers->o;
    for (size_t i = 0; i < o->n_datasets && !is_done(offers); i++)
        if (measure->counted != i &&
            dataset_label(&o->datasets[i]) != SIZE_MAX &&
            offer_asked(offers, "What are the",
                        arena_printf(
                            offers->arena, "top 5 %.*s by %.*s",
                            STR_ARG(spoken(offers->arena, o->datasets[i].name)),
                            STR_ARG(measure->name)),
                        "?"))
            return true;
    return false;
}

size_t analyst_examples(struct arena *arena, const struct ontology *ontology,
                        struct str *examples, size_t most)
{
    enum { MEASURES_TRIED = 4 };
    struct offers offers = {
        .arena = arena, .o = ontology, .examples = examples, .most = most};
    lexicon_init(arena, ontology, &offers.lexicon);
    struct offered measures[MEASURES_TRIED];
    size_t n = measures_of(&offers, measures, MEASURES_TRIED);
    /* Examples of the ontology's author come first. */
    for (size_t i = 0; i < ontology->hints.examples.n && !is_done(&offers); i++)
        offer(&offers, example_question(ontology->hints.examples.items[i]));
    for (size_t i = 0; i < n && offers.n < most; i++) {
        for (int score = 3; score > 0; score--)
            if (offer_grouped(&offers, &measures[i], score))
                break;
        offer_asked(&offers, "Show",
                    arena_printf(arena, "%.*s by month as a chart",
                                 STR_ARG(measures[i].name)),
                    "");
        offer_top(&offers, &measures[i]);
    }
    for (size_t i = 0; i < n; i++)
        offer_asked(&offers, "What is the", measures[i].name, "?");
    return offers.n;
}
