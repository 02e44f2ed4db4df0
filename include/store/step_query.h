/* step_query.h - finds the query of a step of an answer, to run it again. */
#pragma once
#include "db/query.h"
#include "store/store.h"

struct step_query {
    struct store *store;
    struct str user_id, message_id;
    int step_id;
    /* Out; found: the user has that answer, and the step has SQL */
    bool found;
    struct str sql, ontology_id, connection_id, connection_changed_at;
    struct str database; /* see source_open */
    int ontology_version;
    struct query *query;
};
struct next step_query_begin(struct flow *f);
