/* schedules.c - schedules for their owners: listed, made, changed, removed. */
#include "store/schedules.h"
#include "store/audit.h"
#include "rows.h"
#include "base/banned.h"

static step_fn schedules_listed, schedule_was_read, schedule_was_put,
    schedule_was_removed, schedule_rows_paged, zone_was_read;

/* ---- rows ----------------------------------------------------------------- */

#define SCHEDULE_ROW(FIRST, X) \
    FIRST(uuid, id, "s.id", "id") \
    X(text, name, "s.name", "name") \
    X(text, question, "s.question", "question") \
    X(uuid, ontology_id, "o.id", "ontologyId") \
    X(text, ontology_name, "o.name", "ontologyName") \
    X(uuid, chat_id, \
      "(select h.id from data_chats h where h.id = s.chat_id" \
      "   and h.deleted_at is null)", \
      "chatId") \
    X(text, llm_provider, "s.llm_provider", "llmProvider") \
    X(text, cron, "s.cron", "cron") \
    X(text, time_zone, "s.time_zone", "timeZone") \
    X(text, state, "s.state", "state") \
    X(text, reason, "s.reason", "reason") \
    X(time, next_at, "rfc3339(s.next_at)", "nextAt") \
    X(json, condition, "s.condition", "condition") \
    X(text, webhook_url, "s.webhook_url") \
    X(text, webhook_on, "s.webhook_on") \
    X(text, webhook_sends, "s.webhook_sends") \
    X(time, created_at, "rfc3339(s.created_at)", "createdAt") \
    X(json, last_run, \
      "(select json_build_object('dueAt', rfc3339(r.due_at)," \
      "   'state', r.state, 'reason', r.reason, 'value', r.value," \
      "   'conditionHeld', r.held) from schedule_runs r" \
      "   where r.schedule_id = s.id order by r.due_at desc limit 1)", \
      "lastRun") \
    X(int64, total, "t.total")
#define SCHEDULE_COLUMNS ROW_SQL(SCHEDULE_ROW)
ROW_STRUCT(schedule_row, SCHEDULE_ROW);

/* Never the secret. */
void schedule_write(struct json_writer *w, const struct query *q, int row)
{
    struct schedule_row s = schedule_row_at(q, row);
    ROW_WRITE(SCHEDULE_ROW, w, &s);
    json_put_key(w, "webhook");
    if (!s.webhook_url.len) {
        json_put_null(w);
        return;
    }
    json_put_object(w);
    json_field_str(w, "url", s.webhook_url);
    json_field_str(w, "on", s.webhook_on);
    json_field_str(w, "sends", s.webhook_sends);
    json_put_object_end(w);
}

#define RUN_ROW(FIRST, X) \
    FIRST(uuid, id, "r.id", "id") \
    X(time, due_at, "rfc3339(r.due_at)", "dueAt") \
    X(text, state, "r.state", "state") \
    X(text, reason, "r.reason", "reason") \
    X(text, value, "r.value", "value") \
    X(text, previous, "r.previous", "previous") \
    X(json, held, "to_json(r.held)", "conditionHeld") \
    X(uuid, message_id, "m.id", "messageId") \
    X(uuid, chat_id, "m.chat_id", "chatId") \
    X(time, ended_at, "rfc3339(r.ended_at)", "endedAt") \
    X(int64, total, "t.total")
#define RUN_COLUMNS ROW_SQL(RUN_ROW)
ROW_STRUCT(schedule_run_row, RUN_ROW);

void schedule_run_write(struct json_writer *w, const struct query *q, int row)
{
    struct schedule_run_row r = schedule_run_row_at(q, row);
    ROW_WRITE(RUN_ROW, w, &r);
}

#define DELIVERY_ROW(FIRST, X) \
    FIRST(uuid, id, "d.id", "id") \
    X(uuid, run_id, "d.run_id", "runId") \
    X(text, event, "d.event", "event") \
    X(text, state, "d.state", "state") \
    X(int32, attempts, "d.attempts", "attempts") \
    X(json, status, "to_json(d.status)", "status") \
    X(text, error, "d.error", "error") \
    X(time, next_at, \
      "case when d.state = 'waiting' then rfc3339(d.next_at) end", "nextAt") \
    X(time, created_at, "rfc3339(d.created_at)", "createdAt") \
    X(time, ended_at, "rfc3339(d.ended_at)", "endedAt") \
    X(int64, total, "t.total")
#define DELIVERY_COLUMNS ROW_SQL(DELIVERY_ROW)
ROW_STRUCT(schedule_delivery_row, DELIVERY_ROW);

void schedule_delivery_write(struct json_writer *w, const struct query *q,
                             int row)
{
    struct schedule_delivery_row d = schedule_delivery_row_at(q, row);
    ROW_WRITE(DELIVERY_ROW, w, &d);
}

/* ---- read ----------------------------------------------------------------- */

#define ITS_ONTOLOGY \
    " left join ontologies o on o.id = s.ontology_id and o.deleted_at is null"

static const struct statement list_statement = {
    .name = "schedules.list",
    .again = true,
    .sql = "select " SCHEDULE_COLUMNS
           " from (select count(*) as total from schedules"
           "   where owner_id = $1::uuid) t"
           " left join (select * from schedules where owner_id = $1::uuid"
           "   order by created_at desc, id limit $2::int offset $3::int) s"
           "   on true" ITS_ONTOLOGY " order by s.created_at desc, s.id",
};

struct next schedule_list_begin(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    struct query *q = s->query =
        query_new(f, s->store->system, &list_statement);
    query_str(f, q, s->user_id);
    query_page(f, q, s->page, s->page_size);
    query_begin(f, q);
    return await(f, schedules_listed);
}

static struct next schedules_listed(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    struct schedule_row first = schedule_row_at(s->query, 0);
    s->query = rows_keep_page(f, s->query, first.id);
    s->total = first.total;
    return back(f);
}

static const struct statement read_statement = {
    .name = "schedules.read",
    .again = true,
    .sql = "select " SCHEDULE_COLUMNS " from schedules s" ITS_ONTOLOGY
           ", (select 1 as total) t"
           " where s.owner_id = $1::uuid and s.id = $2::uuid",
};

struct next schedule_read_begin(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    struct query *q = s->query =
        query_new(f, s->store->system, &read_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->id);
    query_begin(f, q);
    return await(f, schedule_was_read);
}

static struct next schedule_was_read(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    s->query = rows_keep(f, s->query);
    s->found = s->query->n_rows > 0;
    if (!s->found)
        return back(f);
    struct schedule_row row = schedule_row_at(s->query, 0);
    s->set = (struct schedule_fields){.ontology_id = row.ontology_id,
                                      .name = row.name,
                                      .question = row.question,
                                      .llm_provider = row.llm_provider,
                                      .cron = row.cron,
                                      .time_zone = row.time_zone,
                                      .state = row.state,
                                      .condition = row.condition,
                                      .webhook_url = row.webhook_url,
                                      .webhook_on = row.webhook_on,
                                      .webhook_sends = row.webhook_sends};
    return back(f);
}

static const struct statement runs_statement = {
    .name = "schedules.runs",
    .again = true,
    .sql = "with mine as (select r.* from schedule_runs r join schedules s"
           "   on s.id = r.schedule_id where s.owner_id = $1::uuid"
           "   and s.id = $2::uuid)"
           " select " RUN_COLUMNS " from (select count(*) as total from mine) t"
           " left join (select * from mine order by due_at desc"
           "   limit $3::int offset $4::int) r on true"
           " left join lateral (select m.id, m.chat_id"
           "   from data_chat_messages m join data_chats h on h.id = m.chat_id"
           "   where m.id = r.message_id and h.deleted_at is null) m on true"
           " order by r.due_at desc",
};

static const struct statement deliveries_statement = {
    .name = "schedules.deliveries",
    .again = true,
    .sql = "with mine as (select d.* from webhook_deliveries d"
           "   join schedules s on s.id = d.schedule_id"
           "   where s.owner_id = $1::uuid and s.id = $2::uuid)"
           " select " DELIVERY_COLUMNS
           " from (select count(*) as total from mine) t"
           " left join (select * from mine order by created_at desc, id"
           "   limit $3::int offset $4::int) d on true"
           " order by d.created_at desc, d.id",
};

static struct next read_page(struct flow *f, const struct statement *what)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    struct query *q = s->query = query_new(f, s->store->system, what);
    query_str(f, q, s->user_id);
    query_str(f, q, s->id);
    query_page(f, q, s->page, s->page_size);
    query_begin(f, q);
    return await(f, schedule_rows_paged);
}

struct next schedule_runs_begin(struct flow *f)
{
    return read_page(f, &runs_statement);
}

struct next schedule_deliveries_begin(struct flow *f)
{
    return read_page(f, &deliveries_statement);
}

/* The id is the first column of both, and the total the last. */
static struct next schedule_rows_paged(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    bool runs = s->query->statement == &runs_statement;
    struct str id = runs ? schedule_run_row_at(s->query, 0).id
                         : schedule_delivery_row_at(s->query, 0).id;
    s->total = runs ? schedule_run_row_at(s->query, 0).total
                    : schedule_delivery_row_at(s->query, 0).total;
    s->query = rows_keep_page(f, s->query, id);
    return back(f);
}

/* ---- change --------------------------------------------------------------- */

static const struct statement put_statement = {
    .name = "schedules.put",
    .sql = "select put_schedule($1::uuid, nullif($2, '')::uuid,"
           "   nullif($3, '')::uuid, $4, $5, nullif($6, ''), $7, $8, $9,"
           "   nullif($10::bigint, -1), nullif($11, '')::json,"
           "   nullif($12, ''), $13, $14, decode(nullif($15, ''), 'hex'),"
           "   $16::int, $17)",
};

struct next schedule_put_begin(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    const struct schedule_fields *set = &s->set;
    struct query *q = s->query = query_new(f, s->store->system, &put_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->id);
    query_str(f, q, set->ontology_id);
    query_str(f, q, set->name);
    query_str(f, q, set->question);
    query_str(f, q, set->llm_provider);
    query_str(f, q, set->cron);
    query_str(f, q, set->time_zone);
    query_str(f, q, set->state);
    query_int(f, q, s->next_ms < 0 ? -1 : s->next_ms);
    query_str(f, q, set->condition);
    query_str(f, q, set->webhook_url);
    query_str(f, q, set->webhook_on);
    query_str(f, q, set->webhook_sends);
    query_str(f, q, s->secret);
    query_int(f, q, SCHEDULES_MOST);
    query_str(f, q, s->request_id);
    query_begin(f, q);
    return await(f, schedule_was_put);
}

static struct next schedule_was_put(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    s->made_id = ROW_VALUE(uuid, row_copies(s->query, 0, flow_keep(f)));
    s->found = s->made_id.len > 0;
    return back(f);
}

static const struct statement remove_statement = {
    .name = "schedules.remove",
    .sql = "with gone as (delete from schedules where owner_id = $1::uuid"
           "   and id = $2::uuid returning id),"
           " noted as (" SQL_AUDIT " select $1::uuid, 'schedule.removed',"
           "   'schedule', id::text, '{}', $3 from gone)"
           " select exists (select from gone)",
};

struct next schedule_remove_begin(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    struct query *q = s->query =
        query_new(f, s->store->system, &remove_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->id);
    query_str(f, q, s->request_id);
    query_begin(f, q);
    return await(f, schedule_was_removed);
}

static struct next schedule_was_removed(struct flow *f)
{
    struct schedule_query *s = locals(f, struct schedule_query);
    s->found = ROW_VALUE(boolean, row_slices(s->query, 0));
    return back(f);
}

/* ---- time zones ----------------------------------------------------------- */

size_t zone_offsets_read(struct arena *arena, struct str json,
                         struct cron_offset **out)
{
    enum { PAIR_LEAST = 5 }; /* [0,0] */
    size_t most = json.len / PAIR_LEAST + 1;
    *out = arena_new_array(arena, struct cron_offset, most);
    json_t *all =
        json_read(json, NULL); /* nothing is allocated while it is held */
    size_t n = json_array_size(all) < most ? json_array_size(all) : most;
    for (size_t i = 0; i < n; i++) {
        const json_t *pair = json_array_get(all, i);
        (*out)[i] = (struct cron_offset){
            json_integer_value(json_array_get(pair, 0)),
            (int)json_integer_value(json_array_get(pair, 1))};
    }
    json_decref(all);
    return n;
}

#define ZONE_ROW(FIRST, X) \
    FIRST(int64, now_s, "extract(epoch from now())::bigint") \
    X(json, offsets, "zone_offsets($1)")
#define ZONE_COLUMNS ROW_SQL(ZONE_ROW)
ROW_STRUCT(zone_row, ZONE_ROW);

static const struct statement zone_statement = {
    .name = "schedules.zone",
    .again = true,
    .sql = "select " ZONE_COLUMNS,
};

struct next zone_read_begin(struct flow *f)
{
    struct zone_read *z = locals(f, struct zone_read);
    struct query *q = z->query =
        query_new(f, z->store->system, &zone_statement);
    query_str(f, q, z->time_zone);
    query_begin(f, q);
    return await(f, zone_was_read);
}

static struct next zone_was_read(struct flow *f)
{
    struct zone_read *z = locals(f, struct zone_read);
    struct zone_row row = zone_row_at(z->query, 0);
    z->now_s = row.now_s;
    z->n = zone_offsets_read(flow_keep(f), row.offsets, &z->offsets);
    return z->n ? back(f) : fail(f, ERR_INTERNAL);
}
