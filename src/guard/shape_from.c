/* shape_from.c - FROM: tables, queries, functions and joins. */
#include "shape_build.h"

#include "base/banned.h"

static void shape_condition_add(struct shape_builder *b,
                                struct shape_value *value)
{
    struct shape_select *select = b->scope->select;
    if (!value)
        return;
    if (value->kind != SHAPE_AND) {
        SHAPE_PUSH(b, select->conditions, select->n_conditions, value);
        return;
    }
    for (size_t i = 0; i < value->n_parts; i++)
        shape_condition_add(b, value->parts[i]);
}

void shape_condition(struct shape_builder *b, const json_t *wrapped)
{
    shape_condition_add(b, shape_value_of(b, wrapped));
}

static struct shape_source *shape_source_add(struct shape_builder *b,
                                             enum shape_source_kind kind,
                                             struct str name)
{
    struct shape_select *select = b->scope->select;
    struct shape_source *source = arena_new(b->arena, struct shape_source);
    map_init(&source->by_name, b->arena);
    source->kind = kind;
    source->name = shape_text(b, name);
    source->select = select;
    source->index = select->n_sources;
    SHAPE_PUSH(b, select->sources, select->n_sources, source);
    return source;
}

/* The name of the i-th column: the alias may give the first ones new names. */
static struct str shape_column_name(const json_t *node, size_t i,
                                    struct str otherwise)
{
    struct str name = node_name(node_alias_columns(node), i);
    return name.ptr ? name : otherwise;
}

static void shape_source_learn_query(struct shape_builder *b,
                                     struct shape_source *source,
                                     const json_t *node,
                                     const struct shape_cte *cte)
{
    const struct shape_select *query = source->query;
    source->open = query->open;
    for (size_t i = 0; i < query->n_outputs; i++) {
        struct str name = query->outputs[i].name;
        if (cte && i < cte->n_renamed)
            name = cte->renamed[i];
        shape_source_learn(b, source, shape_column_name(node, i, name));
    }
}

static const struct shape_cte *shape_cte_find(const struct shape_builder *b,
                                              struct str name)
{
    for (struct shape_scope *s = b->scope; s; s = s->outer)
        for (struct shape_cte *cte = s->ctes; cte; cte = cte->next)
            if (str_eq(cte->name, name))
                return cte;
    return NULL;
}

static void shape_from_cte(struct shape_builder *b, const json_t *node,
                           const struct shape_cte *cte)
{
    struct str name = node_alias(node, json_get_text(node, "relname"));
    struct shape_source *source =
        shape_source_add(b, cte->query ? SHAPE_QUERY : SHAPE_OPAQUE, name);
    source->query = cte->query;
    if (cte->query)
        shape_source_learn_query(b, source, node, cte);
    else
        source->open = true;
}

static void shape_from_table(struct shape_builder *b, const json_t *node)
{
    struct str schema = json_get_text(node, "schemaname");
    struct str name = json_get_text(node, "relname");
    const struct shape_cte *cte = schema.len ? NULL : shape_cte_find(b, name);
    if (cte) {
        shape_from_cte(b, node, cte);
        return;
    }
    const struct shape_table *table =
        b->catalog->table(b->catalog->who, schema, name);
    struct shape_source *source = shape_source_add(
        b, table ? SHAPE_TABLE : SHAPE_OPAQUE, node_alias(node, name));
    source->table = table;
    source->open = !table || table->open;
    source->partial = table && table->partial;
    if (json_array_size(node_alias_columns(node)))
        shape_refuse_all(b, source); /* new names, by their place */
    for (size_t i = 0; table && i < table->n_columns; i++)
        shape_source_learn(b, source,
                           shape_column_name(node, i, table->columns[i]));
}

static void shape_from_query(struct shape_builder *b, const json_t *node)
{
    const json_t *select = node_select(node, "subquery");
    struct shape_scope *scope = b->scope;
    /* without LATERAL it does not see the items before it */
    size_t hidden = scope->hidden;
    if (!json_is_true(json_object_get(node, "lateral")))
        scope->hidden = 1;
    struct shape_select *query = shape_select_of(b, select);
    scope->hidden = hidden;
    struct shape_source *source =
        shape_source_add(b, SHAPE_QUERY, node_alias(node, STR("")));
    source->query = query;
    shape_source_learn_query(b, source, node, NULL);
}

/* The only function of a FROM item, or NULL. */
static const json_t *only_function_of(const json_t *node)
{
    size_t n = json_array_size(json_object_get(node, "functions"));
    return n == 1 ? json_array_get(node_range_function(node, 0), 0) : NULL;
}

static void shape_from_function(struct shape_builder *b, const json_t *node)
{
    const json_t *function = only_function_of(node);
    struct str name = node_function(function);
    const json_t *args =
        json_object_get(node_inside(function, "FuncCall"), "args");
    if (!args) /* several functions, or no plain call */
        shape_read_names(b, json_object_get(node, "functions"));
    bool series =
        str_is(name, "generate_series") && !json_object_get(node, "ordinality");
    struct shape_value **reads = NULL;
    size_t n_reads = 0;
    for (size_t i = 0; i < json_array_size(args); i++) {
        struct shape_value *read = shape_value_of(b, json_array_get(args, i));
        if (read)
            SHAPE_PUSH(b, reads, n_reads, read);
    }
    struct shape_source *source = shape_source_add(
        b, series ? SHAPE_SERIES : SHAPE_OPAQUE, node_alias(node, name));
    source->open = !series;
    source->reads = reads;
    source->n_reads = n_reads;
    if (series)
        shape_source_learn(b, source, shape_column_name(node, 0, source->name));
}

/* ---- joins --------------------------------------------------------------- */

static void shape_from_item(struct shape_builder *b, const json_t *item);

static struct shape_value *shape_column_within(struct shape_builder *b,
                                               size_t first, size_t end,
                                               struct str name)
{
    struct shape_select *select = b->scope->select;
    for (size_t i = first; i < end; i++) {
        struct shape_source *source = select->sources[i];
        size_t column = shape_listed_column(source, name);
        if (column != SIZE_MAX)
            return shape_column(b, source, column);
    }
    for (size_t i = first; i < end; i++)
        if (select->sources[i]->partial)
            return NULL; /* it may be the one that has it */
    for (size_t i = first; i < end; i++)
        if (select->sources[i]->open)
            return shape_column(
                b, select->sources[i],
                shape_source_column(b, select->sources[i], name));
    return NULL;
}

/* Adds left.name = right.name. A name that one side lacks is a problem. */
static void shape_merge(struct shape_builder *b, size_t left, size_t right,
                        struct str name)
{
    struct shape_scope *scope = b->scope;
    size_t end = scope->select->n_sources;
    struct shape_value *l = shape_column_within(b, left, right, name);
    struct shape_value *r = shape_column_within(b, right, end, name);
    if (!l || !r) {
        struct shape_source *missing = scope->select->sources[l ? right : left];
        for (size_t i = l ? right : left; i < (l ? end : right); i++)
            if (scope->select->sources[i]->partial)
                missing = scope->select->sources[i];
        shape_name(b, missing->name, name);
        return;
    }

    struct str *kept = arena_new(b->arena, struct str);
    *kept = shape_text(b, name);
    map_put(&scope->merged, *kept, kept);
    struct shape_value *equal = shape_value_new(b, SHAPE_EQUAL);
    shape_value_add(b, equal, l);
    shape_value_add(b, equal, r);
    shape_condition_add(b, equal);
}

static void shape_merge_natural(struct shape_builder *b, size_t left,
                                size_t right)
{
    struct shape_select *select = b->scope->select;
    size_t end = select->n_sources;
    for (size_t i = left; i < end; i++)
        shape_refuse_all(b, select->sources[i]); /* hidden ones are compared */
    for (size_t i = right; i < end; i++)
        for (size_t c = 0; c < select->sources[i]->n_columns; c++) {
            struct str name = select->sources[i]->columns[c];
            bool both = false;
            for (size_t l = left; l < right; l++)
                both = both || shape_listed_column(select->sources[l], name) !=
                                   SIZE_MAX;
            if (both)
                shape_merge(b, left, right, name);
        }
}

/* Marks the sources to which an outer join may add a row of NULLs. */
static void mark_optional(struct shape_select *select, struct str kind,
                          size_t left, size_t right)
{
    bool first = str_is(kind, "JOIN_RIGHT") || str_is(kind, "JOIN_FULL");
    bool second = str_is(kind, "JOIN_LEFT") || str_is(kind, "JOIN_FULL");
    for (size_t i = left; i < select->n_sources; i++)
        if ((i < right ? first : second) && !select->sources[i]->optional) {
            select->sources[i]->optional = true;
            select->sources[i]->optional_from = select->n_conditions;
        }
}

/* Marks the conditions from `first` on if they are of an inner join. */
static void mark_inner(struct shape_select *select, struct str kind,
                       size_t first)
{
    for (size_t i = first; i < select->n_conditions; i++)
        select->conditions[i]->inner = str_is(kind, "JOIN_INNER");
}

/* The alias of a join names it as a whole. If the model hides columns of a part,
 * it has the columns that are listed. */
static void shape_from_join_alias(struct shape_builder *b, const json_t *node,
                                  size_t left)
{
    struct shape_select *select = b->scope->select;
    size_t end = select->n_sources;
    struct shape_source *all =
        shape_source_add(b, SHAPE_OPAQUE, node_alias(node, STR("")));
    for (size_t i = left; i < end; i++)
        all->partial = all->partial || select->sources[i]->partial;
    all->open = !all->partial;
    if (json_array_size(node_alias_columns(node)))
        shape_refuse_all(b, all);
    for (size_t i = left; i < end && all->partial; i++)
        for (size_t c = 0; c < select->sources[i]->n_columns; c++)
            shape_source_learn(b, all, select->sources[i]->columns[c]);
}

static void shape_from_join(struct shape_builder *b, const json_t *node)
{
    struct shape_select *select = b->scope->select;
    const json_t *using = json_object_get(node, "usingClause");
    size_t left = select->n_sources;
    shape_from_item(b, json_object_get(node, "larg"));
    size_t right = select->n_sources;
    shape_from_item(b, json_object_get(node, "rarg"));
    size_t own = select->n_conditions;
    for (size_t i = 0; i < json_array_size(using); i++)
        shape_merge(b, left, right, node_name(using, i));
    if (json_is_true(json_object_get(node, "isNatural")))
        shape_merge_natural(b, left, right);
    shape_condition(b, json_object_get(node, "quals"));
    mark_inner(select, json_get_text(node, "jointype"), own);
    mark_optional(select, json_get_text(node, "jointype"), left, right);
    if (json_object_get(node, "alias"))
        shape_from_join_alias(b, node, left);
}

static void shape_from_item(struct shape_builder *b, const json_t *item)
{
    const json_t *node;
    if ((node = node_inside(item, "RangeVar")))
        shape_from_table(b, node);
    else if ((node = node_inside(item, "RangeSubselect")))
        shape_from_query(b, node);
    else if ((node = node_inside(item, "RangeFunction")))
        shape_from_function(b, node);
    else if ((node = node_inside(item, "JoinExpr")))
        shape_from_join(b, node);
    else if ((node = node_inside(item, "RangeTableSample"))) {
        shape_from_item(b, json_object_get(node, "relation"));
        shape_read_names(b, json_object_get(node, "args"));
    }
}

void shape_from(struct shape_builder *b, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        shape_from_item(b, json_array_get(list, i));
}
