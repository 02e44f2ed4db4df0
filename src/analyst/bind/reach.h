/* reach.h - joins without fan-out.
 *
 * A hop leads from a dataset to another in which each row finds at most one row:
 * from the many side of a relationship to the one side, or to the other side of a
 * one-to-one. Datasets that hops reach from a root can be joined to it (LEFT JOIN)
 * without losing or repeating a row of the root, so sums stay correct. Other joins
 * fan out and are never made. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"
#include "read/vocabulary.h"

struct hop {
    size_t from; /* dataset */
    size_t relationship;
};

struct reach {
    size_t root;
    size_t *distance; /* hops by dataset; SIZE_MAX: not reached */
    struct hop *hop;  /* by dataset: the last one on its way */
    bool *ambiguous;  /* by dataset: another way is as short */
};

struct reaches {
    struct arena *arena;
    const struct ontology *o;
    struct reach *by_root; /* distance NULL: not computed yet */
    bool *down,
        *up; /* by relationship: a row of `from` finds one of `to`; a row
                        of `to` one of `from` */
    size_t *links, *starts;     /* relationships of dataset d, in their order:
                               links[starts[d]] to before links[starts[d + 1]] */
    const struct choice *roles; /* preferred relationships */
    size_t n_roles;
    const struct term *picked; /* relationships that the user picked */
    size_t n_picked;
};

void reaches_init(struct arena *arena, const struct ontology *o,
                  const struct choice *roles, size_t n_roles,
                  struct reaches *reaches);
/* What hops reach from the root, computed once. */
const struct reach *reach_from(struct reaches *reaches, size_t root);
/* The relationships that make the way from the root to a dataset ambiguous: those
 * of its first fork. Returns how many, up to `most`. */
size_t reach_ways(struct reaches *reaches, size_t root, size_t dataset,
                  size_t *relationships, size_t most);
/* Whether hops reach the dataset from the root. */
bool reach_has(struct reaches *reaches, size_t root, size_t dataset);

/* The nearest dataset that reaches all of `wanted` (by dataset); SIZE_MAX: none.
 * *n counts the datasets that do and reach no other that does. */
size_t reach_common(struct reaches *reaches, const bool *wanted, size_t *n);
