/* sources.h - the pools to users' databases that this process holds.
 *
 * A source is made from one state of its row. When the row has changed, the next
 * run opens another; the old one is retired: it ends with the last flow that
 * holds it. */
#pragma once
#include "base/random.h"
#include "db/query.h"
#include "store/store.h"

struct source {
    char id[UUID_SIZE];
    char *database;      /* "": the connection's own */
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

/* A connection's row with its sealed password, by id ($1). */
extern const struct statement source_statement;
enum { SOURCE_CHANGED_AT = 7 }; /* column */
#define SOURCE_SEALED \
    "the connection's credentials cannot be opened with this server's key"
/* Its first row; texts live with the query, the password in the frame. False
 * when no key opens it. */
struct connection_add;
bool source_row(struct flow *f, const struct store *s, const struct query *q,
                struct connection_add *c);
/* A sealed password in hex; empty: none. */
bool source_unseal(struct flow *f, const struct store *s, struct str hex,
                   struct str *password);

struct source_cache *sources_new(unsigned most, unsigned idle_ms);
