/* outline.c - what a query's text says of its results. */
#include "findings.h"
#include "base/banned.h"

static bool is_key(const struct ontology *o, struct origin origin)
{
    for (size_t i = 0; origin.source && i < o->n_datasets; i++)
        if (stands_for(origin, i) &&
            origin_within(origin, o->datasets[i].primary_key))
            return true;
    for (size_t i = 0; origin.source && i < o->n_relationships; i++)
        if (stands_for(origin, o->relationships[i].from) &&
            origin_within(origin, o->relationships[i].from_columns))
            return true;
    return false;
}

static bool is_additive(const struct shape_value *value)
{
    return value->kind == SHAPE_AGGREGATE && !value->distinct &&
           !value->windowed &&
           (str_is(value->function, "sum") || str_is(value->function, "count"));
}

static void tell_outputs(struct arena *arena, const struct ontology *o,
                         const struct shape_select *s,
                         struct query_outline *out)
{
    out->n_outputs = s->n_outputs;
    out->outputs =
        arena_new_array(arena, struct outline_output, s->n_outputs + 1);
    for (size_t i = 0; i < s->n_outputs; i++) {
        const struct shape_value *value = s->outputs[i].value;
        out->outputs[i] =
            (struct outline_output){.name = s->outputs[i].name,
                                    .key = is_key(o, origin_of(value)),
                                    .aggregate = shape_holds_aggregate(value),
                                    .additive = is_additive(value),
                                    .print = value->print};
    }
}

void outline_tell(const struct judging *j, struct query_outline *out)
{
    const struct shape_select *s = j->shape.top;
    out->read = true;
    out->grouped = s->grouped || s->collapsed;
    out->unique = out->grouped || s->distinct || s->n_distinct_on ||
                  (s->n_arms && !s->all);
    out->whole = !s->trimmed && !s->n_arms && !s->grouping_sets;
    out->from_print = s->from_print;
    out->filter_print = s->filter_print;
    if (!s->open)
        tell_outputs(j->arena, j->o, s, out);
}
