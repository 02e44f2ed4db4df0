/* shape.c - builds selects in the order in which PostgreSQL reads them: WITH,
 * FROM, WHERE, outputs, GROUP BY, DISTINCT, ORDER BY, LIMIT. */
#include "guard/shape.h"
#include "output_name.h"
#include "parse.h"
#include "shape_build.h"

#include <string.h>
#include "base/banned.h"

struct str shape_text(struct shape_builder *b, struct str text)
{
    return text.len ? arena_str(b->arena, text) : STR("");
}

/* ---- WITH ---------------------------------------------------------------- */

static struct shape_cte *shape_cte_add(struct shape_builder *b,
                                       const json_t *node)
{
    const json_t *names = json_object_get(node, "aliascolnames");
    struct shape_cte *cte = arena_new(b->arena, struct shape_cte);
    cte->name = shape_text(b, json_get_text(node, "ctename"));
    cte->n_renamed = json_array_size(names);
    cte->renamed = arena_new_array(b->arena, struct str, cte->n_renamed + 1);
    for (size_t i = 0; i < cte->n_renamed; i++)
        cte->renamed[i] = shape_text(b, node_name(names, i));
    cte->next = b->scope->ctes;
    b->scope->ctes = cte;
    return cte;
}

/* In a WITH RECURSIVE all names are known from the start, but the outputs of a
 * query only to those after it. A plain CTE does not see itself. */
static void shape_with(struct shape_builder *b, const json_t *node)
{
    const json_t *list = json_object_get(node, "ctes");
    bool recursive = json_is_true(json_object_get(node, "recursive"));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one =
            node_inside(json_array_get(list, i), "CommonTableExpr");
        const json_t *query = node_select(one, "ctequery");
        struct shape_cte *cte = recursive ? shape_cte_add(b, one) : NULL;
        struct shape_select *select = shape_select_of(b, query);
        if (!recursive)
            cte = shape_cte_add(b, one);
        select->opaque = select->opaque || (recursive && select->n_arms);
        cte->query = select;
    }
}

uint64_t shape_hash(const json_t *node)
{
    uint64_t sum = 1469598103934665603u;
    if (!node)
        return sum;
    struct node_children c = NODE_CHILDREN(node);
    while (node_next(&c)) {
        uint64_t name = *c.key ? str_hash(str_of(c.key)) : 0;
        if (strcmp(c.key, "location"))
            sum = (sum ^ name ^ shape_hash(c.child)) * 1099511628211u;
    }
    if (json_is_string(node))
        sum ^= str_hash(json_text(node)) | 1;
    if (json_is_integer(node))
        sum ^= (uint64_t)json_integer_value(node) * 2654435761u;
    return sum ^ (uint64_t)json_typeof(node);
}

/* ---- lists --------------------------------------------------------------- */

static void shape_targets(struct shape_builder *b, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *target = node_target(list, i);
        const json_t *val = json_object_get(target, "val");
        const json_t *fields = node_fields(val);
        struct str alias = json_get_text(target, "name");
        if (node_is_star(fields)) {
            shape_star(b, node_qualifier(fields));
            continue;
        }
        struct shape_value *value = shape_value_of(b, val);
        struct str unnamed = output_name(val);
        if (value)
            value->print = shape_hash(val);
        if (str_is(unnamed, "?column?"))
            unnamed = STR("");
        shape_output_add(b, shape_text(b, alias.ptr ? alias : unnamed),
                         value ? value : shape_value_new(b, SHAPE_OTHER));
    }
}

/* The output that an integer or a bare name in a list refers to, or NULL. */
static struct shape_value *shape_list_output(struct shape_builder *b,
                                             const json_t *wrapped,
                                             bool inputs_first)
{
    struct shape_select *select = b->scope->select;
    const json_t *number = node_integer(wrapped);
    const json_t *fields = node_fields(wrapped);
    struct str name =
        json_array_size(fields) == 1 ? node_name(fields, 0) : STR("");
    if (number) {
        size_t place = (size_t)json_get_int(number, "ival", 0) - 1;
        return place < select->n_outputs ? select->outputs[place].value : NULL;
    }
    if (!name.len)
        return NULL;
    if (inputs_first) {
        struct shape_scope *outer = b->scope->outer;
        b->scope->outer = NULL; /* an output hides names of outer queries */
        struct shape_value *input = shape_name_if(b, name);
        b->scope->outer = outer;
        if (input)
            return input;
    }
    for (size_t i = 0; i < select->n_outputs; i++)
        if (str_eq(select->outputs[i].name, name))
            return select->outputs[i].value;
    return NULL;
}

static struct shape_value *shape_list_item(struct shape_builder *b,
                                           const json_t *wrapped,
                                           bool inputs_first)
{
    struct shape_value *value = shape_list_output(b, wrapped, inputs_first);
    if (value)
        return value;
    value = shape_value_of(b, wrapped);
    if (value)
        value->print = shape_hash(wrapped);
    return value;
}

static struct shape_value **shape_list(struct shape_builder *b,
                                       const json_t *list, bool inputs_first,
                                       size_t *n)
{
    size_t count = json_array_size(list);
    struct shape_value **out =
        arena_new_array(b->arena, struct shape_value *, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct shape_value *value =
            shape_list_item(b, json_array_get(list, i), inputs_first);
        if (value)
            out[(*n)++] = value;
    }
    return out;
}

static void shape_groups(struct shape_builder *b, const json_t *list)
{
    struct shape_select *select = b->scope->select;
    select->grouped = json_array_size(list) > 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (node_inside(json_array_get(list, i), "GroupingSet"))
            select->grouping_sets = true;
    select->groups = shape_list(b, list, true, &select->n_groups);
}

/* SELECT DISTINCT has a list of one empty item. */
static void shape_distinct(struct shape_builder *b, const json_t *list)
{
    struct shape_select *select = b->scope->select;
    if (!list)
        return;
    if (json_object_size(json_array_get(list, 0)) == 0)
        select->distinct = true;
    else
        select->distinct_on =
            shape_list(b, list, false, &select->n_distinct_on);
}

static void shape_sort(struct shape_builder *b, const json_t *list)
{
    struct shape_select *select = b->scope->select;
    select->sorted = json_array_size(list) > 0;
    for (size_t i = 0; i < json_array_size(list) && !select->n_arms; i++) {
        const json_t *by = node_inside(json_array_get(list, i), "SortBy");
        struct shape_sort sort = {
            shape_list_item(b, json_object_get(by, "node"), false),
            str_is(json_get_text(by, "sortby_dir"), "SORTBY_DESC")};
        if (sort.value)
            SHAPE_PUSH(b, select->sorts, select->n_sorts, sort);
    }
}

static bool is_limit_one(const json_t *limit)
{
    const json_t *number = node_integer(limit);
    return number && json_get_int(number, "ival", 0) == 1;
}

/* ---- selects ------------------------------------------------------------- */

static void shape_arms(struct shape_builder *b, const json_t *node)
{
    struct shape_select *select = b->scope->select;
    static const char *const sides[] = {"larg", "rarg"};
    select->arms = arena_new_array(b->arena, struct shape_select *, 2);
    select->all = json_is_true(json_object_get(node, "all"));
    select->united = str_is(json_get_text(node, "op"), "SETOP_UNION");
    for (int i = 0; i < 2; i++)
        select->arms[select->n_arms++] =
            shape_select_of(b, json_object_get(node, sides[i]));
    const struct shape_select *first = select->arms[0];
    select->open = first->open;
    for (size_t i = 0; i < first->n_outputs; i++)
        shape_output_add(b, first->outputs[i].name,
                         shape_value_new(b, SHAPE_OTHER));
}

static void shape_values(struct shape_builder *b, const json_t *lists)
{
    const json_t *first =
        json_object_get(node_inside(json_array_get(lists, 0), "List"), "items");
    for (size_t i = 0; i < json_array_size(lists); i++)
        shape_value_of(b, json_array_get(lists, i));
    for (size_t i = 0; i < json_array_size(first); i++)
        shape_output_add(b, arena_printf(b->arena, "column%zu", i + 1),
                         shape_value_new(b, SHAPE_OTHER));
    b->scope->select->opaque = true;
}

static void shape_plain(struct shape_builder *b, const json_t *node)
{
    struct shape_select *select = b->scope->select;
    shape_from(b, json_object_get(node, "fromClause"));
    select->first_where = select->n_conditions;
    shape_condition(b, json_object_get(node, "whereClause"));
    shape_targets(b, json_object_get(node, "targetList"));
    shape_groups(b, json_object_get(node, "groupClause"));
    select->having = shape_value_of(b, json_object_get(node, "havingClause"));
    shape_distinct(b, json_object_get(node, "distinctClause"));
    shape_read_names(b, json_object_get(node, "windowClause"));
    bool aggregated = json_object_get(node, "havingClause");
    for (size_t i = 0; i < select->n_aggregates; i++)
        aggregated = aggregated || !select->aggregates[i]->windowed;
    select->collapsed = aggregated && !select->grouped;
    select->trimmed = json_object_get(node, "havingClause") ||
                      json_object_get(node, "limitCount") ||
                      json_object_get(node, "limitOffset");
    select->from_hash = shape_hash(json_object_get(node, "fromClause"));
    select->filter_hash = shape_hash(json_object_get(node, "whereClause"));
}

struct shape_select *shape_select_of(struct shape_builder *b,
                                     const json_t *node)
{
    struct shape_select *select = arena_new(b->arena, struct shape_select);
    struct shape_scope scope = {.outer = b->scope,
                                .select = select,
                                .windows =
                                    json_object_get(node, "windowClause")};
    select->outer = b->scope ? b->scope->select : NULL;
    map_init(&scope.merged, b->arena);
    b->scope = &scope;
    shape_with(b, json_object_get(node, "withClause"));
    if (json_object_get(node, "larg"))
        shape_arms(b, node);
    else if (json_object_get(node, "valuesLists"))
        shape_values(b, json_object_get(node, "valuesLists"));
    else
        shape_plain(b, node);
    shape_sort(b, json_object_get(node, "sortClause"));
    const json_t *limit = json_object_get(node, "limitCount");
    shape_read_names(b, limit);
    shape_read_names(b, json_object_get(node, "limitOffset"));
    select->limit_one = is_limit_one(limit);
    select->limited = limit;
    select->limit = json_get_int(node_integer(limit), "ival", 0);
    b->scope = scope.outer;
    select->next = NULL;
    struct shape_select **end = &b->shape->selects;
    while (*end)
        end = &(*end)->next;
    *end = select;
    return select;
}

/* ---- the shape ----------------------------------------------------------- */

bool shape_read(struct arena *arena, struct str sql,
                const struct shape_catalog *catalog, struct shape *shape)
{
    struct shape_builder builder = {
        .arena = arena, .catalog = catalog, .shape = shape};
    struct parse parse;
    *shape = (struct shape){0};
    parse_open(&parse, arena, sql);
    const json_t *select = parse_select(&parse);
    if (select)
        shape->top = shape_select_of(&builder, select);
    parse_close(&parse);
    return select;
}
