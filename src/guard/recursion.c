/* recursion.c - can a recursive query end, as far as its text tells?
 *
 * Asked is a condition on columns somewhere in the recursive term (WHERE, ON,
 * USING), or a LIMIT that the executor stops at. Whether the condition ever
 * becomes false nobody knows; the time limit stands behind it. */
#include "walk.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { MAX_LIMIT = 1000000 };

/* These walk a tree that walk_node has accepted, so its depth is bounded. */
static bool holds(const json_t *tree, const char *type)
{
    const char *name;
    size_t i;
    json_t *child;
    json_object_foreach((json_t *)tree, name, child)
    {
        if (!strcmp(name, type) || holds(child, type))
            return true;
    }
    json_array_foreach(tree, i, child)
    {
        if (holds(child, type))
            return true;
    }
    return false;
}

static bool reads(const json_t *tree, struct str relation)
{
    const char *name;
    size_t i;
    json_t *child;
    json_object_foreach((json_t *)tree, name, child)
    {
        if (!strcmp(name, "RangeVar") &&
            !json_object_get(child, "schemaname") &&
            str_eq(json_get_text(child, "relname"), relation))
            return true;
        if (reads(child, relation))
            return true;
    }
    json_array_foreach(tree, i, child)
    {
        if (reads(child, relation))
            return true;
    }
    return false;
}

/* Tables, which have an end; a query without any makes its rows itself. */
static bool reads_others(const json_t *tree, struct str relation)
{
    const char *name;
    size_t i;
    json_t *child;
    json_object_foreach((json_t *)tree, name, child)
    {
        if (!strcmp(name, "RangeVar") &&
            !str_eq(json_get_text(child, "relname"), relation))
            return true;
        if (reads_others(child, relation))
            return true;
    }
    json_array_foreach(tree, i, child)
    {
        if (reads_others(child, relation))
            return true;
    }
    return false;
}

static bool has_condition(const json_t *tree)
{
    const char *name;
    size_t i;
    json_t *child;
    json_object_foreach((json_t *)tree, name, child)
    {
        bool condition = !strcmp(name, "whereClause") || !strcmp(name, "quals");
        if (condition && holds(child, "ColumnRef"))
            return true;
        if (!strcmp(name, "usingClause") || !strcmp(name, "isNatural"))
            return true;
        if (has_condition(child))
            return true;
    }
    json_array_foreach(tree, i, child)
    {
        if (has_condition(child))
            return true;
    }
    return false;
}

/* select … from <the cte> limit n, with nothing that needs all rows first. */
static bool stops_at_limit(const json_t *owner, struct str relation)
{
    static const char *const needs_all[] = {
        "whereClause",  "groupClause",  "havingClause", "windowClause",
        "sortClause",   "distinctClause", "larg",       "rarg",
    };
    const json_t *count =
        node_inside(json_object_get(owner, "limitCount"), "A_Const");
    const json_t *ival = json_object_get(count, "ival");
    const json_t *from = json_object_get(owner, "fromClause");
    const json_t *table = node_inside(json_array_get(from, 0), "RangeVar");
    for (size_t i = 0; i < sizeof needs_all / sizeof *needs_all; i++)
        if (json_object_get(owner, needs_all[i]))
            return false;
    return ival && json_get_int(ival, "ival", 0) <= MAX_LIMIT &&
           json_array_size(from) == 1 &&
           str_eq(json_get_text(table, "relname"), relation) &&
           !holds(json_object_get(owner, "targetList"), "FuncCall") &&
           !holds(json_object_get(owner, "targetList"), "SubLink");
}

void recursion_check(struct walk *walk, const json_t *cte, const json_t *owner,
                     struct measure *measure)
{
    struct str name = json_get_text(cte, "ctename");
    const json_t *query =
        node_inside(json_object_get(cte, "ctequery"), "SelectStmt");
    const json_t *term = json_object_get(query, "rarg");
    int location = node_location(cte);
    if (walk->refused || !reads(query, name))
        return;
    if (measure->bytes >= 2 * MEASURE_SELF_BYTES)
        refuse(walk, "too_costly", location,
               "The recursive query %.*s makes its text a multiple of itself "
               "with each step.",
               STR_ARG(name));
    if (!has_condition(term) && !stops_at_limit(owner, name))
        refuse(walk, "too_costly", location,
               "The recursive query %.*s has no condition that ends it; add "
               "WHERE n < a limit to its recursive part.",
               STR_ARG(name));
    if (!reads_others(term, name) && walk->compared > MEASURE_MAX_SERIES)
        refuse(walk, "too_costly", location,
               "The recursive query %.*s may count up to %.0f; at most %.0f "
               "steps are allowed.",
               STR_ARG(name), fmin(walk->compared, 1e18), MEASURE_MAX_SERIES);
    bool from_itself = measure->bytes >= MEASURE_SELF_BYTES;
    if (from_itself)
        measure->bytes -= MEASURE_SELF_BYTES - 8 * MEASURE_COLUMN_BYTES;
}
