/* store.h - everything in the system database.
 *
 * There is one store a process. Every function that needs the database is a
 * subflow: fill the first fields of its struct, `call` its begin step, read the
 * fields after "Out" in the next step. Ids are lower case UUID texts, times are
 * RFC 3339 texts. What comes out lives in the flow's keep arena, unless the
 * header says otherwise. */
#pragma once
#include "base/crypto.h"
#include "base/random.h"
#include "db/pool.h"
#include "store/journal.h"
#include "store/notices.h"

struct claims;
struct ontology_cache;
struct source_cache;
struct neo4j;
struct settings_cache;
struct source;

/* Opens the sources of file sets; floors above the store know how. */
struct file_sources {
    /* `tables`: the JSON array of their references; `time_zone`: the name of
     * the zone in which queries run, empty for UTC. Both live for the call. */
    struct source *(*open)(const void *who, struct str tables,
                           struct str time_zone);
    void (*close)(struct source **source);
    const void *who;
};

/* Opens the sources of connections to other engines than PostgreSQL. */
struct connection_add;
struct cluster_sources {
    /* The texts of `c` live for the call; `ca_file` as long as the store. */
    struct source *(*open)(const struct connection_add *c, struct str ca_file);
    void (*close)(struct source **source);
};

struct store {
    struct pool *system;
    struct journal *journal;
    struct notices *notices;
    struct claims *claims;
    uint8_t key[SEAL_KEY_SIZE]; /* seals credentials */
    uint8_t old_key
        [SEAL_KEY_SIZE]; /* the one before, for opening; the same: none */
    const char *const *source_hosts; /* see source_host_allowed */
    char owner[80];                  /* this process in runs.owner */
    unsigned lease_ms;
    struct database_clock { /* see lease_not_after */
        int64_t ms;         /* the latest value, 0: none yet */
        uint64_t heard_ms;  /* monotonic */
    } clock;
    struct str embedded_socket; /* directory of the embedded cluster's socket */
    struct str ca_file;         /* trusted issuers of sources' certificates */
    struct ontology_cache *ontologies;
    struct source_cache *sources;
    const struct file_sources *files; /* NULL: files cannot be read */
    struct neo4j *neo4j;              /* NULL: none; see store/graph_search.h */
    const struct cluster_sources *clusters;
    struct settings_cache *settings;
};

/* Flows of an open store: the journal's writer, the sender of notices,
 * claims. */
enum { STORE_FLOWS = 3 };

struct store_options {
    struct pool *system;
    const uint8_t *key;     /* SEAL_KEY_SIZE bytes, copied */
    const uint8_t *old_key; /* the one before, copied; NULL: none */
    /* Names, *.suffixes, addresses and networks of sources; kept; NULL or
     * empty: any */
    const char *const *source_hosts;
    unsigned lease_ms;
    struct str embedded_socket; /* empty: none */
    unsigned source_most;       /* connections to one source at once */
    unsigned source_idle_ms;
    const char *ca_file;               /* PEM, copied; NULL: the system's */
    const struct neo4j_options *neo4j; /* copied; NULL: none */
};
/* Opens a store, with its flows and caches; store_close ends them, and sets *s
 * to NULL. */
struct store *store_open(const struct store_options *options);
/* Starts to receive notices of other processes. */
void store_listen(struct store *s, const char *conninfo);
void store_close(struct store **s);
