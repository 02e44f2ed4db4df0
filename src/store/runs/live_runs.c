/* live_runs.c - runs that have not ended: the list for admins, the trails of
 * their flows, and who owns them. */
#include "store/live_runs.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn live_runs_read, trails_read, owner_known;

#define LIVE_RUN_ROW(FIRST, X) \
    FIRST(int64, total, "(select count(*) from live)") \
    X(uuid, message_id, "r.message_id", "messageId") \
    X(uuid, chat_id, "r.chat_id", "chatId") \
    X(uuid, user_id, "r.user_id", "userId") \
    X(text, user_email, "u.email", "userEmail") \
    X(text, owner, "r.owner", "owner") \
    X(text, phase, "r.phase", "phase") \
    X(time, started_at, "rfc3339(r.started_at)", "startedAt") \
    X(time, lease_until, "rfc3339(r.lease_until)", "leaseUntil") \
    X(json, attempt, "r.attempt", "attempt") \
    X(json, revision, "r.revision", "revision") \
    X(json, age_ms, \
      "(extract(epoch from now() - r.started_at) * 1000)::bigint", "ageMs") \
    X(boolean, orphaned, "coalesce(r.lease_until < now(), true)", "orphaned") \
    X(boolean, cancel_requested, "r.cancel_requested", "cancelRequested") \
    X(text, at, "now()")
#define LIVE_RUN_COLUMNS ROW_SQL(LIVE_RUN_ROW)
ROW_STRUCT(live_run_row, LIVE_RUN_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "runs.live",
    .again = true,
    .sql = "with live as (select * from runs where ended_at is null"
           "     and build_id is null),"
           " page as (select * from live order by started_at, message_id"
           "   limit $1::int offset $2::bigint)"
           " select " LIVE_RUN_COLUMNS
           " from (select 1) one left join page r on true"
           " left join users u on u.id = r.user_id"
           " order by r.started_at, r.message_id",
};

struct next live_run_page_begin(struct flow *f)
{
    struct live_run_page *p = locals(f, struct live_run_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_page(f, q, p->page, p->page_size);
    query_begin(f, q);
    return await(f, live_runs_read);
}

static struct next live_runs_read(struct flow *f)
{
    struct live_run_page *p = locals(f, struct live_run_page);
    struct live_run_row first = live_run_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.message_id);
    p->total = first.total;
    p->at = first.at;
    return back(f);
}

struct str live_run_id(const struct query *q, int row)
{
    return live_run_row_at(q, row).message_id;
}

void live_run_write(struct json_writer *w, const struct query *q, int row)
{
    struct live_run_row r = live_run_row_at(q, row);
    ROW_WRITE(LIVE_RUN_ROW, w, &r);
}

bool live_run_is_elsewhere(const struct store *s, const struct query *q,
                           int row)
{
    struct live_run_row r = live_run_row_at(q, row);
    return !r.orphaned && r.owner.ptr && !str_is(r.owner, s->owner);
}

/* ---- trails
 * --------------------------------------------------------------- */

/* Locks rows in the order of their ids, as the journal does. */
static const struct statement trails_write_statement = {
    .name = "runs.tell",
    .sql =
        "with given as (select key::uuid as id, value as trail"
        "   from json_each($1::json)),"
        " mine as materialized (select message_id from runs"
        "   where message_id in (select id from given) and owner = $2"
        "   and ended_at is null order by message_id for no key update)"
        " update runs r set trail = given.trail, trail_at = clock_timestamp()"
        " from mine join given on given.id = mine.message_id"
        " where r.message_id = mine.message_id",
};

#define TRAIL_ROW(FIRST, X) \
    FIRST(uuid, message_id, "message_id") \
    X(json, trail, "case when trail_at >= $2::timestamptz then trail end") \
    X(boolean, pending, \
      "ended_at is null and lease_until > now()" \
      "   and coalesce(trail_at < $2::timestamptz, true)")
#define TRAIL_COLUMNS ROW_SQL(TRAIL_ROW)
ROW_STRUCT(trail_row, TRAIL_ROW);

static const struct statement trails_read_statement = {
    .name = "runs.trails",
    .again = true,
    .sql =
        "select " TRAIL_COLUMNS " from runs where message_id = any($1::uuid[])",
};

struct next run_trails_write_begin(struct flow *f)
{
    struct run_trails *t = locals(f, struct run_trails);
    t->query = query_new(f, t->store->system, &trails_write_statement);
    query_str(f, t->query, t->trails);
    query_text(t->query, t->store->owner);
    t->query->deadline_ms = t->deadline_ms;
    query_begin(f, t->query);
    return await(f, row_none);
}

struct next run_trails_read_begin(struct flow *f)
{
    struct run_trails_read *r = locals(f, struct run_trails_read);
    r->query = query_new(f, r->store->system, &trails_read_statement);
    query_str(f, r->query, r->ids);
    query_str(f, r->query, r->since);
    query_begin(f, r->query);
    return await(f, trails_read);
}

static struct next trails_read(struct flow *f)
{
    struct run_trails_read *r = locals(f, struct run_trails_read);
    r->query = rows_keep(f, r->query);
    r->waits = false;
    for (int i = 0; i < r->query->n_rows; i++)
        r->waits |= trail_row_at(r->query, i).pending;
    return back(f);
}

struct str run_trail_of(const struct run_trails_read *r, struct str message_id)
{
    for (int i = 0; r->query && i < r->query->n_rows; i++) {
        struct trail_row row = trail_row_at(r->query, i);
        if (str_eq(row.message_id, message_id) && row.trail.ptr)
            return row.trail;
    }
    return STR("");
}

/* ---- the owner ---------------------------------------------------------- */

static const struct statement owner_statement = {
    .name = "runs.owner",
    .again = true,
    .sql = "select user_id from runs where message_id = $1::uuid"
           "   and build_id is null",
};

struct next run_owner_begin(struct flow *f)
{
    struct run_owner *o = locals(f, struct run_owner);
    o->query = query_new(f, o->store->system, &owner_statement);
    query_str(f, o->query, o->message_id);
    query_begin(f, o->query);
    return await(f, owner_known);
}

static struct next owner_known(struct flow *f)
{
    struct run_owner *o = locals(f, struct run_owner);
    o->found = o->query->n_rows > 0;
    if (o->found)
        o->user_id = ROW_VALUE(uuid, row_copies(o->query, 0, flow_keep(f)));
    return back(f);
}
