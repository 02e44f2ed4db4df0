/* product.h - between product.c and product_link.c. */
#pragma once
#include "walk.h"

enum { MAX_ITEMS = 256, MAX_WEAK = 64, SET_WORDS = MAX_ITEMS / 64 };

/* The items whose columns an expression reads. */
struct product_items {
    uint64_t items[SET_WORDS];
    bool outer;   /* a column of an outer query */
    bool unknown; /* a column of some table */
};

enum link_strength { LINK_NONE, LINK_WEAK, LINK_STRONG };

struct product_link {
    enum link_strength strength;
    int first, second; /* items, or -1 */
    int direction;     /* of an inequality from first to second; 0: unknown */
    bool owned;        /* first belongs to a row of an outer query */
    bool loose;        /* between items that are not known */
};

struct product {
    struct walk *walk;
    struct walk_source *item[MAX_ITEMS];
    int parent[MAX_ITEMS];
    double rows[MAX_ITEMS]; /* of a component, at its root */
    /* The same: it belongs to a row of an outer query, or lies above or below
     * something in such a row. */
    bool owned[MAX_ITEMS], above[MAX_ITEMS], below[MAX_ITEMS];
    int n, n_weak, strong_loose, weak_loose;
    struct product_link weak[MAX_WEAK];
};

/* What a condition relates; LINK_NONE when nothing, or nothing that takes off
 * rows. */
struct product_link product_link_of(struct product *p, const json_t *condition);

/* product_constant.c: is the output of that name the same in all rows, as in
 * 1 AS k? */
bool source_is_constant(struct walk *walk, const struct walk_source *source,
                        struct str name);
/* May an item of FROM have a column, or be called, so? */
bool source_may_have(struct walk *walk, const struct walk_source *source,
                     struct str name);
