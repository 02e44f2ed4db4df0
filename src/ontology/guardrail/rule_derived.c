/* rule_derived.c - sees through derived tables and common table expressions that
 * pass the rows of their SELECT on one by one, so that a mistake is the same one
 * whether it is written in one SELECT or in steps. */
#include "rule.h"
#include "base/banned.h"

bool rule_passes_rows(const struct shape_source *source)
{
    const struct shape_select *q =
        source->kind == SHAPE_QUERY ? source->query : NULL;
    return q && !q->n_arms && !q->opaque && !q->grouped && !q->collapsed &&
           !q->distinct && !q->n_distinct_on && !q->limited && !q->trimmed;
}

/* A value that numbers or compares rows decides which of them are kept. */
static bool is_windowed(struct guardrail_check *j, const struct shape_value *v)
{
    v = rule_resolve(v);
    if (!v || v->windowed || v->kind == SHAPE_ROW_NUMBER ||
        j->looked++ >= RULE_STEPS)
        return true;
    for (size_t i = 0; i < v->n_parts; i++)
        if (is_windowed(j, v->parts[i]))
            return true;
    return false;
}

static bool filters_by_window(struct guardrail_check *j,
                              const struct shape_select *s)
{
    for (size_t i = s->first_where; i < s->n_conditions; i++)
        if (is_windowed(j, s->conditions[i]))
            return true;
    return false;
}

/* The values of a derived table whose classes outside are fixed. */
static struct rule_rows rows_with(struct guardrail_check *j,
                                  const struct grain *g, const bool *fixed,
                                  const struct shape_source *source)
{
    struct rule_rows in = {.select = source->query};
    size_t first = g->offsets[source->index];
    in.groups = arena_new_array(j->arena, struct shape_value *,
                                source->query->n_outputs + 1);
    for (size_t i = 0; i < source->query->n_outputs && i < source->n_columns;
         i++)
        if (fixed[g->classes[first + i]])
            in.groups[in.n_groups++] = source->query->outputs[i].value;
    return in;
}

struct rule_rows rule_rows_within(struct guardrail_check *j,
                                  struct rule_rows of,
                                  const struct shape_source *source)
{
    const struct grain *g = grain_of(j->arena, &j->catalog, of.select);
    if (!g->source_keys)
        return (struct rule_rows){0};
    return rows_with(j, g, grain_constant_classes(g, of.groups, of.n_groups),
                     source);
}

struct rule_rows rule_rows_looked_up(struct guardrail_check *j,
                                     struct rule_rows of,
                                     const struct shape_source *source)
{
    const struct grain *g = grain_of(j->arena, &j->catalog, of.select);
    const struct rule_rows unknown = {0};
    if (!g->source_keys || !rule_passes_rows(source) ||
        filters_by_window(j, of.select))
        return unknown;
    bool *reached = grain_no_sources(g), *grouping = grain_no_sources(g);
    bool *fixed = grain_constant_classes(g, of.groups, of.n_groups);
    reached[source->index] = true;
    if (!grain_reach(g, reached, grain_constant_classes(g, NULL, 0)))
        return unknown;
    for (size_t i = 0; i < of.n_groups; i++)
        grain_sources(g, of.groups[i], grouping);
    /* a group by what is looked up is perhaps one by its key */
    for (size_t i = 0; i < of.select->n_sources; i++)
        for (size_t id = g->offsets[i];
             grouping[i] && i != source->index && id < g->offsets[i + 1]; id++)
            fixed[g->classes[id]] = true;
    return rows_with(j, g, fixed, source);
}

struct rule_rows rule_rows_of(struct guardrail_check *j, struct shape_select *s)
{
    struct rule_rows rows = {s, s->groups, s->n_groups};
    while (rows.select && rows.select->n_sources == 1 &&
           rule_passes_rows(rows.select->sources[0])) {
        if (filters_by_window(j, rows.select) || j->looked++ >= RULE_STEPS)
            return (struct rule_rows){0};
        rows = rule_rows_within(j, rows, rows.select->sources[0]);
    }
    return rows;
}

/* One of the sources reads the same table as a source of `s`. */
static bool reads_again(const struct shape_select *s,
                        const struct shape_select *nested)
{
    for (size_t i = 0; i < s->n_sources; i++)
        for (size_t k = 0; k < nested->n_sources; k++)
            if (s->sources[i]->kind == SHAPE_TABLE &&
                nested->sources[k]->kind == SHAPE_TABLE &&
                s->sources[i]->table == nested->sources[k]->table)
                return true;
    return false;
}

static bool picks_rows(const struct shape_select *s,
                       const struct shape_value *v)
{
    if (v->query && v->query->n_outer_columns && reads_again(s, v->query))
        return true;
    for (size_t i = 0; i < v->n_parts; i++)
        if (picks_rows(s, v->parts[i]))
            return true;
    return false;
}

bool rule_picks_rows(const struct shape_select *s)
{
    for (size_t i = 0; i < s->n_conditions; i++)
        if (picks_rows(s, s->conditions[i]))
            return true;
    return false;
}

const struct shape_value *
rule_limited_number(const struct shape_value *condition,
                    const struct shape_source **source)
{
    const struct shape_value *c = condition;
    bool first = c->n_parts == 2 && c->parts[0]->kind == SHAPE_COLUMN &&
                 c->parts[1]->kind == SHAPE_CONSTANT &&
                 (c->kind == SHAPE_EQUAL ||
                  (c->kind == SHAPE_RANGE && str_starts(c->word, STR("<"))));
    *source = first ? c->parts[0]->source : NULL;
    if (!*source || (*source)->kind != SHAPE_QUERY ||
        (*source)->query->n_arms ||
        c->parts[0]->column >= (*source)->query->n_outputs)
        return NULL;
    return (*source)->query->outputs[c->parts[0]->column].value;
}
