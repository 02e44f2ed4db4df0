/* ontologies.h - semantic models with their ontologies: stored, listed, held in
 * memory for runs. */
#pragma once
#include "db/query.h"
#include "ontology/analysis_cache.h"
#include "ontology/survey.h"
#include "store/store.h"

enum { PASSED_TEXTS = 32, PASSED_MOST = 4096 /* bytes of one */ };

/* An ontology in memory, shared by runs; immutable except `passed`, `judged`
 * and `survey`. */
struct cached_ontology {
    char id[UUID_SIZE];
    int version;
    unsigned holders;
    struct arena arena;
    const struct ontology *model;
    struct str_list relations;  /* for the guard */
    struct str embedding_model; /* "lexical:2", "text-embedding-3-small" */
    const float *vectors;       /* n_datasets * dimensions; NULL: none */
    size_t dimensions;
    bool
        by_pgvector; /* vectors are in PostgreSQL only: store/vector_search.h */
    const float *lexical; /* n_datasets * LEXICAL_DIMENSIONS */
    struct cached_ontology *next;
    struct passed_text {
        char *sql, *calls;
    } passed[PASSED_TEXTS]; /* a ring; see ontology_passed_calls */
    size_t n_passed;
    struct analysis_cache judged;
    struct survey survey; /* what was seen of the source's data */
};

/* A cache of the latest queries over this ontology that passed the guard: the
 * same text comes as sample, pilot and full query, from run to run, and the
 * guard takes a tenth of a run. The text is the guard's, without a final
 * semicolon. `ontology_passed_calls` answers the guard's `calls`, valid until the
 * next ontology_pass; NULL: not in the cache. */
const char *ontology_passed_calls(const struct cached_ontology *held,
                                  struct str sql);
void ontology_pass(struct cached_ontology *held, struct str sql,
                   struct str calls);

/* It differs from the database: later runs read it again. */
void ontology_invalidate(struct cached_ontology *held);

/* Finds an ontology in memory, or reads it; holds it until the flow ends. */
struct ontology_acquire {
    struct store *store;
    struct str id;
    int version;
    struct cached_ontology *held; /* out */
    struct query *query;          /* private */
    struct ontology_reading *reading;
};
/* Fails with ERR_NOT_FOUND, or ERR_NO_DATASETS when it is not ready. */
struct next ontology_acquire_begin(struct flow *f);

/* Stores a model and its ontology, ready for use. It replaces a model of the
 * same owner and name, whose ontologies all get a new version. The caller has
 * checked that the owner may see the connection. */
struct ontology_import {
    struct store *store;
    struct str owner_id, connection_id;
    struct str database; /* empty: the connection's own */
    struct str name, source_text;
    struct str description; /* empty: the model's */
    const struct ontology *model;
    struct str embedding_model; /* of the vectors */
    const float *vectors; /* NULL, with dimensions 0: none; then the lexical
                                   search is used */
    size_t dimensions;
    bool shared;
    bool without_ontology; /* adds no ontology to a new model */
    /* Not empty: replaces only `model`, `source_text` and the vectors of this
     * model. `taken`: it was deleted. */
    struct str replaces_model;
    /* With replaces_model, not 0: only that version of it is replaced; it is
     * `taken` if there is a newer one. */
    int expected_version;
    struct str changes;    /* JSON array of sentences; empty: not known */
    int restores;          /* the version that has this text; 0: none */
    struct str request_id; /* for the audit log; may be empty */
    bool fresh;            /* a name that exists is `taken`, not replaced */
    /* Not empty: also ends this build (store/model_runs.h), with what it found
     * (JSON), if it still has that epoch. `taken`: the run has ended, or a model of another
     * connection has the name. */
    struct str run_id, found;
    int run_epoch;
    /* Out */
    struct str model_id;
    struct str ontology_id; /* empty: the model has none */
    int version;            /* of the model */
    bool replaced, taken;
    struct query *query;
    struct stored_vectors *stored; /* private */
};
struct next ontology_import_begin(struct flow *f);

/* Adds an ontology of a stored model, `creating` until ontology_settle. */
struct ontology_create {
    struct store *store;
    struct str user_id, model_id;
    struct str name, description; /* description empty: the model's */
    bool shared;
    bool all; /* the user is an admin */
    /* Out */
    bool found; /* the model */
    struct str id;
    struct str model; /* its JSON, kept: ontology_from_json reads it */
    struct query *query;
};
struct next ontology_create_begin(struct flow *f);

/* Makes an ontology that is `creating` ready, or failed. */
struct ontology_settle {
    struct store *store;
    struct str id;
    const char *failure; /* a sentence for users; NULL: it is ready */
    struct query *query;
};
struct next ontology_settle_begin(struct flow *f);

/* Restores an ontology within a minute after its removal, with the chats that
 * were hidden with it. Its vectors must be made again. */
struct ontology_restore {
    struct store *store;
    struct str user_id, ontology_id, request_id;
    bool all;   /* the user is an admin */
    bool found; /* out */
    struct query *query;
};
struct next ontology_restore_begin(struct flow *f);

/* A page of the ontologies that a user may see, the newest first; or one. */
struct ontology_page {
    struct store *store;
    struct str user_id;
    struct str ontology_id; /* not empty: only this one */
    struct str model_id;    /* may be empty */
    bool all;
    int page, page_size;
    /* Out: rows for ontology_write, in the flow's keep, and their total */
    struct query *query;
    int64_t total;
    struct str owner_id, status, name; /* of the only one */
    int version;
};
struct next ontology_page_begin(struct flow *f);
/* Writes the members of an ontology's object. */
void ontology_write(struct json_writer *w, const struct query *q, int row);

/* Frees what no flow holds any more; called by store_close. */
void ontology_cache_free(struct store *s);
