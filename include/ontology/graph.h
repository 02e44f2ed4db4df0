/* graph.h - datasets as nodes, relationships as edges: how tables are joined.
 *
 * Edges may be walked both ways. Every answer is deterministic: where two are
 * equally good, the order of the model decides. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum {
    JOIN_MAX_EDGES = 5, /* seed 000: shortestPath(… [:RELATES_TO*..5] …) */
    JOIN_MAX_PATHS = 3, /* seed 000: LIMIT 3 */
};

/* The dataset of that name: exact, else without regard to ASCII case, else the
 * only one whose table is `name` ("orders" or "public.orders"). NULL: none. */
const struct dataset *ontology_dataset(const struct ontology *o,
                                       struct str name);
/* Its place in o->datasets. */
size_t dataset_index(const struct ontology *o, const struct dataset *dataset);

/* Up to `most` dataset names that `name` may have been meant as, the nearest
 * first (edit distance, or one holding the other); empty when none is near. */
struct str_list ontology_nearest_datasets(struct arena *arena,
                                          const struct ontology *o,
                                          struct str name, size_t most);

/* One step along a relationship. */
struct join_edge {
    size_t relationship; /* index in o->relationships */
    size_t from, to;     /* datasets, in walking direction */
    bool reversed;       /* walked from the one side to the many side */
};

struct join_edges {
    struct join_edge *items;
    size_t n;
};

/* The edges that leave a dataset, self references included once. */
struct join_edges ontology_neighbours(struct arena *arena,
                                      const struct ontology *o, size_t dataset);

struct join_path {
    struct join_edge *edges; /* edges[i].to == edges[i + 1].from */
    size_t n_edges;
};

struct join_paths {
    struct join_path *items;
    size_t n;
};

/* All shortest paths between two datasets of at most `max_edges` edges, the
 * first `max_paths` of them (parallel relationships make paths of their own).
 * For from == to: its self references, one edge each. None: n is 0. */
struct join_paths ontology_join_paths(struct arena *arena,
                                      const struct ontology *o, size_t from,
                                      size_t to, size_t max_edges,
                                      size_t max_paths);

struct dataset_pair {
    size_t a, b;
};

/* Paths of one length, and of one fan-out, that bring in the same dataset: which
 * of them is meant the model does not tell. Parallel relationships differ by
 * their names, which are their roles (billing_address, shipping_address). */
struct join_choice {
    struct join_path *paths; /* JOIN_MAX_CHOICES at most; the first is used */
    size_t n_paths;
    size_t at; /* where it begins in the tree's edges */
};
enum { JOIN_MAX_CHOICES = 6 };

struct join_tree {
    size_t *datasets; /* those asked for, each once, then those in between */
    size_t n_datasets;
    size_t n_asked;
    struct join_edge *edges; /* each `from` was reached before its edge */
    size_t n_edges;
    /* Asked for, but no path of JOIN_MAX_EDGES to the first one; the edges then
     * make several trees. */
    struct dataset_pair *apart;
    size_t n_apart;
    struct join_choice *choices;
    size_t n_choices;
};

/* Connects the datasets with few edges (each time the nearest missing one is
 * reached from what is connected; the best of all starts is taken). Among paths
 * of one length those win that go least from a many side over a one side down to
 * another many side, because that multiplies rows (a chasm). */
void ontology_connect(struct arena *arena, const struct ontology *o,
                      const size_t *datasets, size_t n, struct join_tree *tree);

/* Takes another of the choice's paths. False: the rest of the tree stands on the
 * one that it has. */
bool join_tree_choose(struct join_tree *tree, size_t choice, size_t path);
