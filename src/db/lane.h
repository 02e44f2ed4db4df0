/* lane.h - what happens between a pool and its jobs.
 *
 *   lane   a connection in a pool, and the jobs in flight on it, oldest first
 *   job    something that sends statements on a lane and takes their results
 *   slot   a job's place on its lane; it stays when the job is withdrawn, so
 *          that its results are dropped and nothing touches its memory
 *
 * A lane whose oldest slot is abandoned takes no new jobs, because its backend
 * may hang or still work on the statement; it is closed when it does not answer
 * within LANE_REST_MS. All callbacks of a job come from the loop, except that
 * `send` may run inside pool_submit and `failed` inside pool_close. */
#pragma once
#include "base/map.h"
#include "connection.h"
#include "db/pool.h"
#include "db/query.h"

enum { LANE_REST_MS = 2000 };

struct job_kind {
    /* Sends statements, then calls connection_send once. False: libpq refused
     * them; the lane is lost and the job waits again. */
    bool (*send)(struct job *job, struct lane *lane);
    /* Takes a result, which it owns; NULL comes between statements. */
    void (*result)(struct job *job, PGresult *result);
    /* A Sync was answered. True: the job is over and its slot is freed. */
    bool (*synced)(struct job *job);
    /* It got no lane, or (in_flight) its lane was lost. The pool has forgotten
     * the job, which may submit itself again. */
    void (*failed)(struct job *job, enum err why, struct str text,
                   bool in_flight);
};

struct lane_slot {
    struct job *job; /* NULL: abandoned */
    bool setting;    /* its first result answers a SET */
    /* its first result, or the next, answers this Prepare */
    const struct statement *preparing;
};

/* A session's plan_cache_mode: the database's default, or force_generic_plan. */
enum lane_planning { PLANNING_DEFAULT, PLANNING_ONCE, PLANNING_UNKNOWN };

struct lane {
    struct lane *next;
    struct pool *pool;
    struct pg_connection *connection;
    struct lane_slot *slots; /* a ring */
    int first, count, capacity;
    struct map prepared; /* by statement name */
    enum lane_planning planning;
    struct timer idle;
    uint64_t up_since;
    unsigned quiet;      /* silent ticks in a row (watchdog.h) */
    unsigned lost_votes; /* checks in a row that found its backend idle */
    bool up;
    bool unprepared;
    bool greeted; /* it has answered something, so it counts as busy or idle */
    bool retired; /* it takes no new jobs, and is closed when it has no slots */
};

/* Queues a job and starts it when a lane is free; an urgent one goes first. */
void pool_submit(struct pool *pool, struct job *job, bool urgent);
/* Submits a job that is retried, before all others. */
void pool_submit_first(struct pool *pool, struct job *job);
/* Withdraws a job. Its memory is its own again, at once. */
void pool_withdraw(struct job *job);
void pool_count(struct pool *pool, bool failed); /* Counts an answered query. */

/* Retires a lane; this may close it at once. */
void lane_retire(struct lane *lane);
/* Replaces all connections that are older than a second: one of them was
 * read-only, as on a server that has become a standby, or half open. */
void pool_renew(struct pool *pool);
/* Within `send`: sends a Prepare too unless this lane has prepared s. False:
 * libpq refused it. */
bool lane_prepare(struct lane *lane, const struct statement *s);

/* Within `send`, before lane_prepare: sends a SET too unless the session makes
 * its plans as s wants them. False: libpq refused it. */
bool lane_set_planning(struct lane *lane, const struct statement *s);
/* A statement failed, and with it the SET that was sent before it, if any. */
void lane_forget_planning(struct lane *lane);

/* A pool of one connection for control.h, opened with the first read. */
struct pool *pool_control(struct pool *pool);
/* The texts that are known to reach no code of users in this database. */
struct user_code_cache *pool_user_code(struct pool *p);
/* The name of a type that the pool has asked for, or empty. */
struct str pool_type(const struct pool *pool, Oid type);
/* Remembers the name of a type. */
void pool_type_add(struct pool *pool, Oid type, struct str name);

/* The deadline of a query that sets none. */
unsigned pool_deadline_ms(const struct pool *pool);

/* ---- between lane.c and pool.c ------------------------------------------- */

/* Opens a connection for the pool; pool_lane_up or pool_lane_gone follows. */
struct lane *lane_open(struct pool *pool, const struct pool_options *options);
/* Closes it without telling the pool; its jobs fail with `why`. */
void lane_close(struct lane *lane, enum err why);
/* True when it can take a job now. */
bool lane_is_free(const struct lane *lane);
/* Starts a job. False: the lane turned out to be unusable, and the job has not
 * begun. */
bool lane_start_job(struct lane *lane, struct job *job);
/* Drops the job from its slot, which stays. */
void lane_abandon_job(struct job *job);

/* Its connection is up. */
void pool_lane_up(struct lane *lane);
void pool_heard(struct lane *lane); /* The database has answered something. */
/* The pool forgets the lane; `by_itself`: its connection was lost. */
void pool_lane_gone(struct lane *lane, bool by_itself);
/* Gives jobs to lanes, opens lanes, and refuses jobs that waited too long. */
void pool_dispatch(struct pool *pool);
/* After how long an idle lane is closed; 0: never. */
unsigned pool_idle_ms(const struct pool *pool);
