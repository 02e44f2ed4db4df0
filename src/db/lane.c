/* lane.c - see lane.h. The happy path: lane_open connects, on_up greets the
 * server, lane_start_job sends, on_result passes results to the oldest job, and
 * on_sync ends it. */
#include "lane.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "base/banned.h"

/* ---- slots --------------------------------------------------------------- */

static struct lane_slot *lane_slot_at(struct lane *lane, int i)
{
    return &lane->slots[(lane->first + i) % lane->capacity];
}

static struct lane_slot *lane_push_slot(struct lane *lane, struct job *job)
{
    assert(lane->count < lane->capacity);
    struct lane_slot *slot = lane_slot_at(lane, lane->count++);
    *slot = (struct lane_slot){.job = job};
    return slot;
}

static void lane_pop_slot(struct lane *lane)
{
    lane->first = (lane->first + 1) % lane->capacity;
    lane->count--;
}

static void lane_end(struct lane *lane)
{
    struct pool *pool = lane->pool;
    pool_lane_gone(lane, false);
    lane_close(lane, ERR_DATABASE_UNAVAILABLE);
    pool_dispatch(pool);
}

static void on_idle(struct timer *t)
{
    lane_end(container_of(t, struct lane, idle));
}

/* Sets the connection's state after the oldest slot changed: idle, busy or
 * resting. False: the lane has ended. */
static bool lane_settle(struct lane *lane)
{
    struct pg_connection *c = lane->connection;
    if (lane->count == 0) {
        connection_settle(c);
        if (lane->retired) {
            lane_end(lane);
            return false;
        }
        if (pool_idle_ms(lane->pool))
            timer_start(&lane->idle, pool_idle_ms(lane->pool), on_idle);
    } else if (!lane_slot_at(lane, 0)->job) {
        connection_rest(c, LANE_REST_MS);
    } else if (c->state == CONNECTION_RESTING) {
        connection_resume(c);
    }
    return true;
}

void lane_retire(struct lane *lane)
{
    lane->retired = true;
    if (lane->count == 0 && lane->up)
        lane_end(lane);
}

/* ---- what its connection tells ------------------------------------------- */

/* Settings of a session. A backend whose client is gone should end its
 * statement soon. The tables that we read are in memory, so an index costs no
 * more than a table; 4 is PostgreSQL's default for spinning disks, and another
 * value is the administrator's choice. A commit is answered when it is durable,
 * whatever the database's default is, because clients are shown only what
 * cannot be lost; statements that can afford less say so themselves. */
static void lane_greet(struct lane *lane)
{
    if (PQserverVersion(lane->connection->pg) < 140000)
        return;
    static const char sql[] =
        "select pg_catalog.set_config('client_connection_check_interval', "
        "'2000', false), case when "
        "pg_catalog.current_setting('random_page_cost') = '4' then "
        "pg_catalog.set_config('random_page_cost', '1.1', false) end, "
        "pg_catalog.set_config('synchronous_commit', coalesce(nullif("
        "pg_catalog.current_setting('synchronous_commit'), 'off'), 'on'), "
        "false)";
    lane_push_slot(lane, NULL);
    PQsendQueryParams(lane->connection->pg, sql, 0, NULL, NULL, NULL, NULL, 0);
    connection_send(lane->connection);
    lane_settle(lane);
}

static void on_up(struct pg_connection *c)
{
    struct lane *lane = c->who;
    lane->up = true;
    lane->up_since = clock_ms();
    if (lane->capacity > 1)
        lane_greet(lane);
    else if (pool_idle_ms(lane->pool))
        timer_start(&lane->idle, pool_idle_ms(lane->pool), on_idle);
    pool_lane_up(lane);
}

static void on_sync(struct lane *lane, struct job *job)
{
    struct pool *pool = lane->pool;
    if (job && !job->kind->synced(job))
        return;
    lane_pop_slot(lane);
    lane->greeted = true;
    lane_settle(lane);
    pool_dispatch(pool);
}

static bool result_is_failure(const PGresult *r)
{
    return PQresultStatus(r) == PGRES_FATAL_ERROR ||
           PQresultStatus(r) == PGRES_PIPELINE_ABORTED;
}

static void on_result(struct pg_connection *c, PGresult *r)
{
    struct lane *lane = c->who;
    struct lane_slot *slot = lane_slot_at(lane, 0);
    struct job *job = slot->job;
    assert(lane->count > 0 && "a result without a statement");
    pool_heard(lane);
    if (r && PQresultStatus(r) == PGRES_PIPELINE_SYNC) {
        PQclear(r);
        on_sync(lane, job);
        return;
    }
    if (r && slot->setting) {
        slot->setting = false;
        if (!result_is_failure(r)) {
            PQclear(r);
            return;
        }
    }
    if (r && slot->preparing) {
        const struct statement *s = slot->preparing;
        slot->preparing = NULL;
        if (!result_is_failure(r)) {
            PQclear(r);
            return;
        }
        map_remove(&lane->prepared, str_of(s->name));
    }
    if (job)
        job->kind->result(job, r);
    else
        PQclear(r);
}

/* From the newest to the oldest, so that jobs which submit themselves again
 * keep their order. */
static void lane_fail_jobs(struct lane *lane, enum err why, struct str text)
{
    while (lane->count > 0) {
        struct job *job = lane_slot_at(lane, --lane->count)->job;
        if (!job)
            continue;
        job->lane = NULL;
        job->kind->failed(job, why, text, true);
    }
}

static void lane_free(struct lane *lane)
{
    timer_stop(&lane->idle);
    map_done(&lane->prepared);
    mem_free(lane->slots);
    mem_free(lane);
}

static void on_lost(struct pg_connection *c)
{
    struct lane *lane = c->who;
    struct pool *pool = lane->pool;
    pool_lane_gone(lane, true);
    lane_fail_jobs(lane, ERR_DATABASE_UNAVAILABLE, str_of(c->why));
    lane_free(lane);
    pool_dispatch(pool);
}

static const struct connection_events events = {
    .up = on_up, .result = on_result, .lost = on_lost};

/* ---- for the pool -------------------------------------------------------- */

struct lane *lane_open(struct pool *pool, const struct pool_options *options)
{
    struct lane *lane = mem_new(struct lane);
    lane->pool = pool;
    lane->capacity = options->pipeline;
    lane->unprepared = options->unprepared;
    lane->slots = mem_new_array(struct lane_slot, (size_t)lane->capacity);
    map_init(&lane->prepared, NULL);
    lane->connection = connection_open(&(struct connection_options){
        .name = options->name,
        .conninfo = options->conninfo,
        .connect_ms = options->connect_ms,
        .no_superuser = options->no_superuser,
        .address_from_user = options->address_from_user,
        .pipeline = true,
        .events = &events,
        .who = lane});
    return lane;
}

void lane_close(struct lane *lane, enum err why)
{
    connection_close(lane->connection);
    lane_fail_jobs(lane, why, STR("the connection was closed"));
    lane_free(lane);
}

bool lane_is_free(const struct lane *lane)
{
    return lane->up && !lane->retired && lane->count < lane->capacity &&
           lane->connection->state != CONNECTION_RESTING;
}

bool lane_start_job(struct lane *lane, struct job *job)
{
    struct pg_connection *c = lane->connection;
    timer_stop(&lane->idle);
    if (lane->count == 0 && connection_stale(c)) {
        lane->retired = true;
        connection_fail(c, "the database closed the connection");
        return false;
    }
    lane_push_slot(lane, job);
    job->lane = lane;
    if (job->kind->send(job, lane))
        return true;
    lane->count--;
    job->lane = NULL;
    lane->retired = true;
    connection_fail(c, PQerrorMessage(c->pg));
    return false;
}

/* ---- prepared statements ------------------------------------------------- */

bool lane_prepare(struct lane *lane, const struct statement *s)
{
    const void *known = map_get(&lane->prepared, str_of(s->name));
    assert((!known || known == s) && "two statements of one name");
    if (known)
        return true;
    if (!PQsendPrepare(lane->connection->pg, s->name, s->sql, 0, NULL))
        return false;
    map_put(&lane->prepared, str_of(s->name), (void *)s);
    lane_slot_at(lane, lane->count - 1)->preparing = s;
    return true;
}

bool lane_set_planning(struct lane *lane, const struct statement *s)
{
    PGconn *pg = lane->connection->pg;
    enum lane_planning wanted = s->one_plan ? PLANNING_ONCE : PLANNING_DEFAULT;
    if (lane->planning == wanted || PQserverVersion(pg) < 120000)
        return true;
    const char *sql = s->one_plan ? "set plan_cache_mode = force_generic_plan"
                                  : "reset plan_cache_mode";
    if (!PQsendQueryParams(pg, sql, 0, NULL, NULL, NULL, NULL, 0))
        return false;
    lane->planning = wanted;
    lane_slot_at(lane, lane->count - 1)->setting = true;
    return true;
}

void lane_forget_planning(struct lane *lane)
{
    lane->planning = PLANNING_UNKNOWN;
}

void lane_abandon_job(struct job *job)
{
    struct lane *lane = job->lane;
    job->lane = NULL;
    for (int i = 0; i < lane->count; i++)
        if (lane_slot_at(lane, i)->job == job)
            lane_slot_at(lane, i)->job = NULL;
    lane_settle(lane);
}
