/* catalog.h - what a database that was brought holds: its databases, schemas,
 * tables and columns, read live in the envelope of db/read.h. */
#pragma once
#include "base/json.h"
#include "db/read.h"
#include "store/connections.h"

enum catalog_what {
    CATALOG_DATABASES, /* of the server, those that the role may enter */
    CATALOG_SCHEMAS,
    CATALOG_TABLES, /* views, foreign and partitioned tables too; a partition is
                       none of its own */
    CATALOG_COLUMNS,
};

struct catalog_list {
    struct store *store;
    struct str connection_id;
    enum catalog_what what;
    struct str database, schema, table; /* as far as `what` needs them */
    struct str search;                  /* part of the name; may be empty */
    int page, page_size;
    /* Out: kept; rows for catalog_write, and how many in all */
    struct read *read;
    int n_rows;
    int64_t total;
    bool reached;       /* false: `problem` says why not */
    struct str problem; /* for whoever owns the connection; no secret in it */
    /* private */
    struct source_open source;
};
/* Fails with ERR_NOT_FOUND when there is no such connection. */
struct next catalog_list_begin(struct flow *f);
/* The members of one row's object. */
void catalog_write(struct json_writer *w, const struct catalog_list *c,
                   int row);
