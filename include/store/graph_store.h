/* graph_store.h - where the graph of an ontology is kept for searching.
 *
 * The model's row in PostgreSQL is authoritative. A graph store holds what is
 * derived from it: nodes, edges, and vectors of datasets, under the ontology's
 * id. So a store may be emptied and filled again from the models. PostgreSQL is
 * filled when a model is stored, Neo4j when a question first needs it
 * (store/graph_search.h). An ontology is ready when PostgreSQL has it. */
#pragma once
#include "db/query.h"
#include "ontology/model.h"
#include "store/store.h"

/* The arguments of a store; the locals of its subflows. */
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
    /* Replaces the graph of this ontology, atomically; idempotent. NULL: the
     * store is filled when it is asked. */
    step_fn *project_begin;
    /* Deletes the graph; having none is no error. */
    step_fn *drop_begin;
};
extern const struct graph_store postgres_graph, neo4j_graph;

/* Calls all stores, one after the other (locals: graph_projection). Fails with
 * the first failure. */
struct next graphs_project_begin(struct flow *f);
struct next graphs_drop_begin(struct flow *f);
