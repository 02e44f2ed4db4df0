/* migrate.h - brings a database to the schema of the files NNN_name.sql.
 *
 * Files are applied in the order of their numbers. Each runs in one transaction
 * together with its row in schema_migrations(version, name, checksum,
 * applied_at), all under one advisory lock: a second process waits, then finds
 * nothing to do. An applied file is final: a file whose checksum changed, a row
 * without its file, and a schema newer than the files are refused.
 *
 * A file may contain any statements that run in a transaction, but not COMMIT.
 * Other names in the directory that end in ".sql" are refused; other files are
 * ignored. */
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

    /* After the subflow, in the flow's keep arena: */
    struct migration *list;
    int n;
    int n_new; /* how many this call applied */

    /* private */
    struct session *session;
    struct script *script;
    struct str *texts;
    int at;
};

/* Subflows: call(f, migrate_up, m, next). `m` is zeroed memory of the caller
 * with the first part filled in, and must outlive the call.
 *
 * Both fail, with a sentence: ERR_NOT_FOUND (no such directory), ERR_VALIDATION
 * (a file with a bad name, or a number twice), ERR_CONFLICT (files and schema
 * do not match), ERR_DATABASE_UNAVAILABLE, ERR_TIMEOUT, or ERR_INTERNAL (a
 * statement failed: the sentence names file and line). */
struct next migrate_up(struct flow *f);
/* Reports which files are applied, and fails like migrate_up when files and
 * schema do not match. It changes nothing. */
struct next migrate_status(struct flow *f);
