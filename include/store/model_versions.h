/* model_versions.h - the versions of a semantic model: each text that was saved.
 * ontology_import (store/ontologies.h) adds them; the newest 200 are kept. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of versions, the newest first. The caller has checked that the user may
 * see the model. */
struct model_version_page {
    struct store *store;
    struct str model_id;
    int page, page_size;
    /* Out: rows for model_version_write, in the flow's keep, and their total */
    struct query *query;
    int64_t total;
};
struct next model_version_page_begin(struct flow *f);
/* Writes the members of a version's object. */
void model_version_write(struct json_writer *w, const struct query *q, int row);

/* The text of one version, and of the one before it. */
struct model_version_text {
    struct store *store;
    struct str model_id;
    int version;
    /* Out, kept */
    bool found;
    struct str text;
    struct query *query; /* a row for model_version_text_write */
};
struct next model_version_text_begin(struct flow *f);
/* Writes the members of a version's object, with its text and the one before. */
void model_version_text_write(struct json_writer *w, const struct query *q,
                              int row);
