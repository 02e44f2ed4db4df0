/* aggregate.c - does a query tell of groups of rows alone?
 *
 * It does when every table is read through an aggregate: each SELECT either has
 * one among its outputs, or reads only from queries that tell of groups. What
 * collects rows (string_agg and its kind) tells of rows wherever it stands. What
 * is not understood tells of rows. */
#include "walk.h"
#include <string.h>
#include "base/banned.h"

enum { SUMS = 1, PICKS = 2, COLLECTS = 4 };

/* Names that stand for queries, from the inside out. */
struct with {
    const struct with *outer;
    struct str name;
    bool groups;
};

static bool tells_groups(struct arena *a, const json_t *select,
                         const struct with *with);

/* ---- calls -------------------------------------------------------------- */

/* What an aggregate of that name does to the rows it is given; 0: it is none. */
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
    for (const char *const *s = sums; *s; s++)
        if (str_is(name, *s))
            return SUMS;
    for (const char *const *p = picks; *p; p++)
        if (str_is(name, *p))
            return PICKS;
    return str_ends(name, STR("_agg")) ? COLLECTS : 0;
}

static unsigned call_kind(const json_t *call)
{
    const json_t *names = json_object_get(call, "funcname");
    size_t n = json_array_size(names);
    if (!n || json_object_get(call, "over"))
        return 0;
    return aggregate_kind(node_name(names, n - 1));
}

/* t.json_agg and (t).json_agg are json_agg(t), unless t has such a column; and
 * then it may have it from the function. */
static unsigned fields_kind(const json_t *node)
{
    static const char *const collects[] = {"array_agg", "json_agg", "jsonb_agg",
                                           "range_agg"};
    const json_t *column = json_object_get(node, "ColumnRef");
    const json_t *names =
        column ? json_object_get(column, "fields")
               : json_object_get(json_object_get(node, "A_Indirection"),
                                 "indirection");
    for (size_t n = column ? 1 : 0; n < json_array_size(names); n++)
        for (size_t i = 0; i < sizeof collects / sizeof *collects; i++)
            if (str_is(node_name(names, n), collects[i]))
                return COLLECTS;
    return 0;
}

/* Kinds of all aggregates under a node; also in queries under it, or not. */
static unsigned kinds_in(const json_t *node, bool in_queries)
{
    const char *key;
    json_t *item;
    size_t i;
    unsigned kinds = 0;
    if (json_is_array(node)) {
        json_array_foreach(node, i, item) kinds |= kinds_in(item, in_queries);
    } else if (json_is_object(node)) {
        kinds |=
            call_kind(json_object_get(node, "FuncCall")) | fields_kind(node);
        json_object_foreach((json_t *)node, key,
                            item) if (in_queries || strcmp(key, "SubLink") != 0)
            kinds |= kinds_in(item, in_queries);
    }
    return kinds;
}

/* ---- queries ------------------------------------------------------------ */

/* EXISTS, IN and their kind give a truth, the others what they select. */
static bool link_tells_groups(struct arena *a, const json_t *link,
                              const struct with *with)
{
    struct str type = json_get_text(link, "subLinkType");
    if (str_is(type, "EXISTS_SUBLINK") || str_is(type, "ANY_SUBLINK") ||
        str_is(type, "ALL_SUBLINK"))
        return true;
    return tells_groups(
        a, node_inside(json_object_get(link, "subselect"), "SelectStmt"), with);
}

/* Of all queries that stand in an expression. */
static bool links_tell_groups(struct arena *a, const json_t *node,
                              const struct with *with)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_array(node)) {
        json_array_foreach(
            node, i, item) if (!links_tell_groups(a, item, with)) return false;
    } else if (json_is_object(node)) {
        json_object_foreach(
            (json_t *)node, key,
            item) if (strcmp(key, "SubLink")
                          ? !links_tell_groups(a, item, with)
                          : !link_tells_groups(a, item, with)) return false;
    }
    return true;
}

static bool name_tells_groups(const json_t *table, const struct with *with)
{
    struct str name = json_get_text(table, "relname");
    if (json_object_get(table, "schemaname"))
        return false;
    while (with && !str_eq(with->name, name))
        with = with->outer;
    return with && with->groups;
}

static bool source_tells_groups(struct arena *a, const json_t *item,
                                const struct with *with)
{
    const json_t *query = node_inside(item, "RangeSubselect");
    const json_t *join = node_inside(item, "JoinExpr");
    const json_t *table = node_inside(item, "RangeVar");
    if (query)
        return tells_groups(
            a, node_inside(json_object_get(query, "subquery"), "SelectStmt"),
            with);
    if (join)
        return source_tells_groups(a, json_object_get(join, "larg"), with) &&
               source_tells_groups(a, json_object_get(join, "rarg"), with);
    if (table)
        return name_tells_groups(table, with);
    return node_inside(item, "RangeFunction") &&
           links_tell_groups(a, item, with);
}

/* A recursive one is taken to tell of rows unless it aggregates itself. */
static const struct with *with_queries(struct arena *a, const json_t *select,
                                       const struct with *outer)
{
    const json_t *clause = json_object_get(select, "withClause");
    bool recursive = json_is_true(json_object_get(clause, "recursive"));
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(clause, "ctes"), i, item)
    {
        const json_t *cte = node_inside(item, "CommonTableExpr");
        struct with *w = arena_new(a, struct with);
        *w = (struct with){.outer = outer,
                           .name = json_get_text(cte, "ctename")};
        w->groups = tells_groups(
            a, node_inside(json_object_get(cte, "ctequery"), "SelectStmt"),
            recursive ? w : outer);
        outer = w;
    }
    return outer;
}

static bool tells_groups(struct arena *a, const json_t *select,
                         const struct with *with)
{
    size_t i;
    json_t *item;
    const json_t *left = json_object_get(select, "larg");
    const json_t *targets = json_object_get(select, "targetList");
    if (!select)
        return false;
    with = with_queries(a, select, with);
    if (left)
        return tells_groups(a, left, with) &&
               tells_groups(a, json_object_get(select, "rarg"), with);
    if (!links_tell_groups(a, targets, with) ||
        !links_tell_groups(a, json_object_get(select, "valuesLists"), with))
        return false;
    if (kinds_in(targets, false))
        return true;
    json_array_foreach(
        json_object_get(select, "fromClause"), i,
        item) if (!source_tells_groups(a, item, with)) return false;
    return true;
}

/* ---- the verdict -------------------------------------------------------- */

static bool has_star(const json_t *targets)
{
    size_t i;
    json_t *item;
    json_array_foreach(targets, i, item)
    {
        const json_t *column =
            node_inside(json_object_get(node_inside(item, "ResTarget"), "val"),
                        "ColumnRef");
        const json_t *fields = json_object_get(column, "fields");
        if (node_inside(json_array_get(fields, json_array_size(fields) - 1),
                        "A_Star"))
            return true;
    }
    return false;
}

void aggregate_answer(struct walk *walk, const json_t *select,
                      struct guard_verdict *verdict)
{
    static const char *const inside[] = {"fromClause", "withClause", "larg",
                                         "rarg"};
    const json_t *targets = json_object_get(select, "targetList");
    verdict->n_picks = json_array_size(targets);
    verdict->picks = arena_new_array(walk->arena, bool, verdict->n_picks + 1);
    for (size_t i = 0; i < verdict->n_picks; i++)
        verdict->picks[i] = kinds_in(json_array_get(targets, i), true) & PICKS;
    verdict->picks_any = has_star(targets) && kinds_in(select, true) & PICKS;
    for (int i = 0; i < 4; i++)
        if (kinds_in(json_object_get(select, inside[i]), true) & PICKS)
            verdict->picks_any = true;
    verdict->aggregated = !(kinds_in(select, true) & COLLECTS) &&
                          tells_groups(walk->arena, select, NULL);
}
