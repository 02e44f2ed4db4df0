/* file_models.h - what the model of a file set (agent/file_model.h) is made
 * from, its connection, and how its making ended. */
#pragma once
#include "db/query.h"
#include "store/store.h"

/* Reads a file set with the tables of its files. Fails with ERR_NOT_FOUND. */
struct file_model_load {
    struct store *store;
    struct str file_set_id;
    /* Out; kept */
    struct str owner_id, name, description;
    /* A JSON array of {filename, tables}, in the order of the upload; `tables`
     * as in sql/005_files.sql. */
    struct str files;
    struct query *query;
};
struct next file_model_load_begin(struct flow *f);

/* Gives a file set its connection, or finds the one that it has. Its name is
 * that of the set, or "orders 2" when the owner has a connection or a model of
 * that name. Fails with ERR_NOT_FOUND. */
struct file_model_connect {
    struct store *store;
    struct str file_set_id;
    struct str id, name; /* out; kept */
    bool made;           /* out: it is new */
    int tries;           /* private */
    struct query *query;
};
struct next file_model_connect_begin(struct flow *f);

/* Ends the making: the set is `ready` with these, or `failed`, and then the
 * connection is removed unless a model needs it. */
struct file_model_settle {
    struct store *store;
    struct str file_set_id;
    struct str connection_id, model_id, ontology_id;
    struct str failure; /* a sentence for its owner; empty: it is ready */
    struct query *query;
};
struct next file_model_settle_begin(struct flow *f);
