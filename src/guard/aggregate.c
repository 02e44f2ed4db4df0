/* aggregate.c - does a query reveal nothing but aggregates over rows?
 *
 * It does when every table is read through an aggregate: each SELECT has one
 * among its outputs, or reads only from queries that are aggregated. A function
 * that collects rows (string_agg and its kind) reveals rows wherever it is
 * used. What this file does not understand is taken to reveal rows. */
#include "walk.h"
#include <string.h>
#include "base/banned.h"

enum { SUMS = 1, PICKS = 2, COLLECTS = 4 };

/* Common table expressions in scope, from the inside out. */
struct named_query {
    const struct named_query *outer;
    struct str name;
    bool aggregated;
};

static bool select_is_aggregated(struct arena *a, const json_t *select,
                                 const struct named_query *with);

/* ---- calls --------------------------------------------------------------- */

/* What an aggregate of that name does with its rows; 0: it is none. The lists
 * are this file's own, so that an aggregate that is added to functions.def
 * reveals rows until someone has judged it here. */
static unsigned aggregate_kind(struct str name)
{
    static const char *const sums[] = {
        "avg",       "bit_and",    "bit_or",     "bit_xor",
        "bool_and",  "bool_or",    "corr",       "count",
        "covar_pop", "covar_samp", "every",      "percentile_cont",
        "regr_avgx", "regr_avgy",  "regr_count", "regr_intercept",
        "regr_r2",   "regr_slope", "regr_sxx",   "regr_sxy",
        "regr_syy",  "stddev",     "stddev_pop", "stddev_samp",
        "sum",       "var_pop",    "var_samp",   "variance",
        NULL};
    static const char *const picks[] = {
        "any_value",           "max", "min", "mode", "percentile_disc",
        "range_intersect_agg", NULL};
    if (str_is_one_of(name, sums))
        return SUMS;
    if (str_is_one_of(name, picks))
        return PICKS;
    return str_ends(name, STR("_agg")) ? COLLECTS : 0;
}

static unsigned call_kind(const json_t *wrapped)
{
    const json_t *call = node_inside(wrapped, "FuncCall");
    return !call || json_object_get(call, "over")
               ? 0
               : aggregate_kind(node_function(wrapped));
}

/* t.json_agg and (t).json_agg mean json_agg(t) unless t has such a column, and
 * that column may come from the function. */
static unsigned fields_kind(const json_t *node)
{
    static const char *const collects[] = {"array_agg", "json_agg", "jsonb_agg",
                                           "range_agg", NULL};
    const json_t *column = json_object_get(node, "ColumnRef");
    const json_t *names =
        column ? json_object_get(column, "fields")
               : json_object_get(json_object_get(node, "A_Indirection"),
                                 "indirection");
    for (size_t n = column ? 1 : 0; n < json_array_size(names); n++)
        if (str_is_one_of(node_name(names, n), collects))
            return COLLECTS;
    return 0;
}

/* The kinds of all aggregates in a tree, with or without those in
 * subqueries. */
static unsigned aggregate_kinds(const json_t *node, bool in_queries)
{
    unsigned kinds = call_kind(node) | fields_kind(node);
    struct node_children c = NODE_CHILDREN(node);
    while (node_next(&c))
        if (in_queries || strcmp(c.key, "SubLink") != 0)
            kinds |= aggregate_kinds(c.child, in_queries);
    return kinds;
}

/* ---- queries ------------------------------------------------------------- */

/* EXISTS, IN and their kind answer true or false; other subqueries answer what
 * they select. */
static bool sublink_is_aggregated(struct arena *a, const json_t *link,
                                  const struct named_query *with)
{
    struct str type = json_get_text(link, "subLinkType");
    if (str_is(type, "EXISTS_SUBLINK") || str_is(type, "ANY_SUBLINK") ||
        str_is(type, "ALL_SUBLINK"))
        return true;
    return select_is_aggregated(a, node_select(link, "subselect"), with);
}

/* The same for all subqueries in an expression. */
static bool sublinks_are_aggregated(struct arena *a, const json_t *node,
                                    const struct named_query *with)
{
    struct node_children c = NODE_CHILDREN(node);
    while (node_next(&c)) {
        bool aggregated = strcmp(c.key, "SubLink")
                              ? sublinks_are_aggregated(a, c.child, with)
                              : sublink_is_aggregated(a, c.child, with);
        if (!aggregated)
            return false;
    }
    return true;
}

static bool name_is_aggregated(const json_t *table,
                               const struct named_query *with)
{
    struct str name = json_get_text(table, "relname");
    if (json_object_get(table, "schemaname"))
        return false;
    while (with && !str_eq(with->name, name))
        with = with->outer;
    return with && with->aggregated;
}

static bool from_is_aggregated(struct arena *a, const json_t *item,
                               const struct named_query *with)
{
    const json_t *query = node_inside(item, "RangeSubselect");
    const json_t *join = node_inside(item, "JoinExpr");
    const json_t *table = node_inside(item, "RangeVar");
    if (query)
        return select_is_aggregated(a, node_select(query, "subquery"), with);
    if (join)
        return from_is_aggregated(a, json_object_get(join, "larg"), with) &&
               from_is_aggregated(a, json_object_get(join, "rarg"), with);
    if (table)
        return name_is_aggregated(table, with);
    return node_inside(item, "RangeFunction") &&
           sublinks_are_aggregated(a, item, with);
}

/* Adds the queries of WITH. A recursive one counts as not aggregated unless it
 * aggregates itself. */
static const struct named_query *named_queries(struct arena *a,
                                               const json_t *select,
                                               const struct named_query *outer)
{
    const json_t *clause = json_object_get(select, "withClause");
    bool recursive = json_is_true(json_object_get(clause, "recursive"));
    struct node_children c = NODE_CHILDREN(json_object_get(clause, "ctes"));
    while (node_next(&c)) {
        const json_t *cte = node_inside(c.child, "CommonTableExpr");
        struct named_query *w = arena_new(a, struct named_query);
        *w = (struct named_query){.outer = outer,
                                  .name = json_get_text(cte, "ctename")};
        w->aggregated = select_is_aggregated(a, node_select(cte, "ctequery"),
                                             recursive ? w : outer);
        outer = w;
    }
    return outer;
}

static bool select_is_aggregated(struct arena *a, const json_t *select,
                                 const struct named_query *with)
{
    struct node_children from =
        NODE_CHILDREN(json_object_get(select, "fromClause"));
    const json_t *left = json_object_get(select, "larg");
    const json_t *targets = json_object_get(select, "targetList");
    if (!select)
        return false;
    with = named_queries(a, select, with);
    if (left)
        return select_is_aggregated(a, left, with) &&
               select_is_aggregated(a, json_object_get(select, "rarg"), with);
    if (!sublinks_are_aggregated(a, targets, with) ||
        !sublinks_are_aggregated(a, json_object_get(select, "valuesLists"),
                                 with))
        return false;
    if (aggregate_kinds(targets, false))
        return true;
    while (node_next(&from))
        if (!from_is_aggregated(a, from.child, with))
            return false;
    return true;
}

/* ---- the verdict --------------------------------------------------------- */

static bool has_star(const json_t *targets)
{
    for (size_t i = 0; i < json_array_size(targets); i++)
        if (node_is_star(
                node_fields(json_object_get(node_target(targets, i), "val"))))
            return true;
    return false;
}

void aggregate_report(struct walk *walk, const json_t *select,
                      struct guard_verdict *verdict)
{
    static const char *const inside[] = {"fromClause", "withClause", "larg",
                                         "rarg"};
    const json_t *targets = json_object_get(select, "targetList");
    verdict->n_picks = json_array_size(targets);
    verdict->picks = arena_new_array(walk->arena, bool, verdict->n_picks + 1);
    for (size_t i = 0; i < verdict->n_picks; i++)
        verdict->picks[i] =
            aggregate_kinds(json_array_get(targets, i), true) & PICKS;
    verdict->picks_any =
        has_star(targets) && aggregate_kinds(select, true) & PICKS;
    for (int i = 0; i < 4; i++)
        if (aggregate_kinds(json_object_get(select, inside[i]), true) & PICKS)
            verdict->picks_any = true;
    verdict->aggregated = !(aggregate_kinds(select, true) & COLLECTS) &&
                          select_is_aggregated(walk->arena, select, NULL);
}
