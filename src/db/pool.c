/* pool.c - see pool.h and lane.h. Every change calls pool_dispatch, which looks
 * at the whole pool: it gives jobs to lanes, opens lanes, and refuses jobs that
 * have waited too long for a database that is away. */
#include "db/pool.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "back_off.h"
#include "user_code.h"
#include "lane.h"
#include "lane_check.h"
#include "read_pool.h"
#include "watchdog.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "base/banned.h"

enum {
    SETTLED_MS = 1000, /* a connection that lives shorter counts as a failure */
    FRESH_TRY_MS = 6000,     /* beyond the longest back-off */
    ASKED_PAUSE_MS = 1000,   /* see pool_longest_pause */
    CONTROL_IDLE_MS = 60000, /* for pools that keep their own connections */
    OPENING_MOST = 2,        /* handshakes at once; each costs the loop 10 ms */
    LOST_VOTES = 2, /* a backend may look idle once, between two statements */
};

struct pool {
    struct source source; /* first */
    struct pool_options options;
    struct lane *lanes;
    int n_lanes, n_up, n_opening;
    struct job_queue {
        struct job *first, *last;
        unsigned n;
    } urgent, waiting, refused; /* each: the oldest first */
    bool down, closing;
    bool permanent;      /* waiting does not help (connection.h) */
    uint64_t down_since; /* ms */
    uint64_t tried_at;   /* when an attempt last failed, ms */
    unsigned failures;   /* attempts in a row */
    struct timer retry, patience, refusing, control_end;
    char problem[256];
    struct pool_stats stats;
    struct pool *control;
    struct watchdog watchdog;
    bool heard;       /* since the watchdog asked */
    struct map types; /* oid as text -> name */
    struct user_code_cache user_code;
};

#define POOL_OF(t, member) (container_of(t, struct pool, member))

/* ---- the queues ---------------------------------------------------------- */

static void queue_put(struct job_queue *queue, struct job *job, bool first)
{
    job->lane = NULL;
    job->waiting = true;
    job->prev = first ? NULL : queue->last;
    job->next = first ? queue->first : NULL;
    *(job->prev ? &job->prev->next : &queue->first) = job;
    *(job->next ? &job->next->prev : &queue->last) = job;
    queue->n++;
}

static struct job *queue_take(struct job_queue *queue, struct job *job)
{
    *(job->prev ? &job->prev->next : &queue->first) = job->next;
    *(job->next ? &job->next->prev : &queue->last) = job->prev;
    job->prev = job->next = NULL;
    job->waiting = false;
    queue->n--;
    return job;
}

static struct job_queue *pool_queue_of(struct pool *p, const struct job *job)
{
    return job->refused ? &p->refused : job->urgent ? &p->urgent : &p->waiting;
}

static struct job *pool_next_job(const struct pool *p)
{
    return p->urgent.first ? p->urgent.first : p->waiting.first;
}

static unsigned pool_jobs_waiting(const struct pool *p)
{
    return p->urgent.n + p->waiting.n;
}

static void on_refusing(struct timer *t)
{
    struct pool *p = POOL_OF(t, refusing);
    while (p->refused.first) {
        struct job *job = queue_take(&p->refused, p->refused.first);
        enum err why = job->refused;
        job->refused = OK;
        job->kind->failed(job, why,
                          why == ERR_UNAVAILABLE ? STR("too many queries wait")
                                                 : str_of(p->problem),
                          false);
    }
}

/* The job fails from the loop, never inside its own pool_submit. */
static void pool_refuse_job(struct pool *p, struct job *job, enum err why)
{
    job->refused = why;
    queue_put(&p->refused, job, false);
    timer_start(&p->refusing, 0, on_refusing);
}

void pool_submit(struct pool *p, struct job *job, bool urgent)
{
    job->pool = p;
    job->since = clock_ms();
    job->urgent = urgent;
    if (pool_jobs_waiting(p) >= p->options.queue_most && !urgent) {
        pool_refuse_job(p, job, ERR_UNAVAILABLE);
    } else {
        queue_put(pool_queue_of(p, job), job, false);
        watchdog_start(&p->watchdog);
        pool_dispatch(p);
    }
}

/* The caller, which lost the lane, dispatches. */
void pool_submit_first(struct pool *p, struct job *job)
{
    if (p->closing)
        job->kind->failed(job, ERR_CANCELLED, STR("the pool is closing"),
                          false);
    else
        queue_put(pool_queue_of(p, job), job, true);
}

void pool_withdraw(struct job *job)
{
    if (job->waiting)
        queue_take(pool_queue_of(job->pool, job), job);
    else if (job->lane)
        lane_abandon_job(job);
    job->refused = OK;
}

/* ---- opening ------------------------------------------------------------- */

static void on_retry(struct timer *t)
{
    pool_dispatch(POOL_OF(t, retry));
}

static bool pool_is_busy(const struct pool *p)
{
    for (const struct lane *lane = p->lanes; lane; lane = lane->next)
        if (lane->up && (lane->count == 0 || !lane->greeted))
            return false;
    return true;
}

static bool pool_needs_lane(const struct pool *p)
{
    if (p->closing || p->n_lanes >= p->options.most ||
        timer_running(&p->retry) ||
        p->n_opening >= (p->down ? 1 : OPENING_MOST))
        return false;
    if (pool_jobs_waiting(p) > (unsigned)p->n_opening)
        return true;
    if (p->n_lanes == 0)
        return p->options.idle_ms == 0;
    return p->options.pipeline > 1 && p->n_opening == 0 && pool_is_busy(p);
}

static void pool_open_lanes(struct pool *p)
{
    while (pool_needs_lane(p)) {
        struct lane *lane = lane_open(p, &p->options);
        lane->next = p->lanes;
        p->lanes = lane;
        p->n_lanes++;
        p->n_opening++;
    }
}

void pool_lane_up(struct lane *lane)
{
    struct pool *p = lane->pool;
    p->n_opening--;
    p->n_up++;
    p->heard = true;
    if (p->down)
        log_line(LOG_INFO, "database is back", "%s", p->options.name);
    p->down = false;
    pool_dispatch(p);
}

static void on_control_end(struct timer *t)
{
    struct pool *p = POOL_OF(t, control_end);
    if (p->n_lanes == 0 && p->control)
        pool_close(&p->control);
}

static void pool_note_down(struct pool *p)
{
    if (p->down)
        return;
    p->down = true;
    p->down_since = clock_ms();
    log_line(LOG_WARN, "database is away", "%s: %s", p->options.name,
             p->problem);
}

/* A pool that connects when asked tries only while jobs wait, and those may
 * have little time. */
static unsigned pool_longest_pause(const struct pool *p)
{
    return p->options.idle_ms ? ASKED_PAUSE_MS : BACK_OFF_MOST_MS;
}

static void pool_note_loss(struct pool *p, struct lane *lane)
{
    snprintf(p->problem, sizeof p->problem, "%s", lane->connection->why);
    log_line(LOG_DEBUG, "database connection lost", "%s: %s", p->options.name,
             p->problem);
    p->permanent = lane->connection->permanent;
    p->heard = p->heard || lane->connection->refused_by_server;
    if (lane->up && clock_ms() - lane->up_since >= SETTLED_MS)
        p->failures = 0;
    else
        timer_start(&p->retry, back_off_ms(&p->failures, pool_longest_pause(p)),
                    on_retry);
    if (!lane->up)
        p->tried_at = clock_ms();
    if (lane->up)
        p->stats.reconnects++;
    else if (p->n_up == 0)
        pool_note_down(p);
}

void pool_lane_gone(struct lane *lane, bool by_itself)
{
    struct pool *p = lane->pool;
    struct lane **at = &p->lanes;
    while (*at != lane)
        at = &(*at)->next;
    *at = lane->next;
    p->n_lanes--;
    *(lane->up ? &p->n_up : &p->n_opening) -= 1;
    if (by_itself)
        pool_note_loss(p, lane);
    lane->up = false;
    if (p->n_lanes == 0 && p->control)
        timer_start(&p->control_end, 0, on_control_end);
}

/* ---- jobs to lanes ------------------------------------------------------- */

static struct lane *pool_best_lane(const struct pool *p)
{
    struct lane *best = NULL;
    for (struct lane *lane = p->lanes; lane; lane = lane->next)
        if (lane_is_free(lane) && (!best || lane->count < best->count))
            best = lane;
    return best;
}

static uint64_t pool_patience_ms(const struct pool *p)
{
    if (p->options.wait_ms)
        return p->options.wait_ms;
    return p->options.idle_ms && p->n_opening ? p->options.connect_ms : 0;
}

static void on_patience(struct timer *t)
{
    pool_dispatch(POOL_OF(t, patience));
}

/* A job does not wait for all of a long outage: it waits for the first part of
 * one, and later for a single attempt to connect, because the outage may have
 * ended since the last one. */
static uint64_t job_gives_up_at(const struct pool *p, const struct job *job)
{
    uint64_t end = job->since + pool_patience_ms(p);
    uint64_t outage = p->down_since + job->patience_ms;
    uint64_t try =
        job->since +
        (job->patience_ms < FRESH_TRY_MS ? job->patience_ms : FRESH_TRY_MS);
    if (!job->patience_ms || p->permanent)
        return end;
    if (p->tried_at <= job->since && try > end)
        end = try;
    return outage > end ? outage : end;
}

/* While the pool is down: refuses the jobs that waited long enough. */
static void pool_refuse_expired(struct pool *p)
{
    uint64_t now = clock_ms(), soonest = 0;
    struct job_queue *const queues[] = {&p->urgent, &p->waiting};
    timer_stop(&p->patience);
    if (!p->down)
        return;
    for (int i = 0; i < 2; i++) {
        for (struct job *job = queues[i]->first, *next; job; job = next) {
            uint64_t end = job_gives_up_at(p, job);
            next = job->next;
            if (end <= now)
                pool_refuse_job(p, queue_take(queues[i], job),
                                ERR_DATABASE_UNAVAILABLE);
            else if (!soonest || end < soonest)
                soonest = end;
        }
    }
    if (soonest)
        timer_start(&p->patience, soonest - now, on_patience);
}

void pool_dispatch(struct pool *p)
{
    if (p->closing)
        return;
    struct lane *lane;
    struct job *job;
    while ((job = pool_next_job(p)) && (lane = pool_best_lane(p))) {
        queue_take(pool_queue_of(p, job), job);
        if (!lane_start_job(lane, job))
            queue_put(pool_queue_of(p, job), job, true);
    }
    pool_open_lanes(p);
    pool_refuse_expired(p);
}

/* ---- a database that does not answer ------------------------------------- */

void pool_heard(struct lane *lane)
{
    lane->pool->heard = true;
    lane->quiet = lane->lost_votes = 0;
}

bool pool_take_heard(struct pool *p)
{
    bool heard = p->heard || (p->control && p->control->heard);
    p->heard = false;
    if (p->control)
        p->control->heard = false;
    return heard;
}

bool pool_awaits_answer(const struct pool *p)
{
    bool expects = pool_jobs_waiting(p) > 0;
    for (const struct lane *lane = p->lanes; lane; lane = lane->next)
        expects = expects || (lane->up && lane->count > 0);
    return expects;
}

int pool_quiet_backend(struct pool *p, unsigned ticks)
{
    int pid = 0;
    for (struct lane *lane = p->lanes; lane; lane = lane->next) {
        lane->quiet = lane->up && lane->count > 0 ? lane->quiet + 1 : 0;
        if (lane->quiet >= ticks && !pid)
            pid = PQbackendPID(lane->connection->pg);
    }
    return p->options.unprepared ? 0 : pid;
}

void pool_lane_checked(struct pool *p, int pid, bool at_work)
{
    struct lane *lane = p->lanes;
    while (lane && !(lane->quiet && PQbackendPID(lane->connection->pg) == pid))
        lane = lane->next;
    if (!lane)
        return;
    lane->lost_votes = at_work ? 0 : lane->lost_votes + 1;
    if (at_work)
        lane->quiet = 0;
    if (lane->lost_votes == LOST_VOTES) {
        pool_renew(p); /* what broke this one has broken others of its age */
        connection_fail(lane->connection, "the connection is half open");
    }
}

static struct lane *pool_find_lane(const struct pool *p,
                                   bool (*fits)(const struct lane *lane))
{
    struct lane *lane = p->lanes;
    while (lane && !fits(lane))
        lane = lane->next;
    return lane;
}

static bool lane_is_up(const struct lane *lane)
{
    return lane->up;
}

/* Gives its connections up. A connection that is being opened, or is opened
 * now, shows when the database is back. */
void pool_drop_silent(struct pool *p)
{
    struct lane *lane;
    snprintf(p->problem, sizeof p->problem, "it does not answer");
    pool_note_down(p);
    watchdog_done(&p->watchdog);
    if (p->control)
        pool_close(&p->control);
    while ((lane = pool_find_lane(p, lane_is_up))) {
        pool_lane_gone(lane, false);
        lane_close(lane, ERR_DATABASE_UNAVAILABLE);
        p->stats.reconnects++;
    }
    pool_dispatch(p);
}

/* ---- a database that takes no writes ------------------------------------- */

static bool lane_is_settled(const struct lane *lane)
{
    return lane->up && !lane->retired &&
           clock_ms() - lane->up_since >= SETTLED_MS;
}

void pool_renew(struct pool *p)
{
    struct lane *lane;
    while ((lane = pool_find_lane(p, lane_is_settled)))
        lane_retire(lane);
}

/* ---- the pool itself ----------------------------------------------------- */

static char *copy_text(const char *text)
{
    return mem_copy(text, strlen(text));
}

struct pool *pool_open(const struct pool_options *options)
{
    struct pool *p = mem_new(struct pool);
    struct pool_options *o = &p->options;
    p->source.engine = &pool_engine;
    *o = *options;
    o->name = copy_text(options->name);
    o->conninfo = copy_text(options->conninfo);
    o->time_zone = options->time_zone ? copy_text(options->time_zone) : NULL;
    o->most = o->most ? o->most : 4;
    o->pipeline = o->pipeline ? o->pipeline : 1;
    o->connect_ms = o->connect_ms ? o->connect_ms : 5000;
    o->deadline_ms = o->deadline_ms ? o->deadline_ms : 10000;
    o->queue_most = o->queue_most ? o->queue_most : 1000;
    map_init(&p->types, NULL);
    watchdog_init(&p->watchdog, p, o->silence_ms);
    pool_open_lanes(p);
    return p;
}

static void pool_types_done(struct map *types)
{
    for (struct map_entry *e = NULL; (e = map_next(types, e));)
        mem_free(e->value);
    map_done(types);
}

static void queue_end(struct job_queue *queue)
{
    while (queue->first) {
        struct job *job = queue_take(queue, queue->first);
        job->refused = OK;
        job->kind->failed(job, ERR_CANCELLED, STR("the pool is closing"),
                          false);
    }
}

void pool_close(struct pool **pool)
{
    struct pool *p = *pool;
    *pool = NULL;
    p->closing = true;
    timer_stop(&p->retry);
    timer_stop(&p->patience);
    timer_stop(&p->refusing);
    timer_stop(&p->control_end);
    watchdog_done(&p->watchdog);
    queue_end(&p->refused);
    queue_end(&p->urgent);
    queue_end(&p->waiting);
    while (p->lanes) {
        struct lane *lane = p->lanes;
        p->lanes = lane->next;
        lane_close(lane, ERR_CANCELLED);
    }
    if (p->control)
        pool_close(&p->control);
    pool_types_done(&p->types);
    user_code_cache_clear(&p->user_code);
    explicit_bzero((char *)p->options.conninfo, strlen(p->options.conninfo));
    mem_free((char *)p->options.conninfo);
    mem_free((char *)p->options.name);
    mem_free((char *)p->options.time_zone);
    mem_free(p);
}

bool pool_is_up(const struct pool *p)
{
    return p->n_up > 0;
}

const char *pool_problem(const struct pool *p)
{
    return p->problem;
}

struct source *pool_source(struct pool *p)
{
    return &p->source;
}

struct pool_stats pool_stats(const struct pool *p)
{
    struct pool_stats stats = p->stats;
    stats.open = p->n_up;
    stats.waiting = (int)pool_jobs_waiting(p);
    for (const struct lane *lane = p->lanes; lane; lane = lane->next)
        stats.busy += lane->count > 0;
    return stats;
}

void pool_count(struct pool *p, bool failed)
{
    p->stats.queries++;
    p->stats.failures += failed;
}

unsigned pool_silence_ms(const struct pool *p)
{
    return p->options.silence_ms;
}

struct str pool_time_zone(const struct pool *p)
{
    return str_of(p->options.time_zone);
}

unsigned pool_deadline_ms(const struct pool *p)
{
    return p->options.deadline_ms;
}

unsigned pool_idle_ms(const struct pool *p)
{
    return p->options.idle_ms;
}

/* ---- for reads ----------------------------------------------------------- */

struct pool *pool_control(struct pool *p)
{
    if (!p->control) {
        char name[64];
        snprintf(name, sizeof name, "%s/control", p->options.name);
        p->control = pool_open(&(struct pool_options){
            .name = name,
            .conninfo = p->options.conninfo,
            .most = 1,
            .pipeline = 16,
            .connect_ms = p->options.connect_ms,
            .wait_ms = LANE_REST_MS,
            .idle_ms = p->options.idle_ms ? 0 : CONTROL_IDLE_MS,
            .address_from_user = p->options.address_from_user,
        });
    }
    return p->control;
}

struct user_code_cache *pool_user_code(struct pool *p)
{
    return &p->user_code;
}

struct str pool_type(const struct pool *p, Oid type)
{
    char key[16];
    snprintf(key, sizeof key, "%u", type);
    return str_of(map_get(&p->types, str_of(key)));
}

void pool_type_add(struct pool *p, Oid type, struct str name)
{
    char key[16];
    int n = snprintf(key, sizeof key, "%u", type);
    if (pool_type(p, type).len)
        return;
    /* One allocation: the name, then the key. */
    char *both = mem_alloc(name.len + (size_t)n + 2);
    memcpy(both, name.ptr, name.len);
    memcpy(both + name.len + 1, key, (size_t)n);
    map_put(&p->types, (struct str){both + name.len + 1, (size_t)n}, both);
}
