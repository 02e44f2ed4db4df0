/* output.c - the names of a query's output columns, as far as its text has
 * them. */
#include "walk.h"
#include <string.h>
#include "base/banned.h"

/* Comparisons a query: a text of thousands of names against thousands of
 * outputs would otherwise hold up the loop for seconds. */
enum { MAX_COMPARISONS = 20000 };

static bool may_compare(struct walk *walk)
{
    return walk->comparisons++ < MAX_COMPARISONS;
}

/* The SELECT that names the columns of a UNION. */
static const json_t *leftmost(const json_t *select)
{
    const json_t *left;
    while ((left = json_object_get(select, "larg")))
        select = left;
    return select;
}

/* ---- what PostgreSQL calls an output that has no alias -------------------- */

/* A name, and how sure it is of it (FigureColname in PostgreSQL's parser). It
 * is hidden when a star stands for it. */
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
    const json_t *list =
        json_object_get(node_inside(val, "ColumnRef"), "fields");
    if (!list)
        list =
            json_object_get(node_inside(val, "A_Indirection"), "indirection");
    size_t n = json_array_size(list);
    return n && node_inside(json_array_get(list, n - 1), "A_Star");
}

/* That of its first output. */
static enum naming name_of_query(const json_t *node, struct str *name)
{
    struct str form = json_get_text(node, "subLinkType");
    const json_t *select =
        leftmost(node_inside(json_object_get(node, "subselect"), "SelectStmt"));
    const json_t *target = node_inside(
        json_array_get(json_object_get(select, "targetList"), 0), "ResTarget");
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

/* ---- whether there is an output of that name ------------------------------ */

/* False only when the target surely has another name. */
static bool target_may_be(const json_t *target, struct str name)
{
    const json_t *result = node_inside(target, "ResTarget");
    struct str alias = json_get_text(result, "name");
    const json_t *column =
        node_inside(json_object_get(result, "val"), "ColumnRef");
    const json_t *fields = json_object_get(column, "fields");
    if (!alias.ptr)
        alias = node_name(fields, json_array_size(fields) - 1);
    return !alias.ptr || str_eq(alias, name);
}

bool query_may_output(struct walk *walk, const json_t *query,
                      const json_t *columns, struct str name)
{
    const json_t *select = leftmost(node_inside(query, "SelectStmt"));
    const json_t *targets = json_object_get(select, "targetList");
    size_t renamed = json_array_size(columns);
    if (!targets)
        return true;
    for (size_t i = 0; i < renamed; i++)
        if (!may_compare(walk) || str_eq(node_name(columns, i), name))
            return true;
    for (size_t i = renamed; i < json_array_size(targets); i++)
        if (!may_compare(walk) ||
            target_may_be(json_array_get(targets, i), name))
            return true;
    return false;
}

bool query_outputs(struct walk *walk, const json_t *select, struct str name)
{
    const json_t *targets = json_object_get(select, "targetList");
    for (size_t i = 0; i < json_array_size(targets) && may_compare(walk); i++) {
        const json_t *result =
            node_inside(json_array_get(targets, i), "ResTarget");
        if (str_eq(json_get_text(result, "name"), name))
            return true;
    }
    return false;
}
