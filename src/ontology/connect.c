/* connect.c - one tree of joins for a set of datasets.
 *
 * Finding the least tree is the Steiner problem. Growing one by always reaching
 * for the nearest dataset that is still missing costs at most twice as many
 * edges; trying every dataset as the start mends most of that. */
#include "adjacency.h"
#include <stdint.h>
#include "base/banned.h"

enum { STARTS_TRIED = 12 };

struct grow {
    struct arena *arena;
    const struct adjacency *adjacency;
    const size_t *asked;
    size_t n_asked;
    size_t *tree;      /* by dataset: number of its tree, 0 is none */
    size_t *reached;   /* datasets in the order they came in */
    size_t n_reached;
    struct join_edge *edges;
    size_t n_edges;
    size_t n_trees;
    /* scratch of one search */
    size_t *far, *queue;
    struct join_edge *came_by;
};

static void grow_init(struct grow *grow, struct arena *arena,
                      const struct adjacency *adjacency)
{
    size_t n = adjacency->o->n_datasets;
    grow->arena = arena;
    grow->adjacency = adjacency;
    grow->tree = arena_new_array(arena, size_t, n);
    grow->reached = arena_new_array(arena, size_t, n);
    grow->edges = arena_new_array(arena, struct join_edge, n);
    grow->far = arena_new_array(arena, size_t, n);
    grow->queue = arena_new_array(arena, size_t, n);
    grow->came_by = arena_new_array(arena, struct join_edge, n);
}

static void reach(struct grow *grow, size_t dataset)
{
    grow->tree[dataset] = grow->n_trees;
    grow->reached[grow->n_reached++] = dataset;
}

/* Breadth first from all that belongs to the tree being grown. */
static void search(struct grow *grow)
{
    const struct adjacency *adjacency = grow->adjacency;
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < adjacency->o->n_datasets; i++)
        grow->far[i] = SIZE_MAX;
    for (size_t i = 0; i < grow->n_reached; i++) {
        size_t dataset = grow->reached[i];
        if (grow->tree[dataset] != grow->n_trees)
            continue;
        grow->far[dataset] = 0;
        grow->queue[tail++] = dataset;
    }
    while (head < tail) {
        size_t at = grow->queue[head++];
        if (grow->far[at] == JOIN_MAX_EDGES)
            continue;
        for (size_t i = adjacency->starts[at]; i < adjacency->starts[at + 1];
             i++) {
            const struct join_edge *edge = &adjacency->edges[i];
            if (grow->far[edge->to] != SIZE_MAX)
                continue;
            grow->far[edge->to] = grow->far[at] + 1;
            grow->came_by[edge->to] = *edge;
            grow->queue[tail++] = edge->to;
        }
    }
}

/* The missing dataset that is nearest to the tree, or SIZE_MAX. */
static size_t nearest_missing(const struct grow *grow)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < grow->n_asked; i++) {
        size_t dataset = grow->asked[i];
        if (grow->tree[dataset] || grow->far[dataset] == SIZE_MAX)
            continue;
        if (best == SIZE_MAX || grow->far[dataset] < grow->far[best])
            best = dataset;
    }
    return best;
}

static void add_path(struct grow *grow, size_t to)
{
    struct join_edge path[JOIN_MAX_EDGES];
    size_t n = 0;
    for (size_t at = to; grow->far[at] > 0; at = grow->came_by[at].from)
        path[n++] = grow->came_by[at];
    while (n-- > 0) {
        grow->edges[grow->n_edges++] = path[n];
        reach(grow, path[n].to);
    }
}

static void grow_tree(struct grow *grow, size_t start)
{
    grow->n_trees++;
    reach(grow, start);
    for (;;) {
        search(grow);
        size_t next = nearest_missing(grow);
        if (next == SIZE_MAX)
            return;
        add_path(grow, next);
    }
}

/* Trees until all that was asked for is in one. */
static void grow_all(struct grow *grow, size_t start)
{
    grow_tree(grow, grow->asked[start]);
    for (size_t i = 0; i < grow->n_asked; i++)
        if (!grow->tree[grow->asked[i]])
            grow_tree(grow, grow->asked[i]);
}

static size_t between(const struct adjacency *adjacency, size_t a, size_t b)
{
    size_t n = 0;
    for (size_t i = adjacency->starts[a]; i < adjacency->starts[a + 1]; i++)
        n += adjacency->edges[i].to == b;
    return n;
}

static void tell_apart(const struct grow *grow, struct join_tree *tree)
{
    size_t first = tree->n_asked ? tree->datasets[0] : 0;
    tree->apart =
        arena_new_array(grow->arena, struct dataset_pair, tree->n_asked);
    for (size_t i = 1; i < tree->n_asked; i++) {
        size_t other = tree->datasets[i];
        if (grow->tree[other] != grow->tree[first])
            tree->apart[tree->n_apart++] =
                (struct dataset_pair){.a = first, .b = other};
    }
}

static void tell_ambiguous(const struct grow *grow, struct join_tree *tree)
{
    tree->ambiguous =
        arena_new_array(grow->arena, struct dataset_pair, tree->n_edges);
    for (size_t i = 0; i < tree->n_edges; i++) {
        size_t a = tree->edges[i].from, b = tree->edges[i].to;
        size_t n = between(grow->adjacency, a, b);
        if (n > 1)
            tree->ambiguous[tree->n_ambiguous++] =
                (struct dataset_pair){.a = a, .b = b, .n_relationships = n};
    }
}

/* Those asked for stand first, then those in between as they came in. */
static void list_datasets(const struct grow *grow, struct join_tree *tree)
{
    size_t n = grow->adjacency->o->n_datasets;
    bool *listed = arena_new_array(grow->arena, bool, n);
    for (size_t i = 0; i < tree->n_asked; i++)
        listed[tree->datasets[i]] = true;
    tree->n_datasets = tree->n_asked;
    for (size_t i = 0; i < grow->n_reached; i++)
        if (!listed[grow->reached[i]])
            tree->datasets[tree->n_datasets++] = grow->reached[i];
}

static void list_asked(struct arena *arena, const struct ontology *o,
                       const size_t *datasets, size_t n, struct join_tree *tree)
{
    bool *seen = arena_new_array(arena, bool, o->n_datasets);
    tree->datasets = arena_new_array(arena, size_t, o->n_datasets);
    for (size_t i = 0; i < n; i++) {
        if (!seen[datasets[i]])
            tree->datasets[tree->n_asked++] = datasets[i];
        seen[datasets[i]] = true;
    }
}

void ontology_connect(struct arena *arena, const struct ontology *o,
                      const size_t *datasets, size_t n, struct join_tree *tree)
{
    struct adjacency adjacency;
    struct grow best = {0};
    *tree = (struct join_tree){0};
    list_asked(arena, o, datasets, n, tree);
    if (!tree->n_asked)
        return;
    adjacency_make(arena, o, &adjacency);
    for (size_t i = 0; i < tree->n_asked && i < STARTS_TRIED; i++) {
        struct grow grow = {.asked = tree->datasets, .n_asked = tree->n_asked};
        grow_init(&grow, arena, &adjacency);
        grow_all(&grow, i);
        bool fewer_trees = grow.n_trees < best.n_trees;
        bool fewer_edges =
            grow.n_trees == best.n_trees && grow.n_edges < best.n_edges;
        if (i == 0 || fewer_trees || fewer_edges)
            best = grow;
    }
    tree->edges = best.edges;
    tree->n_edges = best.n_edges;
    tell_apart(&best, tree);
    tell_ambiguous(&best, tree);
    list_datasets(&best, tree);
}
