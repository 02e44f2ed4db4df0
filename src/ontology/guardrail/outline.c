/* outline.c - describes the result of a query by its text alone. */
#include "findings.h"
#include "base/banned.h"

static bool is_key_column(const struct ontology *o, struct column_origin origin)
{
    for (size_t i = 0; origin.source && i < o->n_datasets; i++)
        if (origin_in_dataset(origin, i) &&
            origin_within(origin, o->datasets[i].primary_key))
            return true;
    for (size_t i = 0; origin.source && i < o->n_relationships; i++)
        if (origin_in_dataset(origin, o->relationships[i].from) &&
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

static void fill_outputs(struct arena *arena, const struct ontology *o,
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
                                    .key = is_key_column(o, origin_of(value)),
                                    .aggregate = shape_holds_aggregate(value),
                                    .additive = is_additive(value),
                                    .print = value->print};
    }
}

void outline_fill(const struct guardrail_check *j, struct query_outline *out)
{
    const struct shape_select *s = j->shape.top;
    out->read = true;
    out->grouped = s->grouped || s->collapsed;
    out->whole = !s->trimmed && !s->n_arms && !s->grouping_sets;
    out->from_hash = s->from_hash;
    out->filter_hash = s->filter_hash;
    if (!s->open)
        fill_outputs(j->arena, j->o, s, out);
}
