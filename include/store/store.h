/* store.h - what the floors above keep in the system database.
 *
 * One a process. Every function that needs the database is a subflow: fill the
 * struct's "In" fields, `call` its begin step, read "Out" in the step after. Ids
 * are lower case UUID texts. Times are RFC 3339 texts. What comes out lives in
 * the flow's keep arena unless it says otherwise. */
#pragma once
#include "base/crypto.h"
#include "base/random.h"
#include "db/pool.h"
#include "store/journal.h"
#include "store/notices.h"

struct claims;
struct ontology_cache;
struct source_cache;
struct settings_cache;

struct store {
    struct pool *system;
    struct journal *journal;
    struct notices *notices;
    struct claims *claims;
    uint8_t key[SEAL_KEY_SIZE];      /* seals credentials */
    uint8_t old_key[SEAL_KEY_SIZE];  /* what it opens too; the same: none */
    const char *const *source_hosts; /* see source_host_allowed */
    char owner[80];                  /* this process in runs.owner */
    unsigned lease_ms;
    struct database_clock { /* see lease_not_after */
        int64_t ms;         /* what it said last, 0: nothing yet */
        uint64_t heard_ms;  /* monotonic */
    } clock;
    struct str embedded_socket; /* directory of our own cluster's socket */
    struct str ca_file;         /* what sources' certificates are checked by */
    struct ontology_cache *ontologies;
    struct source_cache *sources;
    struct settings_cache *settings;
};

/* As long as it is open: the journal's writer, the sender of notices, claims. */
enum { STORE_FLOWS = 3 };

struct store_options {
    struct pool *system;
    const uint8_t *key;     /* SEAL_KEY_SIZE bytes, copied */
    const uint8_t *old_key; /* the one before, copied; NULL: none */
    /* Names, *.suffixes, addresses and networks of sources; kept; NULL or empty:
     * any */
    const char *const *source_hosts;
    unsigned lease_ms;
    struct str embedded_socket; /* empty: none */
    unsigned source_most;       /* connections to one source at once */
    unsigned source_idle_ms;
    const char *ca_file; /* PEM, copied; NULL: the system's */
};
struct store *store_open(const struct store_options *options);
/* Hears from now on what other processes say. */
void store_listen(struct store *s, const char *conninfo);
void store_close(struct store **s);

/* A timestamp column as RFC 3339 in UTC with milliseconds. */
#define SQL_TIME(column) \
    "to_char(" column " at time zone 'UTC'," \
    " 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
