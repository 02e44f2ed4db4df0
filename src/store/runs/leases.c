/* leases.c - leases of runs: renewed, given up, taken over; and the clock of
 * the database, by which they expire. */
#include "store/runs.h"
#include "../rows.h"
#include "base/clock.h"
#include "base/banned.h"

static step_fn renewed, taken_over;

/* ---- the clock ---------------------------------------------------------- */

/* Until the year 9999. */
#define FAR_FUTURE_MS INT64_C(253370764800000)

/* The longest time this process waits for a statement that grants a lease. */
static int64_t patience_ms(const struct store *s)
{
    unsigned third = s->lease_ms / 3, silence = pool_silence_ms(s->system);
    return silence && silence < third ? silence : third;
}

int64_t lease_not_after(const struct store *s)
{
    const struct database_clock *c = &s->clock;
    if (!c->ms)
        return FAR_FUTURE_MS;
    return c->ms + (int64_t)(clock_ms() - c->heard_ms) + patience_ms(s);
}

void lease_note_clock(struct store *s, int64_t ms)
{
    s->clock = (struct database_clock){.ms = ms, .heard_ms = clock_ms()};
}

/* ---- renew -------------------------------------------------------------- */

/* In the last row, `cancel_requested` says whether the statement was in
 * time. */
#define RENEWED_ROW(FIRST, X) \
    FIRST(uuid, message_id, "message_id") \
    X(boolean, cancel_requested, "cancel_requested") \
    X(int64, clock_ms, "null")
#define RENEWED_COLUMNS ROW_SQL(RENEWED_ROW)
ROW_STRUCT(renewed_row, RENEWED_ROW);

/* Locks rows in the order of their ids, as the journal does. The last row of
 * the answer is the clock. */
static const struct statement renew_statement = {
    .name = "runs.renew",
    .urgent = true, /* leases would expire while it waits in a long queue */
    .sql = "with clock as materialized (select " SQL_NOW_MS " as ms),"
           " mine as materialized (select message_id from runs"
           "   where message_id = any($3::uuid[]) and owner = $1"
           "   and ended_at is null and (select ms from clock) <= $4::bigint"
           "   order by message_id for no key update),"
           " renewed as (update runs r set lease_until ="
           "     now() + $2::int * interval '1 millisecond'"
           "   from mine where r.message_id = mine.message_id"
           "   returning r.message_id, r.cancel_requested)"
           " select " RENEWED_COLUMNS " from renewed"
           " union all select null, ms <= $4::bigint, ms from clock",
};

struct next run_renewal_begin(struct flow *f)
{
    struct run_renewal *r = locals(f, struct run_renewal);
    r->query = query_new(f, r->store->system, &renew_statement);
    query_text(r->query, r->store->owner);
    query_int(f, r->query, r->store->lease_ms);
    query_str(f, r->query, r->ids);
    query_int(f, r->query, lease_not_after(r->store));
    r->query->deadline_ms = r->store->lease_ms / 3;
    query_begin(f, r->query);
    return await(f, renewed);
}

/* The rows live as long as the result, in the frame of the caller. */
static struct next renewed(struct flow *f)
{
    struct run_renewal *r = locals(f, struct run_renewal);
    const struct query *q = r->query;
    int last = q->n_rows - 1;
    struct renewed_row clock = renewed_row_at(q, last);
    lease_note_clock(r->store, clock.clock_ms);
    if (!clock.cancel_requested)
        return fail(f, ERR_DATABASE_UNAVAILABLE);
    r->n = (size_t)last;
    r->rows = arena_new_array(flow_keep(f), struct renewed_run, r->n + 1);
    for (int i = 0; i < last; i++) {
        struct renewed_row row = renewed_row_at(q, i);
        r->rows[i] = (struct renewed_run){
            arena_str(flow_keep(f), row.message_id), row.cancel_requested};
    }
    return back(f);
}

/* ---- release and surrender ---------------------------------------------- */

static const struct statement release_statement = {
    .name = "runs.release",
    .urgent = true,
    .again = true,
    .sql = "select release_runs($1)",
};

struct next run_release_begin(struct flow *f)
{
    struct run_release *r = locals(f, struct run_release);
    r->query = query_new(f, r->store->system, &release_statement);
    query_text(r->query, r->store->owner);
    query_begin(f, r->query);
    return await(f, row_none);
}

/* Locks rows in the order of their ids, as the journal does. A run without an
 * owner was surrendered before. An attempt that another process has started
 * since is in progress, and is not counted. */
static const struct statement surrender_statement = {
    .name = "runs.surrender",
    .urgent = true,
    .again = true,
    .sql = "with given as (select * from"
           "     unnest($2::uuid[], $3::int[], $4::int[])"
           "     as g(message_id, epoch, releases)),"
           " mine as materialized (select r.message_id, g.releases,"
           "     r.epoch = g.epoch as held"
           "   from runs r join given g on g.message_id = r.message_id"
           "   where r.ended_at is null and (r.epoch > g.epoch"
           "     or r.epoch = g.epoch and r.owner = $1)"
           "   order by r.message_id for no key update of r),"
           " freed as (update runs r set"
           "     owner = case when held then null else r.owner end,"
           "     lease_until = case when held then least(lease_until, now())"
           "       else lease_until end,"
           "     releases = greatest(r.releases, least("
           "       r.releases + mine.releases, attempt - (not held)::int))"
           "   from mine where r.message_id = mine.message_id returning held)"
           " select pg_notify('" NOTICE_CHANNEL "', 'free')"
           "   from (select from freed where held limit 1) any_freed",
};

struct next run_surrender_begin(struct flow *f)
{
    struct run_surrender *s = locals(f, struct run_surrender);
    s->query = query_new(f, s->store->system, &surrender_statement);
    query_text(s->query, s->store->owner);
    query_str(f, s->query, s->ids);
    query_str(f, s->query, s->epochs);
    query_str(f, s->query, s->releases);
    query_begin(f, s->query);
    return await(f, row_none);
}

/* ---- takeover ----------------------------------------------------------- */

#define TAKEOVER_ROW(FIRST, X) \
    FIRST(uuid, message_id, "t.message_id") \
    X(int32, epoch, "t.epoch") \
    X(int32, attempt, "t.attempt") \
    X(int32, releases, "t.releases") \
    X(int64, age_ms, \
      "(extract(epoch from clock_timestamp() - t.started_at) * 1000)::bigint") \
    X(int64, next_end_ms, "coalesce(n.ms, -1)") \
    X(int64, clock_ms, SQL_NOW_MS) \
    X(boolean, is_build, "t.build_id is not null")
#define TAKEOVER_COLUMNS ROW_SQL(TAKEOVER_ROW)
ROW_STRUCT(takeover_row, TAKEOVER_ROW);

/* One row without an id when there is nothing to take over. */
static const struct statement takeover_statement = {
    .name = "runs.take_over",
    .urgent = true,
    .sql = "select " TAKEOVER_COLUMNS
           " from (select (extract(epoch from min(lease_until)"
           "       - clock_timestamp()) * 1000)::bigint as ms from runs"
           "     where ended_at is null and lease_until >= now()) n"
           " left join take_over_any_runs($1, $2::int, case when " SQL_NOW_MS
           "   <= $4::bigint then $3::int else 0 end) t on true",
};

struct next run_takeover_begin(struct flow *f)
{
    struct run_takeover *t = locals(f, struct run_takeover);
    t->query = query_new(f, t->store->system, &takeover_statement);
    query_text(t->query, t->store->owner);
    query_int(f, t->query, t->store->lease_ms);
    query_int(f, t->query, t->most);
    query_int(f, t->query, lease_not_after(t->store));
    query_begin(f, t->query);
    return await(f, taken_over);
}

static struct next taken_over(struct flow *f)
{
    struct run_takeover *t = locals(f, struct run_takeover);
    const struct query *q = t->query;
    struct takeover_row first = takeover_row_at(q, 0);
    t->n = 0;
    t->next_end_ms = first.next_end_ms;
    lease_note_clock(t->store, first.clock_ms);
    t->rows = arena_new_array(flow_keep(f), struct takeover_run,
                              (size_t)q->n_rows + 1);
    for (int i = 0; i < q->n_rows; i++) {
        struct takeover_row row = takeover_row_at(q, i);
        if (row.message_id.len)
            t->rows[t->n++] = (struct takeover_run){
                .message_id = arena_str(flow_keep(f), row.message_id),
                .epoch = row.epoch,
                .attempt = row.attempt,
                .releases = row.releases,
                .age_ms = row.age_ms,
                .is_build = row.is_build};
    }
    return back(f);
}
