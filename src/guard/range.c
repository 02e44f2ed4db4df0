/* range.c - visitors of the items of FROM; which relations may be read. */
#include "walk.h"
#include <math.h>
#include "base/banned.h"

enum { MAX_RELATIONS = 40, MAX_SOURCES = 250, TOLD_RELATIONS = 12 };

static struct walk_source *source_add(struct walk *walk, struct str name,
                                      bool relation, struct estimate estimate,
                                      const struct columns *offers)
{
    if (++walk->n_sources > MAX_SOURCES)
        walk_refuse(walk, "too_costly", walk->location,
                    "A query may have at most %d items in FROM.", MAX_SOURCES);
    struct walk_source *source = arena_new(walk->arena, struct walk_source);
    *source = (struct walk_source){.next = walk->scope->sources,
                                   .name = name,
                                   .relation = relation,
                                   .estimate = estimate,
                                   .offers = offers,
                                   .index = walk->scope->n_sources++};
    walk->scope->sources = source;
    return source;
}

static bool is_catalog(struct str schema, struct str name)
{
    if (schema.len)
        return str_is(schema, "information_schema") ||
               str_starts(schema, STR("pg_"));
    return str_starts(name, STR("pg_"));
}

/* "table", "schema.table" or "catalog.schema.table". */
static void split_relation(struct str relation, struct str *schema,
                           struct str *table)
{
    *table = relation;
    for (size_t i = relation.len; i-- > 0;)
        if (relation.ptr[i] == '.') {
            *schema = str_cut(relation, 0, i);
            *table = str_from(relation, i + 1);
            return;
        }
}

bool guard_policy_lists(const struct guard_policy *policy, struct str schema,
                        struct str name)
{
    struct str search =
        policy->search_schema.len ? policy->search_schema : STR("public");
    if (!schema.len)
        schema = search;
    for (size_t i = 0; i < policy->n_relations; i++) {
        struct str table, of = search;
        split_relation(policy->relations[i], &of, &table);
        if (str_eq(of, schema) && str_eq(table, name))
            return true;
    }
    return false;
}

static struct estimate relation_refuse(struct walk *walk, struct str full,
                                       int location)
{
    const struct guard_policy *policy = walk->policy;
    struct str known = STR("");
    for (size_t i = 0; i < policy->n_relations && i < TOLD_RELATIONS; i++)
        known = arena_printf(walk->arena, "%.*s%s%.*s", STR_ARG(known),
                             i ? ", " : "", STR_ARG(policy->relations[i]));
    return walk_refuse(
        walk, "relation", location,
        "The relation %.*s is not one of those that may be read%s"
        "%.*s%s.",
        STR_ARG(full), known.len ? ": " : "", STR_ARG(known),
        policy->n_relations > TOLD_RELATIONS ? ", …" : "");
}

static struct estimate relation_check(struct walk *walk, const json_t *node,
                                      struct str schema, struct str name)
{
    int location = node_location(node);
    struct str full = schema.len ? arena_printf(walk->arena, "%.*s.%.*s",
                                                STR_ARG(schema), STR_ARG(name))
                                 : name;
    struct str database = json_get_text(node, "catalogname");
    if (database.len && !walk->policy->trino)
        return walk_refuse(walk, "relation", location,
                           "Write %.*s without the name of a database.",
                           STR_ARG(full));
    if (is_catalog(schema, name))
        return walk_refuse(
            walk, "catalog", location,
            "%.*s is a system catalog; only the data's own relations "
            "may be read.",
            STR_ARG(full));
    if (database.len) {
        bool own = str_eq(database, walk->policy->catalog);
        full = arena_printf(walk->arena, "%.*s.%.*s", STR_ARG(database),
                            STR_ARG(full));
        if (!own)
            schema = str_cut(full, 0, database.len + 1 + schema.len);
    }
    if (!walk->policy->any_relation &&
        !guard_policy_lists(walk->policy, schema, name))
        return relation_refuse(walk, full, location);
    if (++walk->n_relations > MAX_RELATIONS)
        return walk_refuse(walk, "too_costly", location,
                           "A query may name at most %d relations.",
                           MAX_RELATIONS);
    mention_add(walk, &walk->relations, schema, name, location);
    struct estimate m = estimate_column();
    m.tables = 1;
    m.many = ESTIMATE_TABLE_ROWS;
    return m;
}

static const struct columns *
cte_columns(struct walk *walk, const struct cte *cte, const json_t *node)
{
    return columns_renamed(
        walk, cte->columns ? cte->columns : columns_of_text(walk, cte->node),
        node_alias_columns(node));
}

struct estimate visit_range_var(struct walk *walk, enum node_kind kind,
                                const json_t *node)
{
    struct str schema = json_get_text(node, "schemaname");
    struct str name = json_get_text(node, "relname");
    walk_plain(walk, kind, node);
    struct cte *cte = schema.len ? NULL : cte_find(walk, name);
    struct estimate m =
        cte ? cte->estimate : relation_check(walk, node, schema, name);
    walk->tables += !cte || cte->tables;
    struct walk_source *source =
        source_add(walk, node_alias(node, name), !cte, m,
                   cte ? cte_columns(walk, cte, node)
                       : columns_of_table(walk, schema, name,
                                          json_object_get(node, "alias")));
    if (cte && !node_alias_columns(node)) {
        source->query = json_object_get(cte->node, "ctequery");
        source->columns = json_object_get(cte->node, "aliascolnames");
    }
    return m;
}

struct estimate visit_range_subselect(struct walk *walk, enum node_kind kind,
                                      const json_t *node)
{
    struct estimate m = walk_plain(walk, kind, node);
    struct walk_source *source = source_add(
        walk, node_alias(node, STR("")), false, m,
        columns_renamed(walk, walk->made ? walk->made : columns_new(walk),
                        node_alias_columns(node)));
    source->query = json_object_get(node, "subquery");
    source->columns = node_alias_columns(node);
    const json_t *select = node_select(node, "subquery");
    if (json_object_get(node, "lateral") &&
        json_object_get(select, "whereClause"))
        /* it runs once for each row of other items */
        m.tables = fmax(m.tables - 1, 0);
    return m;
}

/* The name of a function in FROM that has no alias. */
static struct str function_name(const json_t *node)
{
    return node_function(json_array_get(node_range_function(node, 0), 0));
}

struct estimate visit_range_function(struct walk *walk, enum node_kind kind,
                                     const json_t *node)
{
    struct estimate m = walk_plain(walk, kind, node);
    m.tables = 0;
    source_add(walk, node_alias(node, function_name(node)), false, m,
               columns_of_functions(walk, node));
    return m;
}

struct estimate visit_sample(struct walk *walk, enum node_kind kind,
                             const json_t *node)
{
    const json_t *method = json_object_get(node, "method");
    struct str name = node_last_name(method);
    if (json_array_size(method) != 1 ||
        (!str_is(name, "system") && !str_is(name, "bernoulli")))
        return walk_refuse(walk, "function", node_location(node),
                           "TABLESAMPLE knows SYSTEM and BERNOULLI here.");
    return walk_plain(walk, kind, node);
}

/* Is a = b one of the conditions? Then the rows do not multiply. */
static bool has_equality(const json_t *condition)
{
    const json_t *op = node_inside(condition, "A_Expr");
    struct node_children c = NODE_CHILDREN(node_conjuncts(condition));
    if (op)
        return str_is(node_name(json_object_get(op, "name"), 0), "=") &&
               json_object_get(op, "lexpr");
    while (node_next(&c))
        if (has_equality(c.child))
            return true;
    return false;
}

static void mention_using(struct walk *walk, const json_t *using)
{
    for (size_t i = 0; i < json_array_size(using); i++)
        mention_add(walk, &walk->columns, STR(""), node_name(using, i),
                    walk->location);
}

/* USING and NATURAL merge columns of both sides, so their row types are not
 * known. */
static void sources_forget_rows(struct walk *walk,
                                const struct walk_source *before)
{
    for (struct walk_source *s = walk->scope->sources; s != before; s = s->next)
        if (s->offers->n)
            s->offers = columns_without_rows(walk, s->offers);
}

/* ON sees the two sides of its join; other items of FROM may be hidden. */
static void walk_condition(struct walk *walk, enum node_kind kind,
                           const json_t *node, size_t first)
{
    size_t before = walk->scope->sure_from;
    walk->scope->sure_from = first;
    walk_fields(walk, kind, node, (const char *const[]){"larg", "rarg", NULL});
    walk->scope->sure_from = before;
}

/* Adds the sources that a join's aliases make: (a join b using (x)) as j hides
 * a and b; … using (x) as j does not. */
static void join_aliases(struct walk *walk, const json_t *node,
                         struct walk_source *before, struct estimate m)
{
    const json_t *using = json_object_get(node, "join_using_alias");
    struct columns *columns = columns_new(walk);
    if (using) {
        const json_t *merged = json_object_get(node, "usingClause");
        for (size_t i = 0; i < json_array_size(merged); i++)
            columns_add(walk, columns, node_name(merged, i));
        source_add(walk, json_get_text(using, "aliasname"), true, m, columns)
            ->is_using_alias = true;
    }
    if (!json_object_get(node, "alias"))
        return;
    m.many = product_join_rows(walk, node, before);
    columns = columns_new(walk);
    for (struct walk_source *s = walk->scope->sources; s != before; s = s->next)
        if (!s->is_using_alias)
            columns_add_all(walk, columns, s->offers);
    columns->unordered = true; /* the last source comes first */
    walk->scope->sources = before;
    source_add(walk, node_alias(node, STR("")), true, m,
               columns_renamed(walk, columns, node_alias_columns(node)));
}

struct estimate visit_join(struct walk *walk, enum node_kind kind,
                           const json_t *node)
{
    const json_t *using = json_object_get(node, "usingClause");
    struct walk_source *before = walk->scope->sources;
    size_t first = walk->scope->n_sources;
    struct estimate left = walk_node(walk, json_object_get(node, "larg"));
    struct estimate right = walk_node(walk, json_object_get(node, "rarg"));
    bool merges = using || json_object_get(node, "isNatural");
    mention_using(walk, using);
    walk_condition(walk, kind, node, first);
    walk->scope->merges = walk->scope->merges || merges;
    if (merges)
        sources_forget_rows(walk, before);
    struct estimate m = estimate_worse(left, right);
    bool equal = merges || has_equality(json_object_get(node, "quals"));
    if (!equal)
        m.rows = left.rows * right.rows;
    if (!merges && !json_object_get(node, "quals"))
        m.tables = left.tables + right.tables;
    join_aliases(walk, node, before, m);
    return m;
}
