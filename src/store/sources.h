/* sources.h - the pools to users' databases that this process holds.
 *
 * A source is made from one state of its row. When the row has changed, the next
 * run opens another; the old one is retired: it ends with the last flow that
 * holds it. */
#pragma once
#include "base/random.h"
#include "db/pool.h"

struct source {
    char id[UUID_SIZE];
    char *database; /* "": the connection's own */
    char changed_at[40]; /* of the row it was made from */
    struct pool *pool;
    int certificates; /* a descriptor of db/conninfo.h, or -1 */
    unsigned holders; /* flows */
    bool retired;     /* not in the cache any more */
    uint64_t used_ms; /* when it was last asked for */
    struct source *next;
};

struct source_cache {
    struct source *first;
    unsigned most, idle_ms;
};

struct source_cache *sources_new(unsigned most, unsigned idle_ms);
