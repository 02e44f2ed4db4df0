/* vector_search.h - the datasets nearest to a question, found by pgvector.
 *
 * For an ontology whose vectors are in PostgreSQL alone (held_ontology's
 * `by_pgvector`): it compares all of them, by the same measure as
 * ontology/similarity.h, and no index is asked that may miss one. */
#pragma once
#include "ontology/similarity.h"
#include "store/ontologies.h"

struct vector_search {
    struct store *store;
    const struct held_ontology *held;
    struct similarity *search; /* begun; gets its best */
    struct query *query;       /* private */
};
/* Fails with ERR_NOT_FOUND when the ontology has another version by now, or as
 * its query does: with ERR_INTERNAL when pgvector is gone, for which
 * `ontology_forget` is the cure. */
struct next vector_search_begin(struct flow *f);
