/* file_model.h - makes uploaded files ready for questions: a connection, a
 * semantic model and an ontology of a file set.
 *
 * The sandbox has profiled the files (files.tables): types, rows, empty cells,
 * ranges, samples. Keys and links between the tables are inferred as for a
 * database (agent/modeler.h), with queries on the files, and the model is
 * written in the same way. No language model takes part. */
#pragma once
#include "agent/agent.h"
#include "loop/flow.h"

struct file_model {
    struct agent *agent;
    struct str file_set_id;
    /* Out; kept. After a failure the set is `failed`, with a sentence. */
    struct str name; /* of all three: the set's, or "orders 2" */
    struct str connection_id, model_id, ontology_id;
    struct file_model_work *work; /* private */
};
/* A subflow; locals are the struct. Fails with ERR_NOT_FOUND (no such set),
 * ERR_NO_DATASETS (it has no table), or as reads of a source do. */
struct next file_model_begin(struct flow *f);

/* Fills the catalog from what file_model_load of store/file_models.h gives;
 * for tests. False: it is no such JSON. Computes, so that it belongs on a
 * thread. */
struct catalog;
bool file_model_catalog(struct arena *memory, struct str files,
                        struct catalog *catalog);
