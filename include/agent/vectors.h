/* vectors.h - the vectors by which questions find the datasets of a model.
 *
 * An embedding model embeds the YAML of each dataset. Without one, or when it
 * does not answer, the vectors are lexical: made of the words that name and
 * describe a dataset. The vectors are stored with their origin and its version:
 * "text-embedding-3-small:2", "lexical:2". Vectors of one model can be compared
 * whatever their version; POST /api/admin/ontologies/:id/backfill-embeddings
 * renews those of an older one. */
#pragma once
#include "agent/agent.h"
#include "llm/llm.h"
#include "ontology/model.h"
#include "store/model_runs.h"
#include "store/ontologies.h"

/* Of the text that is embedded for a dataset. 1 was its words, without a
 * version in the name; 2 is its YAML. */
enum { EMBEDDING_TEXT_VERSION = 2 };

struct dataset_vectors {
    const struct llm_model *with; /* NULL: lexical vectors */
    const struct ontology *model;
    struct arena *memory; /* of what comes out */
    /* Whose limits of a day what it costs counts for; NULL: no one's */
    struct agent *agent;
    struct str user_id;
    /* Out */
    struct str embedding_model; /* origin and version */
    const float *vectors;       /* n_datasets * dimensions */
    size_t dimensions;
    struct str problem;             /* why `with` failed; empty: it did not */
    struct llm_embedding embedding; /* private */
    struct model_run_tokens used;
    uint64_t began_ms;
};
/* A subflow; locals are the struct. Fails only when it is stopped. */
struct next dataset_vectors_begin(struct flow *f);
/* Puts the vectors, which are not copied, into an import. */
void dataset_vectors_into(const struct dataset_vectors *v,
                          struct ontology_import *import);

/* Vectors with that origin are of this model, in any version. */
bool vectors_are_of(struct str embedding_model, const struct llm_model *m);
