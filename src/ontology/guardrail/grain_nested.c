/* grain_nested.c - values that nested queries compute for a row: scalar
 * subqueries and LATERAL. Such a value depends only on the columns of the
 * row that the query names. */
#include "grain_keys.h"
#include <stdint.h>
#include "base/banned.h"

struct made {
    const struct grain *grain;
    bool any, own; /* uses a nested query; uses values of the row itself */
    struct shape_value *
        *named; /* columns of the row that it names; room for all */
    size_t n, cap;
};

static void add_named(struct made *made, struct shape_value *const *columns,
                      size_t n)
{
    for (size_t i = 0; i < n && made->n < made->cap; i++)
        if (columns[i]->kind == SHAPE_COLUMN &&
            columns[i]->source->select == made->grain->select)
            made->named[made->n++] = columns[i];
    made->any = true;
}

static bool takes_of(const struct shape_value *value,
                     const struct shape_select *select)
{
    if (value->kind == SHAPE_COLUMN && value->source->select == select)
        return true;
    for (size_t i = 0; value->kind != SHAPE_SUBQUERY && i < value->n_parts; i++)
        if (takes_of(value->parts[i], select))
            return true;
    return false;
}

/* A column of a LATERAL query that names other columns of this FROM. */
static bool is_lateral(const struct grain *g, const struct shape_value *value)
{
    const struct shape_select *query = value->source->query;
    if (value->source->kind != SHAPE_QUERY ||
        value->column >= query->n_outputs ||
        takes_of(query->outputs[value->column].value, g->select))
        return false;
    for (size_t i = 0; i < query->n_outer_columns; i++)
        if (query->outer_columns[i]->source->select == g->select)
            return true;
    return false;
}

static void look(struct made *made, const struct shape_value *value)
{
    const struct grain *g = made->grain;
    if (value->kind == SHAPE_COLUMN && value->source->select == g->select) {
        if (is_lateral(g, value))
            add_named(made, value->source->query->outer_columns,
                      value->source->query->n_outer_columns);
        else
            made->own = true;
        return;
    }
    if (value->kind == SHAPE_SUBQUERY) {
        add_named(made, value->parts, value->n_parts);
        return;
    }
    for (size_t i = 0; !made->own && i < value->n_parts; i++)
        look(made, value->parts[i]);
}

static struct made made_of(const struct grain *g,
                           const struct shape_value *value)
{
    struct made made = {.grain = g, .cap = g->offsets[g->select->n_sources]};
    made.named = arena_new_array(g->arena, struct shape_value *, made.cap + 1);
    look(&made, value);
    return made;
}

/* Rows that share the fixed classes, and what these reach, share the value. */
static bool is_fixed(const struct grain *g, const struct shape_value *value,
                     const bool *fixed, const bool *reached)
{
    size_t id = grain_column(g, value);
    if (id != SIZE_MAX &&
        (fixed[g->classes[id]] || reached[value->source->index]))
        return true;
    for (size_t i = 0; i < value->n_parts; i++)
        if (!is_fixed(g, value->parts[i], fixed, reached))
            return false;
    return id == SIZE_MAX;
}

bool grain_nested_spreads(const struct grain *g,
                          const struct shape_value *value,
                          struct shape_value *const *values, size_t n)
{
    struct made made = made_of(g, value);
    if (!made.any || made.own || !made.n)
        return false;
    bool *reached = grain_no_sources(g);
    const bool *fixed = grain_constant_classes(g, made.named, made.n);
    grain_reach(g, reached, fixed);
    for (size_t i = 0; i < n; i++)
        if (!is_fixed(g, values[i], fixed, reached))
            return true;
    return false;
}

bool grain_nested_repeats(const struct grain *g,
                          const struct shape_value *value)
{
    struct made made = made_of(g, value);
    if (!made.any || made.own || !made.n)
        return false;
    bool *reached = grain_no_sources(g);
    grain_reach(g, reached, grain_constant_classes(g, made.named, made.n));
    for (size_t i = 0; i < made.n; i++)
        if (!reached[made.named[i]->source->index])
            return true;
    return false;
}
