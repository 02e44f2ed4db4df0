/* source.h - what a read runs on: a database, or files that people uploaded.
 *
 *   engine    how a read runs there: a pool of connections to PostgreSQL
 *             (pool_source in db/pool.h), DuckDB in the sandbox
 *             (engine/duckdb.h), or a Trino cluster (engine/trino.h)
 *   dialect   which SQL the engine speaks: prompts say it, and code that writes
 *             SQL asks for it
 *
 * Callers use db/read.h; only an engine knows what is in the struct. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "loop/flow.h"

struct read;
struct source;

enum source_dialect { DIALECT_POSTGRES, DIALECT_DUCKDB, DIALECT_TRINO };

/* What an engine does for db/read.h, whose comments say what each function
 * promises. */
struct source_engine {
    enum source_dialect dialect;
    /* The database's name in sentences: "PostgreSQL". */
    const char *name;
    /* The sentence for ERR_DATABASE_UNAVAILABLE; NULL: the error's own. */
    const char *unavailable;
    void (*read_begin)(struct flow *f, struct read *r);
    struct str *(*read_names)(const struct read *r, struct arena *arena);
    struct str *(*read_types)(const struct read *r, struct arena *arena);
    size_t (*read_n_cells)(const struct read *r); /* those that were kept */
    struct str (*read_cell)(const struct read *r, size_t i);
    void (*read_hold)(struct read *r, bool held);
    /* Why it cannot be reached, for the owner of the connection; "": it is not
     * known. */
    const char *(*problem)(const struct source *source);
};

struct source {
    const struct source_engine *engine;
    /* A JSON array of table references (docs/notes/2026-11-23-files.md); empty
     * for a database. */
    struct str tables;
    /* Trino's catalog that names without one mean; empty for others. */
    struct str catalog;
};

/* Which SQL the source speaks. */
static inline enum source_dialect source_dialect(const struct source *source)
{
    return source->engine->dialect;
}

/* The tables of a file source as the sandbox reads them, a JSON array that
 * Python gets as DataFrames; empty for a database. It lives as long as the
 * source. */
static inline struct str source_tables(const struct source *source)
{
    return source->tables;
}

/* Why the source cannot be reached, for the owner of its connection; "": not
 * known. It lives until the source is used again. */
static inline const char *source_problem(const struct source *source)
{
    return source->engine->problem(source);
}
