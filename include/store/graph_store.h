/* graph_store.h - where the graph of an ontology is kept for searching.
 *
 * The model's row in PostgreSQL is the truth; a graph store holds what is made of
 * it: nodes, edges, the vectors of datasets, all under the ontology's id. So a
 * store may be thrown away and filled anew from the models, and another one (a
 * graph database) stands beside `postgres` as one more entry of the list in
 * graph_store.c. An ontology is ready when every store has it. */
#pragma once
#include "db/query.h"
#include "ontology/model.h"
#include "store/store.h"

/* What a store is given; the locals of its subflows. */
struct graph_projection {
    struct store *store;
    struct str ontology_id;
    /* For projecting: */
    const struct ontology *model;
    struct str embedding_model; /* of the vectors */
    const float *vectors;       /* n_datasets * dimensions; NULL: none */
    size_t dimensions;
    /* private */
    size_t at; /* in the list of stores */
    struct query *query;
    struct stored_vectors *stored;
};

struct graph_store {
    const char *name;
    /* Puts the whole graph in the place of what it has of this ontology. May be
     * done again; leaves the old or the new, never a part. */
    step_fn *project_begin;
    /* Forgets it; nothing of it is no error. */
    step_fn *drop_begin;
};
extern const struct graph_store postgres_graph;

/* In all stores, one after the other (locals: graph_projection). Fails with the
 * first that fails. */
struct next graphs_project_begin(struct flow *f);
struct next graphs_drop_begin(struct flow *f);
