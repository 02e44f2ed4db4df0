/* call.c - the visitor of function calls: it refuses functions that are not on
 * the list, measures the arguments, and asks call_estimate.c for the answer. */
#include "call.h"
#include <math.h>
#include "base/banned.h"

static const struct {
    const char *name, *instead;
} hints[] = {
#define HINT(name, instead) {#name, instead},
#include "hints.def"
#undef HINT
};

static bool is_sql_json(struct str name)
{
    static const char *const names[] = {
        "json_array",  "json_arrayagg",  "json_objectagg",
        "json_value",  "json_query",     "json_exists",
        "json_scalar", "json_serialize", "json_table",
        NULL,
    };
    return str_is_one_of(name, names);
}

static void refuse_function(struct walk *walk, struct str name, int location)
{
    const char *instead = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (str_is(name, hints[i].name))
            instead = hints[i].instead;
    if (is_sql_json(name))
        walk_refuse(walk, "newer_syntax", location,
                    "%.*s is newer than PostgreSQL 15's grammar. Use %s.",
                    STR_ARG(name), instead ? instead : "jsonb_path_query");
    else if (instead && !walk->policy->trino)
        walk_refuse(walk, "function", location,
                    "The function %.*s is not allowed. Use %s.", STR_ARG(name),
                    instead);
    else
        walk_refuse(
            walk, "function", location,
            "The function %.*s is not on the list of allowed functions. "
            "Use %s built-in analytic, text, date and json functions.",
            STR_ARG(name), walk->policy->trino ? "Trino's" : "PostgreSQL's");
}

/* Sets the name without pg_catalog; false when the call was refused. */
static bool call_named(struct walk *walk, struct call *call)
{
    const json_t *names = json_object_get(call->node, "funcname");
    call->name = node_last_name(names);
    if (node_is_built_in(names))
        return true;
    walk_refuse(walk, "function", call->location,
                "The function %.*s.%.*s is not built in; only PostgreSQL's own "
                "functions are allowed.",
                STR_ARG(node_name(names, 0)), STR_ARG(call->name));
    return false;
}

static void call_arguments(struct walk *walk, struct call *call)
{
    struct node_children c = NODE_CHILDREN(call->args);
    call->worst = call->sum = estimate_none();
    call->sum.bytes = 0;
    while (node_next(&c)) {
        struct estimate m = walk_node(walk, c.child);
        if (call->n < MAX_ARGS)
            call->arg[call->n++] = m;
        call->worst = estimate_worse(call->worst, m);
        call->sum = estimate_sum(call->sum, m);
    }
    for (size_t i = call->n; i < MAX_ARGS; i++)
        call->arg[i] = estimate_none();
    call->worst.value = fmax(call->worst.value, ESTIMATE_COLUMN_VALUE);
}

/* Is the name a FROM item of an outer query, as in count(o)? */
static bool is_outer_row(const struct walk *walk, struct str name)
{
    for (struct scope *scope = walk->scope->outer; scope; scope = scope->outer)
        for (struct walk_source *s = scope->sources; s; s = s->next)
            if (str_eq(s->name, name))
                return true;
    return false;
}

/* PostgreSQL computes an aggregate in the outer query when all of its columns
 * belong to that query; True when the tree reads a column of this scope;
 * `columns` says whether it reads any. */
static bool reads_scope(const struct walk *walk, const json_t *tree,
                        bool *columns)
{
    const json_t *fields = node_fields(tree);
    size_t n = json_array_size(fields);
    if (n) {
        *columns = true;
        struct str name = node_name(fields, n > 1 ? n - 2 : 0);
        for (struct walk_source *s = walk->scope->sources; s; s = s->next)
            if (str_eq(s->name, name))
                return true;
        return n == 1 && !is_outer_row(walk, name);
    }
    struct node_children c = NODE_CHILDREN(tree);
    while (node_next(&c))
        if (reads_scope(walk, c.child, columns))
            return true;
    return false;
}

static bool is_of_scope(const struct walk *walk, const json_t *call)
{
    static const char *const read[] = {"args", "agg_order", "agg_filter"};
    bool columns = false;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (reads_scope(walk, json_object_get(call, read[i]), &columns))
            return true;
    return !columns;
}

struct estimate visit_call(struct walk *walk, enum node_kind kind,
                           const json_t *node)
{
    struct call call = {.node = node,
                        .args = json_object_get(node, "args"),
                        .location = node_location(node)};
    enum growth growth;
    if (!call_named(walk, &call))
        return estimate_none();
    bool trino = walk->policy->trino && function_find_trino(call.name, &growth);
    if (!trino && !function_find(call.name, &growth)) {
        refuse_function(walk, call.name, call.location);
        return estimate_none();
    }
    mention_add(walk, &walk->functions, STR(""), call.name, call.location);
    if (json_array_size(json_object_get(node, "funcname")) == 1)
        mention_add(walk, &walk->bare_functions, STR(""), call.name, 0);
    walk_fields(walk, kind, node, (const char *const[]){"args", NULL});
    call_arguments(walk, &call);
    if (walk->refused)
        return estimate_none();
    if (function_is_aggregate(growth) && !json_object_get(node, "over") &&
        walk->scope && is_of_scope(walk, node))
        walk->scope->aggregated = true;
    return call_estimate(walk, &call, growth);
}
