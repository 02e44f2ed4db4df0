/* ontologies.h - models and ontologies: stored, listed, held in memory for runs.
 */
#pragma once
#include "db/query.h"
#include "ontology/model.h"
#include "store/store.h"

enum { PASSED_TEXTS = 32, PASSED_MOST = 4096 /* bytes of one */ };

/* An ontology in memory, shared by runs; immutable but for `passed`. */
struct held_ontology {
    char id[UUID_SIZE];
    int version;
    unsigned holders;
    struct arena arena;
    const struct ontology *model;
    struct str_list relations; /* for the guard */
    struct str embedding_model; /* "lexical:1", "text-embedding-3-small" */
    const float *vectors;       /* n_datasets * dimensions */
    size_t dimensions;
    struct held_ontology *next;
    char *passed[PASSED_TEXTS]; /* a ring; see ontology_passed */
    size_t n_passed;
};

/* Queries over this ontology that the guard let through, the latest few: the same
 * text comes as sample, pilot and full query, from run to run, and judging it
 * costs a tenth of a run. The text must be without what ends it, as the guard
 * gives it back. */
bool ontology_passed(const struct held_ontology *held, struct str sql);
void ontology_pass(struct held_ontology *held, struct str sql);

/* Finds it in memory, or reads it; held until the flow ends. */
struct ontology_hold {
    struct store *store;
    struct str id;
    int version;
    struct held_ontology *held; /* out */
    struct query *query;
};
/* Fails with ERR_NOT_FOUND, or ERR_NO_DATASETS when it is not ready. */
struct next ontology_hold_begin(struct flow *f);

/* Stores a model that was read, and its ontology, ready for use. The same name
 * of the same owner is replaced: a new version of the same ontology. */
struct ontology_import {
    struct store *store;
    struct str owner_id, connection_id;
    struct str name, source_text;
    const struct ontology *model;
    struct str embedding_model; /* of the vectors */
    const float *vectors;
    size_t dimensions;
    bool shared;
    /* Out */
    struct str ontology_id;
    bool replaced;
    struct query *query;
};
struct next ontology_import_begin(struct flow *f);

struct ontology_page {
    struct store *store;
    struct str user_id;
    struct str ontology_id; /* not empty: only that one */
    bool all;
    int page, page_size;
    struct query *query;
    int64_t total;
};
struct next ontology_page_begin(struct flow *f);
void ontology_write(struct json_writer *w, const struct query *q, int row);

void ontology_cache_free(struct store *s);
