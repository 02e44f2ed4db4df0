/* expression.c - visitors of constants, operators and the plainer nodes. */
#include "walk.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum { MAX_DIGITS = 1000, MAX_EXPONENT = 400, MAX_POWER = 1000 };

static const char *const operators[] = {
#define OPERATOR(symbol) symbol,
#include "operators.def"
#undef OPERATOR
    NULL,
};

static const char *const value_functions[] = {
    "SVFOP_CURRENT_DATE",        "SVFOP_CURRENT_TIME",
    "SVFOP_CURRENT_TIME_N",      "SVFOP_CURRENT_TIMESTAMP",
    "SVFOP_CURRENT_TIMESTAMP_N", "SVFOP_LOCALTIME",
    "SVFOP_LOCALTIME_N",         "SVFOP_LOCALTIMESTAMP",
    "SVFOP_LOCALTIMESTAMP_N",    NULL,
};

/* Constants */

static struct estimate number_literal(struct walk *walk, const json_t *node,
                                      struct str digits)
{
    ptrdiff_t e = str_find_nocase(digits, STR("e"));
    double exponent = e < 0 ? 0 : fabs(strtod(digits.ptr + e + 1, NULL));
    if (digits.len > MAX_DIGITS || exponent > MAX_EXPONENT)
        return walk_refuse(
            walk, "too_costly", node_location(node),
            "A number may have at most %d digits and an exponent of "
            "%d.",
            MAX_DIGITS, MAX_EXPONENT);
    return estimate_number(strtod(digits.ptr, NULL));
}

/* The offset of the next digit, after white space, brackets, signs and
 * comments. */
static size_t digits_after(struct str sql, size_t at)
{
    while (at < sql.len && !isdigit((unsigned char)sql.ptr[at])) {
        struct str rest = str_from(sql, at);
        ptrdiff_t skip = 1;
        if (str_starts(rest, STR("--")))
            skip = str_find_char(rest, '\n');
        else if (str_starts(rest, STR("/*")))
            skip = str_find(rest, STR("*/"));
        at += skip > 0 ? (size_t)skip : 1;
    }
    return at;
}

/* libpg_query's JSON leaves out every integer that is not above zero, so -5
 * looks like 0. The query's text has the number. */
static struct estimate integer_literal(struct walk *walk, const json_t *node,
                                       const json_t *value)
{
    int location = node_location(node);
    if (value || location < 0 || (size_t)location >= walk->sql.len)
        return estimate_number((double)json_integer_value(value));
    size_t at = digits_after(walk->sql, (size_t)location);
    return estimate_number(
        at < walk->sql.len ? -strtod(walk->sql.ptr + at, NULL) : 0);
}

/* x'1F' and b'101', which may be cast to a number; the first letter tells them
 * apart. */
static struct estimate bits_literal(struct str s)
{
    int base = str_starts(s, STR("x")) ? 16 : 2;
    struct estimate m =
        estimate_number(s.len ? (double)strtoull(s.ptr + 1, NULL, base) : 0);
    m.bytes = (double)s.len * (base == 16 ? 4 : 1);
    return m;
}

struct estimate visit_const(struct walk *walk, enum node_kind kind,
                            const json_t *node)
{
    walk_plain(walk, kind, node);
    const json_t *value;
    if ((value = json_object_get(node, "ival")))
        return integer_literal(walk, node, json_object_get(value, "ival"));
    if ((value = json_object_get(node, "fval")))
        return number_literal(walk, node, json_get_text(value, "fval"));
    if ((value = json_object_get(node, "bsval")))
        return bits_literal(json_get_text(value, "bsval"));
    if ((value = json_object_get(node, "sval"))) {
        struct str s = json_get_text(value, "sval");
        return estimate_text(s.ptr ? s.ptr : "", s.len);
    }
    if (json_object_get(node, "boolval"))
        return estimate_truth(1);
    return estimate_none();
}

/* Operators */

void operator_use(struct walk *walk, struct str symbol)
{
    mention_add(walk, &walk->bare_operators, STR(""), symbol, 0);
}

void operator_check(struct walk *walk, const json_t *names, int location)
{
    struct str symbol = node_last_name(names);
    if (!json_array_size(names))
        return;
    if (!node_is_built_in(names) || !str_is_one_of(symbol, operators))
        walk_refuse(walk, "operator", location,
                    "The operator %.*s is not one of PostgreSQL's own.",
                    STR_ARG(symbol));
    else if (json_array_size(names) == 1)
        operator_use(walk, symbol);
}

/* BETWEEN uses two comparison operators. */
static void bounds_use(struct walk *walk)
{
    static const char *const symbols[] = {"<", "<=", ">", ">="};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        operator_use(walk, str_of(symbols[i]));
}

static bool is_pattern_operator(struct str symbol)
{
    static const char *const symbols[] = {"~", "~*", "!~", "!~*", NULL};
    return str_is_one_of(symbol, symbols);
}

/* The size of a number that literals give, or 0: columns count as small. */
static double literal_size(struct estimate m)
{
    return m.exact || m.value > ESTIMATE_MAX_ROWS ? estimate_size(m) : 0;
}

static bool is_comparison(struct str symbol)
{
    static const char *const symbols[] = {
        "<", "<=", ">", ">=", "=", "<>", "BETWEEN", "NOT BETWEEN", NULL};
    return str_is_one_of(symbol, symbols);
}

static struct estimate operator_estimate(struct walk *walk, const json_t *node,
                                         struct str symbol,
                                         struct estimate left,
                                         struct estimate right)
{
    if (str_is(symbol, "||")) {
        struct estimate m = estimate_sum(left, right);
        if (!(m.bytes <= ESTIMATE_MAX_BYTES))
            return walk_refuse(
                walk, "too_costly", node_location(node),
                "Putting these texts together may make about %.0f "
                "bytes.",
                fmin(m.bytes, 1e18));
        return m;
    }
    if (str_is(symbol, "^") && estimate_exponent(right) > MAX_POWER)
        return walk_refuse(walk, "too_costly", node_location(node),
                           "An exponent may be at most %d.", MAX_POWER);
    return estimate_arithmetic(symbol.ptr, symbol.len, left, right);
}

struct estimate visit_operator(struct walk *walk, enum node_kind kind,
                               const json_t *node)
{
    static const char *const skip[] = {"lexpr", "rexpr", NULL};
    const json_t *names = json_object_get(node, "name");
    const json_t *right_node = json_object_get(node, "rexpr");
    struct str form = json_get_text(node, "kind");
    struct str symbol = node_last_name(names);
    walk_fields(walk, kind, node, skip);
    if (!str_starts(form, STR("AEXPR_BETWEEN")) &&
        !str_starts(form, STR("AEXPR_NOT_BETWEEN")))
        operator_check(walk, names, node_location(node));
    else
        bounds_use(walk);
    if (is_pattern_operator(symbol))
        pattern_check(walk, right_node, node_location(node));
    bool binary = json_object_get(node, "lexpr") != NULL;
    struct estimate left = walk_node(walk, json_object_get(node, "lexpr"));
    struct estimate right = walk_node(walk, right_node);
    if (walk->refused)
        return estimate_none();
    if (!binary) {
        left = estimate_number(0);
        left.rows = 1;
    }
    cost_check_operator(walk, node, left, right);
    if (is_comparison(symbol))
        walk->compared =
            fmax(walk->compared, fmax(literal_size(left), literal_size(right)));
    if (str_is(form, "AEXPR_OP") && !is_comparison(symbol))
        return operator_estimate(walk, node, symbol, left, right);
    if (str_is(form, "AEXPR_NULLIF"))
        return left;
    return estimate_truth(fmax(left.rows, right.rows));
}

struct estimate visit_sort_by(struct walk *walk, enum node_kind kind,
                              const json_t *node)
{
    operator_check(walk, json_object_get(node, "useOp"), node_location(node));
    return walk_plain(walk, kind, node);
}

struct estimate visit_truth(struct walk *walk, enum node_kind kind,
                            const json_t *node)
{
    return estimate_truth(walk_plain(walk, kind, node).rows);
}

/* Values made of others */

struct estimate visit_array(struct walk *walk, enum node_kind kind,
                            const json_t *node)
{
    walk_fields(walk, kind, node, (const char *const[]){"elements", NULL});
    struct estimate m = estimate_none();
    m.value = 1; /* array_fill takes its dimensions as an array */
    struct node_children c = NODE_CHILDREN(json_object_get(node, "elements"));
    while (node_next(&c)) {
        struct estimate e = walk_node(walk, c.child);
        double value = m.value * fmax(estimate_size(e), 1);
        m = estimate_sum(m, e);
        m.value = value;
    }
    return m;
}

struct estimate visit_row(struct walk *walk, enum node_kind kind,
                          const json_t *node)
{
    walk_fields(walk, kind, node, (const char *const[]){"args", NULL});
    struct estimate m = estimate_none();
    struct node_children c = NODE_CHILDREN(json_object_get(node, "args"));
    while (node_next(&c))
        m = estimate_sum(m, walk_node(walk, c.child));
    return m;
}

/* least(n, 100) is at most 100. */
struct estimate visit_min_max(struct walk *walk, enum node_kind kind,
                              const json_t *node)
{
    walk_fields(walk, kind, node, (const char *const[]){"args", NULL});
    bool least = str_is(json_get_text(node, "op"), "IS_LEAST");
    struct estimate m = estimate_none();
    double smallest = INFINITY;
    struct node_children c = NODE_CHILDREN(json_object_get(node, "args"));
    while (node_next(&c)) {
        struct estimate a = walk_node(walk, c.child);
        smallest = fmin(smallest, estimate_size(a));
        m = estimate_worse(m, a);
    }
    if (least)
        m.value = smallest;
    return m;
}

struct estimate visit_sublink(struct walk *walk, enum node_kind kind,
                              const json_t *node)
{
    struct str form = json_get_text(node, "subLinkType");
    operator_check(walk, json_object_get(node, "operName"),
                   node_location(node));
    walk_fields(walk, kind, node, (const char *const[]){"subselect", NULL});
    struct estimate m = walk_node(walk, json_object_get(node, "subselect"));
    double rows = m.rows;
    double many = m.many;
    m.rows = m.many = 1;
    if (str_is(form, "EXPR_SUBLINK"))
        return m;
    if (!str_is(form, "ARRAY_SUBLINK"))
        return estimate_none();
    m = cost_collected(walk, STR("This array"), node_location(node),
                       estimate_collected(m, rows), many);
    if (!(m.bytes <= ESTIMATE_MAX_BYTES))
        walk_refuse(walk, "too_costly", node_location(node),
                    "This array may have about %.0f bytes.",
                    fmin(m.bytes, 1e18));
    return m;
}

struct estimate visit_value_function(struct walk *walk, enum node_kind kind,
                                     const json_t *node)
{
    struct str op = json_get_text(node, "op");
    walk_plain(walk, kind, node);
    if (!str_is_one_of(op, value_functions))
        return walk_refuse(
            walk, "function", node_location(node),
            "current_user, session_user, user, current_role, "
            "current_catalog and current_schema are not allowed. A "
            "column of such a name is written in double quotes.");
    return estimate_column();
}

struct estimate visit_collate(struct walk *walk, enum node_kind kind,
                              const json_t *node)
{
    if (!node_is_built_in(json_object_get(node, "collname")))
        return walk_refuse(walk, "node", node_location(node),
                           "Only collations of PostgreSQL itself are allowed.");
    return walk_plain(walk, kind, node);
}
