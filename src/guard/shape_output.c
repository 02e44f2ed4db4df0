/* shape_output.c - what PostgreSQL calls an output that has no alias
 * (FigureColname in its parser). */
#include "shape_build.h"
#include "walk.h"
#include <string.h>
#include "base/banned.h"

static struct str last_name(const json_t *names)
{
    return node_name(names, json_array_size(names) - 1);
}

/* Of a query as a value: its own output's. */
static struct str of_nested(struct shape_builder *b, const json_t *node)
{
    struct str kind = json_get_text(node, "subLinkType");
    const json_t *select =
        node_inside(json_object_get(node, "subselect"), "SelectStmt");
    if (str_is(kind, "EXISTS_SUBLINK"))
        return STR("exists");
    if (str_is(kind, "ARRAY_SUBLINK"))
        return STR("array");
    if (!str_is(kind, "EXPR_SUBLINK"))
        return STR("");
    const json_t *target = node_inside(
        json_array_get(json_object_get(select, "targetList"), 0), "ResTarget");
    struct str alias = json_get_text(target, "name");
    return alias.ptr ? shape_text(b, alias)
                     : shape_output_name(b, json_object_get(target, "val"));
}

static struct str of_cast(struct shape_builder *b, const json_t *node)
{
    struct str name = shape_output_name(b, json_object_get(node, "arg"));
    const json_t *type = json_object_get(node, "typeName");
    return name.len ? name
                    : shape_text(b, last_name(json_object_get(type, "names")));
}

static struct str of_case(struct shape_builder *b, const json_t *node)
{
    struct str name = shape_output_name(b, json_object_get(node, "defresult"));
    return name.len ? name : STR("case");
}

struct str shape_output_name(struct shape_builder *b, const json_t *wrapped)
{
    const json_t *node;
    if ((node = node_inside(wrapped, "ColumnRef")))
        return shape_text(b, last_name(json_object_get(node, "fields")));
    if ((node = node_inside(wrapped, "FuncCall")))
        return shape_text(b, last_name(json_object_get(node, "funcname")));
    if ((node = node_inside(wrapped, "A_Indirection")))
        return shape_text(b, last_name(json_object_get(node, "indirection")));
    if ((node = node_inside(wrapped, "TypeCast")))
        return of_cast(b, node);
    if ((node = node_inside(wrapped, "CaseExpr")))
        return of_case(b, node);
    if ((node = node_inside(wrapped, "SubLink")))
        return of_nested(b, node);
    if (node_inside(wrapped, "CoalesceExpr"))
        return STR("coalesce");
    if ((node = node_inside(wrapped, "MinMaxExpr")))
        return str_is(json_get_text(node, "op"), "IS_LEAST") ? STR("least")
                                                             : STR("greatest");
    return STR("");
}
