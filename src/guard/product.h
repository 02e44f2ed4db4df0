/* product.h - the graph of FROM items and conditions that product.c and
 * product_link.c share. */
#pragma once
#include "walk.h"

enum { MAX_ITEMS = 256, MAX_WEAK = 64, SET_WORDS = MAX_ITEMS / 64 };

/* The items whose columns an expression reads. */
struct product_items {
    uint64_t items[SET_WORDS];
    bool outer;   /* it reads a column of an outer query */
    bool unknown; /* it reads a column of an unknown item */
};

enum link_strength { LINK_NONE, LINK_WEAK, LINK_STRONG };

struct product_link {
    enum link_strength strength;
    int first, second; /* indexes of items, or -1 */
    int direction;     /* of an inequality from first to second; 0: unknown */
    bool owned;        /* `first` is compared with an outer query */
    bool loose;        /* it relates items that are not known */
};

struct product {
    struct walk *walk;
    struct walk_source *item[MAX_ITEMS];
    int parent[MAX_ITEMS];
    double rows[MAX_ITEMS]; /* of a component, at the index of its root */
    /* Also at the root: the component depends on a row of an outer query, or is
     * bounded by one from above or below. */
    bool owned[MAX_ITEMS], above[MAX_ITEMS], below[MAX_ITEMS];
    int n, n_weak, strong_loose, weak_loose;
    struct product_link weak[MAX_WEAK];
};

/* Which items a condition relates; LINK_NONE when it relates none or removes no
 * rows. */
struct product_link product_link_of(struct product *p, const json_t *condition);

/* product_constant.c: is the output of that name the same in all rows, as k in
 * 1 AS k? */
bool source_is_constant(struct walk *walk, const struct walk_source *source,
                        struct str name);
/* May a FROM item have a column of that name, or be called so? */
bool source_may_have(struct walk *walk, const struct walk_source *source,
                     struct str name);
