/* graph.h - datasets as nodes and relationships as edges: how to join tables.
 *
 * Edges can be followed in both directions. Every result is deterministic: of
 * equally good ones the first in the order of the model is taken. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum { JOIN_MAX_EDGES = 5 }; /* of one join path */

/* The dataset of that name: exact, else regardless of ASCII case, else the only
 * one whose table is `name` ("orders" or "public.orders"). NULL if none. */
const struct dataset *ontology_dataset(const struct ontology *o,
                                       struct str name);
/* Its index in o->datasets. */
size_t dataset_index(const struct ontology *o, const struct dataset *dataset);

/* Up to `most` names of datasets like `name`, the most similar first (by edit
 * distance, or one contains the other); empty if none is similar. */
struct str_list ontology_nearest_datasets(struct arena *arena,
                                          const struct ontology *o,
                                          struct str name, size_t most);

/* One step of a join path, along a relationship. */
struct join_edge {
    size_t relationship; /* index in o->relationships */
    size_t from, to;     /* datasets, in the direction of the path */
    bool reversed;       /* from the one side to the many side */
};

struct join_edges {
    struct join_edge *items;
    size_t n;
};

/* The edges of a dataset, in `arena`; a self reference is listed once. */
struct join_edges ontology_neighbours(struct arena *arena,
                                      const struct ontology *o, size_t dataset);

struct join_path {
    struct join_edge *edges; /* edges[i].to == edges[i + 1].from */
    size_t n_edges;
};

struct dataset_pair {
    size_t a, b;
};

/* Join paths to the same dataset with equal length and equally many chasm
 * traps: the model does not say which one is meant. Parallel relationships
 * differ by their names, which are their roles (billing_address,
 * shipping_address). */
struct join_choice {
    struct join_path *paths; /* JOIN_MAX_CHOICES at most; the first is used */
    size_t n_paths;
    size_t at; /* index of its first edge in the tree */
};
enum { JOIN_MAX_CHOICES = 6 };

struct join_tree {
    size_t *datasets; /* those asked for, without duplicates, then those in
                         between */
    size_t n_datasets;
    size_t n_asked;
    struct join_edge *edges; /* the `from` of each is reached before it */
    size_t n_edges;
    /* Asked for, but not within JOIN_MAX_EDGES of the first one; then the edges
     * form several trees. */
    struct dataset_pair *apart;
    size_t n_apart;
    struct join_choice *choices;
    size_t n_choices;
};

/* Fills *tree with a join tree of the datasets that has few edges: each time
 * the nearest missing dataset is added, and the best of all starts is taken.
 * Of paths of one length, those with the fewest chasm traps win: going from
 * a many side to a one side and to another many side multiplies rows. In
 * `arena`. */
void ontology_join_tree(struct arena *arena, const struct ontology *o,
                        const size_t *datasets, size_t n,
                        struct join_tree *tree);

/* Replaces the path of a choice by another one of it. False, without a
 * change, if the rest of the tree depends on the present path. */
bool join_tree_choose(struct join_tree *tree, size_t choice, size_t path);
