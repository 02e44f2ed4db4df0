/* node.c - see node.h. */
#include "node.h"
#include <string.h>
#include "base/banned.h"

const json_t *node_inside(const json_t *wrapped, const char *type)
{
    return json_object_get(wrapped, type);
}

const json_t *node_select(const json_t *owner, const char *field)
{
    return node_inside(json_object_get(owner, field), "SelectStmt");
}

const json_t *node_leftmost(const json_t *select)
{
    const json_t *left;
    while ((left = json_object_get(select, "larg")))
        select = left;
    return select;
}

const json_t *node_target(const json_t *list, size_t i)
{
    return node_inside(json_array_get(list, i), "ResTarget");
}

struct str node_target_name(const json_t *target)
{
    struct str alias = json_get_text(target, "name");
    return alias.ptr
               ? alias
               : node_last_name(node_fields(json_object_get(target, "val")));
}

const json_t *node_range_function(const json_t *range_function, size_t i)
{
    const json_t *functions = json_object_get(range_function, "functions");
    return json_object_get(node_inside(json_array_get(functions, i), "List"),
                           "items");
}

const json_t *node_fields(const json_t *wrapped)
{
    return json_object_get(node_inside(wrapped, "ColumnRef"), "fields");
}

const json_t *node_integer(const json_t *wrapped)
{
    return json_object_get(node_inside(wrapped, "A_Const"), "ival");
}

struct str node_literal(const json_t *wrapped)
{
    const json_t *cast = node_inside(wrapped, "TypeCast");
    if (cast)
        wrapped = json_object_get(cast, "arg");
    const json_t *constant = node_inside(wrapped, "A_Const");
    const json_t *sval = json_object_get(constant, "sval");
    if (!sval)
        return (struct str){NULL, 0};
    struct str text = json_get_text(sval, "sval");
    return text.ptr ? text : STR("");
}

int node_location(const json_t *node)
{
    const json_t *at = json_object_get(node, "location");
    return at ? (int)json_integer_value(at) : -1;
}

struct str node_name(const json_t *list, size_t i)
{
    const json_t *name = node_inside(json_array_get(list, i), "String");
    return json_get_text(name, "sval");
}

struct str node_last_name(const json_t *list)
{
    return node_name(list, json_array_size(list) - 1);
}

struct str node_qualifier(const json_t *list)
{
    size_t n = json_array_size(list);
    return n > 1 ? node_name(list, n - 2) : STR("");
}

struct str node_function(const json_t *wrapped)
{
    return node_last_name(
        json_object_get(node_inside(wrapped, "FuncCall"), "funcname"));
}

bool node_is_star(const json_t *list)
{
    return node_inside(json_array_get(list, json_array_size(list) - 1),
                       "A_Star");
}

struct str node_alias(const json_t *item, struct str otherwise)
{
    const json_t *alias = json_object_get(item, "alias");
    return alias ? json_get_text(alias, "aliasname") : otherwise;
}

const json_t *node_alias_columns(const json_t *item)
{
    return json_object_get(json_object_get(item, "alias"), "colnames");
}

const json_t *node_conjuncts(const json_t *condition)
{
    const json_t *operation = node_inside(condition, "BoolExpr");
    bool is_and = str_is(json_get_text(operation, "boolop"), "AND_EXPR");
    return is_and ? json_object_get(operation, "args") : NULL;
}

bool node_is_built_in(const json_t *names)
{
    size_t n = json_array_size(names);
    return n == 1 || (n == 2 && str_is(node_name(names, 0), "pg_catalog"));
}

bool node_next(struct node_children *c)
{
    if (json_is_array(c->of)) {
        c->child = json_array_get(c->of, c->index++);
        return c->child;
    }
    json_t *object = (json_t *)c->of;
    c->iterator = c->iterator ? json_object_iter_next(object, c->iterator)
                              : json_object_iter(object);
    if (!c->iterator)
        return false;
    c->key = json_object_iter_key(c->iterator);
    c->child = json_object_iter_value(c->iterator);
    return true;
}

bool node_holds(const json_t *tree, const char *key)
{
    struct node_children c = NODE_CHILDREN(tree);
    while (node_next(&c))
        if (!strcmp(c.key, key) || node_holds(c.child, key))
            return true;
    return false;
}
