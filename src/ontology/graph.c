/* graph.c - finds datasets by name and lists the edges of each; connect.c
 * searches for join paths. */
#include "ontology/graph.h"
#include "adjacency.h"
#include "nearest.h"
#include "base/banned.h"

size_t dataset_index(const struct ontology *o, const struct dataset *dataset)
{
    return (size_t)(dataset - o->datasets);
}

static bool is_table_name(const struct dataset *d, struct str name)
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
        if (is_table_name(&o->datasets[i], name) && ++n)
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
