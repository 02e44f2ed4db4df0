/* pool.h - connections to one database, opened as needed, closed when idle.
 *
 * The system pool pipelines short statements over a few connections; a source
 * pool (read.h) gives each read a connection of its own. Jobs wait for a
 * connection in one queue, first come, first served, each within its own
 * deadline.
 *
 * Lost connections are reopened with exponential backoff and jitter, one
 * attempt at a time while the database is away. A pool is down when its last
 * attempt failed and it has no connection: waiting jobs then fail with
 * ERR_DATABASE_UNAVAILABLE after wait_ms. A pool with idle_ms 0 keeps at least
 * one connection and tries by itself until the database is back; another pool
 * tries when a job arrives. A database may hang and keep its connections open:
 * a pool with silence_ms notices, closes them and is down. Host names are
 * resolved off the loop. */
#pragma once
#include "base/err.h"
#include "base/str.h"
#include "db/source.h"
#include <stdbool.h>
#include <stdint.h>

struct pool;

struct pool_options {
    const char *name; /* "system" or the connection's id, for logs */
    /* libpq's keyword form or a URI; copied; secret. It should set sslmode:
     * libpq's default tries twice */
    const char *conninfo;
    int most; /* connections at once; 0: 4 */
    /* queries in flight on one connection; 0: 1; reads need 1 */
    int pipeline;
    unsigned connect_ms;  /* for one attempt; 0: 5000 */
    unsigned deadline_ms; /* of a query that sets none; 0: 10000 */
    /* waiting queries; more fail with ERR_UNAVAILABLE; 0: 1000 */
    unsigned queue_most;
    /* close a connection that is idle this long; 0: keep it */
    unsigned idle_ms;
    bool no_superuser; /* refuses to connect as a superuser */
    /* the address comes from a user: it connects to no link-local address
     * (address_is_link_local), and its problems name no path of this machine */
    bool address_from_user;
    /* statements are not prepared, for a pooler in between that changes the
     * connection with each transaction */
    bool unprepared;
    /* how long jobs wait while the pool is down; 0: not at all, or for one
     * attempt in a pool that connects when asked */
    unsigned wait_ms;
    /* the database counts as down when nothing is heard from it this long, on
     * any connection, while jobs wait (src/db/watchdog.h); 0: only deadlines
     * apply */
    unsigned silence_ms;
    /* of reads (read.h): an IANA name; copied; NULL: UTC */
    const char *time_zone;
};

struct pool_stats {
    int open, busy, waiting;
    uint64_t queries, failures, reconnects;
};

/* Opens a pool; options that are 0 get their defaults. It never fails: a
 * database that is away is tried again. */
struct pool *pool_open(const struct pool_options *options);
/* Cancels queries in flight, closes the connections and sets *pool to NULL.
 * loop_close waits until the last connection is gone. */
void pool_close(struct pool **pool);

bool pool_is_up(const struct pool *pool); /* it has a connection now */
/* Why the last attempt failed, or the last connection was lost: one line for
 * the operator. It names hosts and users but no secret. */
const char *pool_problem(const struct pool *pool);
/* The pool as a source of reads, which needs pipeline 1; it lives as long as the
 * pool. */
struct source *pool_source(struct pool *pool);
/* Counters and current sizes, for metrics. */
struct pool_stats pool_stats(const struct pool *pool);
/* The pool's silence_ms: how long a statement may wait for its answer while
 * nothing is heard from the database. */
unsigned pool_silence_ms(const struct pool *pool);
/* The pool's time_zone; empty: UTC. It lives as long as the pool. */
struct str pool_time_zone(const struct pool *pool);

/* ---- for the ops of this floor ------------------------------------------ */

struct lane;     /* a connection in a pool (src/db/lane.h) */
struct job_kind; /* what a job does with a lane */

/* Something that needs a connection. It is part of an op, or on the heap when
 * it outlives the op. */
struct job {
    struct job *prev, *next; /* neighbours in the queue */
    struct pool *pool;
    struct lane *lane; /* NULL: it waits or has ended */
    const struct job_kind *kind;
    uint64_t since; /* when it began to wait, ms */
    /* it waits this long after an outage began that may pass; 0: as long as the
     * pool says */
    unsigned patience_ms;
    bool waiting;
    bool urgent; /* it goes before others and is not limited by queue_most */
    enum err refused; /* the error it will be refused with, from the loop */
};
