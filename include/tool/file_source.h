/* file_source.h - lets the store open uploaded files as sources: they are read
 * by DuckDB in the sandbox (engine/duckdb.h), and sent there from the system
 * database when it lacks them. */
#pragma once
#include "engine/duckdb.h"
#include "store/store.h"
#include "tool/tool.h"

struct file_source_opener {
    struct file_sources sources;
    struct duckdb_options options;
    struct store *store;
    struct sandbox sandbox; /* a copy */
};
/* Connects the store with the sandbox. The opener lives as long as the store,
 * and so do the sandbox's texts. */
void file_source_opener_init(struct file_source_opener *opener,
                             struct store *store,
                             const struct sandbox *sandbox);
