/* model_compare.h - checks whether a connection's database has the tables and
 * columns that a model describes: one read of the catalog. Nothing is
 * stored. */
#pragma once
#include "db/read.h"
#include "ontology/model.h"
#include "store/connections.h"

struct model_compare {
    /* In */
    struct source_open source; /* store, connection_id */
    const struct ontology *model;
    struct arena *memory; /* without limit; outlives the flow */
    /* Out: what the database does not have, or the connection may not read
     * (ontology/absent.h) */
    struct str_list absent;
    /* private */
    struct read *read;
};
/* A subflow. Fails as source_open_begin and read_begin do. */
struct next model_compare_begin(struct flow *f);
