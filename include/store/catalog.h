/* catalog.h - the databases, schemas, tables and columns of a source, read live
 * in the envelope of db/read.h. */
#pragma once
#include "base/json.h"
#include "db/read.h"
#include "store/connections.h"

enum catalog_what {
    CATALOG_DATABASES, /* of the server, if the role may connect to them */
    CATALOG_SCHEMAS,
    CATALOG_TABLES, /* also views, foreign and partitioned tables; partitions
                       are not listed */
    CATALOG_COLUMNS,
};

struct catalog_list {
    struct store *store;
    struct str connection_id;
    enum catalog_what what;
    struct str database, schema, table; /* those that `what` needs */
    struct str search;                  /* part of the name; may be empty */
    int page, page_size;
    /* Out: kept; rows for catalog_write, and how many in all */
    struct read *read;
    int n_rows;
    int64_t total;
    bool reached;       /* false: `problem` says why not */
    struct str problem; /* a sentence for the user; has no secret */
    /* private */
    struct source_open source;
};
/* Fails with ERR_NOT_FOUND when there is no such connection. */
struct next catalog_list_begin(struct flow *f);
/* Writes the members of a row's object. */
void catalog_write(struct json_writer *w, const struct catalog_list *c,
                   int row);
