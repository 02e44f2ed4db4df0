/* adjacency.h - the edges of each dataset, for searches. */
#pragma once
#include "ontology/graph.h"

struct adjacency {
    const struct ontology *o;
    size_t *starts; /* of dataset i: edges[starts[i]] … edges[starts[i + 1]] */
    struct join_edge *edges; /* of one dataset in the order of the model */
};

/* Fills *adjacency for a model, in `arena`; self references are left out. */
void adjacency_make(struct arena *arena, const struct ontology *o,
                    struct adjacency *adjacency);
