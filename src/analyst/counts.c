/* counts.c - questions that ask for numbers of rows and nothing else. */
#include "analysis.h"
#include "base/banned.h"

static bool only_counts(const struct bound_query *query)
{
    const struct question *q = &query->question;
    const struct formula *f = &query->measures[0].formula;
    return query->n_measures == 1 && query->n_parts == 1 && f->bare &&
           f->aggregates[0].rows &&
           f->aggregates[0].grain == query->parts[0].root &&
           !query->n_conditions && !q->n_havings && !q->share && !q->top.n &&
           !window_is_set(&q->window) && q->chart == CHART_NONE;
}

static bool take_columns(const struct bound_query *query,
                         struct analyst_count *count)
{
    for (size_t i = 0; i < query->n_dimensions; i++) {
        const struct dimension *d = &query->dimensions[i];
        if (d->contrast != CONTRAST_NONE || d->grain || d->things ||
            d->of_names || d->ref.dataset != count->dataset)
            return false;
        struct str column = field_of_ref(query, d->ref)->column;
        if (!column.len)
            return false;
        count->columns[count->n] = column;
        count->names[count->n++] = d->name;
    }
    return true;
}

bool analyst_counts(struct arena *arena, const struct analyst_context *context,
                    struct analyst_count *count)
{
    struct analysis analysis;
    analysis_make(arena, context, &analysis);
    if (analysis.kind != ANALYSIS_DATA || analysis.why ||
        !only_counts(analysis.query))
        return false;
    const struct bound_query *query = analysis.query;
    *count = (struct analyst_count){
        .dataset = query->parts[0].root,
        .columns = arena_new_array(arena, struct str, QUESTION_DIMENSIONS),
        .names = arena_new_array(arena, struct str, QUESTION_DIMENSIONS),
        .name = query->measures[0].formula.name};
    return take_columns(query, count);
}
