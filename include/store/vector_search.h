/* vector_search.h - finds the datasets nearest to a question with pgvector.
 *
 * For ontologies whose vectors are in PostgreSQL only
 * (cached_ontology.by_pgvector). It compares all vectors, with the similarity of
 * ontology/similarity.h: an index could miss some. */
#pragma once
#include "ontology/similarity.h"
#include "store/ontologies.h"

struct vector_search {
    struct store *store;
    const struct cached_ontology *held;
    struct similarity *search; /* begun; gets its best */
    struct query *query;       /* private */
};
/* Fails with ERR_NOT_FOUND when the ontology has another version by now, with
 * ERR_INTERNAL when pgvector was removed (then call ontology_invalidate), or as its
 * query does. */
struct next vector_search_begin(struct flow *f);
