/* sources.h - the pools to users' databases that this process holds. */
#pragma once
#include "base/random.h"
#include "db/pool.h"

struct source {
    char id[UUID_SIZE];
    char changed_at[40]; /* of the row it was made from */
    struct pool *pool;
    struct source *next;
};

struct source_cache {
    struct source *first;
    unsigned most, idle_ms;
};

struct source_cache *sources_new(unsigned most, unsigned idle_ms);
