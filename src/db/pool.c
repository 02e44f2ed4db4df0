/* pool.c - see pool.h and lane.h. Whoever changes something calls
 * pool_dispatch, which looks at the whole: jobs to lanes, lanes to open, and
 * who has waited long enough for a database that is away. */
#include "db/pool.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "back_off.h"
#include "fence.h"
#include "lane.h"
#include "pulse.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "base/banned.h"

enum {
    SETTLED_MS = 1000, /* a connection that lived shorter counts as a failure */
    FRESH_TRY_MS = 6000,     /* beyond the longest back-off */
    CONTROL_IDLE_MS = 60000, /* where it is seldom needed */
    OPENING_MOST = 2,        /* handshakes at once: each costs the loop 10 ms */
};

struct pool {
    struct pool_options options;
    struct lane *lanes;
    int n_lanes, n_up, n_opening;
    struct job_queue {
        struct job *first, *last;
        unsigned n;
    } urgent, waiting, refused; /* each: the oldest first */
    bool down, closing;
    bool lasting;        /* waiting does not end it: connection.h */
    uint64_t down_since; /* ms */
    uint64_t tried_at;   /* ms: when a connection was last refused */
    unsigned failures;   /* attempts in a row */
    struct timer retry, patience, refusing, control_end;
    char problem[256];
    struct pool_stats stats;
    struct pool *control;
    struct pulse pulse;
    bool heard;       /* for the pulse */
    struct map types; /* oid as text -> name */
    struct fence_memory fence;
};

#define POOL_OF(t, member) \
    ((struct pool *)((char *)(t) - offsetof(struct pool, member)))

/* ---- the queues --------------------------------------------------------- */

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

static struct job_queue *queue_of(struct pool *p, const struct job *job)
{
    return job->refused ? &p->refused : job->urgent ? &p->urgent : &p->waiting;
}

static struct job *next_job(const struct pool *p)
{
    return p->urgent.first ? p->urgent.first : p->waiting.first;
}

static unsigned jobs_waiting(const struct pool *p)
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

/* Told from the loop: nobody is answered inside his own submit. */
static void refuse(struct pool *p, struct job *job, enum err why)
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
    if (jobs_waiting(p) >= p->options.queue_most && !urgent) {
        refuse(p, job, ERR_UNAVAILABLE);
    } else {
        queue_put(queue_of(p, job), job, false);
        pulse_watch(&p->pulse);
        pool_dispatch(p);
    }
}

/* Whoever lost its lane dispatches. */
void pool_submit_first(struct pool *p, struct job *job)
{
    if (p->closing)
        job->kind->failed(job, ERR_CANCELLED, STR("the pool is closing"),
                          false);
    else
        queue_put(queue_of(p, job), job, true);
}

void pool_withdraw(struct job *job)
{
    if (job->waiting)
        queue_take(queue_of(job->pool, job), job);
    else if (job->lane)
        lane_abandon(job);
    job->refused = OK;
}

/* ---- opening ------------------------------------------------------------ */

static void on_retry(struct timer *t)
{
    pool_dispatch(POOL_OF(t, retry));
}

static bool all_lanes_busy(const struct pool *p)
{
    for (const struct lane *lane = p->lanes; lane; lane = lane->next)
        if (lane->up && (lane->count == 0 || !lane->greeted))
            return false;
    return true;
}

static bool wants_a_lane(const struct pool *p)
{
    if (p->closing || p->n_lanes >= p->options.most ||
        timer_running(&p->retry) ||
        p->n_opening >= (p->down ? 1 : OPENING_MOST))
        return false;
    if (jobs_waiting(p) > (unsigned)p->n_opening)
        return true;
    if (p->n_lanes == 0)
        return p->options.idle_ms == 0;
    return p->options.pipeline > 1 && p->n_opening == 0 && all_lanes_busy(p);
}

static void open_lanes(struct pool *p)
{
    while (wants_a_lane(p)) {
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

static void is_away(struct pool *p)
{
    if (p->down)
        return;
    p->down = true;
    p->down_since = clock_ms();
    log_line(LOG_WARN, "database is away", "%s: %s", p->options.name,
             p->problem);
}

static void note_loss(struct pool *p, struct lane *lane)
{
    snprintf(p->problem, sizeof p->problem, "%s", lane->connection->why);
    log_line(LOG_DEBUG, "database connection lost", "%s: %s", p->options.name,
             p->problem);
    p->lasting = lane->connection->lasting;
    p->heard = p->heard || lane->connection->spoken;
    if (lane->up && clock_ms() - lane->up_since >= SETTLED_MS)
        p->failures = 0;
    else
        timer_start(&p->retry, back_off_ms(&p->failures), on_retry);
    if (!lane->up)
        p->tried_at = clock_ms();
    if (lane->up)
        p->stats.reconnects++;
    else if (p->n_up == 0)
        is_away(p);
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
        note_loss(p, lane);
    lane->up = false;
    if (p->n_lanes == 0 && p->control)
        timer_start(&p->control_end, 0, on_control_end);
}

/* ---- jobs to lanes ------------------------------------------------------ */

static struct lane *best_lane(const struct pool *p)
{
    struct lane *best = NULL;
    for (struct lane *lane = p->lanes; lane; lane = lane->next)
        if (lane_free_for_a_job(lane) && (!best || lane->count < best->count))
            best = lane;
    return best;
}

static uint64_t patience_ms(const struct pool *p)
{
    if (p->options.wait_ms)
        return p->options.wait_ms;
    return p->options.idle_ms && p->n_opening ? p->options.connect_ms : 0;
}

static void on_patience(struct timer *t)
{
    pool_dispatch(POOL_OF(t, patience));
}

/* A long outage is not waited for by each job again: only its first part is, and
 * later one try to connect, for it may be over since the last one. */
static uint64_t end_of_patience(const struct pool *p, const struct job *job)
{
    uint64_t end = job->since + patience_ms(p);
    uint64_t outage = p->down_since + job->patience_ms;
    uint64_t try =
        job->since +
        (job->patience_ms < FRESH_TRY_MS ? job->patience_ms : FRESH_TRY_MS);
    if (!job->patience_ms || p->lasting)
        return end;
    if (p->tried_at <= job->since && try > end)
        end = try;
    return outage > end ? outage : end;
}

/* While the pool is down: refuses the jobs that waited long enough. */
static void tell_the_waiting(struct pool *p)
{
    uint64_t now = clock_ms(), soonest = 0;
    struct job_queue *const queues[] = {&p->urgent, &p->waiting};
    timer_stop(&p->patience);
    if (!p->down)
        return;
    for (int i = 0; i < 2; i++) {
        for (struct job *job = queues[i]->first, *next; job; job = next) {
            uint64_t end = end_of_patience(p, job);
            next = job->next;
            if (end <= now)
                refuse(p, queue_take(queues[i], job), ERR_DATABASE_UNAVAILABLE);
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
    while ((job = next_job(p)) && (lane = best_lane(p))) {
        queue_take(queue_of(p, job), job);
        if (!lane_take(lane, job))
            queue_put(queue_of(p, job), job, true);
    }
    open_lanes(p);
    tell_the_waiting(p);
}

/* ---- a database that stands still --------------------------------------- */

void pool_heard(struct pool *p)
{
    p->heard = true;
}

bool pool_take_word(struct pool *p)
{
    bool heard = p->heard || (p->control && p->control->heard);
    p->heard = false;
    if (p->control)
        p->control->heard = false;
    return heard;
}

bool pool_expects(const struct pool *p)
{
    bool expects = jobs_waiting(p) > 0;
    for (const struct lane *lane = p->lanes; lane; lane = lane->next)
        expects = expects || (lane->up && lane->count > 0);
    return expects;
}

static struct lane *find_lane(const struct pool *p,
                              bool (*fits)(const struct lane *lane))
{
    struct lane *lane = p->lanes;
    while (lane && !fits(lane))
        lane = lane->next;
    return lane;
}

static bool is_up(const struct lane *lane)
{
    return lane->up;
}

/* Its connections are given up; what is being opened, or is opened now, will
 * tell when it is back. */
void pool_silent(struct pool *p)
{
    struct lane *lane;
    snprintf(p->problem, sizeof p->problem, "it does not answer");
    is_away(p);
    pulse_close(&p->pulse);
    if (p->control)
        pool_close(&p->control);
    while ((lane = find_lane(p, is_up))) {
        pool_lane_gone(lane, false);
        lane_close(lane, ERR_DATABASE_UNAVAILABLE);
        p->stats.reconnects++;
    }
    pool_dispatch(p);
}

/* ---- a database that takes no writes ------------------------------------- */

static bool is_settled(const struct lane *lane)
{
    return lane->up && !lane->retired &&
           clock_ms() - lane->up_since >= SETTLED_MS;
}

void pool_renew(struct pool *p)
{
    struct lane *lane;
    while ((lane = find_lane(p, is_settled)))
        lane_retire(lane);
}

/* ---- the pool itself ---------------------------------------------------- */

static char *copy(const char *text)
{
    return mem_copy(text, strlen(text));
}

struct pool *pool_open(const struct pool_options *options)
{
    struct pool *p = mem_new(struct pool);
    struct pool_options *o = &p->options;
    *o = *options;
    o->name = copy(options->name);
    o->conninfo = copy(options->conninfo);
    o->most = o->most ? o->most : 4;
    o->pipeline = o->pipeline ? o->pipeline : 1;
    o->connect_ms = o->connect_ms ? o->connect_ms : 5000;
    o->deadline_ms = o->deadline_ms ? o->deadline_ms : 10000;
    o->queue_most = o->queue_most ? o->queue_most : 1000;
    map_init(&p->types, NULL);
    pulse_open(&p->pulse, p, o->silence_ms);
    open_lanes(p);
    return p;
}

static void types_done(struct map *types)
{
    for (struct map_entry *e = NULL; (e = map_next(types, e));)
        mem_free(e->value);
    map_done(types);
}

static void end_queue(struct job_queue *queue)
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
    pulse_close(&p->pulse);
    end_queue(&p->refused);
    end_queue(&p->urgent);
    end_queue(&p->waiting);
    while (p->lanes) {
        struct lane *lane = p->lanes;
        p->lanes = lane->next;
        lane_close(lane, ERR_CANCELLED);
    }
    if (p->control)
        pool_close(&p->control);
    types_done(&p->types);
    fence_forget(&p->fence);
    explicit_bzero((char *)p->options.conninfo, strlen(p->options.conninfo));
    mem_free((char *)p->options.conninfo);
    mem_free((char *)p->options.name);
    mem_free(p);
}

bool pool_up(const struct pool *p)
{
    return p->n_up > 0;
}

const char *pool_problem(const struct pool *p)
{
    return p->problem;
}

struct pool_stats pool_stats(const struct pool *p)
{
    struct pool_stats stats = p->stats;
    stats.open = p->n_up;
    stats.waiting = (int)jobs_waiting(p);
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

unsigned pool_deadline_ms(const struct pool *p)
{
    return p->options.deadline_ms;
}

unsigned pool_idle_ms(const struct pool *p)
{
    return p->options.idle_ms;
}

/* ---- for reads ---------------------------------------------------------- */

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
            .of_a_user = p->options.of_a_user,
        });
    }
    return p->control;
}

struct fence_memory *pool_fence(struct pool *p)
{
    return &p->fence;
}

struct str pool_type(const struct pool *p, Oid type)
{
    char key[16];
    snprintf(key, sizeof key, "%u", type);
    return str_of(map_get(&p->types, str_of(key)));
}

void pool_type_put(struct pool *p, Oid type, struct str name)
{
    char key[16];
    int n = snprintf(key, sizeof key, "%u", type);
    if (pool_type(p, type).len)
        return;
    /* One piece of memory: the name, then the key. */
    char *both = mem_alloc(name.len + (size_t)n + 2);
    memcpy(both, name.ptr, name.len);
    memcpy(both + name.len + 1, key, (size_t)n);
    map_put(&p->types, (struct str){both + name.len + 1, (size_t)n}, both);
}
