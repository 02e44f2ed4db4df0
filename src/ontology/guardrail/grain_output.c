/* grain_output.c - finds outputs whose values occur in several rows for one
 * row of their own table. */
#include "grain_keys.h"
#include <string.h>
#include "base/banned.h"

static enum multiplied worse(enum multiplied a, enum multiplied b)
{
    return a > b ? a : b;
}

/* ---- rows that are unique by a list of values
 * ------------------------------ */

/* A value in rows that are unique by `values` occurs as often as `values`
 * differ for one row of its sources. */
static enum multiplied within(const struct grain *g,
                              const struct shape_value *value,
                              struct shape_value *const *values, size_t n)
{
    bool *reached = grain_no_sources(g);
    bool perhaps = grain_nested_spreads(g, value, values, n);
    grain_sources(g, value, reached);
    grain_reach(g, reached, grain_constant_classes(g, NULL, 0));
    for (size_t i = 0; i < n; i++) {
        bool *needs = grain_no_sources(g);
        if (grain_is_of(g, values[i], reached))
            continue;
        grain_sources(g, values[i], needs);
        for (size_t k = 0; k < g->select->n_sources; k++) {
            if (!needs[k] || reached[k])
                continue;
            if (g->source_keys[k].known && !g->vague[k])
                return MULTIPLIED_SURELY;
            perhaps = true;
        }
    }
    return perhaps ? MULTIPLIED_PERHAPS : MULTIPLIED_NOT;
}

/* The value uses a column of this source that repeats its values there. */
static bool takes_repeated(const struct shape_value *value,
                           const struct shape_source *source)
{
    const struct grain *inner = source->query->judged;
    if (value->kind == SHAPE_COLUMN && value->source == source &&
        value->column < source->query->n_outputs)
        return inner->multiplied[value->column] != MULTIPLIED_NOT;
    for (size_t i = 0; i < value->n_parts; i++)
        if (takes_repeated(value->parts[i], source))
            return true;
    return false;
}

/* The columns of a derived table that the value uses, without duplicates. */
static void mark_columns(const struct shape_value *value,
                         const struct shape_source *source, bool *columns)
{
    if (value->kind == SHAPE_COLUMN && value->source == source &&
        value->column < source->query->n_outputs)
        columns[value->column] = true;
    for (size_t i = 0; i < value->n_parts; i++)
        mark_columns(value->parts[i], source, columns);
}

/* The same values, as the derived table computes them. */
static struct shape_value *value_inside(const struct grain *g,
                                        const struct shape_value *value,
                                        const struct shape_source *source)
{
    const struct shape_select *query = source->query;
    struct shape_value *made = arena_new(g->arena, struct shape_value);
    bool *columns = arena_new_array(g->arena, bool, query->n_outputs + 1);
    mark_columns(value, source, columns);
    made->kind = SHAPE_OTHER;
    made->parts =
        arena_new_array(g->arena, struct shape_value *, query->n_outputs + 1);
    for (size_t i = 0; i < query->n_outputs; i++)
        if (columns[i])
            made->parts[made->n_parts++] = query->outputs[i].value;
    return made;
}

static enum multiplied spread_over(const struct grain *g,
                                   const struct shape_value *value,
                                   struct shape_value *const *groups, size_t n);

/* A derived table repeats the value already. Groups by what its rows belong to
 * collect the repeated values in one group; other groups do not. */
static enum multiplied spread_inside(const struct grain *g,
                                     const struct shape_value *value,
                                     const struct shape_source *source,
                                     struct shape_value *const *groups,
                                     size_t n)
{
    const struct shape_select *query = source->query;
    struct shape_value **inner =
        arena_new_array(g->arena, struct shape_value *, n + 1);
    if (query->n_arms || query->opaque || query->open)
        return MULTIPLIED_PERHAPS;
    for (size_t i = 0; i < n; i++) {
        size_t column = groups[i]->kind == SHAPE_COLUMN ? groups[i]->column : 0;
        if (groups[i]->kind != SHAPE_COLUMN || groups[i]->source != source ||
            column >= query->n_outputs)
            return MULTIPLIED_PERHAPS;
        inner[i] = query->outputs[column].value;
    }
    return spread_over(query->judged, value_inside(g, value, source), inner, n);
}

static enum multiplied spread_over(const struct grain *g,
                                   const struct shape_value *value,
                                   struct shape_value *const *groups, size_t n)
{
    bool *from = grain_no_sources(g);
    if (!g->source_keys) /* too many sources: not looked into */
        return MULTIPLIED_PERHAPS;
    enum multiplied m = within(g, value, groups, n);
    grain_sources(g, value, from);
    for (size_t i = 0; m != MULTIPLIED_SURELY && i < g->select->n_sources;
         i++) {
        const struct shape_source *source = g->select->sources[i];
        if (from[i] && source->kind == SHAPE_QUERY && source->query->judged &&
            takes_repeated(value, source))
            m = worse(m, spread_inside(g, value, source, groups, n));
    }
    return m;
}

/* ---- values of a group
 * ----------------------------------------------------- */

/* Values that no two rows share: by GROUP BY or DISTINCT. */
struct unique {
    bool any;
    struct shape_value *const *values;
    size_t n;
};

static bool adds_up(struct str function)
{
    return str_is(function, "sum") || str_is(function, "count");
}

/* max(x) and the like return one of the values of a group. If all values of a
 * group are equal, groups repeat it as rows would. */
static enum multiplied pick_multiplied(const struct grain *g,
                                       const struct shape_value *call,
                                       const struct unique *unique)
{
    const struct shape_select *s = g->select;
    bool *from = grain_no_sources(g), *reached = grain_no_sources(g),
         single = true;
    struct shape_value picked = {
        .kind = SHAPE_OTHER, .parts = call->parts, .n_parts = call->n_parts};
    enum multiplied m = spread_over(g, &picked, unique->values, unique->n);
    grain_sources(g, call, from);
    grain_reach(g, reached, grain_constant_classes(g, s->groups, s->n_groups));
    for (size_t i = 0; i < s->n_sources; i++)
        single = single && (!from[i] || reached[i]);
    return m && !single ? MULTIPLIED_PERHAPS : m;
}

static bool has_columns(const struct grain *g, const struct shape_value *value)
{
    bool *sources = grain_no_sources(g);
    grain_sources(g, value, sources);
    for (size_t i = 0; i < g->select->n_sources; i++)
        if (sources[i])
            return true;
    return false;
}

static bool is_fixed(const struct grain *g, const struct shape_value *value,
                     const struct shape_value *window, const bool *reached)
{
    for (size_t i = 0; i < window->n_aside; i++)
        if (grain_same(g, value, window->aside[i]))
            return true;
    return grain_is_of(g, value, reached);
}

/* Each row, or group, is a window of its own. */
static bool is_one_row(const struct grain *g, const struct shape_value *window)
{
    const struct shape_select *s = g->select;
    bool *reached = grain_no_sources(g);
    bool all = grain_reach(
        g, reached, grain_constant_classes(g, window->aside, window->n_aside));
    if (!s->grouped)
        return all;
    for (size_t i = 0; i < s->n_groups; i++)
        if (!is_fixed(g, s->groups[i], window, reached))
            return false;
    return true;
}

static enum multiplied group_multiplied(const struct grain *g,
                                        const struct shape_value *value,
                                        const struct unique *unique);

/* All rows of a window share the value. If each row is its own window, the
 * value is repeated as often as its parts. */
static enum multiplied window_multiplied(const struct grain *g,
                                         const struct shape_value *call,
                                         const struct unique *unique)
{
    if (!call->ordered && !is_one_row(g, call))
        return MULTIPLIED_PERHAPS;
    for (size_t i = 0; i < call->n_parts; i++)
        if (g->select->grouped
                ? group_multiplied(g, call->parts[i], unique)
                : grain_measure(g, call->parts[i], NULL, 0, false).multiplied)
            return MULTIPLIED_PERHAPS;
    return MULTIPLIED_NOT;
}

/* An expression with aggregates: the worst part of a sum or a choice, the
 * finest part of a product. */
static enum multiplied group_multiplied(const struct grain *g,
                                        const struct shape_value *value,
                                        const struct unique *unique)
{
    const struct shape_select *s = g->select;
    bool any = value->kind == SHAPE_SUM || value->kind == SHAPE_CHOICE;
    enum multiplied m = any ? MULTIPLIED_NOT : MULTIPLIED_SURELY;
    if (!has_columns(g, value))
        return MULTIPLIED_NOT;
    if (value->kind == SHAPE_AGGREGATE && value->windowed)
        return window_multiplied(g, value, unique);
    if (value->kind == SHAPE_AGGREGATE)
        return adds_up(value->function) ? MULTIPLIED_NOT
                                        : pick_multiplied(g, value, unique);
    if (value->kind == SHAPE_COLUMN)
        return s->grouped ? within(g, value, unique->values, unique->n)
                          : grain_measure(g, value, NULL, 0, false).multiplied;
    for (size_t i = 0; i < value->n_parts; i++) {
        if (!has_columns(g, value->parts[i]))
            continue;
        enum multiplied part = group_multiplied(g, value->parts[i], unique);
        if (any ? part > m : part < m)
            m = part;
    }
    return m;
}

/* ---- outputs
 * --------------------------------------------------------------- */

/* The values that distinguish rows among those that share `values`. */
static struct unique unique_among(const struct grain *g,
                                  const struct unique *unique,
                                  struct shape_value *const *values, size_t n)
{
    struct shape_value **left =
        arena_new_array(g->arena, struct shape_value *, unique->n + 1);
    size_t n_left = 0;
    for (size_t i = 0; i < unique->n; i++) {
        bool shared = false;
        for (size_t k = 0; k < n; k++)
            shared = shared || grain_same(g, unique->values[i], values[k]);
        if (!shared)
            left[n_left++] = unique->values[i];
    }
    return (struct unique){true, left, n_left};
}

enum multiplied grain_group_multiplied(const struct grain *g,
                                       const struct shape_value *value,
                                       struct shape_value *const *values,
                                       size_t n)
{
    const struct unique groups = {true, g->select->groups, g->select->n_groups};
    if (!g->source_keys)
        return MULTIPLIED_PERHAPS;
    const struct unique left = unique_among(g, &groups, values, n);
    return group_multiplied(g, value, &left);
}

static struct unique unique_of(const struct grain *g, bool aggregated)
{
    const struct shape_select *s = g->select;
    if (!aggregated && s->n_distinct_on)
        return (struct unique){true, s->distinct_on, s->n_distinct_on};
    if (s->grouped)
        return (struct unique){true, s->groups, s->n_groups};
    if (!aggregated && s->distinct)
        return (struct unique){true, grain_output_values(g), s->n_outputs};
    return (struct unique){0};
}

static enum multiplied output_multiplied(const struct grain *g,
                                         const struct shape_value *value,
                                         const struct unique *unique,
                                         bool aggregated, bool counted)
{
    const struct shape_select *s = g->select;
    if (s->grouping_sets) /* subtotals next to their parts */
        return MULTIPLIED_PERHAPS;
    if (!has_columns(g, value) || s->collapsed || s->limit_one ||
        (counted && aggregated))
        return MULTIPLIED_NOT;
    if (aggregated)
        return group_multiplied(g, value, unique);
    if (unique->any)
        return within(g, value, unique->values, unique->n);
    return grain_measure(g, value, NULL, 0, counted).multiplied;
}

enum multiplied grain_of_derived_column(const struct grain *g,
                                        const struct shape_source *source,
                                        size_t column,
                                        struct shape_value *const *groups,
                                        size_t n, bool counted)
{
    const struct shape_select *query = source->query;
    const struct grain *inner = query->judged;
    const struct shape_value *value = query->outputs[column].value;
    enum multiplied m =
        counted ? inner->counted[column] : inner->multiplied[column];
    if (!m || !inner->source_keys || query->n_arms || query->opaque)
        return m;
    bool aggregated = shape_holds_aggregate(value);
    const struct unique unique = unique_of(inner, aggregated);
    struct shape_value **shared =
        arena_new_array(g->arena, struct shape_value *, query->n_outputs + 1);
    const bool *fixed = grain_constant_classes(g, groups, n);
    size_t n_shared = 0;
    for (size_t i = 0; i < query->n_outputs && i < source->n_columns; i++)
        if (fixed[g->classes[g->offsets[source->index] + i]])
            shared[n_shared++] = query->outputs[i].value;
    enum multiplied among;
    if (unique.any) {
        struct unique left = unique_among(inner, &unique, shared, n_shared);
        among = output_multiplied(inner, value, &left, aggregated, counted);
    } else {
        /* it passes on its rows: as if they were grouped where they are */
        among =
            grain_measure(inner, value, shared, n_shared, counted).multiplied;
    }
    return among < m ? among : m;
}

static void new_marks(struct grain *g)
{
    size_t n = g->select->n_outputs + 1;
    g->multiplied = arena_new_array(g->arena, enum multiplied, n);
    g->counted = arena_new_array(g->arena, enum multiplied, n);
}

void grain_give_up(struct grain *g)
{
    g->keys = (struct grain_keys){0};
    new_marks(g);
    for (size_t i = 0; i < g->select->n_outputs; i++)
        g->multiplied[i] = g->counted[i] = MULTIPLIED_PERHAPS;
}

void grain_find_outputs(struct grain *g)
{
    const struct shape_select *s = g->select;
    grain_find_keys(g);
    new_marks(g);
    for (size_t i = 0; i < s->n_outputs; i++) {
        struct arena_mark mark = arena_mark(g->arena);
        const struct shape_value *value = s->outputs[i].value;
        bool aggregated = shape_holds_aggregate(value);
        const struct unique unique = unique_of(g, aggregated);
        g->multiplied[i] =
            output_multiplied(g, value, &unique, aggregated, false);
        g->counted[i] = output_multiplied(g, value, &unique, aggregated, true);
        arena_reset(g->arena, mark);
    }
    for (size_t a = 0; a < s->n_arms; a++) {
        const struct grain *arm = grain_of(g->arena, g->catalog, s->arms[a]);
        for (size_t i = 0; i < s->n_outputs && i < s->arms[a]->n_outputs; i++) {
            g->multiplied[i] = worse(g->multiplied[i], arm->multiplied[i]);
            g->counted[i] = worse(g->counted[i], arm->counted[i]);
        }
    }
}
