/* recursion.c - can a recursive query end, as far as its text shows?
 *
 * It must have a condition on columns somewhere in its recursive term (WHERE,
 * ON, USING), or a LIMIT at which the executor stops. Whether the condition
 * ever becomes false is not known here; the statement timeout covers that. */
#include "walk.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum {
    MAX_LIMIT = 1000000,
    TABLE_STEPS = 100, /* steps down a hierarchy in a table */
};

/* The functions below recurse over a tree that walk_node has accepted, so its
 * depth is bounded. */

static bool reads_relation(const json_t *tree, struct str relation)
{
    struct node_children c = NODE_CHILDREN(tree);
    while (node_next(&c)) {
        if (!strcmp(c.key, "RangeVar") &&
            !json_object_get(c.child, "schemaname") &&
            str_eq(json_get_text(c.child, "relname"), relation))
            return true;
        if (reads_relation(c.child, relation))
            return true;
    }
    return false;
}

static bool has_condition(const json_t *tree)
{
    struct node_children c = NODE_CHILDREN(tree);
    while (node_next(&c)) {
        bool condition =
            !strcmp(c.key, "whereClause") || !strcmp(c.key, "quals");
        if ((condition && node_holds(c.child, "ColumnRef")) ||
            !strcmp(c.key, "usingClause") || !strcmp(c.key, "isNatural") ||
            has_condition(c.child))
            return true;
    }
    return false;
}

/* select … from <the query> limit n, with nothing that needs all rows first. */
static bool stops_at_limit(const json_t *owner, struct str relation)
{
    static const char *const needs_all[] = {
        "whereClause", "groupClause",    "havingClause", "windowClause",
        "sortClause",  "distinctClause", "larg",         "rarg",
    };
    const json_t *ival = node_integer(json_object_get(owner, "limitCount"));
    const json_t *from = json_object_get(owner, "fromClause");
    const json_t *table = node_inside(json_array_get(from, 0), "RangeVar");
    for (size_t i = 0; i < sizeof needs_all / sizeof *needs_all; i++)
        if (json_object_get(owner, needs_all[i]))
            return false;
    return ival && json_get_int(ival, "ival", 0) <= MAX_LIMIT &&
           json_array_size(from) == 1 &&
           str_eq(json_get_text(table, "relname"), relation) &&
           !node_holds(json_object_get(owner, "targetList"), "FuncCall") &&
           !node_holds(json_object_get(owner, "targetList"), "SubLink");
}

/* ---- a counter: n + 1 … FROM itself WHERE n < 100 AND … ------------------ */

static struct str column_name(const json_t *value)
{
    return node_last_name(node_fields(value));
}

/* The name of the i-th column. */
static struct str cte_column(const json_t *cte, size_t i)
{
    const json_t *names = json_object_get(cte, "aliascolnames");
    const json_t *select = node_leftmost(node_select(cte, "ctequery"));
    const json_t *output =
        node_target(json_object_get(select, "targetList"), i);
    if (i < json_array_size(names))
        return node_name(names, i);
    return node_target_name(output);
}

static bool is_expression(const json_t *value, const char *symbol)
{
    const json_t *op = node_inside(value, "A_Expr");
    return str_is(json_get_text(op, "kind"), "AEXPR_OP") &&
           str_is(node_name(json_object_get(op, "name"), 0), symbol);
}

/* The whole number compared with, or added to, the column `name`. */
static bool whole_after(const json_t *value, struct str name, int64_t *number)
{
    const json_t *op = node_inside(value, "A_Expr");
    const json_t *ival = node_integer(json_object_get(op, "rexpr"));
    struct str left = column_name(json_object_get(op, "lexpr"));
    *number = json_get_int(ival, "ival", 0);
    return ival && left.ptr && str_eq(left, name);
}

static bool is_bounded(const json_t *condition, struct str name)
{
    struct node_children c = NODE_CHILDREN(node_conjuncts(condition));
    int64_t limit;
    if (is_expression(condition, "<") || is_expression(condition, "<="))
        return whole_after(condition, name, &limit) &&
               limit <= (int64_t)ESTIMATE_MAX_SERIES;
    while (node_next(&c))
        if (is_bounded(c.child, name))
            return true;
    return false;
}

/* Does some column count up by a constant to a constant? It ends then, whatever
 * else the condition says. */
static bool counts_to_limit(const json_t *cte, const json_t *term)
{
    const json_t *from = json_object_get(term, "fromClause");
    const json_t *outputs = json_object_get(term, "targetList");
    if (json_array_size(from) != 1 ||
        !node_inside(json_array_get(from, 0), "RangeVar"))
        return false;
    for (size_t i = 0; i < json_array_size(outputs); i++) {
        const json_t *value = json_object_get(node_target(outputs, i), "val");
        struct str name = cte_column(cte, i);
        int64_t step;
        if (name.ptr && is_expression(value, "+") &&
            whole_after(value, name, &step) && step >= 1 &&
            is_bounded(json_object_get(term, "whereClause"), name))
            return true;
    }
    return false;
}

void recursion_check(struct walk *walk, const json_t *cte, const json_t *owner,
                     struct estimate *estimate)
{
    struct str name = json_get_text(cte, "ctename");
    const json_t *query = node_select(cte, "ctequery");
    const json_t *term = json_object_get(query, "rarg");
    int location = node_location(cte);
    if (walk->refused || !reads_relation(query, name))
        return;
    if (estimate->bytes >= 2 * ESTIMATE_SELF_BYTES)
        walk_refuse(
            walk, "too_costly", location,
            "The recursive query %.*s makes its text a multiple of itself "
            "with each step.",
            STR_ARG(name));
    if (!has_condition(term) && !stops_at_limit(owner, name))
        walk_refuse(
            walk, "too_costly", location,
            "The recursive query %.*s has no condition that ends it; add "
            "WHERE n < a limit to its recursive part.",
            STR_ARG(name));
    /* a query over tables ends with their rows; one without makes its own */
    if (!walk->term.tables && walk->term.compared > ESTIMATE_MAX_SERIES &&
        !counts_to_limit(cte, term))
        walk_refuse(
            walk, "too_costly", location,
            "The recursive query %.*s may count up to %.0f; at most %.0f "
            "steps are allowed.",
            STR_ARG(name), fmin(walk->term.compared, 1e18),
            ESTIMATE_MAX_SERIES);
    double steps = walk->term.tables
                       ? TABLE_STEPS
                       : fmin(walk->term.compared, ESTIMATE_MAX_SERIES);
    estimate->many =
        fmax(estimate->many, walk->term.tables ? ESTIMATE_TABLE_ROWS : steps);
    if (estimate->bytes >= ESTIMATE_SELF_BYTES)
        estimate->bytes = 8 * ESTIMATE_COLUMN_BYTES +
                          steps * (estimate->bytes - ESTIMATE_SELF_BYTES);
    if (!(estimate->bytes <= ESTIMATE_MAX_BYTES))
        walk_refuse(
            walk, "too_costly", location,
            "The recursive query %.*s may make its text some %.0f bytes "
            "long.",
            STR_ARG(name), fmin(estimate->bytes, 1e18));
}
