/* schedule_work.c - what the scheduler reads and writes: schedules that are due,
 * runs that are open, deliveries of webhooks. */
#include "store/schedules.h"
#include "rows.h"
#include "base/banned.h"

static step_fn due_schedules_read, schedule_fired, open_runs_read,
    webhooks_taken, sleep_read;

/* ---- due ------------------------------------------------------------------ */

#define DUE_ROW(FIRST, X) \
    FIRST(uuid, id, "s.id") \
    X(text, cron, "s.cron") \
    X(json, offsets, "known_zone_offsets(s.time_zone)") \
    X(int64, due_ms, "epoch_ms(s.next_at)") \
    X(int64, now_s, "extract(epoch from now())::bigint")
#define DUE_COLUMNS ROW_SQL(DUE_ROW)
ROW_STRUCT(due_schedule_row, DUE_ROW);

static const struct statement due_statement = {
    .name = "schedules.due",
    .again = true,
    .sql = "select " DUE_COLUMNS " from schedules s where s.next_at <= now()"
           "   and s.state = 'active' order by s.next_at limit $1::int",
};

struct next schedules_due_begin(struct flow *f)
{
    struct schedules_due *d = locals(f, struct schedules_due);
    struct query *q = d->query = query_new(f, d->store->system, &due_statement);
    query_int(f, q, SCHEDULE_BATCH);
    query_begin(f, q);
    return await(f, due_schedules_read);
}

static struct next due_schedules_read(struct flow *f)
{
    struct schedules_due *d = locals(f, struct schedules_due);
    struct arena *keep = flow_keep(f);
    d->n = (size_t)d->query->n_rows;
    d->items = arena_new_array(keep, struct schedule_due, d->n + 1);
    for (size_t i = 0; i < d->n; i++) {
        struct due_schedule_row row = due_schedule_row_at(d->query, (int)i);
        d->now_s = row.now_s;
        d->items[i] =
            (struct schedule_due){.id = arena_str(keep, row.id),
                                  .cron = arena_str(keep, row.cron),
                                  .offsets = arena_str(keep, row.offsets),
                                  .due_ms = row.due_ms};
    }
    return back(f);
}

static const struct statement fire_statement = {
    .name = "schedules.fire",
    .sql = "select fired from fire_schedule($1::uuid, $2::bigint,"
           "   nullif($3::bigint, -1), $4::int)",
};

struct next schedule_fire_begin(struct flow *f)
{
    struct schedule_fire *s = locals(f, struct schedule_fire);
    struct query *q = s->query =
        query_new(f, s->store->system, &fire_statement);
    query_str(f, q, s->id);
    query_int(f, q, s->due_ms);
    query_int(f, q, s->next_ms < 0 ? -1 : s->next_ms);
    query_int(f, q, SCHEDULE_RUNS_KEPT);
    query_begin(f, q);
    return await(f, schedule_fired);
}

static struct next schedule_fired(struct flow *f)
{
    struct schedule_fire *s = locals(f, struct schedule_fire);
    s->fired = ROW_VALUE(boolean, row_slices(s->query, 0));
    return back(f);
}

/* ---- open runs ------------------------------------------------------------ */

#define OPEN_ROW(FIRST, X) \
    FIRST(uuid, id, "r.id") \
    X(uuid, user_id, "s.owner_id") \
    X(uuid, message_id, "r.message_id") \
    X(uuid, chat_id, "m.chat_id") \
    X(text, status, "m.status") \
    X(text, error, "m.metadata#>>'{error,message}'") \
    X(json, condition, "s.condition") \
    X(json, results, \
      "case when m.status = 'complete' then" \
      " (select json_agg(x->'sqlResult' order by n) from json_array_elements(" \
      "   case when json_typeof(m.metadata->'stepResults') = 'array'" \
      "     then m.metadata->'stepResults' else '[]' end)" \
      "   with ordinality e(x, n) where x->>'error' is null" \
      "   and json_typeof(x->'sqlResult') = 'object') end") \
    X(text, previous, \
      "(select p.value from schedule_runs p where p.schedule_id = s.id" \
      "   and p.value is not null and p.due_at < r.due_at" \
      "   order by p.due_at desc limit 1)")
#define OPEN_COLUMNS ROW_SQL(OPEN_ROW)

enum { OPEN_MOST = 4 };

/* Those that a process works on are left out: they are many, perhaps. */
static const struct statement open_statement = {
    .name = "schedules.open",
    .again = true,
    .sql = "select " OPEN_COLUMNS
           " from schedule_runs r join schedules s on s.id = r.schedule_id"
           " left join lateral (select m.* from data_chat_messages m"
           "   join data_chats h on h.id = m.chat_id and h.deleted_at is null"
           "   where m.id = r.message_id) m on true"
           " where r.state = 'open' and (m.id is null"
           "   or m.status <> 'generating' or not exists (select from runs u"
           "     where u.message_id = r.message_id))"
           " order by random() limit $1::int",
};

struct next schedule_open_runs_begin(struct flow *f)
{
    struct schedule_open_runs *o = locals(f, struct schedule_open_runs);
    struct query *q = o->query =
        query_new(f, o->store->system, &open_statement);
    query_int(f, q, OPEN_MOST);
    query_begin(f, q);
    return await(f, open_runs_read);
}

static struct next open_runs_read(struct flow *f)
{
    struct schedule_open_runs *o = locals(f, struct schedule_open_runs);
    o->n = (size_t)o->query->n_rows;
    o->items =
        arena_new_array(flow_keep(f), struct schedule_open_run, o->n + 1);
    for (size_t i = 0; i < o->n; i++)
        ROW_READ(OPEN_ROW, &o->items[i],
                 row_copies(o->query, (int)i, flow_keep(f)));
    return back(f);
}

static const struct statement settle_statement = {
    .name = "schedules.settle",
    .sql = "select settle_schedule_run($1::uuid, $2, nullif($3, ''),"
           "   nullif($4, ''), nullif($5, ''),"
           "   case when $6::boolean then $7::boolean end,"
           "   nullif($8, '')::json)",
};

struct next schedule_settle_begin(struct flow *f)
{
    struct schedule_settle *s = locals(f, struct schedule_settle);
    struct query *q = query_new(f, s->store->system, &settle_statement);
    query_str(f, q, s->run_id);
    query_text(q, s->state);
    query_str(f, q, s->reason);
    query_str(f, q, s->value);
    query_str(f, q, s->previous);
    query_bool(q, s->judged);
    query_bool(q, s->held);
    query_str(f, q, s->rows);
    query_begin(f, q);
    return await(f, row_none);
}

/* ---- webhooks ------------------------------------------------------------- */

#define HOOK_ROW(FIRST, X) \
    FIRST(uuid, id, "d.id") \
    X(text, url, "s.webhook_url") \
    X(hex, secret, "encode(s.webhook_secret, 'hex')") \
    X(text, event, "d.event") \
    X(text, body, "d.body") \
    X(int32, attempts, "d.attempts")
#define HOOK_COLUMNS ROW_SQL(HOOK_ROW)

enum { WEBHOOKS_AT_ONCE = 4 };

/* A process that dies with a delivery leaves it to others after a minute: a
 * receiver may get it twice, with the same id. Those of an owner who is disabled
 * end here; with a user who is removed, their schedules and deliveries go. */
static const struct statement take_statement = {
    .name = "webhooks.take",
    .sql = "with due as (select d.id, u.is_active from webhook_deliveries d"
           "   join schedules s on s.id = d.schedule_id"
           "   join users u on u.id = s.owner_id"
           "   where d.state = 'waiting' and d.next_at <= now()"
           "   order by d.next_at limit $1::int for update of d skip locked),"
           " refused as (update webhook_deliveries d set state = 'failed',"
           "   error = 'The account of the owner is disabled.',"
           "   ended_at = now() from due where d.id = due.id"
           "   and not due.is_active)"
           " update webhook_deliveries d set attempts = d.attempts + 1,"
           "   next_at = now() + interval '1 minute' from schedules s"
           " where d.id in (select id from due where is_active)"
           "   and s.id = d.schedule_id returning " HOOK_COLUMNS,
};

struct next webhooks_take_begin(struct flow *f)
{
    struct webhooks_take *t = locals(f, struct webhooks_take);
    struct query *q = t->query =
        query_new(f, t->store->system, &take_statement);
    query_int(f, q, WEBHOOKS_AT_ONCE);
    query_begin(f, q);
    return await(f, webhooks_taken);
}

static struct next webhooks_taken(struct flow *f)
{
    struct webhooks_take *t = locals(f, struct webhooks_take);
    t->n = (size_t)t->query->n_rows;
    t->items = arena_new_array(flow_keep(f), struct webhook_due, t->n + 1);
    for (size_t i = 0; i < t->n; i++)
        ROW_READ(HOOK_ROW, &t->items[i],
                 row_copies(t->query, (int)i, flow_keep(f)));
    return back(f);
}

static const struct statement done_statement = {
    .name = "webhooks.done",
    .again = true,
    .sql = "update webhook_deliveries set state = $2,"
           "   status = nullif($3::int, 0), error = nullif($4, ''),"
           "   next_at = now() + $5::bigint * interval '1 millisecond',"
           "   ended_at = case when $2 <> 'waiting' then now() end"
           " where id = $1::uuid and state = 'waiting'",
};

struct next webhook_done_begin(struct flow *f)
{
    struct webhook_done *d = locals(f, struct webhook_done);
    struct query *q = query_new(f, d->store->system, &done_statement);
    query_str(f, q, d->id);
    query_text(q, d->state);
    query_int(f, q, d->status);
    query_str(f, q, d->error);
    query_int(f, q, d->again_ms);
    query_begin(f, q);
    return await(f, row_none);
}

/* ---- sleep ---------------------------------------------------------------- */

/* Both minima may be NULL, which `least` and `greatest` leave out: NULL has to
 * become -1 after the difference, and what is overdue 0. */
#define SLEEP_ROW(FIRST, X) \
    FIRST( \
        int64, ms, \
        "(select case when due is null then -1 else" \
        "   greatest(0, extract(epoch from due - clock_timestamp()) * 1000) end" \
        " from (select least(" \
        "     (select min(next_at) from schedules where next_at is not null)," \
        "     (select min(next_at) from webhook_deliveries" \
        "       where state = 'waiting')) as due) d)::bigint") \
    X(boolean, open, "exists (select from schedule_runs where state = 'open')")
#define SLEEP_COLUMNS ROW_SQL(SLEEP_ROW)

static const struct statement sleep_statement = {
    .name = "schedules.sleep",
    .again = true,
    .sql = "select " SLEEP_COLUMNS,
};

struct next schedule_sleep_begin(struct flow *f)
{
    struct schedule_sleep *s = locals(f, struct schedule_sleep);
    s->query = query_new(f, s->store->system, &sleep_statement);
    query_begin(f, s->query);
    return await(f, sleep_read);
}

static struct next sleep_read(struct flow *f)
{
    struct schedule_sleep *s = locals(f, struct schedule_sleep);
    ROW_READ(SLEEP_ROW, s, row_slices(s->query, 0));
    return back(f);
}
