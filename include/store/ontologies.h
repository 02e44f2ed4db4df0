/* ontologies.h - models and ontologies: stored, listed, held in memory for runs.
 */
#pragma once
#include "db/query.h"
#include "ontology/judgements.h"
#include "store/store.h"

enum { PASSED_TEXTS = 32, PASSED_MOST = 4096 /* bytes of one */ };

/* An ontology in memory, shared by runs; immutable but for
 * `passed` and `judged`. */
struct held_ontology {
    char id[UUID_SIZE];
    int version;
    unsigned holders;
    struct arena arena;
    const struct ontology *model;
    struct str_list relations;  /* for the guard */
    struct str embedding_model; /* "lexical:1", "text-embedding-3-small" */
    const float *vectors;       /* n_datasets * dimensions; NULL: none */
    size_t dimensions;
    bool by_pgvector; /* they are in PostgreSQL alone: store/vector_search.h */
    const float *lexical; /* n_datasets * LEXICAL_DIMENSIONS */
    struct held_ontology *next;
    struct passed_text {
        char *sql, *calls;
    } passed[PASSED_TEXTS]; /* a ring; see ontology_passed */
    size_t n_passed;
    struct query_judgements judged;
};

/* Queries over this ontology that the guard let through, the latest few: the same
 * text comes as sample, pilot and full query, from run to run, and judging it
 * costs a tenth of a run. The text must be without what ends it, as the guard
 * gives it back. `ontology_passed` answers the guard's `calls` of it, valid until
 * the next text passes; NULL: it is not known. */
const char *ontology_passed(const struct held_ontology *held, struct str sql);
void ontology_pass(struct held_ontology *held, struct str sql,
                   struct str calls);

/* It is not as the database has it: runs to come read it anew. */
void ontology_forget(struct held_ontology *held);

/* Finds it in memory, or reads it; held until the flow ends. */
struct ontology_hold {
    struct store *store;
    struct str id;
    int version;
    struct held_ontology *held; /* out */
    struct query *query;        /* private */
    struct ontology_reading *reading;
};
/* Fails with ERR_NOT_FOUND, or ERR_NO_DATASETS when it is not ready. */
struct next ontology_hold_begin(struct flow *f);

/* Stores a model that was read, and its ontology, ready for use. The same name
 * of the same owner is replaced, and all its ontologies have a new version. The
 * connection must be one that the owner may see. */
struct ontology_import {
    struct store *store;
    struct str owner_id, connection_id;
    struct str database; /* empty: the connection's own */
    struct str name, source_text;
    struct str description; /* empty: the model's */
    const struct ontology *model;
    struct str embedding_model; /* of the vectors */
    const float *vectors;       /* NULL, with dimensions 0: none; words find its
                                   datasets then, a little slower */
    size_t dimensions;
    bool shared;
    bool
        model_alone; /* makes no ontology; those there are have a new version */
    /* Not empty: another text for this model, under all that its row says; only
     * `model`, `source_text` and the vectors count. `taken`: it is gone. */
    struct str text_of;
    bool fresh; /* replaces nothing: a name that is there is `taken` */
    /* Not empty: the end of this run of our own (store/model_runs.h), with what
     * it found (JSON). `taken`: it does not run any more, or the name is of a model
     * of another connection. */
    struct str run_id, found;
    /* Out */
    struct str model_id;
    struct str ontology_id; /* empty: the model has none */
    bool replaced, taken;
    struct query *query;
    struct stored_vectors *stored; /* private */
};
struct next ontology_import_begin(struct flow *f);

/* An ontology of a stored model, `creating` until it is settled. */
struct ontology_create {
    struct store *store;
    struct str user_id, model_id;
    struct str name, description; /* the latter empty: the model's */
    bool shared;
    bool all; /* an admin sees all models */
    /* Out */
    bool found; /* the model */
    struct str id;
    struct str model; /* its JSON, kept: ontology_from_json reads it */
    struct query *query;
};
struct next ontology_create_begin(struct flow *f);

/* Ready, or failed. Changes nothing when it is gone, or not `creating` any
 * more. */
struct ontology_settle {
    struct store *store;
    struct str id;
    const char *failure; /* a sentence for people; NULL: it is ready */
    struct query *query;
};
struct next ontology_settle_begin(struct flow *f);

/* A page of those a user may see, the newest first; or one of them. */
struct ontology_page {
    struct store *store;
    struct str user_id;
    struct str ontology_id; /* not empty: only that one */
    struct str model_id;    /* may be empty */
    bool all;
    int page, page_size;
    /* Out: rows for ontology_write, kept, and how many in all */
    struct query *query;
    int64_t total;
    struct str owner_id, status; /* of the only one */
    int version;
};
struct next ontology_page_begin(struct flow *f);
void ontology_write(struct json_writer *w, const struct query *q, int row);

void ontology_cache_free(struct store *s);
