/* graph.c - names and paths. Shortest paths are found by a breadth-first search
 * from the far end; then all walks that come nearer with each edge are listed
 * from the near end, in the order of the model. */
#include "ontology/graph.h"
#include "adjacency.h"
#include "nearest.h"
#include <stdint.h>
#include "base/banned.h"

size_t dataset_index(const struct ontology *o, const struct dataset *dataset)
{
    return (size_t)(dataset - o->datasets);
}

static bool is_source(const struct dataset *d, struct str name)
{
    if (!d->table.len)
        return false;
    if (str_eq_nocase(d->table, name))
        return true;
    size_t schema = d->schema.len;
    return name.len == schema + 1 + d->table.len && name.ptr[schema] == '.' &&
           str_eq_nocase(str_cut(name, 0, schema), d->schema) &&
           str_eq_nocase(str_from(name, schema + 1), d->table);
}

const struct dataset *ontology_dataset(const struct ontology *o,
                                       struct str name)
{
    const struct dataset *found = NULL;
    size_t n = 0;
    for (size_t i = 0; i < o->n_datasets; i++)
        if (str_eq(o->datasets[i].name, name))
            return &o->datasets[i];
    for (size_t i = 0; i < o->n_datasets; i++)
        if (str_eq_nocase(o->datasets[i].name, name))
            return &o->datasets[i];
    for (size_t i = 0; i < o->n_datasets; i++)
        if (is_source(&o->datasets[i], name) && ++n)
            found = &o->datasets[i];
    return n == 1 ? found : NULL;
}

struct str_list ontology_nearest_datasets(struct arena *arena,
                                          const struct ontology *o,
                                          struct str name, size_t most)
{
    struct nearest nearest;
    nearest_begin(&nearest, name);
    for (size_t i = 0; i < o->n_datasets; i++)
        nearest_offer(&nearest, o->datasets[i].name);
    return nearest_names(arena, &nearest, most);
}

static struct join_edge edge_of(const struct ontology *o, size_t relationship,
                                bool reversed)
{
    const struct relationship *r = &o->relationships[relationship];
    return (struct join_edge){.relationship = relationship,
                              .from = reversed ? r->to : r->from,
                              .to = reversed ? r->from : r->to,
                              .reversed = reversed};
}

struct join_edges ontology_neighbours(struct arena *arena,
                                      const struct ontology *o, size_t dataset)
{
    struct join_edges edges = {NULL, 0};
    edges.items = arena_new_array(arena, struct join_edge, o->n_relationships);
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from == dataset)
            edges.items[edges.n++] = edge_of(o, i, false);
        else if (r->to == dataset)
            edges.items[edges.n++] = edge_of(o, i, true);
    }
    return edges;
}

void adjacency_make(struct arena *arena, const struct ontology *o,
                    struct adjacency *adjacency)
{
    size_t *starts = arena_new_array(arena, size_t, o->n_datasets + 2);
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        starts[r->from + 2] += r->from != r->to;
        starts[r->to + 2] += r->from != r->to;
    }
    for (size_t i = 2; i < o->n_datasets + 2; i++)
        starts[i] += starts[i - 1];
    struct join_edge *edges =
        arena_new_array(arena, struct join_edge, 2 * o->n_relationships);
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from == r->to)
            continue;
        edges[starts[r->from + 1]++] = edge_of(o, i, false);
        edges[starts[r->to + 1]++] = edge_of(o, i, true);
    }
    *adjacency = (struct adjacency){.o = o, .starts = starts, .edges = edges};
}

/* Edges from each dataset to `to`; SIZE_MAX: none, or more than max_edges. */
static size_t *distances(struct arena *arena, const struct adjacency *adjacency,
                         size_t to, size_t max_edges)
{
    size_t n = adjacency->o->n_datasets, head = 0, tail = 0;
    size_t *far = arena_new_array(arena, size_t, n);
    size_t *queue = arena_new_array(arena, size_t, n);
    for (size_t i = 0; i < n; i++)
        far[i] = SIZE_MAX;
    far[to] = 0;
    queue[tail++] = to;
    while (head < tail) {
        size_t at = queue[head++];
        if (far[at] == max_edges)
            continue;
        for (size_t i = adjacency->starts[at]; i < adjacency->starts[at + 1];
             i++) {
            size_t next = adjacency->edges[i].to;
            if (far[next] != SIZE_MAX)
                continue;
            far[next] = far[at] + 1;
            queue[tail++] = next;
        }
    }
    return far;
}

struct walk {
    struct arena *arena;
    const struct adjacency *adjacency;
    const size_t *far;
    size_t max_paths;
    struct join_edge *edges; /* of the walk so far */
    struct join_paths paths;
};

static void keep(struct walk *walk, size_t n_edges)
{
    struct join_path *path = &walk->paths.items[walk->paths.n++];
    path->edges = arena_new_array(walk->arena, struct join_edge, n_edges);
    path->n_edges = n_edges;
    for (size_t i = 0; i < n_edges; i++)
        path->edges[i] = walk->edges[i];
}

/* At most as deep as the path is long. */
static void walk_on(struct walk *walk, size_t at, size_t n_edges)
{
    const struct adjacency *adjacency = walk->adjacency;
    if (walk->far[at] == 0) {
        keep(walk, n_edges);
        return;
    }
    for (size_t i = adjacency->starts[at];
         i < adjacency->starts[at + 1] && walk->paths.n < walk->max_paths;
         i++) {
        size_t next = adjacency->edges[i].to;
        if (walk->far[next] != walk->far[at] - 1)
            continue;
        walk->edges[n_edges] = adjacency->edges[i];
        walk_on(walk, next, n_edges + 1);
    }
}

static struct join_paths self_references(struct arena *arena,
                                         const struct ontology *o,
                                         size_t dataset, size_t max_paths)
{
    struct join_paths paths = {NULL, 0};
    paths.items = arena_new_array(arena, struct join_path, max_paths);
    for (size_t i = 0; i < o->n_relationships && paths.n < max_paths; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from != dataset || r->to != dataset)
            continue;
        struct join_path *path = &paths.items[paths.n++];
        path->edges = arena_new(arena, struct join_edge);
        path->edges[0] = edge_of(o, i, false);
        path->n_edges = 1;
    }
    return paths;
}

struct join_paths ontology_join_paths(struct arena *arena,
                                      const struct ontology *o, size_t from,
                                      size_t to, size_t max_edges,
                                      size_t max_paths)
{
    struct adjacency adjacency;
    if (from == to)
        return self_references(arena, o, from, max_edges ? max_paths : 0);
    adjacency_make(arena, o, &adjacency);
    struct walk walk = {
        .arena = arena, .adjacency = &adjacency, .max_paths = max_paths};
    walk.far = distances(arena, &adjacency, to, max_edges);
    if (walk.far[from] == SIZE_MAX)
        return walk.paths;
    walk.edges = arena_new_array(arena, struct join_edge, walk.far[from]);
    walk.paths.items = arena_new_array(arena, struct join_path, max_paths);
    walk_on(&walk, from, 0);
    return walk.paths;
}
