/* model_compare.h - whether a connection's database has what a model tells of:
 * one read of its catalog. Nothing is stored. */
#pragma once
#include "db/read.h"
#include "ontology/model.h"
#include "store/connections.h"

struct model_compare {
    /* In */
    struct source_open source; /* store, connection_id */
    const struct ontology *model;
    struct arena *memory; /* without limit; outlives the flow */
    /* Out: what the database does not have, or does not let the connection read;
     * ontology/absent.h */
    struct str_list absent;
    /* private */
    struct read *read;
};
/* Fails with what source_open_begin and read_begin fail with. */
struct next model_compare_begin(struct flow *f);
