/* migrate.h - brings a database to the schema of the files NNN_name.sql.
 *
 * Files are applied in the order of their numbers, each in one transaction
 * together with its row in schema_migrations(version, name, checksum,
 * applied_at), all under one advisory lock: whoever comes second waits and finds
 * nothing left to do. What was applied is never touched again: a file whose
 * checksum changed, a row without its file, and a schema newer than the files
 * are refused.
 *
 * A file may hold any statements that run in a transaction; it must not say
 * commit itself. Other names in the directory that end in ".sql" are refused,
 * all else is ignored. */
#pragma once
#include "base/str.h"
#include "loop/flow.h"

struct migration {
    int version;
    struct str name;     /* "NNN_name.sql" */
    struct str checksum; /* SHA-256 in hex */
    bool applied;
    struct str applied_at; /* "2026-11-21T21:37:34Z", or empty */
};

struct migrate {
    const char *directory;
    const char *conninfo;
    uint64_t deadline_ms; /* for each wait; 0: 600,000 */

    /* After the subflow, in the flow's keep: */
    struct migration *list;
    int n;
    int n_new; /* applied by this call */

    /* private */
    struct session *session;
    struct script *script;
    struct str *texts;
    int at;
};

/* Subflows: call(f, migrate_up, m, next). `m` is zeroed memory of the caller
 * with the first part filled in, and must outlive the call.
 *
 * Both fail with ERR_NOT_FOUND (no such directory), ERR_VALIDATION (a file with
 * a bad name, or twice the same number), ERR_CONFLICT (files and schema do not
 * fit), ERR_DATABASE_UNAVAILABLE, ERR_TIMEOUT, or ERR_INTERNAL (a statement
 * failed: the text names file and line), each with a sentence. */
struct next migrate_up(struct flow *f);
/* Changes nothing, and tells of files and schema that do not fit as well. */
struct next migrate_status(struct flow *f);
