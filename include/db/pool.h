/* pool.h - connections to one database, opened as needed, closed when idle.
 *
 * The system pool pipelines short statements over few connections; a source
 * pool (read.h) gives one read a connection of its own. Whatever wants a
 * connection waits in one queue, first come, first served, each within its own
 * deadline.
 *
 * Lost connections are reopened with exponential back-off and jitter, one
 * attempt at a time while the database is away. `down` is a pool whose last
 * attempt failed and that has no connection: what waits for it is answered
 * ERR_DATABASE_UNAVAILABLE after wait_ms. A pool with idle_ms 0 keeps at least
 * one connection and tries again by itself until the database is back; another
 * one tries when somebody asks. A database that stands still keeps connections
 * open: a pool with silence_ms notices, ends them and is down. Host names are
 * resolved off the loop.
 */
#pragma once
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

struct pool;

struct pool_options {
    const char *name;     /* "system", or the connection's id: for logs */
    const char *conninfo; /* libpq's keyword form or a URI; copied; secret.
                             Say sslmode: libpq's default tries twice */
    int most;             /* connections at once; 0: 4 */
    int pipeline;         /* queries in flight on one connection; 1 for reads;
                             0: 1 */
    unsigned connect_ms;  /* for one attempt; 0: 5000 */
    unsigned deadline_ms; /* of a query, unless it says otherwise; 0: 10000 */
    unsigned queue_most; /* waiting queries; beyond: ERR_UNAVAILABLE; 0: 1000 */
    unsigned idle_ms;    /* close a connection not used for so long; 0: keep */
    bool no_superuser;   /* a connection whose role is one is given up */
    bool of_a_user;   /* goes to no address of its link alone, whatever name it
                             goes by (address_is_link_local), and its problems name
                             no path of this machine */
    bool unprepared;  /* statements are parsed each time: for a pooler between
                             that hands a connection on with each transaction */
    unsigned wait_ms; /* patience while the pool is down; 0: none, or one
                             attempt's time in a pool that opens when asked */
    unsigned silence_ms; /* the database is away when it has not said a word for
                             so long, on any connection, to who waits for one
                             (src/db/pulse.h); 0: the deadlines alone tell */
};

struct pool_stats {
    int open, busy, waiting;
    uint64_t queries, failures, reconnects;
};

struct pool *pool_open(const struct pool_options *options);
/* Queries in flight are cancelled; connections end; *pool is NULL after.
 * loop_close waits until the last connection has gone. */
void pool_close(struct pool **pool);

bool pool_up(const struct pool *pool); /* has a connection now */
/* Why the last attempt failed, or the last connection was lost: one line for
 * whoever runs the server. It names hosts and users but no secret. */
const char *pool_problem(const struct pool *pool);
struct pool_stats pool_stats(const struct pool *pool);
/* Its silence_ms: how long a statement may wait for its answer while nothing is
 * heard from the database. */
unsigned pool_silence_ms(const struct pool *pool);

/* ---- for the ops of this floor ------------------------------------------ */

struct lane;     /* a connection in a pool (src/db/lane.h) */
struct job_kind; /* what a job does with it */

/* Wants a connection; lies in the op, or on the heap when it outlives it. */
struct job {
    struct job *prev, *next; /* while it waits */
    struct pool *pool;
    struct lane *lane; /* NULL: it waits, or is over */
    const struct job_kind *kind;
    uint64_t since;       /* when it began to wait, ms */
    unsigned patience_ms; /* it outwaits an outage this long, from its start,
                             whose cause may pass; 0: as the pool does */
    bool waiting;
    bool urgent; /* goes before those that are not, and is never too many */
    enum err refused; /* it waits only to be told */
};
