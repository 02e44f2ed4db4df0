/* shape_name.c - resolves the names in a query. */
#include "shape_build.h"
#include <string.h>
#include "base/banned.h"

enum { MAX_PROBLEMS = 20, MAX_OUTPUTS = 2000 };

void *shape_grow(struct arena *arena, const void *items, size_t n, size_t size)
{
    char *more = arena_alloc_array(arena, n ? 2 * n : 8, size);
    if (n)
        memcpy(more, items, n * size);
    return more;
}

void shape_source_learn(struct shape_builder *b, struct shape_source *source,
                        struct str name)
{

    struct str copy = shape_text(b, name);
    SHAPE_PUSH(b, source->columns, source->n_columns, copy);
    if (copy.len && !map_get(&source->by_name, copy)) {
        size_t *place = arena_new(b->arena, size_t);
        *place = source->n_columns - 1;
        map_put(&source->by_name, copy, place);
    }
}

size_t shape_listed_column(const struct shape_source *source, struct str name)
{
    size_t *place = map_get(&source->by_name, name);
    return place ? *place : SIZE_MAX;
}

size_t shape_source_column(struct shape_builder *b, struct shape_source *source,
                           struct str name)
{
    size_t place = shape_listed_column(source, name);
    if (place != SIZE_MAX || !source->open)
        return place;
    shape_source_learn(b, source, name);
    return source->n_columns - 1;
}

/* A column of an outer query is an outer column of every select in between. */
static void shape_note_outer(struct shape_builder *b, struct shape_value *value)
{
    struct shape_select *home = value->source->select;
    for (struct shape_scope *s = b->scope; s && s->select != home; s = s->outer)
        SHAPE_PUSH(b, s->select->outer_columns, s->select->n_outer_columns,
                   value);
}

struct shape_value *shape_column(struct shape_builder *b,
                                 struct shape_source *source, size_t column)
{
    struct shape_value *value = shape_value_new(b, SHAPE_COLUMN);
    value->source = source;
    value->column = column;
    shape_note_outer(b, value);
    return value;
}

static size_t sources_in_sight(const struct shape_scope *scope)
{
    return scope->hidden ? scope->hidden - 1 : scope->select->n_sources;
}

/* Tables of two schemas may have one name: then the partial one counts. */
struct shape_source *shape_source_named(struct shape_builder *b,
                                        struct str qualifier)
{
    struct shape_source *found = NULL;
    for (struct shape_scope *s = b->scope; s && !found; s = s->outer)
        for (size_t i = 0; i < sources_in_sight(s); i++) {
            struct shape_source *one = s->select->sources[i];
            bool better = !found || (one->partial && !found->partial);
            if (better && str_eq(one->name, qualifier))
                found = one;
        }
    return found;
}

/* A source in sight in that scope which is partial, or NULL. */
static struct shape_source *shape_partial(const struct shape_scope *scope)
{
    for (size_t i = 0; i < sources_in_sight(scope); i++)
        if (scope->select->sources[i]->partial)
            return scope->select->sources[i];
    return NULL;
}

static struct shape_problem *shape_problem_add(struct shape_builder *b,
                                               enum shape_problem_kind kind,
                                               struct str qualifier,
                                               struct str name)
{
    struct shape *shape = b->shape;
    for (size_t i = 0; i < shape->n_problems; i++)
        if (str_eq(shape->problems[i].qualifier, qualifier) &&
            str_eq(shape->problems[i].name, name))
            return NULL;
    if (shape->n_problems == MAX_PROBLEMS)
        return NULL;
    struct shape_problem one = {.kind = kind,
                                .qualifier = shape_text(b, qualifier),
                                .name = shape_text(b, name)};
    SHAPE_PUSH(b, shape->problems, shape->n_problems, one);
    return &shape->problems[shape->n_problems - 1];
}

static void shape_problem_add_source(struct shape_builder *b,
                                     struct shape_problem *p,
                                     struct shape_source *source)
{
    struct shape_source **sources =
        arena_new_array(b->arena, struct shape_source *, p->n_sources + 1);
    if (p->n_sources)
        memcpy(sources, p->sources, p->n_sources * sizeof *sources);
    sources[p->n_sources++] = source;
    p->sources = sources;
}

/* The sources of one scope that list the column: at most two of them. */
static size_t shape_find_listed(const struct shape_scope *scope,
                                struct str name, struct shape_source *found[2])
{
    size_t n = 0;
    for (size_t i = 0; i < sources_in_sight(scope) && n < 2; i++)
        if (shape_listed_column(scope->select->sources[i], name) != SIZE_MAX)
            found[n++] = scope->select->sources[i];
    return n;
}

static bool is_merged(const struct shape_scope *scope, struct str name)
{
    return map_get(&scope->merged, name);
}

void shape_refuse_all(struct shape_builder *b, struct shape_source *source)
{
    struct shape_problem *p =
        source->partial
            ? shape_problem_add(b, SHAPE_STAR, source->name, STR("*"))
            : NULL;
    if (p)
        shape_problem_add_source(b, p, source);
}

static void shape_problem_unclear(struct shape_builder *b, struct str name,
                                  struct shape_source *source)
{
    struct shape_problem *p =
        shape_problem_add(b, SHAPE_UNCLEAR, STR(""), name);
    if (p)
        shape_problem_add_source(b, p, source);
}

struct shape_value *shape_name_if(struct shape_builder *b, struct str name)
{
    struct shape_source *found[2], *partial = NULL;
    for (struct shape_scope *s = b->scope; s; s = s->outer) {
        size_t n = shape_find_listed(s, name, found);
        if (n && partial)
            shape_problem_unclear(b, name, partial);
        if (!n && !partial)
            partial = shape_partial(s);
        if (n > 1 && !is_merged(s, name)) {
            struct shape_problem *p =
                shape_problem_add(b, SHAPE_AMBIGUOUS, STR(""), name);
            for (size_t i = 0; p && i < n; i++)
                shape_problem_add_source(b, p, found[i]);
        }
        if (n)
            return shape_column(b, found[0],
                                shape_listed_column(found[0], name));
    }
    return NULL;
}

/* The column of the innermost open source, which may have any. */
static struct shape_value *shape_open_column(struct shape_builder *b,
                                             struct str name)
{
    for (struct shape_scope *s = b->scope; s; s = s->outer) {
        struct shape_source *partial = shape_partial(s);
        for (size_t i = 0; i < sources_in_sight(s); i++)
            if (s->select->sources[i]->open && !partial)
                return shape_column(
                    b, s->select->sources[i],
                    shape_source_column(b, s->select->sources[i], name));
        if (partial)
            return NULL;
    }
    return NULL;
}

static struct shape_value *shape_whole_row(struct shape_builder *b,
                                           struct str name)
{
    struct shape_source *source = shape_source_named(b, name);
    if (source)
        shape_refuse_all(b, source);
    return source ? shape_column(b, source, SHAPE_WHOLE_ROW) : NULL;
}

static void shape_problem_unknown(struct shape_builder *b, struct str name)
{
    struct shape_problem *p =
        shape_problem_add(b, SHAPE_UNKNOWN_COLUMN, STR(""), name);
    for (struct shape_scope *s = b->scope; p && s; s = s->outer)
        for (size_t i = 0; i < sources_in_sight(s); i++)
            shape_problem_add_source(b, p, s->select->sources[i]);
}

static struct shape_value *shape_bare_name(struct shape_builder *b,
                                           struct str name)
{
    struct shape_value *value = shape_name_if(b, name);
    if (!value)
        value = shape_whole_row(b, name);
    if (!value)
        value = shape_open_column(b, name);
    if (value)
        return value;
    shape_problem_unknown(b, name);
    return shape_value_new(b, SHAPE_OTHER);
}

struct shape_value *shape_name(struct shape_builder *b, struct str qualifier,
                               struct str name)
{
    if (!qualifier.len)
        return shape_bare_name(b, name);
    struct shape_source *source = shape_source_named(b, qualifier);
    if (!source) {
        shape_problem_add(b, SHAPE_UNKNOWN_QUALIFIER, qualifier, name);
        return shape_value_new(b, SHAPE_OTHER);
    }
    size_t column = shape_source_column(b, source, name);
    if (column != SIZE_MAX)
        return shape_column(b, source, column);
    struct shape_problem *p =
        shape_problem_add(b, SHAPE_UNKNOWN_COLUMN, qualifier, name);
    if (p)
        shape_problem_add_source(b, p, source);
    return shape_value_new(b, SHAPE_OTHER);
}

/* ---- stars --------------------------------------------------------------- */

void shape_output_add(struct shape_builder *b, struct str name,
                      struct shape_value *value)
{
    struct shape_select *select = b->scope->select;
    struct shape_output output = {.name = name, .value = value};
    if (select->n_outputs >= MAX_OUTPUTS) {
        select->open = true;
        return;
    }
    SHAPE_PUSH(b, select->outputs, select->n_outputs, output);
}

static void shape_star_of(struct shape_builder *b, struct shape_source *source,
                          bool merge)
{
    struct shape_select *select = b->scope->select;
    select->open = select->open || source->open;
    shape_refuse_all(b, source);
    for (size_t i = 0; i < source->n_columns; i++) {
        struct shape_source *found[2];
        struct str name = source->columns[i];
        /* A merged column appears once, for the first source that has it. */
        bool again = merge && is_merged(b->scope, name) &&
                     shape_find_listed(b->scope, name, found) &&
                     found[0] != source;
        if (!again)
            shape_output_add(b, name, shape_column(b, source, i));
    }
}

void shape_star(struct shape_builder *b, struct str qualifier)
{
    struct shape_select *select = b->scope->select;
    if (qualifier.len) {
        struct shape_source *source = shape_source_named(b, qualifier);
        if (source)
            shape_star_of(b, source, false);
        else
            shape_problem_add(b, SHAPE_UNKNOWN_QUALIFIER, qualifier, STR("*"));
        return;
    }
    for (size_t i = 0; i < select->n_sources; i++)
        shape_star_of(b, select->sources[i], true);
}
