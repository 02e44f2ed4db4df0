/* call.c - function calls: is the function on the list? */
#include "call.h"
#include <math.h>
#include "base/banned.h"

static const struct {
    const char *name;
    enum growth growth;
} functions[] = {
#define FUNCTION(name, growth) {#name, growth},
#include "functions.def"
#undef FUNCTION
};

static const struct {
    const char *name, *instead;
} hints[] = {
#define HINT(name, instead) {#name, instead},
#include "hints.def"
#undef HINT
};

static bool function_find(struct str name, enum growth *growth)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_is(name, functions[i].name)) {
            *growth = functions[i].growth;
            return true;
        }
    }
    return false;
}

static bool is_aggregate(enum growth growth)
{
    return growth == AGGREGATE || growth == MEAN || growth == COLLECT ||
           growth == COUNT || growth == TOTAL;
}

/* Functions that give rows, and those that differ with each call. */
enum call_answer call_answer_of(struct str function)
{
    static const char *const others[] = {"random", "gen_random_uuid",
                                         "clock_timestamp", "timeofday"};
    enum growth growth;
    if (!function_find(function, &growth))
        return CALL_VARIES;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_is(function, others[i]))
            return CALL_VARIES;
    if (is_aggregate(growth))
        return CALL_OF_GROUP;
    bool rows = growth == ROWS || growth == REGEXP_ROWS ||
                growth == READ_ROWS || growth == SERIES || growth == RANK;
    return rows ? CALL_VARIES : CALL_FIXED;
}

static bool is_sql_json(struct str name)
{
    static const char *const names[] = {
        "json_array",  "json_arrayagg",  "json_objectagg",
        "json_value",  "json_query",     "json_exists",
        "json_scalar", "json_serialize", "json_table",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is(name, names[i]))
            return true;
    return false;
}

static void refuse_function(struct walk *walk, struct str name, int location)
{
    const char *instead = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (str_is(name, hints[i].name))
            instead = hints[i].instead;
    if (is_sql_json(name))
        refuse(walk, "newer_syntax", location,
               "%.*s is newer than PostgreSQL 15's grammar. Use %s.",
               STR_ARG(name), instead ? instead : "jsonb_path_query");
    else if (instead)
        refuse(walk, "function", location,
               "The function %.*s is not allowed. Use %s.", STR_ARG(name),
               instead);
    else
        refuse(walk, "function", location,
               "The function %.*s is not on the list of allowed functions. "
               "Use PostgreSQL's built-in analytic, text, date and json "
               "functions.",
               STR_ARG(name));
}

/* The name without pg_catalog; false when the call is refused. */
static bool call_named(struct walk *walk, struct call *call)
{
    const json_t *names = json_object_get(call->node, "funcname");
    size_t n = json_array_size(names);
    call->name = node_name(names, n ? n - 1 : 0);
    struct str schema = node_name(names, 0);
    if (n == 1 || (n == 2 && str_is(schema, "pg_catalog")))
        return true;
    refuse(walk, "function", call->location,
           "The function %.*s.%.*s is not built in; only PostgreSQL's own "
           "functions are allowed.",
           STR_ARG(schema), STR_ARG(call->name));
    return false;
}

static void call_arguments(struct walk *walk, struct call *call)
{
    size_t i;
    json_t *arg;
    call->worst = call->sum = measure_none();
    call->sum.bytes = 0;
    json_array_foreach(call->args, i, arg)
    {
        struct measure m = walk_node(walk, arg);
        if (i < MAX_ARGS)
            call->arg[call->n++] = m;
        call->worst = measure_worse(call->worst, m);
        call->sum = measure_sum(call->sum, m);
    }
    for (i = call->n; i < MAX_ARGS; i++)
        call->arg[i] = measure_none();
    call->worst.value = fmax(call->worst.value, MEASURE_COLUMN_VALUE);
}

/* count(o), where o is an item of an outer query. */
static bool is_outer_row(const struct walk *walk, struct str name)
{
    for (struct scope *scope = walk->scope->outer; scope; scope = scope->outer)
        for (struct source *s = scope->sources; s; s = s->next)
            if (str_eq(s->name, name))
                return true;
    return false;
}

/* PostgreSQL counts an aggregate of an outer query's columns alone to that
 * query, whose row then has all rows of this one. `columns`: there are some. */
static bool reads_scope(const struct walk *walk, const json_t *tree,
                        bool *columns)
{
    const json_t *fields =
        json_object_get(json_object_get(tree, "ColumnRef"), "fields");
    size_t i, n = json_array_size(fields);
    const char *key;
    json_t *child;
    if (n) {
        *columns = true;
        struct str name = node_name(fields, n > 1 ? n - 2 : 0);
        for (struct source *s = walk->scope->sources; s; s = s->next)
            if (str_eq(s->name, name))
                return true;
        return n == 1 && !is_outer_row(walk, name);
    }
    json_object_foreach((json_t *)tree, key, child)
    {
        if (reads_scope(walk, child, columns))
            return true;
    }
    json_array_foreach(tree, i, child)
    {
        if (reads_scope(walk, child, columns))
            return true;
    }
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

struct measure visit_call(struct walk *walk, enum node_kind kind,
                          const json_t *node)
{
    struct call call = {.node = node,
                        .args = json_object_get(node, "args"),
                        .location = node_location(node)};
    enum growth growth;
    if (!call_named(walk, &call))
        return measure_none();
    if (!function_find(call.name, &growth)) {
        refuse_function(walk, call.name, call.location);
        return measure_none();
    }
    mention(walk, &walk->functions, STR(""), call.name, call.location);
    if (json_array_size(json_object_get(node, "funcname")) == 1)
        mention(walk, &walk->bare_functions, STR(""), call.name, 0);
    walk_fields(walk, kind, node, (const char *const[]){"args", NULL});
    call_arguments(walk, &call);
    if (walk->refused)
        return measure_none();
    if (is_aggregate(growth) && !json_object_get(node, "over") && walk->scope &&
        is_of_scope(walk, node))
        walk->scope->aggregated = true;
    return call_measure(walk, &call, growth);
}
