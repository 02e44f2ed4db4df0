/* lane.h - what happens between a pool and its jobs.
 *
 *   lane   a connection in a pool, and the jobs in flight on it, oldest first
 *   job    something that sends statements on a lane and takes their results
 *   slot   a job's place on its lane; it stays when the job was withdrawn, so
 *          that its results are thrown away and nothing touches its memory
 *
 * A lane whose oldest slot is abandoned takes no new jobs (its backend may hang
 * or still work for nobody) and is closed when it does not answer within
 * LANE_REST_MS. All callbacks of a job come from the loop, but `send`, which
 * may run inside pool_submit, and `failed` inside pool_close. */
#pragma once
#include "base/map.h"
#include "connection.h"
#include "db/pool.h"
#include "db/query.h"

enum { LANE_REST_MS = 2000 };

struct job_kind {
    /* Sends statements and ends with one connection_send. False: libpq refused
     * them; the lane is lost and the job waits again. */
    bool (*send)(struct job *job, struct lane *lane);
    /* Owns the result; NULL between statements. */
    void (*result)(struct job *job, PGresult *result);
    /* A Sync was answered. True: the job is over, its slot goes. */
    bool (*synced)(struct job *job);
    /* It got no lane, or (in_flight) its lane was lost. The pool has forgotten
     * the job; it may submit itself again. */
    void (*failed)(struct job *job, enum err why, struct str text,
                   bool in_flight);
};

struct slot {
    struct job *job;                   /* NULL: abandoned */
    const struct statement *preparing; /* its first result is this one's */
};

struct lane {
    struct lane *next;
    struct pool *pool;
    struct connection *connection;
    struct slot *slots; /* a ring */
    int first, count, capacity;
    struct map prepared; /* by statement name */
    struct timer idle;
    uint64_t up_since;
    bool up;
    bool unprepared;
    bool greeted; /* has answered something: fit for a count of the busy */
    bool retired; /* no new jobs; closed when its slots are empty */
};

void pool_submit(struct pool *pool, struct job *job, bool urgent);
/* The same before all others: for a job that is tried again. */
void pool_submit_first(struct pool *pool, struct job *job);
/* The job's memory is its own again, at once. */
void pool_withdraw(struct job *job);
void pool_count(struct pool *pool, bool failed); /* a query was answered */

void lane_retire(struct lane *lane); /* may close it at once */
/* A connection came upon a read-only session, as of a server that has become a
 * standby: all that are older than a second are replaced. */
void pool_renew(struct pool *pool);
/* Within `send`: sends a Prepare too if this lane does not know s yet. */
bool lane_prepare(struct lane *lane, const struct statement *s);
/* It does not know s after all. */
void lane_forget(struct lane *lane, const struct statement *s);

/* The pool's, for reads: a pool of one connection that stops the others'
 * statements, opened with the first read; and names of types, by oid. */
struct pool *pool_control(struct pool *pool);
/* What texts are known to reach nothing in this database. */
struct fence_memory *pool_fence(struct pool *p);
struct str pool_type(const struct pool *pool, Oid type);
void pool_type_put(struct pool *pool, Oid type, struct str name);

unsigned pool_deadline_ms(const struct pool *pool);

/* ---- between lane.c and pool.c ------------------------------------------ */

struct lane *lane_open(struct pool *pool, const struct pool_options *options);
/* Ends it without telling the pool; its jobs fail with `why`. */
void lane_close(struct lane *lane, enum err why);
bool lane_free_for_a_job(const struct lane *lane);
/* False: the lane was not fit after all, the job has not begun. */
bool lane_take(struct lane *lane, struct job *job);
void lane_abandon(struct job *job); /* its slot stays */

void pool_lane_up(struct lane *lane);
void pool_heard(struct pool *pool); /* the database said something */
void pool_lane_gone(struct lane *lane, bool by_itself); /* forget it */
void pool_dispatch(struct pool *pool);
unsigned pool_idle_ms(const struct pool *pool);
