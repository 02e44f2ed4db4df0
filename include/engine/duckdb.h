/* duckdb.h - files that people uploaded as a source (db/source.h): DuckDB in the
 * sandbox runs the reads.
 *
 * A read is one POST /query (docs/notes/2026-11-23-files.md). The sandbox keeps
 * a cache of files and answers 404 with the hashes of those that it lacks: then
 * the `supply` of the source's opener sends them, and the query is asked again.
 * The answer is read as it arrives, within the limits of the read.
 *
 * Cells have the same form as PostgreSQL's, and errors come as from a database:
 *
 *   policy    ERR_SQL_REFUSED
 *   sql       ERR_SQL_FAILED, SQLSTATE 42000: it quotes no data
 *   data      ERR_SQL_FAILED, SQLSTATE 22000
 *   memory    ERR_SQL_FAILED, SQLSTATE 53200
 *   timeout   ERR_TIMEOUT
 *
 * A sandbox that is off, away or too busy is ERR_DATABASE_UNAVAILABLE.
 * Cancelling a read closes its connection, which ends the query. */
#pragma once
#include "db/source.h"
#include "loop/flow.h"

/* Sends files to the sandbox: a subflow whose locals are this struct. It fails
 * when a file cannot be sent. */
struct duckdb_supply {
    const void *who;           /* of the options below */
    struct str user_id;        /* who asks; may be empty */
    const struct str *missing; /* SHA-256 in hex; all are of the source */
    size_t n_missing;
};

struct duckdb_options {
    struct str url;          /* "http://host:8000", or empty with a socket */
    const char *unix_socket; /* NULL: TCP */
    struct str token;        /* secret; may be empty */
    bool off;                /* there is no sandbox */
    /* NULL: missing files are an error. */
    step_fn *supply;
    const void *who;
};

/* A source over the tables of a file set: `tables` is the JSON array of their
 * references, `time_zone` the name of the zone in which queries run (empty:
 * UTC); both are copied. The options live as long as the source. */
struct source *duckdb_open(const struct duckdb_options *options,
                           struct str tables, struct str time_zone);
/* Frees it and sets *source to NULL. No read may be in flight. */
void duckdb_close(struct source **source);
