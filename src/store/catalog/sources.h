/* sources.h - the sources that this process holds: pools to users' databases,
 * and file sets.
 *
 * A source belongs to one version of its connection's row. When the row has
 * changed, the next run opens a new source and retires the old one, which
 * closes when the last flow that holds it ends. */
#pragma once
#include "base/random.h"
#include "../rows.h"
#include "store/store.h"

struct source_pool {
    char id[UUID_SIZE];
    char *database;      /* "": the connection's own */
    char changed_at[40]; /* version of the row */
    struct source *source;
    struct pool *pool; /* NULL: no PostgreSQL */
    /* which closes a file set, or the catalog of a cluster */
    void (*close)(struct source **source);
    int certificates; /* a descriptor of db/conninfo.h, or -1 */
    unsigned holders; /* flows */
    bool retired;     /* no longer in the cache */
    uint64_t used_ms; /* when a flow last opened it */
    struct source_pool *next;
};

struct source_cache {
    struct source_pool *first;
    unsigned most, idle_ms;
};

/* A connection's row with its sealed password, by id ($1). */
#define SOURCE_ROW(FIRST, X) \
    FIRST(text, host, "host") \
    X(int32, port, "port") \
    X(text, database, "database_name") \
    X(text, username, "username") \
    X(hex, password, "encode(password_sealed, 'hex')") \
    X(text, sslmode, \
      "coalesce(options->>'sslmode'," \
      "   case when use_ssl then 'require' else 'disable' end)") \
    X(boolean, embedded, "embedded") \
    X(text, changed_at, "updated_at") \
    X(text, root_certificates, "options->>'sslrootcert'") \
    X(text, superuser_option, "options->>'allowSuperuser'") \
    X(text, share_rows, "options->>'shareRows'") \
    X(text, time_zone, "options->>'timeZone'") \
    X(text, type, "db_type") \
    X(text, schema, "options->>'schema'") \
    X(text, auth, "options->>'auth'") \
    X(uuid, owner_id, "owner_id") \
    X(text, name, "name") \
    X(text, description, "description") \
    X(text, visibility, "visibility") \
    X(uuid, file_set_id, "file_set_id") \
    X(text, tables, SQL_TABLE_REFERENCES)
/* How the sandbox finds the tables of a file set, and reads them again
 * (docs/notes/2026-11-23-files.md). */
#define SQL_TABLE_REFERENCES \
    "(select json_agg(json_build_object('name', t -> 'name'," \
    "   'sha256', x.sha256, 'format', coalesce(t ->> 'format', x.format)," \
    "   'sheet', t -> 'sheet', 'read', t -> 'read') order by x.place, n)" \
    " from files x cross join lateral json_array_elements(x.tables)" \
    "   with ordinality e (t, n)" \
    " where x.file_set_id = connections.file_set_id)"
#define SOURCE_COLUMNS ROW_SQL(SOURCE_ROW)
ROW_STRUCT(source_row, SOURCE_ROW);
extern const struct statement source_statement;
#define SOURCE_SEALED \
    "the connection's credentials cannot be opened with this server's key"
/* The row as a connection; texts live with the row, the password in the frame.
 * False when no key opens the password. */
struct connection_add;
bool source_unpack(struct flow *f, const struct store *s,
                   const struct source_row *row, struct connection_add *c);
/* An empty cache; sources_close frees it. `most`: connections of one pool. */
struct source_cache *sources_new(unsigned most, unsigned idle_ms);
