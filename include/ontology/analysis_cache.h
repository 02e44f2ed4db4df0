/* analysis_cache.h - a cache of query_analyze for the latest queries of one
 * ontology.
 *
 * Analyzing a query takes a third of a millisecond. The SQL Builder and the
 * verifier ask about the same query, and the same text comes again in other
 * runs. The result depends only on the text and the ontology. */
#pragma once
#include "ontology/guardrail.h"

enum {
    ANALYSIS_CACHE_SIZE = 32,
    ANALYSIS_TEXT_MOST = 4096, /* bytes; a longer query is never cached */
    ANALYSIS_MOST =
        16 * 1024, /* bytes of one entry; a larger one is not kept */
};

/* Zeroed memory is an empty cache. */
struct analysis_cache {
    struct judgement *held[ANALYSIS_CACHE_SIZE]; /* a ring */
    size_t n;                                    /* entries ever added */
    size_t bytes;                                /* of the present entries */
};

/* query_analyze through the cache `known`, which belongs to this ontology;
 * NULL: no cache. The results are copies in `arena`. */
void analysis_cache_get(struct analysis_cache *known, struct arena *arena,
                        const struct ontology *o, struct str sql,
                        struct query_findings *findings,
                        struct query_outline *out);
/* Frees all entries. */
void analysis_cache_done(struct analysis_cache *known);
