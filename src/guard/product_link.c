/* product_link.c - which items of FROM does a condition relate? */
#include "product.h"
#include <string.h>
#include "base/banned.h"

/* ---- which items does an expression read? -------------------------------- */

bool source_may_have(struct walk *walk, const struct walk_source *source,
                     struct str name)
{
    return str_eq(source->name, name) ||
           query_may_output(walk, source->query, source->columns, name);
}

static bool outer_has(struct product *p, struct str qualifier, struct str name)
{
    for (struct scope *s = p->walk->scope->outer; s; s = s->outer)
        for (struct walk_source *o = s->sources; o; o = o->next)
            if (qualifier.len ? str_eq(o->name, qualifier)
                              : source_may_have(p->walk, o, name))
                return true;
    return false;
}

static void items_add(struct product *p, struct product_items *set, int i,
                      struct str name)
{
    if (!source_is_constant(p->walk, p->item[i], name))
        set->items[i / 64] |= (uint64_t)1 << (i % 64);
}

static void items_add_qualified(struct product *p, struct product_items *set,
                                struct str qualifier, struct str name)
{
    for (int i = 0; i < p->n; i++)
        if (str_eq(p->item[i]->name, qualifier)) {
            items_add(p, set, i, name);
            return;
        }
    set->outer = set->outer || outer_has(p, qualifier, name);
}

static void items_add_bare(struct product *p, struct product_items *set,
                           struct str name)
{
    int found = -1, candidates = 0;
    for (int i = 0; i < p->n; i++) {
        if (str_eq(p->item[i]->name, name)) {
            items_add(p, set, i, name); /* generate_series(1, 9) n */
            return;
        }
        if (source_may_have(p->walk, p->item[i], name)) {
            found = i;
            candidates++;
        }
    }
    if (candidates == 0)
        set->outer = set->outer || outer_has(p, STR(""), name);
    else if (candidates == 1 && !outer_has(p, STR(""), name))
        items_add(p, set, found, name);
    else
        set->unknown = true;
}

static bool is_zero(const json_t *value)
{
    const json_t *ival = node_integer(value);
    return ival && json_get_int(ival, "ival", 0) == 0;
}

/* Are two trees equal, apart from their locations? */
static bool tree_is_same(const json_t *a, const json_t *b)
{
    struct node_children c = NODE_CHILDREN(a);
    if (!a || !b || json_typeof(a) != json_typeof(b))
        return false;
    if (!json_is_object(a) && !json_is_array(a))
        return json_equal(a, b);
    while (node_next(&c)) {
        const json_t *other = json_is_array(a) ? json_array_get(b, c.index - 1)
                                               : json_object_get(b, c.key);
        if (strcmp(c.key, "location") != 0 && !tree_is_same(c.child, other))
            return false;
    }
    return json_array_size(a) == json_array_size(b);
}

/* x * 0 and x - x have no column. */
static bool is_zero_expression(const json_t *expression)
{
    const json_t *names = json_object_get(expression, "name");
    const json_t *left = json_object_get(expression, "lexpr");
    const json_t *right = json_object_get(expression, "rexpr");
    return (str_is(node_name(names, 0), "*") &&
            (is_zero(left) || is_zero(right))) ||
           (str_is(node_name(names, 0), "-") && tree_is_same(left, right));
}

static void items_add_tree(struct product *p, struct product_items *set,
                           const json_t *tree, bool in_query)
{
    const json_t *fields = node_fields(tree);
    struct node_children c = NODE_CHILDREN(tree);
    if (json_array_size(fields) > 1)
        items_add_qualified(p, set, node_qualifier(fields),
                            node_last_name(fields));
    else if (fields && !in_query)
        items_add_bare(p, set, node_name(fields, 0));
    if (fields || is_zero_expression(json_object_get(tree, "A_Expr")))
        return;
    while (node_next(&c))
        items_add_tree(p, set, c.child,
                       in_query || !strcmp(c.key, "subselect"));
}

static struct product_items items_of(struct product *p, const json_t *tree)
{
    struct product_items set = {.outer = false};
    items_add_tree(p, &set, tree, false);
    return set;
}

static int item_after(const struct product_items *set, int i)
{
    for (i++; i < MAX_ITEMS; i++)
        if (set->items[i / 64] >> (i % 64) & 1)
            return i;
    return -1;
}

/* ---- which items does a condition relate? -------------------------------- */

/* Finds an item of `a` and another item of `b`. */
static bool items_find_pair(const struct product_items *a,
                            const struct product_items *b,
                            struct product_link *link)
{
    for (int i = item_after(a, -1); i >= 0; i = item_after(a, i))
        for (int j = item_after(b, -1); j >= 0; j = item_after(b, j))
            if (i != j) {
                link->first = i;
                link->second = j;
                return true;
            }
    return false;
}

static bool items_are_empty(const struct product_items *set)
{
    return !set->outer && !set->unknown && item_after(set, -1) < 0;
}

static struct product_link link_between(struct product *p,
                                        enum link_strength strength,
                                        const json_t *left, const json_t *right)
{
    struct product_items a = items_of(p, left), b = items_of(p, right);
    struct product_link link = {
        .strength = strength, .first = -1, .second = -1};
    if (items_find_pair(&a, &b, &link)) {
        link.direction = 1;
        return link;
    }
    if (items_find_pair(&a, &a, &link) || items_find_pair(&b, &b, &link))
        return link;
    link.owned = a.outer != b.outer;
    link.direction = a.outer ? -1 : 1;
    link.first = item_after(a.outer ? &b : &a, -1);
    link.loose = !items_are_empty(&a) && !items_are_empty(&b) &&
                 (a.unknown || b.unknown) && !tree_is_same(left, right);
    if ((link.owned && link.first >= 0) || link.loose)
        return link;
    return (struct product_link){.strength = LINK_NONE};
}

/* A condition without two sides: f(a.x, b.y), EXISTS (… a.x … b.y …). */
static struct product_link link_within(struct product *p, const json_t *tree)
{
    struct product_items all = items_of(p, tree);
    struct product_link link = {
        .strength = LINK_STRONG, .first = -1, .second = -1};
    if (items_find_pair(&all, &all, &link))
        return link;
    link.first = item_after(&all, -1);
    link.owned = all.outer;
    return link.owned && link.first >= 0
               ? link
               : (struct product_link){.strength = LINK_NONE};
}

/* A comparison of booleans, (a.x > 0) = (b.x > 0), removes few rows. */
static bool is_truth_value(const json_t *value)
{
    static const char *const truths[] = {"<", "<=", ">", ">=", "=", "<>", NULL};
    const json_t *names = json_object_get(node_inside(value, "A_Expr"), "name");
    return str_is_one_of(node_name(names, 0), truths) ||
           node_inside(value, "BoolExpr") || node_inside(value, "NullTest") ||
           node_inside(value, "BooleanTest");
}

static enum link_strength symbol_strength(struct str symbol)
{
    if (symbol.len == 0 || *symbol.ptr == '!' || str_is(symbol, "<>"))
        return LINK_NONE;
    bool inequality = (*symbol.ptr == '<' || *symbol.ptr == '>') &&
                      (symbol.len == 1 || str_ends(symbol, STR("=")));
    return inequality && symbol.len < 3 ? LINK_WEAK : LINK_STRONG;
}

static struct product_link link_weaker(struct product_link a,
                                       struct product_link b)
{
    return a.strength <= b.strength ? a : b;
}

static struct product_link operator_link(struct product *p, const json_t *node)
{
    const json_t *names = json_object_get(node, "name");
    const json_t *left = json_object_get(node, "lexpr");
    const json_t *right = json_object_get(node, "rexpr");
    const json_t *bounds = json_object_get(node_inside(right, "List"), "items");
    struct str symbol = node_last_name(names);
    struct str form = json_get_text(node, "kind");
    enum link_strength strength = symbol_strength(symbol);
    if (str_starts(form, STR("AEXPR_BETWEEN")))
        return link_weaker(
            link_between(p, LINK_STRONG, left, json_array_get(bounds, 0)),
            link_between(p, LINK_STRONG, left, json_array_get(bounds, 1)));
    if (str_is(form, "AEXPR_NOT_BETWEEN") || str_is(form, "AEXPR_DISTINCT") ||
        (str_is(symbol, "=") &&
         (is_truth_value(left) || is_truth_value(right))))
        return (struct product_link){.strength = LINK_NONE};
    struct product_link link = link_between(p, strength, left, right);
    if (*symbol.ptr == '>')
        link.direction = -link.direction;
    return strength == LINK_NONE ? (struct product_link){.strength = LINK_NONE}
                                 : link;
}

/* Is it `column IS NULL`? A column that is NULL in all rows counts as no
 * column. */
static bool is_null_test(struct product *p, const json_t *condition)
{
    const json_t *test = node_inside(condition, "NullTest");
    const json_t *value = json_object_get(test, "arg");
    if (!str_is(json_get_text(test, "nulltesttype"), "IS_NULL") ||
        !node_inside(value, "ColumnRef"))
        return false;
    struct product_items items = items_of(p, value);
    return items.unknown || item_after(&items, -1) >= 0;
}

struct product_link product_link_of(struct product *p, const json_t *condition)
{
    const json_t *op = node_inside(condition, "A_Expr");
    const json_t *both = node_inside(condition, "BoolExpr");
    const json_t *args = json_object_get(both, "args");
    bool all = str_is(json_get_text(both, "boolop"), "AND_EXPR");
    struct product_link link = {.strength = LINK_NONE};
    if (op)
        return operator_link(p, op);
    if (node_inside(condition, "FuncCall") || node_inside(condition, "SubLink"))
        return link_within(p, condition);
    if (!both || str_is(json_get_text(both, "boolop"), "NOT_EXPR"))
        return link;
    bool first = true;
    for (size_t i = 0; i < json_array_size(args); i++) {
        const json_t *arg = json_array_get(args, i);
        if (!all && is_null_test(p, arg))
            continue; /* b.ends > a.day OR b.ends IS NULL */
        struct product_link arm = product_link_of(p, arg);
        bool better =
            all ? arm.strength > link.strength : arm.strength < link.strength;
        if (first || better)
            link = arm;
        first = false;
    }
    return link;
}
