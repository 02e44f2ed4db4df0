/* read_pool.h - PostgreSQL as an engine of reads (db/source.h). */
#pragma once
#include "db/source.h"

/* Its sources are the first members of their pools. */
extern const struct source_engine pool_engine;
