/* output_name.c - what PostgreSQL calls an output that has no alias, as
 * FigureColname in its parser decides it. */
#include "output_name.h"
#include "node.h"
#include <string.h>
#include "base/banned.h"

/* How strongly an expression suggests a name. It is hidden when a star expands
 * to it. */
enum naming { NAMED_NOT, NAMED_WEAKLY, NAMED_WELL, NAMED_HIDDEN };

static enum naming name_of(const json_t *wrapped, struct str *name);

static enum naming last_word(const json_t *names, struct str *name)
{
    for (size_t i = json_array_size(names); i > 0; i--)
        if ((*name = node_name(names, i - 1)).ptr)
            return NAMED_WELL;
    return NAMED_NOT;
}

static enum naming name_of_indirection(const json_t *node, struct str *name)
{
    enum naming naming = last_word(json_object_get(node, "indirection"), name);
    return naming ? naming : name_of(json_object_get(node, "arg"), name);
}

static enum naming name_of_cast(const json_t *node, struct str *name)
{
    enum naming naming = name_of(json_object_get(node, "arg"), name);
    const json_t *type = json_object_get(node, "typeName");
    if (naming >= NAMED_WELL)
        return naming;
    return last_word(json_object_get(type, "names"), name) ? NAMED_WEAKLY
                                                           : naming;
}

static enum naming name_of_case(const json_t *node, struct str *name)
{
    enum naming naming = name_of(json_object_get(node, "defresult"), name);
    if (naming >= NAMED_WELL)
        return naming;
    *name = STR("case");
    return NAMED_WEAKLY;
}

bool ends_in_star(const json_t *val)
{
    return node_is_star(node_fields(val)) ||
           node_is_star(json_object_get(node_inside(val, "A_Indirection"),
                                        "indirection"));
}

/* A subquery is named after its first output. */
static enum naming name_of_query(const json_t *node, struct str *name)
{
    struct str form = json_get_text(node, "subLinkType");
    const json_t *select = node_leftmost(node_select(node, "subselect"));
    const json_t *target =
        node_target(json_object_get(select, "targetList"), 0);
    *name = STR("exists");
    if (str_is(form, "EXISTS_SUBLINK"))
        return NAMED_WELL;
    *name = STR("array");
    if (str_is(form, "ARRAY_SUBLINK"))
        return NAMED_WELL;
    if (!str_is(form, "EXPR_SUBLINK"))
        return NAMED_NOT;
    *name = json_get_text(target, "name");
    if (name->ptr)
        return NAMED_WELL;
    if (ends_in_star(json_object_get(target, "val")))
        return NAMED_HIDDEN;
    *name =
        target ? output_name(json_object_get(target, "val")) : STR("column1");
    return name->ptr ? NAMED_WELL : NAMED_HIDDEN;
}

static enum naming name_of_value_function(const json_t *node, struct str *name)
{
    static const char *const names[] = {"current_date", "current_timestamp",
                                        "current_time", "localtimestamp",
                                        "localtime"};
    struct str op = json_get_text(node, "op");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *name = str_of(names[i]);
        if (op.len > 6 &&
            str_find_nocase(op, *name) == (ptrdiff_t)strlen("SVFOP_"))
            return NAMED_WELL;
    }
    return NAMED_NOT;
}

static enum naming name_of(const json_t *wrapped, struct str *name)
{
    static const struct {
        const char *type, *name;
    } fixed[] = {{"GroupingFunc", "grouping"},
                 {"A_ArrayExpr", "array"},
                 {"RowExpr", "row"},
                 {"CoalesceExpr", "coalesce"}};
    const json_t *node;
    if ((node = node_inside(wrapped, "ColumnRef")))
        return last_word(json_object_get(node, "fields"), name);
    if ((node = node_inside(wrapped, "A_Indirection")))
        return name_of_indirection(node, name);
    if ((node = node_inside(wrapped, "FuncCall")))
        return last_word(json_object_get(node, "funcname"), name);
    if ((node = node_inside(wrapped, "TypeCast")))
        return name_of_cast(node, name);
    if ((node = node_inside(wrapped, "CollateClause")))
        return name_of(json_object_get(node, "arg"), name);
    if ((node = node_inside(wrapped, "CaseExpr")))
        return name_of_case(node, name);
    if ((node = node_inside(wrapped, "SubLink")))
        return name_of_query(node, name);
    if ((node = node_inside(wrapped, "SQLValueFunction")))
        return name_of_value_function(node, name);
    if ((node = node_inside(wrapped, "MinMaxExpr"))) {
        bool least = str_is(json_get_text(node, "op"), "IS_LEAST");
        *name = least ? STR("least") : STR("greatest");
        return NAMED_WELL;
    }
    node = node_inside(wrapped, "A_Expr");
    *name = STR("nullif");
    if (str_is(json_get_text(node, "kind"), "AEXPR_NULLIF"))
        return NAMED_WELL;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        *name = str_of(fixed[i].name);
        if (node_inside(wrapped, fixed[i].type))
            return NAMED_WELL;
    }
    return NAMED_NOT;
}

struct str output_name(const json_t *wrapped)
{
    struct str name;
    enum naming naming = name_of(wrapped, &name);
    if (naming == NAMED_HIDDEN)
        return (struct str){0};
    return naming ? name : STR("?column?");
}

struct str output_name_of_target(const json_t *target)
{
    struct str alias = json_get_text(target, "name");
    return alias.ptr ? alias : output_name(json_object_get(target, "val"));
}
