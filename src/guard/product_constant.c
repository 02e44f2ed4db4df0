/* product_constant.c - is an output of a query the same in all its rows?
 *
 * 1 AS k is, and so are abs(1), (SELECT 1), the only row of LIMIT 1, and a
 * column that is one of these in a subquery. A join on such a column relates
 * nothing. */
#include "function.h"
#include "output_name.h"
#include "product.h"
#include <string.h>
#include "base/banned.h"

/* A bound on our own work; what exceeds it counts as constant. */
enum { MAX_STEPS = 100000 };

/* A query being examined, and those that led to it. */
struct constant_level {
    const struct constant_level *outer;
    const json_t *select;
};

static bool query_is_constant(struct walk *walk, const json_t *query,
                              const json_t *names, struct str name,
                              const struct constant_level *outer);

static const json_t *with_find(struct walk *walk,
                               const struct constant_level *level,
                               struct str name)
{
    for (; level; level = level->outer) {
        const json_t *ctes = json_object_get(
            json_object_get(level->select, "withClause"), "ctes");
        for (size_t i = 0; i < json_array_size(ctes); i++) {
            const json_t *cte =
                node_inside(json_array_get(ctes, i), "CommonTableExpr");
            if (str_eq(json_get_text(cte, "ctename"), name))
                return cte;
        }
    }
    const struct cte *cte = cte_find(walk, name);
    return cte ? cte->node : NULL;
}

/* The index of the output of that name, or -1. */
static int output_index(const json_t *select, const json_t *names,
                        struct str name)
{
    const json_t *left = json_object_get(select, "larg");
    const json_t *targets = json_object_get(select, "targetList");
    size_t n_names = json_array_size(names);
    for (size_t i = 0; i < n_names; i++)
        if (str_eq(node_name(names, i), name))
            return (int)i;
    if (left)
        return output_index(left, names, name);
    for (size_t i = n_names; i < json_array_size(targets); i++) {
        struct str output = output_name_of_target(node_target(targets, i));
        if (output.ptr && str_eq(output, name))
            return (int)i;
    }
    return -1;
}

/* ---- columns ------------------------------------------------------------- */

enum column_answer { COLUMN_UNKNOWN, COLUMN_VARIES, COLUMN_CONSTANT };

static enum column_answer query_column(struct walk *walk, const json_t *query,
                                       const json_t *names, struct str name,
                                       bool named,
                                       const struct constant_level *level)
{
    if (query_is_constant(walk, query, names, name, level))
        return COLUMN_CONSTANT;
    bool has = output_index(node_inside(query, "SelectStmt"), names, name) >= 0;
    return named || has ? COLUMN_VARIES : COLUMN_UNKNOWN;
}

static enum column_answer item_column(struct walk *walk, const json_t *item,
                                      struct str qualifier, struct str name,
                                      const struct constant_level *level);

/* `named`: the qualifier is the alias of the join. */
static enum column_answer join_column(struct walk *walk, const json_t *join,
                                      bool named, struct str qualifier,
                                      struct str name,
                                      const struct constant_level *level)
{
    static const char *const sides[] = {"larg", "rarg"};
    const json_t *using = json_object_get(join, "join_using_alias");
    struct str inside = named ? STR("") : qualifier;
    enum column_answer answer = COLUMN_UNKNOWN;
    for (int i = 0; i < 2 && !answer; i++)
        answer = item_column(walk, json_object_get(join, sides[i]), inside,
                             name, level);
    bool merged = using && qualifier.len &&
                  str_eq(json_get_text(using, "aliasname"), qualifier);
    return !answer && (named || merged) ? COLUMN_VARIES : answer;
}

/* What an item of FROM says of a column; `qualifier` is empty for a bare
 * name. */
static enum column_answer item_column(struct walk *walk, const json_t *item,
                                      struct str qualifier, struct str name,
                                      const struct constant_level *level)
{
    const json_t *join = node_inside(item, "JoinExpr");
    const json_t *query = node_inside(item, "RangeSubselect");
    const json_t *table = node_inside(item, "RangeVar");
    const json_t *function = node_inside(item, "RangeFunction");
    const json_t *sample = node_inside(item, "RangeTableSample");
    const json_t *node = join ? join : query ? query : table;
    const json_t *alias = json_object_get(node ? node : function, "alias");
    if (sample)
        return item_column(walk, json_object_get(sample, "relation"), qualifier,
                           name, level);
    struct str own = json_get_text(alias, "aliasname");
    if (table && !own.ptr)
        own = json_get_text(table, "relname");
    bool named = qualifier.len && str_eq(own, qualifier);
    if (join)
        return join_column(walk, join, named, qualifier, name, level);
    if (qualifier.len && !named)
        return COLUMN_UNKNOWN;
    const json_t *names = json_object_get(alias, "colnames");
    if (query)
        return query_column(walk, json_object_get(query, "subquery"), names,
                            name, named, level);
    const json_t *cte =
        !table || json_object_get(table, "schemaname")
            ? NULL
            : with_find(walk, level, json_get_text(table, "relname"));
    if (!cte)
        return named ? COLUMN_VARIES : COLUMN_UNKNOWN;
    return query_column(walk, json_object_get(cte, "ctequery"),
                        names ? names : json_object_get(cte, "aliascolnames"),
                        name, named, level);
}

static enum column_answer from_column(struct walk *walk, struct str qualifier,
                                      struct str name,
                                      const struct constant_level *level)
{
    const json_t *from = json_object_get(level->select, "fromClause");
    enum column_answer answer = COLUMN_UNKNOWN;
    for (size_t i = 0; i < json_array_size(from) && !answer; i++)
        answer =
            item_column(walk, json_array_get(from, i), qualifier, name, level);
    return answer;
}

/* ---- values -------------------------------------------------------------- */

static bool call_is_constant(const json_t *call,
                             const struct constant_level *level)
{
    enum function_answer answer =
        function_answer_of(node_last_name(json_object_get(call, "funcname")));
    return !json_object_get(call, "over") &&
           (answer == FUNCTION_FIXED ||
            (answer == FUNCTION_OF_GROUP &&
             !json_object_get(level->select, "groupClause")));
}

/* Is an expression the same in all rows of `level`? It is when it reads no item
 * of `level`, but only columns of an outer query or of a subquery. */
static bool tree_is_constant(struct walk *walk, const json_t *tree,
                             const struct constant_level *level, bool in_query)
{
    const json_t *fields = node_fields(tree);
    const json_t *call = json_object_get(tree, "FuncCall");
    struct node_children c = NODE_CHILDREN(tree);
    if (++walk->constant_steps > MAX_STEPS)
        return true;
    if (fields) {
        struct str qualifier = node_qualifier(fields);
        enum column_answer answer =
            from_column(walk, qualifier, node_last_name(fields), level);
        return answer == COLUMN_CONSTANT ||
               (answer == COLUMN_UNKNOWN && json_array_size(fields) > 1);
    }
    if (call && !in_query) {
        if (!call_is_constant(call, level))
            return false;
        if (function_answer_of(node_function(tree)) == FUNCTION_OF_GROUP)
            return true;
    }
    while (node_next(&c))
        if (!tree_is_constant(walk, c.child, level,
                              in_query || !strcmp(c.key, "subselect")))
            return false;
    return true;
}

/* ---- queries ------------------------------------------------------------- */

/* SELECT *, SELECT z.* */
static bool star_is_constant(struct walk *walk, struct str name,
                             const struct constant_level *level)
{
    const json_t *targets = json_object_get(level->select, "targetList");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *value = json_object_get(node_target(targets, i), "val");
        const json_t *fields = node_fields(value);
        if (node_is_star(fields) && from_column(walk, node_qualifier(fields),
                                                name, level) == COLUMN_CONSTANT)
            return true;
    }
    return false;
}

static bool select_is_constant(struct walk *walk, const json_t *select,
                               int index, struct str name,
                               const struct constant_level *outer)
{
    struct constant_level level = {.outer = outer, .select = select};
    const json_t *left = json_object_get(select, "larg");
    const json_t *lists = json_object_get(select, "valuesLists");
    const json_t *targets = json_object_get(select, "targetList");
    if (left)
        return select_is_constant(walk, left, index, name, &level) &&
               select_is_constant(walk, json_object_get(select, "rarg"), index,
                                  name, &level);
    if (lists)
        return json_array_size(lists) == 1;
    if (index < 0)
        return star_is_constant(walk, name, &level);
    if (query_is_one_row(select))
        return true;
    const json_t *target = node_target(targets, (size_t)index);
    return target && tree_is_constant(walk, json_object_get(target, "val"),
                                      &level, false);
}

static bool query_is_constant(struct walk *walk, const json_t *query,
                              const json_t *names, struct str name,
                              const struct constant_level *outer)
{
    const json_t *select = node_inside(query, "SelectStmt");
    if (++walk->constant_steps > MAX_STEPS)
        return true;
    for (const struct constant_level *level = outer; level;
         level = level->outer)
        if (level->select == select)
            return false; /* a recursive query changes with each step */
    return select && name.ptr &&
           select_is_constant(walk, select, output_index(select, names, name),
                              name, outer);
}

bool source_is_constant(struct walk *walk, const struct walk_source *source,
                        struct str name)
{
    return query_is_constant(walk, source->query, source->columns, name, NULL);
}
