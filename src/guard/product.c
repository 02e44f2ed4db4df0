/* product.c - how many rows may the items of FROM give together?
 *
 * Each item is a node; a condition that compares columns of two of them joins
 * them into one component. An equality, a range or a containment keeps the rows
 * of the larger side, a single inequality takes off little, and whatever relates
 * nothing (true, a.id = a.id, a.x = 1, a.id <> b.id) takes off nothing. The
 * components multiply. A component that is tied to an outer query gives rows to
 * one row of that query, and counts as one.
 *
 * Names without a qualifier may belong to any table; such a condition gets the
 * benefit of the doubt. */
#include "walk.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { MAX_ITEMS = 256, MAX_WEAK = 64, SET_WORDS = MAX_ITEMS / 64 };

/* What a < b leaves of all pairs, as a divisor. */
#define INEQUALITY_LEAVES 10.0

/* The items whose columns an expression reads. */
struct item_set {
    uint64_t items[SET_WORDS];
    bool outer;   /* a column of an outer query */
    bool unknown; /* a column of some table */
};

enum strength { LINK_NONE, LINK_WEAK, LINK_STRONG };

struct link {
    enum strength strength;
    int first, second; /* items, or -1 */
    int direction;     /* of an inequality from first to second; 0: unknown */
    bool owned;        /* first belongs to a row of an outer query */
    bool loose;        /* between items that are not known */
};

struct product {
    struct walk *walk;
    struct source *item[MAX_ITEMS];
    int parent[MAX_ITEMS];
    double rows[MAX_ITEMS]; /* of a component, at its root */
    bool owned[MAX_ITEMS];  /* by a row of an outer query, at the root */
    bool above[MAX_ITEMS], below[MAX_ITEMS]; /* such a row, of an item */
    int n, n_weak, strong_loose, weak_loose;
    struct link weak[MAX_WEAK];
};

/* ---- components ---------------------------------------------------------- */

static int root_of(struct product *p, int i)
{
    while (p->parent[i] != i)
        i = p->parent[i] = p->parent[p->parent[i]];
    return i;
}

static void unite(struct product *p, int a, int b, double rows)
{
    a = root_of(p, a);
    b = root_of(p, b);
    p->parent[b] = a;
    p->rows[a] = rows;
    p->owned[a] = p->owned[a] || p->owned[b];
}

static double larger(struct product *p, int a, int b)
{
    return fmax(p->rows[root_of(p, a)], p->rows[root_of(p, b)]);
}

static double thinned(struct product *p, int a, int b)
{
    double all = p->rows[root_of(p, a)] * p->rows[root_of(p, b)];
    return fmax(larger(p, a, b), all / INEQUALITY_LEAVES);
}

/* ---- which items does an expression read? --------------------------------- */

static bool holds_column(const json_t *tree)
{
    const char *name;
    size_t i;
    json_t *child;
    json_object_foreach((json_t *)tree, name, child)
    {
        if (!strcmp(name, "ColumnRef") || !strcmp(name, "FuncCall") ||
            !strcmp(name, "SubLink") || holds_column(child))
            return true;
    }
    json_array_foreach(tree, i, child)
    {
        if (holds_column(child))
            return true;
    }
    return false;
}

/* An output such as 1 AS k, which is the same in all rows. */
static bool is_constant(const struct source *source, struct str name)
{
    const json_t *select = node_inside(source->query, "SelectStmt");
    const json_t *targets = json_object_get(select, "targetList");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *target =
            node_inside(json_array_get(targets, i), "ResTarget");
        struct str output = i < json_array_size(source->columns)
                                ? node_name(source->columns, i)
                                : json_get_text(target, "name");
        if (output.ptr && name.ptr && str_eq(output, name))
            return !holds_column(json_object_get(target, "val"));
    }
    return false;
}

static bool may_have(struct product *p, const struct source *source,
                     struct str name)
{
    return str_eq(source->name, name) ||
           query_may_output(p->walk, source->query, source->columns, name);
}

static bool outer_has(struct product *p, struct str qualifier, struct str name)
{
    for (struct scope *s = p->walk->scope->outer; s; s = s->outer)
        for (struct source *o = s->sources; o; o = o->next)
            if (qualifier.len ? str_eq(o->name, qualifier)
                              : may_have(p, o, name))
                return true;
    return false;
}

static void add_item(struct product *p, struct item_set *set, int i,
                     struct str name)
{
    if (!is_constant(p->item[i], name))
        set->items[i / 64] |= (uint64_t)1 << (i % 64);
}

static void add_qualified(struct product *p, struct item_set *set,
                          struct str qualifier, struct str name)
{
    for (int i = 0; i < p->n; i++)
        if (str_eq(p->item[i]->name, qualifier)) {
            add_item(p, set, i, name);
            return;
        }
    set->outer = set->outer || outer_has(p, qualifier, name);
}

static void add_bare(struct product *p, struct item_set *set, struct str name)
{
    int found = -1, candidates = 0;
    for (int i = 0; i < p->n; i++) {
        if (str_eq(p->item[i]->name, name)) {
            add_item(p, set, i, name); /* generate_series(1, 9) n */
            return;
        }
        if (may_have(p, p->item[i], name)) {
            found = i;
            candidates++;
        }
    }
    if (candidates == 0)
        set->outer = set->outer || outer_has(p, STR(""), name);
    else if (candidates == 1 && !outer_has(p, STR(""), name))
        add_item(p, set, found, name);
    else
        set->unknown = true;
}

static bool is_zero(const json_t *value)
{
    const json_t *ival = json_object_get(node_inside(value, "A_Const"), "ival");
    return ival && json_get_int(ival, "ival", 0) == 0;
}

/* x * 0 */
static bool is_nothing(const json_t *expression)
{
    const json_t *names = json_object_get(expression, "name");
    return str_is(node_name(names, 0), "*") &&
           (is_zero(json_object_get(expression, "lexpr")) ||
            is_zero(json_object_get(expression, "rexpr")));
}

static void add_all(struct product *p, struct item_set *set, const json_t *tree,
                    bool in_query)
{
    const json_t *fields =
        json_object_get(json_object_get(tree, "ColumnRef"), "fields");
    size_t i, n = json_array_size(fields);
    const char *key;
    json_t *child;
    if (n > 1)
        add_qualified(p, set, node_name(fields, n - 2),
                      node_name(fields, n - 1));
    else if (n == 1 && !in_query)
        add_bare(p, set, node_name(fields, 0));
    if (n || is_nothing(json_object_get(tree, "A_Expr")))
        return;
    json_object_foreach((json_t *)tree, key, child)
    {
        add_all(p, set, child, in_query || !strcmp(key, "subselect"));
    }
    json_array_foreach(tree, i, child)
    {
        add_all(p, set, child, in_query);
    }
}

static struct item_set items_of(struct product *p, const json_t *tree)
{
    struct item_set set = {.outer = false};
    add_all(p, &set, tree, false);
    return set;
}

static int item_after(const struct item_set *set, int i)
{
    for (i++; i < MAX_ITEMS; i++)
        if (set->items[i / 64] >> (i % 64) & 1)
            return i;
    return -1;
}

/* ---- which items does a condition relate? --------------------------------- */

/* One item of the one and another one of the other. */
static bool find_pair(const struct item_set *a, const struct item_set *b,
                      struct link *link)
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

static bool is_empty(const struct item_set *set)
{
    return !set->outer && !set->unknown && item_after(set, -1) < 0;
}

static struct link link_between(struct product *p, enum strength strength,
                                const json_t *left, const json_t *right)
{
    struct item_set a = items_of(p, left), b = items_of(p, right);
    struct link link = {.strength = strength, .first = -1, .second = -1};
    if (find_pair(&a, &b, &link)) {
        link.direction = 1;
        return link;
    }
    if (find_pair(&a, &a, &link) || find_pair(&b, &b, &link))
        return link;
    link.owned = a.outer != b.outer;
    link.direction = a.outer ? -1 : 1;
    link.first = item_after(a.outer ? &b : &a, -1);
    link.loose = !is_empty(&a) && !is_empty(&b) && (a.unknown || b.unknown) &&
                 !json_equal(left, right);
    if ((link.owned && link.first >= 0) || link.loose)
        return link;
    return (struct link){.strength = LINK_NONE};
}

/* All in one: f(a.x, b.y), EXISTS (... a.x ... b.y ...). */
static struct link link_within(struct product *p, const json_t *tree)
{
    struct item_set all = items_of(p, tree);
    struct link link = {.strength = LINK_STRONG, .first = -1, .second = -1};
    if (find_pair(&all, &all, &link))
        return link;
    link.first = item_after(&all, -1);
    link.owned = all.outer;
    return link.owned && link.first >= 0 ? link
                                         : (struct link){.strength = LINK_NONE};
}

/* (a.x > 0) = (b.x > 0) relates hardly anything. */
static bool is_truth(const json_t *value)
{
    static const char *const truths[] = {"<", "<=", ">", ">=", "=", "<>"};
    const json_t *names =
        json_object_get(node_inside(value, "A_Expr"), "name");
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        if (str_is(node_name(names, 0), truths[i]))
            return true;
    return node_inside(value, "BoolExpr") || node_inside(value, "NullTest") ||
           node_inside(value, "BooleanTest");
}

static enum strength symbol_strength(struct str symbol)
{
    if (symbol.len == 0 || *symbol.ptr == '!' || str_is(symbol, "<>"))
        return LINK_NONE;
    bool inequality = (*symbol.ptr == '<' || *symbol.ptr == '>') &&
                      (symbol.len == 1 || str_ends(symbol, STR("=")));
    return inequality && symbol.len < 3 ? LINK_WEAK : LINK_STRONG;
}

static struct link weaker(struct link a, struct link b)
{
    return a.strength <= b.strength ? a : b;
}

static struct link operator_link(struct product *p, const json_t *node)
{
    const json_t *names = json_object_get(node, "name");
    const json_t *left = json_object_get(node, "lexpr");
    const json_t *right = json_object_get(node, "rexpr");
    const json_t *bounds =
        json_object_get(node_inside(right, "List"), "items");
    struct str symbol = node_name(names, json_array_size(names) - 1);
    struct str form = json_get_text(node, "kind");
    enum strength strength = symbol_strength(symbol);
    if (str_starts(form, STR("AEXPR_BETWEEN")))
        return weaker(
            link_between(p, LINK_STRONG, left, json_array_get(bounds, 0)),
            link_between(p, LINK_STRONG, left, json_array_get(bounds, 1)));
    if (str_is(form, "AEXPR_NOT_BETWEEN") || str_is(form, "AEXPR_DISTINCT") ||
        (str_is(symbol, "=") && (is_truth(left) || is_truth(right))))
        return (struct link){.strength = LINK_NONE};
    struct link link = link_between(p, strength, left, right);
    if (*symbol.ptr == '>')
        link.direction = -link.direction;
    return strength == LINK_NONE ? (struct link){.strength = LINK_NONE} : link;
}

static bool is_missing(const json_t *condition)
{
    return str_is(json_get_text(node_inside(condition, "NullTest"),
                                "nulltesttype"),
                  "IS_NULL");
}

static struct link link_of(struct product *p, const json_t *condition)
{
    const json_t *op = node_inside(condition, "A_Expr");
    const json_t *both = node_inside(condition, "BoolExpr");
    const json_t *args = json_object_get(both, "args");
    bool all = str_is(json_get_text(both, "boolop"), "AND_EXPR");
    struct link link = {.strength = LINK_NONE};
    if (op)
        return operator_link(p, op);
    if (node_inside(condition, "FuncCall") || node_inside(condition, "SubLink"))
        return link_within(p, condition);
    if (!both || str_is(json_get_text(both, "boolop"), "NOT_EXPR"))
        return link;
    bool first = true;
    for (size_t i = 0; i < json_array_size(args); i++) {
        const json_t *arg = json_array_get(args, i);
        if (!all && is_missing(arg))
            continue; /* b.ends > a.day OR b.ends IS NULL */
        struct link arm = link_of(p, arg);
        bool better = all ? arm.strength > link.strength
                          : arm.strength < link.strength;
        if (first || better)
            link = arm;
        first = false;
    }
    return link;
}

/* a.start < b.end AND a.end > b.start */
static bool closes_range(const struct product *p, const struct link *link)
{
    for (int i = 0; i < p->n_weak; i++) {
        const struct link *other = &p->weak[i];
        int direction = other->direction;
        if (other->first == link->second && other->second == link->first)
            direction = -direction;
        else if (other->first != link->first || other->second != link->second)
            continue;
        if (direction * link->direction < 0)
            return true;
    }
    return false;
}

static void add_weak(struct product *p, struct link link)
{
    if (closes_range(p, &link)) {
        unite(p, link.first, link.second, larger(p, link.first, link.second));
        return;
    }
    if (p->n_weak < MAX_WEAK) /* what is left out takes off nothing */
        p->weak[p->n_weak++] = link;
}

/* One inequality takes off little, two that make a range tie the item. */
static void add_owned(struct product *p, const struct link *link)
{
    int i = link->first, root = root_of(p, i);
    bool weak = link->strength == LINK_WEAK;
    p->above[i] = p->above[i] || (weak && link->direction > 0);
    p->below[i] = p->below[i] || (weak && link->direction < 0);
    if (!weak || (p->above[i] && p->below[i]))
        p->owned[root] = true;
}

static void apply(struct product *p, struct link link)
{
    bool alone = p->n == 1 && p->walk->scope->outer;
    if (link.strength == LINK_NONE)
        return;
    if (link.first >= 0 && link.second >= 0) {
        if (link.strength == LINK_STRONG)
            unite(p, link.first, link.second,
                  larger(p, link.first, link.second));
        else
            add_weak(p, link);
    } else if (link.owned && link.first >= 0) {
        add_owned(p, &link);
    } else if (link.loose && alone) {
        p->owned[0] = true;
    } else if (link.loose) {
        p->strong_loose += link.strength == LINK_STRONG;
        p->weak_loose += link.strength == LINK_WEAK;
    }
}

static void apply_all(struct product *p, const json_t *condition)
{
    const json_t *both = node_inside(condition, "BoolExpr");
    const json_t *args = json_object_get(both, "args");
    if (!condition)
        return;
    if (!str_is(json_get_text(both, "boolop"), "AND_EXPR"))
        apply(p, link_of(p, condition));
    for (size_t i = 0; str_is(json_get_text(both, "boolop"), "AND_EXPR") &&
                       i < json_array_size(args); i++)
        apply_all(p, json_array_get(args, i));
}

/* ---- FROM ------------------------------------------------------------------ */

static bool joins_by_name(struct product *p, const json_t *join, int left,
                          int right)
{
    const json_t *using = json_object_get(join, "usingClause");
    for (size_t i = 0; i < json_array_size(using); i++)
        if (!is_constant(p->item[left], node_name(using, i)) &&
            !is_constant(p->item[right], node_name(using, i)))
            return true;
    return json_object_get(join, "isNatural");
}

/* Sources are added in the order of this walk; answers how many there are. */
static int add_joins(struct product *p, const json_t *item, int at)
{
    const json_t *join = node_inside(item, "JoinExpr");
    const json_t *sample = node_inside(item, "RangeTableSample");
    if (sample)
        return add_joins(p, json_object_get(sample, "relation"), at);
    if (!join)
        return at + 1;
    int right = add_joins(p, json_object_get(join, "larg"), at);
    int end = add_joins(p, json_object_get(join, "rarg"), right);
    if (end > p->n)
        return end;
    if (joins_by_name(p, join, at, right))
        unite(p, at, right, larger(p, at, right));
    apply_all(p, json_object_get(join, "quals"));
    if (!json_object_get(join, "alias"))
        return end;
    if (end < p->n) /* the join itself is a source, which adds no rows */
        unite(p, at, end, p->rows[root_of(p, at)]);
    return end + 1;
}

static void begin(struct product *p, struct walk *walk)
{
    p->walk = walk;
    for (struct source *s = walk->scope->sources; s; s = s->next)
        p->n++;
    p->n = p->n > MAX_ITEMS ? MAX_ITEMS : p->n;
    int i = p->n;
    for (struct source *s = walk->scope->sources; s && i > 0; s = s->next)
        p->item[--i] = s;
    for (i = 0; i < p->n; i++) {
        p->parent[i] = i;
        p->rows[i] = fmax(p->item[i]->measure.many, 1);
    }
}

/* The two components with the most rows; false when there is one. */
static bool two_largest(struct product *p, int *a, int *b)
{
    *a = *b = -1;
    for (int i = 0; i < p->n; i++) {
        if (p->parent[i] != i)
            continue;
        if (*a < 0 || p->rows[i] > p->rows[*a]) {
            *b = *a;
            *a = i;
        } else if (*b < 0 || p->rows[i] > p->rows[*b]) {
            *b = i;
        }
    }
    return *b >= 0;
}

static double multiplied(struct product *p)
{
    int a, b;
    double rows = 1;
    for (int i = 0; i < p->n_weak; i++) {
        a = p->weak[i].first;
        b = p->weak[i].second;
        if (root_of(p, a) != root_of(p, b))
            unite(p, a, b, thinned(p, a, b));
    }
    for (int i = 0; i < p->strong_loose && two_largest(p, &a, &b); i++)
        unite(p, a, b, larger(p, a, b));
    for (int i = 0; i < p->weak_loose && two_largest(p, &a, &b); i++)
        unite(p, a, b, thinned(p, a, b));
    for (int i = 0; i < p->n; i++)
        if (p->parent[i] == i && !p->owned[i])
            rows *= p->above[i] || p->below[i]
                        ? fmax(1, p->rows[i] / INEQUALITY_LEAVES)
                        : p->rows[i];
    return rows;
}

double product_rows(struct walk *walk, const json_t *select)
{
    const json_t *from = json_object_get(select, "fromClause");
    struct product *p = arena_new(walk->arena, struct product);
    *p = (struct product){.walk = walk};
    begin(p, walk);
    int at = 0;
    for (size_t i = 0; i < json_array_size(from) && !walk->refused; i++)
        at = add_joins(p, json_array_get(from, i), at);
    apply_all(p, json_object_get(select, "whereClause"));
    return multiplied(p);
}
