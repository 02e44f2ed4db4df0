/* semantic_models.h - semantic models (OSI): listed, read, changed.
 *
 * A model belongs to a user, is private or shared, and describes one database
 * of one connection. ontology_import (store/ontologies.h) adds a model or
 * replaces its text, because its ontologies change with it; removal.h hides
 * it. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of the models that a user may see, the newest first; or one. */
struct semantic_model_page {
    struct store *store;
    struct str user_id;
    struct str model_id;      /* not empty: only this one */
    struct str connection_id; /* may be empty */
    struct str search;        /* part of the name; may be empty */
    bool all;                 /* the user is an admin */
    int page, page_size;
    /* Out: rows for semantic_model_write, in the flow's keep, and their
     * total */
    struct query *query;
    int64_t total;
    struct str owner_id; /* of the only one */
};
struct next semantic_model_page_begin(struct flow *f);
/* Writes the members of a model's object. */
void semantic_model_write(struct json_writer *w, const struct query *q,
                          int row);

/* Reads the text as it was imported. Fails with ERR_NOT_FOUND. */
struct semantic_model_text {
    struct store *store;
    struct str user_id, model_id;
    bool all;
    /* Out, kept */
    struct str name, text, owner_id, connection_id;
    struct str database; /* empty: the connection's own */
    int version;
    struct query *query;
};
struct next semantic_model_text_begin(struct flow *f);

/* Changes a model; NULL leaves a value as it is. */
struct semantic_model_change {
    struct store *store;
    struct str model_id;
    const char *name, *description, *connection_id, *database, *visibility;
    struct str user_id; /* must see the new connection, unless `all` */
    struct str request_id;
    bool all;
    /* Out */
    bool found, taken; /* taken: the owner has another of that name */
    struct query *query;
};
struct next semantic_model_change_begin(struct flow *f);

/* Deletes what has been hidden for a minute and has no run in progress, and
 * fails ontologies whose process ended while they were `creating`. */
struct removed_sweep {
    struct store *store;
    struct query *query;
};
struct next removed_sweep_begin(struct flow *f);
