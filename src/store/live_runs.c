#include "store/live_runs.h"
#include "rows.h"
#include "base/banned.h"

/* The total is counted beside the page, so that an empty page has it too. */
static const struct statement page_statement = {
    .name = "runs.live", .again = true,
    .sql =
        "with live as (select * from runs where ended_at is null),"
        " page as (select * from live order by started_at, message_id"
        "   limit $1::int offset $2::bigint)"
        " select (select count(*) from live), r.message_id, r.chat_id,"
        "   r.user_id, u.email, r.owner, r.phase, " SQL_TIME("r.started_at") ","
        "   " SQL_TIME("r.lease_until") ", r.attempt, r.revision,"
        "   (extract(epoch from now() - r.started_at) * 1000)::bigint,"
        "   coalesce(r.lease_until < now(), true), r.cancel_requested, now()"
        " from (select 1) one left join page r on true"
        " left join users u on u.id = r.user_id"
        " order by r.started_at, r.message_id",
};

static struct next page_read(struct flow *f);

struct next live_run_page_begin(struct flow *f)
{
    struct live_run_page *p = locals(f, struct live_run_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_begin(f, q);
    return await(f, page_read);
}

static struct next page_read(struct flow *f)
{
    struct live_run_page *p = locals(f, struct live_run_page);
    p->query = rows_keep(f, p->query);
    p->total = query_cell_int(p->query, 0, 0);
    p->at = query_cell(p->query, 0, 14);
    if (query_is_null(p->query, 0, 1))
        p->query->n_rows = 0;
    return back(f);
}

struct str live_run_id(const struct query *q, int row)
{
    return query_cell(q, row, 1);
}

void live_run_write(struct json_writer *w, const struct query *q, int row)
{
    static const char *const texts[] = {"messageId", "chatId", "userId",
                                        "userEmail", "owner", "phase",
                                        "startedAt", "leaseUntil"};
    static const char *const numbers[] = {"attempt", "revision", "ageMs"};
    for (int i = 0; i < 8; i++)
        row_field_str(w, texts[i], q, row, i + 1);
    for (int i = 0; i < 3; i++)
        row_field_raw(w, numbers[i], q, row, i + 9);
    json_field_bool(w, "orphaned", query_cell_bool(q, row, 12));
    json_field_bool(w, "cancelRequested", query_cell_bool(q, row, 13));
}

bool live_run_is_elsewhere(const struct store *s, const struct query *q, int row)
{
    return !query_cell_bool(q, row, 12) && !query_is_null(q, row, 5) &&
           !str_is(query_cell(q, row, 5), s->owner);
}

/* ---- trails --------------------------------------------------------------- */

/* Rows are locked in the order of their ids, as the journal does. */
static const struct statement trails_write_statement = {
    .name = "runs.tell",
    .sql = "with told as (select key::uuid as id, value as trail"
           "   from json_each($1::json)),"
           " mine as materialized (select message_id from runs"
           "   where message_id in (select id from told) and owner = $2"
           "   and ended_at is null order by message_id for no key update)"
           " update runs r set trail = told.trail, trail_at = clock_timestamp()"
           " from mine join told on told.id = mine.message_id"
           " where r.message_id = mine.message_id",
};

static const struct statement trails_read_statement = {
    .name = "runs.trails", .again = true,
    .sql = "select message_id, case when trail_at >= $2::timestamptz"
           "   then trail end,"
           "   ended_at is null and lease_until > now()"
           "   and coalesce(trail_at < $2::timestamptz, true)"
           " from runs where message_id = any($1::uuid[])",
};

static struct next trails_written(struct flow *f), trails_read(struct flow *f);

struct next run_trails_write_begin(struct flow *f)
{
    struct run_trails *t = locals(f, struct run_trails);
    t->query = query_new(f, t->store->system, &trails_write_statement);
    query_str(f, t->query, t->trails);
    query_text(t->query, t->store->owner);
    t->query->deadline_ms = t->deadline_ms;
    query_begin(f, t->query);
    return await(f, trails_written);
}

static struct next trails_written(struct flow *f)
{
    return back(f);
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
        r->waits = r->waits || query_cell_bool(r->query, i, 2);
    return back(f);
}

struct str run_trail_of(const struct run_trails_read *r, struct str message_id)
{
    for (int i = 0; r->query && i < r->query->n_rows; i++)
        if (str_eq(query_cell(r->query, i, 0), message_id) &&
            !query_is_null(r->query, i, 1))
            return query_cell(r->query, i, 1);
    return STR("");
}

/* ---- whose it is ---------------------------------------------------------- */

static const struct statement owner_statement = {
    .name = "runs.owner", .again = true,
    .sql = "select user_id from runs where message_id = $1::uuid",
};

static struct next owner_known(struct flow *f);

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
        o->user_id = arena_str(flow_keep(f), query_cell(o->query, 0, 0));
    return back(f);
}
