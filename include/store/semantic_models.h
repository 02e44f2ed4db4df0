/* semantic_models.h - semantic models (OSI) as rows: listed, read, changed, removed.
 *
 * What makes one, or gives one another text, is ontology_import
 * (store/ontologies.h), for its ontologies change with it. A model belongs to a
 * user, is private or shared, and speaks about one database of one connection.
 * What is removed is hidden at once. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of those a user may see, the newest first; or one of them. */
struct semantic_model_page {
    struct store *store;
    struct str user_id;
    struct str model_id;      /* not empty: only that one */
    struct str connection_id; /* may be empty */
    struct str search;        /* part of the name; may be empty */
    bool all;                 /* an admin sees all */
    int page, page_size;
    /* Out: rows for semantic_model_write, kept, and how many in all */
    struct query *query;
    int64_t total;
    struct str owner_id, name; /* of the only one */
};
struct next semantic_model_page_begin(struct flow *f);
/* The members of one model's object. */
void semantic_model_write(struct json_writer *w, const struct query *q,
                          int row);

/* Its text as it came. Fails with ERR_NOT_FOUND. */
struct semantic_model_text {
    struct store *store;
    struct str user_id, model_id;
    bool all;
    struct str name, text; /* out, kept */
    struct query *query;
};
struct next semantic_model_text_begin(struct flow *f);

/* Another name, description, database or visibility. NULL: as it is. */
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

/* Removes what was hidden a minute ago and has no run any more, and says of
 * ontologies whose making was cut off that they have failed. */
struct removed_sweep {
    struct store *store;
    struct query *query;
};
struct next removed_sweep_begin(struct flow *f);
