/* step_query.h - the query that a step of an answer ran, to be run again. */
#pragma once
#include "db/query.h"
#include "store/store.h"

struct step_query {
    struct store *store;
    struct str user_id, message_id;
    int step_id;
    /* Out: found only for a step with SQL, of an answer of that user */
    bool found;
    struct str sql, ontology_id, connection_id, connection_changed_at;
    struct str database; /* see source_open */
    int ontology_version;
    struct query *query;
};
struct next step_query_begin(struct flow *f);
