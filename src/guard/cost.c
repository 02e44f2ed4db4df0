/* cost.c - refuses what takes too long without interruption, or keeps too many
 * rows.
 *
 * A time limit ends a query between rows. PostgreSQL does not interrupt a call
 * that goes through all of one value for each piece of another, so the product
 * of their sizes is bounded here, and so are the rows that one value may
 * collect. */
#include "call.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

#define MAX_WORDS (1048576.0)  /* bytes of a text taken apart into words */
#define MAX_HEADLINE (32768.0) /* bytes of a text whose square is the time */

#define DISTANCE_STEPS 100.0 /* from one side of a polygon to another */

enum call_cost { PAIR, ELEMENTS, WORDS, HEADLINE, PATH };

static const struct {
    const char *name;
    enum call_cost cost;
} costs[] = {
#define COST(name, cost) {#name, cost},
#include "costs.def"
#undef COST
};

/* ---- collected rows ------------------------------------------------------ */

double call_rows(const struct walk *walk, const struct call *call)
{
    const json_t *window = json_object_get(call->node, "over");
    bool parts = window ? json_object_get(window, "partitionClause") != NULL
                        : walk->scope && walk->scope->grouped;
    double rows = walk->scope ? walk->scope->many : 1;
    return fmax(1, parts ? rows / ESTIMATE_GROUP_DATA : rows);
}

struct estimate cost_collected(struct walk *walk, struct str what, int location,
                               struct estimate m, double rows)
{
    m.held = fmax(1, m.held) * rows;
    if (!(m.held <= ESTIMATE_MAX_HELD))
        return walk_refuse(
            walk, "too_costly", location,
            "%.*s may collect some %.0f rows into one value; join "
            "what is multiplied ON equal columns, collect per group, "
            "or count instead.",
            STR_ARG(what), fmin(m.held, 1e18));
    return m;
}

/* Sorted rows go to disk, and the time limit does not free it quickly. */
static void check_sorted(struct walk *walk, const struct call *call)
{
    const json_t *node = call->node;
    bool sorts = json_object_get(node, "agg_within_group") ||
                 json_object_get(node, "agg_distinct") ||
                 json_object_get(node, "agg_order");
    double rows = call_rows(walk, call);
    if (sorts && !(rows <= ESTIMATE_MAX_SORTED))
        walk_refuse(
            walk, "too_costly", call->location,
            "%.*s may sort some %.0f rows here; join what is multiplied ON "
            "a condition.",
            STR_ARG(call->name), fmin(rows, 1e18));
}

/* ---- time of one call ---------------------------------------------------- */

/* A recursive term sees itself as a text of ESTIMATE_SELF_BYTES. That length is
 * a marker and no real size; recursion_check bounds the growth. */
static struct estimate without_self(const struct walk *walk, struct estimate m)
{
    if (walk->recursions && m.bytes >= ESTIMATE_SELF_BYTES)
        m.bytes = fmod(m.bytes, ESTIMATE_SELF_BYTES) + ESTIMATE_COLUMN_BYTES;
    return m;
}

/* Bytes of a collected row, and by what factor a repeated column may be longer
 * than the guess; products of texts count it twice. */
#define COLLECTED_BYTES 64.0
#define REPEATED 8.0

static double text_size(struct estimate m)
{
    return fmax(m.bytes, m.held * COLLECTED_BYTES) + REPEATED * m.made;
}

static void check_steps(struct walk *walk, struct str what, int location,
                        double steps)
{
    if (!(steps <= ESTIMATE_MAX_STEPS))
        walk_refuse(
            walk, "too_costly", location,
            "%.*s may take some %.0f steps for one value here; make its "
            "operands shorter.",
            STR_ARG(what), fmin(steps, 1e18));
}

static void check_text(struct walk *walk, const struct call *call, double bytes,
                       double most)
{
    if (!(bytes <= most))
        walk_refuse(
            walk, "too_costly", call->location,
            "%.*s of a text of about %.0f bytes takes too much time and "
            "memory; keep it below %.0f.",
            STR_ARG(call->name), fmin(bytes, 1e18), most);
}

/* The sizes of the two largest arguments. */
static void two_largest(const struct walk *walk, const struct call *call,
                        double (*size)(struct estimate), double *a, double *b)
{
    *a = *b = 0;
    for (size_t i = 0; i < call->n; i++) {
        double n = size(without_self(walk, call->arg[i]));
        *b = fmax(*b, fmin(*a, n));
        *a = fmax(*a, n);
    }
}

static void check_cost(struct walk *walk, const struct call *call,
                       enum call_cost cost)
{
    double a, b;
    two_largest(walk, call, cost == ELEMENTS ? estimate_elements : text_size,
                &a, &b);
    switch (cost) {
    case PAIR:
    case ELEMENTS:
        check_steps(walk, call->name, call->location, a * b);
        break;
    case WORDS:
        check_text(walk, call, call->worst.bytes, MAX_WORDS);
        break;
    case HEADLINE:
        check_text(walk, call, a, MAX_HEADLINE);
        break;
    case PATH:
        jsonpath_check(
            walk, json_array_get(call->args, 1), call->arg[1],
            without_self(walk, estimate_worse(call->arg[0], call->arg[2])),
            call->location);
    }
}

void cost_check_call(struct walk *walk, const struct call *call,
                     enum growth growth)
{
    if (function_is_aggregate(growth))
        check_sorted(walk, call);
    if (json_object_get(call->node, "func_variadic"))
        check_cost(walk, call, PAIR); /* such as concat_ws of an array */
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (str_is(call->name, costs[i].name))
            check_cost(walk, call, costs[i].cost);
}

/* ---- operators ----------------------------------------------------------- */

void cost_check_operator(struct walk *walk, const json_t *node,
                         struct estimate left, struct estimate right)
{
    static const char *const texts[] = {"~~", "!~~", "~~*", "!~~*",
                                        "^@", "@@",  "@@@", NULL};
    static const char *const containers[] = {"@>", "<@", "&&", "?|",
                                             "?&", "-",  "~=", NULL};
    static const char *const paths[] = {"@?", "@@", NULL};
    const json_t *path = json_object_get(node, "rexpr");
    struct str symbol = node_last_name(json_object_get(node, "name"));
    int location = node_location(node);
    left = without_self(walk, left);
    right = without_self(walk, right);
    if (str_is_one_of(symbol, texts))
        check_steps(walk, symbol, location, text_size(left) * text_size(right));
    if (str_is(symbol, "<->")) /* for polygons: each side with each */
        check_steps(walk, symbol, location,
                    DISTANCE_STEPS * estimate_elements(left) *
                        estimate_elements(right));
    if (str_is_one_of(symbol, containers))
        check_steps(walk, symbol, location,
                    estimate_elements(left) * estimate_elements(right));
    /* The right of @@ may be a tsquery, which is no path. */
    if (str_is_one_of(symbol, paths) &&
        (str_is(symbol, "@?") || node_literal(path).ptr))
        jsonpath_check(walk, path, right, left, location);
}
