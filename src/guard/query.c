/* query.c - visitors of SELECT and WITH: what each name means, and where.
 *
 * A common table expression hides a table of its name only within its scope:
 * after itself in a WITH, from the beginning in a WITH RECURSIVE, and in the
 * query that the WITH belongs to. Everywhere else the name is that of the
 * table. */
#include "walk.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { MAX_CROSS = 4 };

/* How much a table counts as a factor after DISTINCT or GROUP BY: a list of
 * distinct values, such as the axis of a report, is short. */
#define TABLES_DISTINCT 0.5

struct cte *cte_find(const struct walk *walk, struct str name)
{
    for (struct scope *scope = walk->scope; scope; scope = scope->outer)
        for (struct cte *cte = scope->ctes; cte; cte = cte->next)
            if (str_eq(cte->name, name))
                return cte;
    return NULL;
}

static void cte_add(struct walk *walk, const json_t *node,
                    struct estimate estimate, bool tables,
                    const struct columns *columns)
{
    struct cte *cte = arena_new(walk->arena, struct cte);
    *cte = (struct cte){.next = walk->scope->ctes,
                        .name = json_get_text(node, "ctename"),
                        .node = node,
                        .estimate = estimate,
                        .tables = tables,
                        .columns = columns};
    walk->scope->ctes = cte;
}

static struct estimate self_estimate(void)
{
    struct estimate m = estimate_column();
    m.bytes = ESTIMATE_SELF_BYTES;
    return m;
}

static const struct columns *made_columns(struct walk *walk, const json_t *cte)
{
    return columns_of_cte(walk, cte,
                          walk->made ? walk->made : columns_new(walk));
}

static void walk_recursive(struct walk *walk, const json_t *owner,
                           const json_t *ctes)
{
    struct node_children all = NODE_CHILDREN(ctes), c = all;
    while (node_next(&all))
        cte_add(walk, node_inside(all.child, "CommonTableExpr"),
                self_estimate(), false, NULL);
    double compared = walk->compared;
    while (node_next(&c)) {
        const json_t *cte = node_inside(c.child, "CommonTableExpr");
        size_t tables = walk->tables;
        walk->compared = 0;
        walk->recursions++;
        struct estimate m = walk_node(walk, c.child);
        walk->recursions--;
        recursion_check(walk, cte, owner, &m);
        struct cte *made = cte_find(walk, json_get_text(cte, "ctename"));
        made->estimate = m;
        made->tables = walk->tables > tables;
        made->columns = made_columns(walk, cte);
        compared = fmax(compared, walk->compared);
    }
    walk->compared = compared;
}

static void walk_with(struct walk *walk, const json_t *owner)
{
    const json_t *with = json_object_get(owner, "withClause");
    struct node_children c = NODE_CHILDREN(json_object_get(with, "ctes"));
    if (json_is_true(json_object_get(with, "recursive"))) {
        walk_recursive(walk, owner, c.of);
        return;
    }
    while (node_next(&c)) {
        size_t tables = walk->tables;
        struct estimate m = walk_node(walk, c.child);
        const json_t *cte = node_inside(c.child, "CommonTableExpr");
        cte_add(walk, cte, m, walk->tables > tables, made_columns(walk, cte));
    }
}

static double walk_from(struct walk *walk, const json_t *node, double *tables)
{
    struct node_children c = NODE_CHILDREN(json_object_get(node, "fromClause"));
    double rows = 1;
    bool condition = json_object_get(node, "whereClause");
    *tables = 0;
    walk->scope->sure_from = SIZE_MAX;
    while (node_next(&c)) {
        struct estimate m = walk_node(walk, c.child);
        rows *= fmax(m.rows, 1);
        if (condition && node_inside(c.child, "JoinExpr"))
            /* CROSS JOIN is the same as a comma */
            m.tables = fmin(m.tables, 1);
        *tables = condition ? fmax(*tables, m.tables) : *tables + m.tables;
    }
    if (*tables >= MAX_CROSS)
        walk_refuse(
            walk, "too_costly", walk->location,
            "%.0f tables are multiplied with each other; join them ON a "
            "condition.",
            *tables);
    walk->scope->sure_from = 0;
    return rows;
}

/* ORDER BY xmin means the output column of that name if there is one. */
static bool sorts_by_output(struct walk *walk, const json_t *node,
                            const json_t *sort)
{
    const json_t *fields = node_fields(json_object_get(sort, "node"));
    struct str name = node_name(fields, 0);
    return json_array_size(fields) == 1 && name.ptr &&
           query_outputs(walk, node, name);
}

static void walk_sort(struct walk *walk, const json_t *node)
{
    struct node_children c = NODE_CHILDREN(json_object_get(node, "sortClause"));
    while (node_next(&c)) {
        const json_t *sort = node_inside(c.child, "SortBy");
        if (sorts_by_output(walk, node, sort)) {
            operator_check(walk, json_object_get(sort, "useOp"), -1);
            walk_fields(walk, NODE_SortBy, sort,
                        (const char *const[]){"node", NULL});
        } else {
            walk_node(walk, c.child);
        }
    }
}

static double limited_rows(const json_t *node, double rows)
{
    const json_t *ival = node_integer(json_object_get(node, "limitCount"));
    struct str option = json_get_text(node, "limitOption");
    if (!ival || str_is(option, "LIMIT_OPTION_WITH_TIES"))
        return rows; /* any number of rows may tie for the last place */
    return fmin(rows, (double)json_get_int(ival, "ival", 0));
}

bool query_is_one_row(const json_t *node)
{
    return limited_rows(node, INFINITY) <= 1;
}

/* How many tables the rows of a query multiply when its FROM multiplies
 * `tables`. */
static double multiplied_tables(const struct scope *scope, const json_t *node,
                                double tables)
{
    bool grouped = json_object_get(node, "groupClause");
    if (query_is_one_row(node) || (scope->aggregated && !grouped))
        return 0;
    if (grouped || json_object_get(node, "distinctClause"))
        return fmin(tables, TABLES_DISTINCT);
    return limited_rows(node, INFINITY) < INFINITY ? fmin(tables, 1) : tables;
}

/* Does GROUP BY make more than one group? GROUP BY 1 means the first output,
 * and a constant makes one group. */
static bool makes_groups(const json_t *node)
{
    const json_t *groups = json_object_get(node, "groupClause");
    const json_t *targets = json_object_get(node, "targetList");
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        const json_t *ival = node_integer(group);
        size_t n = (size_t)json_get_int(ival, "ival", 0);
        if (node_holds(group, "ColumnRef") ||
            node_holds(json_array_get(targets, n - 1), "ColumnRef"))
            return true;
    }
    return false;
}

/* The rows of a query whose FROM and WHERE give `many`. */
static double rows_out(const struct scope *scope, const json_t *node,
                       double many)
{
    const json_t *groups = json_object_get(node, "groupClause");
    const json_t *distinct = json_object_get(node, "distinctClause");
    if (query_is_one_row(node) || (scope->aggregated && !groups))
        return 1;
    /* DISTINCT without ON is a list of one empty item */
    bool on = json_object_size(json_array_get(distinct, 0)) > 0;
    const json_t *keys = groups     ? groups
                         : on       ? distinct
                         : distinct ? json_object_get(node, "targetList")
                                    : NULL;
    if (keys)
        many = fmin(many,
                    pow(ESTIMATE_DISTINCT_ROWS, (double)json_array_size(keys)));
    return fmin(many, limited_rows(node, many));
}

static struct estimate walk_right_side(struct walk *walk, const json_t *right)
{
    double compared = walk->compared;
    size_t tables = walk->tables;
    walk->compared = 0;
    struct estimate m = walk_typed(walk, NODE_SelectStmt, right);
    walk->term.compared = walk->compared;
    walk->term.tables = walk->tables > tables;
    walk->compared = fmax(compared, walk->compared);
    return m;
}

/* Walks both operands of UNION and its kind, or counts the lists of VALUES. */
static struct estimate walk_operands(struct walk *walk, const json_t *node,
                                     struct estimate m,
                                     const struct columns **left_columns)
{
    const json_t *left = json_object_get(node, "larg");
    const json_t *right = json_object_get(node, "rarg");
    if (left || right) {
        struct estimate l = walk_typed(walk, NODE_SelectStmt, left);
        *left_columns = walk->made;
        struct estimate r = walk_right_side(walk, right);
        m = estimate_worse(m, estimate_worse(l, r));
        m.rows = l.rows + r.rows;
        m.many = l.many + r.many;
    }
    double n = (double)json_array_size(json_object_get(node, "valuesLists"));
    m.rows = fmax(m.rows, n);
    m.many = fmax(m.many, n);
    return m;
}

static void check_rows(struct walk *walk, double rows)
{
    if (!(rows <= ESTIMATE_MAX_ROWS))
        walk_refuse(walk, "too_costly", walk->location,
                    "These series multiply to about %.0f rows; join them on a "
                    "condition or make them shorter.",
                    fmin(rows, 1e18));
}

static struct estimate walk_query(struct walk *walk, const json_t *node)
{
    static const char *const skip[] = {"withClause", "fromClause", "sortClause",
                                       "larg",       "rarg",       NULL};
    struct scope *scope = walk->scope;
    double tables;
    walk_with(walk, node);
    scope->rows = walk_from(walk, node, &tables);
    check_rows(walk, scope->rows);
    scope->many = product_rows(walk, node);
    scope->grouped = makes_groups(node);
    struct estimate m = walk_fields(walk, NODE_SelectStmt, node, skip);
    walk_sort(walk, node);
    m.rows = fmax(scope->rows * fmax(m.rows, 1), 1);
    if (scope->aggregated && !json_object_get(node, "groupClause"))
        m.rows = 1;
    m.tables = tables;
    m.many = scope->many * fmax(m.many, 1);
    check_rows(walk, m.rows);
    const struct columns *left = NULL;
    m = walk_operands(walk, node, m, &left);
    walk->made = columns_of_select(walk, node, left);
    m.rows = limited_rows(node, m.rows);
    m.tables = multiplied_tables(scope, node, m.tables);
    m.many = rows_out(scope, node, m.many);
    return m;
}

struct estimate visit_select(struct walk *walk, enum node_kind kind,
                             const json_t *node)
{
    (void)kind;
    if (json_object_get(node, "intoClause"))
        return walk_refuse(walk, "into", walk->location,
                           "SELECT INTO makes a table; leave INTO out.");
    if (json_object_get(node, "lockingClause"))
        return walk_refuse(
            walk, "locking", walk->location,
            "FOR UPDATE and FOR SHARE take locks; leave them out.");
    struct scope scope = {.outer = walk->scope, .rows = 1, .many = 1};
    walk->scope = &scope;
    struct estimate m = walk_query(walk, node);
    walk->scope = scope.outer;
    return m;
}
