/* vectors.h - what the datasets of a model are found by.
 *
 * With an embedding model its vectors; when there is none, or it does not answer,
 * the lexical ones: then words find datasets. */
#pragma once
#include "llm/llm.h"
#include "ontology/model.h"

struct dataset_vectors {
    const struct llm_model *with; /* NULL: words */
    const struct ontology *model;
    struct arena *memory; /* of what comes out */
    /* Out */
    struct str embedding_model; /* "text-embedding-3-small", "lexical:1" */
    const float *vectors;       /* n_datasets * dimensions */
    size_t dimensions;
    struct str problem; /* why `with` did not do it; empty: it did */
    struct llm_embedding embedding; /* private */
};
/* Subflow; fails only when it is stopped. */
struct next dataset_vectors_begin(struct flow *f);
