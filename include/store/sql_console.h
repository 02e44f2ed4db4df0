/* sql_console.h - what the SQL console keeps: the queries that people save, and
 * the latest ones that they ran.
 *
 * A saved query belongs to its owner; a shared one is listed for everyone who
 * may use the ontology. Names are unique among the queries of one owner over one
 * ontology. History is the user's own. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum {
    SQL_TEXT_MOST = 30000, /* characters */
    SQL_NAME_MOST = 120,
    SQL_QUERIES_MOST = 200, /* of one owner over one ontology */
    SQL_HISTORY_MOST = 100, /* of one user over one ontology */
};

/* The ontology that a query runs over, when the user may use it. */
struct console_ontology {
    struct store *store;
    struct str user_id, ontology_id;
    bool all; /* the user is an admin */
    /* Out */
    bool found, ready;
    bool of_files; /* its source is a file set, */
    bool of_trino; /* or a Trino cluster */
    int version;
    struct str name, connection_id, connection_changed_at, database;
    struct query *query;
};
struct next console_ontology_begin(struct flow *f);

/* ---- what ran ------------------------------------------------------------- */

/* Notes a run in the user's history and in the audit. */
struct sql_run_note {
    struct store *store;
    struct str user_id, ontology_id, request_id;
    struct str sql;       /* as it was written */
    struct str statement; /* the same without literals, for the audit */
    const char *action;   /* of the audit: "sql.run" */
    const char *outcome;  /* complete, failed, refused, cancelled */
    int rows;
    unsigned elapsed_ms;
    struct str problem; /* may be empty */
    bool history;       /* also in the history */
};
struct next sql_run_note_begin(struct flow *f);

/* The user's history over one ontology, the latest first. */
struct sql_history {
    struct store *store;
    struct str user_id, ontology_id;
    struct query *query; /* out: rows for sql_history_write, kept */
};
struct next sql_history_begin(struct flow *f);
/* Writes the members of a query's object. */
void sql_history_write(struct json_writer *w, const struct query *q, int row);

/* Deletes one query of the history, or with an empty id all over an ontology. */
struct sql_history_delete {
    struct store *store;
    struct str user_id, id, ontology_id;
    int64_t deleted; /* out */
    struct query *query;
};
struct next sql_history_delete_begin(struct flow *f);

/* ---- saved queries -------------------------------------------------------- */

/* The saved queries that a user may see over one ontology, by name; or one. */
struct sql_query_list {
    struct store *store;
    struct str user_id;
    struct str ontology_id; /* either this, */
    struct str id;          /* or this */
    bool all;               /* the user is an admin: sees all ontologies */
    struct query *query;    /* out: rows for sql_query_write, kept */
    struct str owner_id;    /* of the first */
};
struct next sql_query_list_begin(struct flow *f);
/* What a row has that can be changed, and its ontology; slices. */
struct sql_query_fields {
    struct str ontology_id, name, sql;
    bool shared;
};
struct sql_query_fields sql_query_fields(const struct query *q, int row);
/* Writes the members of a query's object, all but its state. */
void sql_query_write(struct json_writer *w, const struct query *q, int row);

/* Adds a query (an empty id), or changes one. The caller has checked that the
 * user may. */
struct sql_query_put {
    struct store *store;
    struct str id, user_id, ontology_id, request_id;
    struct str name, sql;
    bool shared;
    /* Out */
    bool found, taken, room;
    struct str made; /* its id */
    struct query *query;
};
struct next sql_query_put_begin(struct flow *f);

/* Deletes a query. */
struct sql_query_remove {
    struct store *store;
    struct str id, user_id, request_id;
    bool found; /* out */
    struct query *query;
};
struct next sql_query_remove_begin(struct flow *f);
