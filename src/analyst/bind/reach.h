/* reach.h - joins that leave every row of the root alone.
 *
 * A hop leads from a dataset to another of which it finds at most one row: from
 * the many side of a relationship to the one side, or to the other side of a
 * one-to-one. From a root, any dataset reached by hops alone can be joined
 * (LEFT JOIN) without a row of the root being lost or doubled, so that sums stay
 * right. Everything else fans out, and is never joined. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"
#include "read/vocabulary.h"

struct hop {
    size_t from; /* dataset */
    size_t relationship;
    bool reversed; /* walked from its `to` side */
};

struct reach {
    size_t root;
    size_t *distance; /* hops by dataset; SIZE_MAX: not reached */
    struct hop *hop;  /* by dataset: the last one on its way */
    bool *ambiguous;  /* by dataset: there is another way as short */
};

struct reaches {
    struct arena *arena;
    const struct ontology *o;
    struct reach *by_root; /* distance NULL: not made yet */
    bool *down,
        *up; /* by relationship: a row of `from` finds one of `to`; a row
                        of `to` one of `from` */
    size_t *links, *starts;     /* relationships of dataset d, in their order:
                               links[starts[d]] to before links[starts[d + 1]] */
    const struct choice *roles; /* preferred relationships */
    size_t n_roles;
    const struct term *picked; /* those by the user, when asked */
    size_t n_picked;
};

void reaches_init(struct arena *arena, const struct ontology *o,
                  const struct choice *roles, size_t n_roles,
                  struct reaches *reaches);
const struct reach *reach_from(struct reaches *reaches, size_t root);
/* Relationships between which the way from the root to an ambiguous dataset
 * cannot choose: those of the first choice on it. Answers how many, up to `most`. */
size_t reach_ways(struct reaches *reaches, size_t root, size_t dataset,
                  size_t *relationships, size_t most);
bool reach_has(struct reaches *reaches, size_t root, size_t dataset);

/* The dataset nearest below that reaches all of `wanted` (by dataset), ties
 * counted in *n: more than one that none of the others reaches. SIZE_MAX. */
size_t reach_common(struct reaches *reaches, const bool *wanted, size_t *n);
