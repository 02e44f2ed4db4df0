/* product.c - how many rows can the items of FROM give together?
 *
 * Each item is a node of a graph. A condition that compares columns of two
 * items joins them into one component. An equality, a range or a containment
 * keeps the rows of the larger side; a single inequality removes few; a
 * condition that relates nothing (true, a.id = a.id, a.x = 1, a.id <> b.id)
 * removes none. The rows of the components multiply. A component that depends
 * on a row of an outer query counts as one row.
 *
 * A name without a qualifier may belong to any table; such a condition gets the
 * benefit of the doubt. */
#include "product.h"
#include <math.h>
#include "base/banned.h"

/* a < b leaves one pair in ten. */
#define INEQUALITY_LEAVES 10.0

/* ---- components ---------------------------------------------------------- */

static int product_root(struct product *p, int i)
{
    while (p->parent[i] != i)
        i = p->parent[i] = p->parent[p->parent[i]];
    return i;
}

static void product_unite(struct product *p, int a, int b, double rows)
{
    a = product_root(p, a);
    b = product_root(p, b);
    p->parent[b] = a;
    p->rows[a] = rows;
    p->owned[a] = p->owned[a] || p->owned[b];
    p->above[a] = p->above[a] || p->above[b];
    p->below[a] = p->below[a] || p->below[b];
}

static double product_larger(struct product *p, int a, int b)
{
    return fmax(p->rows[product_root(p, a)], p->rows[product_root(p, b)]);
}

static double product_thinned(struct product *p, int a, int b)
{
    double all = p->rows[product_root(p, a)] * p->rows[product_root(p, b)];
    return fmax(product_larger(p, a, b), all / INEQUALITY_LEAVES);
}

/* ---- conditions ---------------------------------------------------------- */

/* a.start < b.end AND a.end > b.start */
static bool closes_range(const struct product *p,
                         const struct product_link *link)
{
    for (int i = 0; i < p->n_weak; i++) {
        const struct product_link *other = &p->weak[i];
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

static void product_add_weak(struct product *p, struct product_link link)
{
    if (closes_range(p, &link)) {
        product_unite(p, link.first, link.second,
                      product_larger(p, link.first, link.second));
        return;
    }
    if (p->n_weak < MAX_WEAK) /* a link that is left out removes no rows */
        p->weak[p->n_weak++] = link;
}

/* One inequality with an outer column removes few rows; two that form a range
 * tie the item to the outer row. */
static void product_add_owned(struct product *p,
                              const struct product_link *link)
{
    int i = product_root(p, link->first);
    bool weak = link->strength == LINK_WEAK;
    p->above[i] = p->above[i] || (weak && link->direction > 0);
    p->below[i] = p->below[i] || (weak && link->direction < 0);
    if (!weak || (p->above[i] && p->below[i]))
        p->owned[i] = true;
}

static void product_apply(struct product *p, struct product_link link)
{
    bool alone = p->n == 1 && p->walk->scope->outer;
    if (link.strength == LINK_NONE)
        return;
    if (link.first >= 0 && link.second >= 0) {
        if (link.strength == LINK_STRONG)
            product_unite(p, link.first, link.second,
                          product_larger(p, link.first, link.second));
        else
            product_add_weak(p, link);
    } else if (link.owned && link.first >= 0) {
        product_add_owned(p, &link);
    } else if (link.loose && alone) {
        p->owned[0] = true;
    } else if (link.loose) {
        p->strong_loose += link.strength == LINK_STRONG;
        p->weak_loose += link.strength == LINK_WEAK;
    }
}

static void product_apply_all(struct product *p, const json_t *condition)
{
    const json_t *conjuncts = node_conjuncts(condition);
    struct node_children c = NODE_CHILDREN(conjuncts);
    if (condition && !conjuncts)
        product_apply(p, product_link_of(p, condition));
    while (node_next(&c))
        product_apply_all(p, c.child);
}

/* ---- FROM ---------------------------------------------------------------- */

/* Does a natural join have a common column that is no constant? If not, it is a
 * product. */
static bool shares_column(struct product *p, int of, int with)
{
    const struct walk_source *source = p->item[of];
    const json_t *select = node_inside(source->query, "SelectStmt");
    const json_t *targets = json_object_get(select, "targetList");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        struct str name = node_target_name(node_target(targets, i));
        if (!name.ptr || source->columns ||
            (!source_is_constant(p->walk, source, name) &&
             !source_is_constant(p->walk, p->item[with], name) &&
             source_may_have(p->walk, p->item[with], name)))
            return true;
    }
    return !targets;
}

static bool joins_by_name(struct product *p, const json_t *join, int left,
                          int right)
{
    const json_t *using = json_object_get(join, "usingClause");
    for (size_t i = 0; i < json_array_size(using); i++)
        if (!source_is_constant(p->walk, p->item[left], node_name(using, i)) &&
            !source_is_constant(p->walk, p->item[right], node_name(using, i)))
            return true;
    return json_object_get(join, "isNatural") &&
           shares_column(p, left, right) && shares_column(p, right, left);
}

static int product_add_item(struct product *p, const json_t *item, int at);

/* Adds the items of a join in the order in which the walk added them, from
 * index `at`; answers the index after the last. */
static int product_add_join(struct product *p, const json_t *join, int at)
{
    int right = product_add_item(p, json_object_get(join, "larg"), at);
    int end = product_add_item(p, json_object_get(join, "rarg"), right);
    if (end > p->n)
        return end;
    if (joins_by_name(p, join, at, right))
        product_unite(p, at, right, product_larger(p, at, right));
    product_apply_all(p, json_object_get(join, "quals"));
    if (!json_object_get(join, "join_using_alias"))
        return end;
    if (end < p->n) /* USING (…) AS u is a source without rows of its own */
        product_unite(p, at, end, p->rows[product_root(p, at)]);
    return end + 1;
}

/* A join with an alias is one source, whose rows product_join_rows has
 * computed. */
static int product_add_item(struct product *p, const json_t *item, int at)
{
    const json_t *join = node_inside(item, "JoinExpr");
    const json_t *sample = node_inside(item, "RangeTableSample");
    if (sample)
        return product_add_item(p, json_object_get(sample, "relation"), at);
    if (!join || json_object_get(join, "alias"))
        return at + 1;
    return product_add_join(p, join, at);
}

/* Starts with the sources that the scope got after `before`. */
static void product_begin(struct product *p, struct walk *walk,
                          const struct walk_source *before)
{
    p->walk = walk;
    for (struct walk_source *s = walk->scope->sources; s != before; s = s->next)
        p->n++;
    p->n = p->n > MAX_ITEMS ? MAX_ITEMS : p->n;
    int i = p->n;
    for (struct walk_source *s = walk->scope->sources; s != before && i > 0;
         s = s->next)
        p->item[--i] = s;
    for (i = 0; i < p->n; i++) {
        p->parent[i] = i;
        p->rows[i] = fmax(p->item[i]->estimate.many, 1);
    }
}

/* The two components with the most rows; false when there is only one. */
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

static double product_multiplied(struct product *p)
{
    int a, b;
    double rows = 1;
    for (int i = 0; i < p->n_weak; i++) {
        a = p->weak[i].first;
        b = p->weak[i].second;
        if (product_root(p, a) != product_root(p, b))
            product_unite(p, a, b, product_thinned(p, a, b));
    }
    for (int i = 0; i < p->strong_loose && two_largest(p, &a, &b); i++)
        product_unite(p, a, b, product_larger(p, a, b));
    for (int i = 0; i < p->weak_loose && two_largest(p, &a, &b); i++)
        product_unite(p, a, b, product_thinned(p, a, b));
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
    const struct walk_source *first = walk->scope->sources;
    if (!first)
        return 1;
    if (!first->next && !walk->scope->outer) /* the usual query */
        return fmax(first->estimate.many, 1);
    struct product *p = arena_new(walk->arena, struct product);
    *p = (struct product){.walk = walk};
    product_begin(p, walk, NULL);
    int at = 0;
    for (size_t i = 0; i < json_array_size(from) && !walk->refused; i++)
        at = product_add_item(p, json_array_get(from, i), at);
    product_apply_all(p, json_object_get(select, "whereClause"));
    return product_multiplied(p);
}

double product_join_rows(struct walk *walk, const json_t *join,
                         const struct walk_source *before)
{
    struct product *p = arena_new(walk->arena, struct product);
    *p = (struct product){.walk = walk};
    product_begin(p, walk, before);
    product_add_join(p, join, 0);
    return product_multiplied(p);
}
