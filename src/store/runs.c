#include "store/runs.h"
#include "store/charts.h"
#include "base/clock.h"
#include <string.h>
#include "base/banned.h"

/* A cell that outlives the query. */
static struct str take_into(struct arena *memory, const struct query *q,
                            int row, int column)
{
    return arena_str(memory, query_cell(q, row, column));
}

static struct str take(struct flow *f, const struct query *q, int row,
                       int column)
{
    return take_into(flow_keep(f), q, row, column);
}

/* ---- load --------------------------------------------------------------- */

/* What the answer before the question asked, if it did; failed ones are passed
 * over, as those are that are not there. */
#define UNSETTLED \
    "up.role = 'user' or up.status not in ('complete', 'clarification_needed')"

/* One step up a branch. The limit makes it a look into the index: a planner that
 * expects many rows of a recursion reads the whole table at each step. */
#define PARENT_OF(child) \
    "select id, parent_id, role, content, status from data_chat_messages" \
    "   where id = " child ".parent_id limit 1"

static const struct statement load_statement = {
    .name = "runs.load",
    .sql =
        "select c.id, r.user_id, c.ontology_id, s.connection_id, o.version,"
        " o.status, coalesce(m.llm_provider, c.llm_provider), q.content,"
        " c.named, r.epoch, r.revision, r.phase, q.parent_id, r.phase_after,"
        " r.cancel_requested,"
        " (select updated_at from connections where id = s.connection_id),"
        " b.status = 'clarification_needed', case when b.status ="
        "   'clarification_needed' then b.metadata -> 'clarificationQuestions'"
        "   end, (select coalesce(options ->> 'shareRows', 'all')"
        "     from connections where id = s.connection_id), s.database_name,"
        " c.agent"
        " from runs r join data_chats c on c.id = r.chat_id"
        " join data_chat_messages m on m.id = r.message_id"
        " join ontologies o on o.id = c.ontology_id"
        " join semantic_models s on s.id = o.semantic_model_id"
        " join lateral (select content, parent_id from data_chat_messages"
        "   where chat_id = c.id and role = 'user' and seq < m.seq"
        "     and (id = m.parent_id or m.parent_id is null)"
        "   order by seq desc limit 1) q on true"
        " left join lateral (with recursive up as ("
        "     (" PARENT_OF(
            "q") ")"
                 "     union all"
                 "     select a.* from up cross join lateral ("
                 "       " PARENT_OF(
                     "up") ") a where " UNSETTLED ")"
                           "   select up.status, (select metadata from data_chat_messages"
                           "       where id = up.id) as metadata from up"
                           "     where not (" UNSETTLED ") limit 1) b on true"
                           " where r.message_id = $1::uuid",
};

/* Settled messages of the branch up from the one that the question follows, the
 * latest first. */
static const struct statement history_statement = {
    .name = "runs.history",
    .sql =
        "with recursive branch as ("
        "   select id, parent_id, role, content, status, 1 as place,"
        "       0 as settled from data_chat_messages"
        "     where id = nullif($1, '')::uuid"
        "   union all"
        "   select m.*, b.place + 1,"
        "       b.settled + (b.status <> 'generating')::int"
        "     from branch b cross join lateral (" PARENT_OF(
            "b") "       ) m where b.settled < $2::int)"
                 " select b.role, b.content, b.status, a.body from branch b"
                 " left join lateral (select body from run_artifacts"
                 "   where message_id = b.id and kind = 'digest' limit 1) a on true"
                 " where b.status <> 'generating' order by b.place limit $2::int",
};

static struct next run_loaded(struct flow *f), history_loaded(struct flow *f);

struct next run_load_begin(struct flow *f)
{
    struct run_load *l = locals(f, struct run_load);
    l->query = query_new(f, l->store->system, &load_statement);
    query_str(f, l->query, l->message_id);
    query_begin(f, l->query);
    return await(f, run_loaded);
}

static struct next run_loaded(struct flow *f)
{
    struct run_load *l = locals(f, struct run_load);
    const struct query *q = l->query;
    if (q->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    l->chat_id = take_into(l->memory, q, 0, 0);
    l->user_id = take_into(l->memory, q, 0, 1);
    l->ontology_id = take_into(l->memory, q, 0, 2);
    l->connection_id = take_into(l->memory, q, 0, 3);
    l->ontology_version = (int)query_cell_int(q, 0, 4);
    l->ontology_status = take_into(l->memory, q, 0, 5);
    l->llm_provider = take_into(l->memory, q, 0, 6);
    l->question = take_into(l->memory, q, 0, 7);
    l->chat_named = query_cell_bool(q, 0, 8);
    l->epoch = (int)query_cell_int(q, 0, 9);
    l->revision = (int)query_cell_int(q, 0, 10);
    l->phase = take_into(l->memory, q, 0, 11);
    l->phase_after = query_cell_int(q, 0, 13);
    l->cancel_requested = query_cell_bool(q, 0, 14);
    l->connection_changed_at = take_into(l->memory, q, 0, 15);
    l->clarified = query_cell_bool(q, 0, 16);
    l->asked = take_into(l->memory, q, 0, 17);
    if (!share_of_word(query_cell(q, 0, 18), &l->share_rows))
        l->share_rows = SHARE_NONE; /* a word we do not know */
    l->database = take_into(l->memory, q, 0, 19);
    l->agent = agent_of(query_cell(q, 0, 20));
    l->preferred = preferences_ask(f, l->store, l->user_id, l->ontology_id);
    struct query *h = query_new(f, l->store->system, &history_statement);
    query_str(f, h, query_cell(q, 0, 12));
    query_int(f, h, l->history_limit);
    query_begin(f, h);
    l->query = h;
    return await(f, history_loaded);
}

static struct next history_loaded(struct flow *f)
{
    struct run_load *l = locals(f, struct run_load);
    const struct query *q = l->query;
    size_t n = (size_t)q->n_rows;
    struct run_turn *turns =
        arena_new_array(flow_here(f), struct run_turn, n + 1);
    for (int i = 0; i < q->n_rows; i++)
        turns[n - 1 - (size_t)i] =
            (struct run_turn){.from_user = str_is(query_cell(q, i, 0), "user"),
                              .content = query_cell(q, i, 1),
                              .status = query_cell(q, i, 2),
                              .digest = query_cell(q, i, 3)};
    l->turns = turns_keep(l->memory, flow_here(f), turns, n);
    preferences_take(l->memory, l->preferred, &l->preferences);
    return back(f);
}

/* ---- artifacts ---------------------------------------------------------- */

static const struct statement artifacts_statement = {
    .name = "runs.artifacts",
    .sql = "select kind, body,"
           " coalesce((select max(last) from run_events"
           "   where message_id = $1::uuid), 0),"
           " coalesce((select max(call_index) from llm_traces"
           "   where message_id = $1::uuid), -1)"
           " from (select '' as kind, '' as body union all"
           "   select kind, body from run_artifacts"
           "   where message_id = $1::uuid) a",
};

static struct next artifacts_loaded(struct flow *f);

struct next run_artifacts_begin(struct flow *f)
{
    struct run_artifacts *a = locals(f, struct run_artifacts);
    a->query = query_new(f, a->store->system, &artifacts_statement);
    query_str(f, a->query, a->message_id);
    query_begin(f, a->query);
    return await(f, artifacts_loaded);
}

static struct next artifacts_loaded(struct flow *f)
{
    struct run_artifacts *a = locals(f, struct run_artifacts);
    const struct query *q = a->query;
    a->last_event = query_cell_int(q, 0, 2);
    a->last_call = query_cell_int(q, 0, 3);
    a->items =
        arena_new_array(a->memory, struct run_artifact, (size_t)q->n_rows + 1);
    for (int i = 0; i < q->n_rows; i++)
        if (query_cell(q, i, 0).len)
            a->items[a->n++] = (struct run_artifact){
                take_into(a->memory, q, i, 0), take_into(a->memory, q, i, 1)};
    return back(f);
}

static const struct statement calls_statement = {
    .name = "runs.calls",
    .sql = "select body from run_artifacts where message_id = $1::uuid"
           " and kind like 'calls\\_%' order by length(kind), kind"
           " limit $2::int",
};

static struct next calls_read(struct flow *f);

struct next run_calls_begin(struct flow *f)
{
    struct run_calls *c = locals(f, struct run_calls);
    c->query = query_new(f, c->store->system, &calls_statement);
    query_str(f, c->query, c->message_id);
    query_int(f, c->query, (int64_t)c->most);
    query_begin(f, c->query);
    return await(f, calls_read);
}

static struct next calls_read(struct flow *f)
{
    struct run_calls *c = locals(f, struct run_calls);
    c->n = (size_t)c->query->n_rows;
    c->records = arena_new_array(c->memory, struct str, c->n + 1);
    for (size_t i = 0; i < c->n; i++)
        c->records[i] = take_into(c->memory, c->query, (int)i, 0);
    return back(f);
}

/* ---- finish ------------------------------------------------------------- */

static const struct statement finish_statement = {
    .name = "runs.finish",
    .sql = "select finish_run($1::uuid, $2::int, $3, $4, $5::json, $6)",
};

static const struct statement finish_drawn_statement = {
    .name = "runs.finish.drawn",
    .sql =
        "select finish_run($1::uuid, $2::int, $3, $4, $5::json, $6, $7::json)",
};

static struct next finish_answered(struct flow *f);

struct next run_finish_begin(struct flow *f)
{
    struct run_finish *r = locals(f, struct run_finish);
    struct query *q = r->query =
        query_new(f, r->store->system,
                  r->charts.len ? &finish_drawn_statement : &finish_statement);
    query_str(f, q, r->message_id);
    query_int(f, q, r->epoch);
    query_str(f, q, r->status);
    query_str(f, q, r->content);
    query_text(q, r->metadata.ptr); /* large, and it outlives the query */
    query_str(f, q, r->chat_name);
    if (r->charts.len)
        query_str(f, q, r->charts);
    query_begin(f, q);
    return await(f, finish_answered);
}

static struct next finish_answered(struct flow *f)
{
    struct run_finish *r = locals(f, struct run_finish);
    r->finished = query_cell_bool(r->query, 0, 0);
    return back(f);
}

/* ---- leases ------------------------------------------------------------- */

/* Until the year 9999. */
#define FAR_FUTURE_MS INT64_C(253370764800000)

/* How long this process waits at most for a statement that gives it a lease. */
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

void lease_hear_clock(struct store *s, int64_t ms)
{
    s->clock = (struct database_clock){.ms = ms, .heard_ms = clock_ms()};
}

static const struct statement renew_statement = {
    .name = "runs.renew",
    .urgent = true, /* behind a long line leases would run out; so what follows
                       in a round is */
    /* Rows are locked in the order of their ids, as the journal does. The last
     * row of the answer is the clock. */
    .sql = "with clock as materialized (select " SQL_NOW_MS " as ms),"
           " mine as materialized (select message_id from runs"
           "   where message_id = any($3::uuid[]) and owner = $1"
           "   and ended_at is null and (select ms from clock) <= $4::bigint"
           "   order by message_id for no key update),"
           " renewed as (update runs r set lease_until ="
           "     now() + $2::int * interval '1 millisecond'"
           "   from mine where r.message_id = mine.message_id"
           "   returning r.message_id, r.epoch, r.cancel_requested)"
           " select message_id, epoch, cancel_requested, null from renewed"
           " union all select null, null, ms <= $4::bigint, ms from clock",
};

static struct next renewed(struct flow *f), taken_over(struct flow *f);

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

/* Rows are in the memory of the caller's frame, which outlives this one. */
static struct next renewed(struct flow *f)
{
    struct run_renewal *r = locals(f, struct run_renewal);
    const struct query *q = r->query;
    int clock = q->n_rows - 1;
    lease_hear_clock(r->store, query_cell_int(q, clock, 3));
    if (!query_cell_bool(q, clock, 2))
        return fail(f, ERR_DATABASE_UNAVAILABLE);
    r->n = (size_t)clock;
    r->rows = arena_new_array(flow_keep(f), struct run_row, r->n + 1);
    for (int i = 0; i < clock; i++)
        r->rows[i] =
            (struct run_row){take(f, q, i, 0), (int)query_cell_int(q, i, 1),
                             query_cell_bool(q, i, 2)};
    return back(f);
}

static const struct statement release_statement = {
    .name = "runs.release",
    .urgent = true,
    .again = true,
    .sql = "select release_runs($1)",
};

static struct next released(struct flow *f)
{
    return back(f);
}

struct next run_release_begin(struct flow *f)
{
    struct run_release *r = locals(f, struct run_release);
    r->query = query_new(f, r->store->system, &release_statement);
    query_text(r->query, r->store->owner);
    query_begin(f, r->query);
    return await(f, released);
}

/* Rows are locked in the order of their ids, as the journal does. A run that has
 * no owner any more was surrendered before. An attempt that another process has
 * begun since is not counted: it is under way. */
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
    return await(f, released);
}

static const struct statement takeover_statement = {
    .name = "runs.take_over",
    .urgent = true,
    .sql = "select t.message_id, t.epoch, t.attempt, t.releases,"
           "   (extract(epoch from clock_timestamp() - t.started_at) * 1000)"
           "     ::bigint, coalesce(n.ms, -1), " SQL_NOW_MS
           " from (select (extract(epoch from min(lease_until)"
           "       - clock_timestamp()) * 1000)::bigint as ms from runs"
           "     where ended_at is null and lease_until >= now()) n"
           " left join take_over_runs($1, $2::int, case when " SQL_NOW_MS
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

/* One row without an id: there is nothing to take. */
static struct next taken_over(struct flow *f)
{
    struct run_takeover *t = locals(f, struct run_takeover);
    const struct query *q = t->query;
    t->n = 0;
    t->next_end_ms = query_cell_int(q, 0, 5);
    lease_hear_clock(t->store, query_cell_int(q, 0, 6));
    t->rows =
        arena_new_array(flow_keep(f), struct taken_run, (size_t)q->n_rows + 1);
    for (int i = 0; i < q->n_rows; i++)
        if (!query_is_null(q, i, 0))
            t->rows[t->n++] =
                (struct taken_run){.message_id = take(f, q, i, 0),
                                   .epoch = (int)query_cell_int(q, i, 1),
                                   .attempt = (int)query_cell_int(q, i, 2),
                                   .releases = (int)query_cell_int(q, i, 3),
                                   .age_ms = query_cell_int(q, i, 4)};
    return back(f);
}

/* ---- cancel and expiry -------------------------------------------------- */

static const struct statement cancel_statement = {
    .name = "runs.cancel",
    .urgent = true,
    .again = true,
    .sql = "select known, running, cancelled, status"
           " from cancel_answer($1::uuid, nullif($2, '')::uuid)",
};

static const struct statement cut_statement = {
    .name = "runs.cut",
    .urgent = true,
    .sql = "select end_cancelled_run($1::uuid)",
};

static struct next cancel_answered(struct flow *f), expired(struct flow *f),
    cut_answered(struct flow *f);

struct next run_cancel_begin(struct flow *f)
{
    struct run_cancel *c = locals(f, struct run_cancel);
    c->query = query_new(f, c->store->system, &cancel_statement);
    query_str(f, c->query, c->message_id);
    query_str(f, c->query, c->user_id);
    query_begin(f, c->query);
    return await(f, cancel_answered);
}

static struct next cancel_answered(struct flow *f)
{
    struct run_cancel *c = locals(f, struct run_cancel);
    c->found = query_cell_bool(c->query, 0, 0);
    c->running = query_cell_bool(c->query, 0, 1);
    c->cancelled = query_cell_bool(c->query, 0, 2);
    c->status = take(f, c->query, 0, 3);
    return back(f);
}

struct next run_cut_begin(struct flow *f)
{
    struct run_cut *c = locals(f, struct run_cut);
    c->query = query_new(f, c->store->system, &cut_statement);
    query_str(f, c->query, c->message_id);
    query_begin(f, c->query);
    return await(f, cut_answered);
}

static struct next cut_answered(struct flow *f)
{
    struct run_cut *c = locals(f, struct run_cut);
    c->ended = query_cell_bool(c->query, 0, 0);
    return back(f);
}

static const struct statement expire_statement = {
    .name = "runs.expire",
    .urgent = true,
    .sql =
        "with old as (select m.id, m.chat_id, c.owner_id"
        "   from data_chat_messages m join data_chats c on c.id = m.chat_id"
        "   where m.status = 'generating' and m.role = 'assistant'"
        "     and m.created_at < now() - $1::int * interval '1 millisecond'"
        "     and not exists (select from runs r where r.message_id = m.id)"
        "   limit 1000),"
        " never as (insert into runs (message_id, chat_id, user_id, phase,"
        "     ended_at) select id, chat_id, owner_id, 'done', now() from old"
        "   on conflict do nothing returning message_id)"
        " update data_chat_messages set status = 'failed', metadata = $2::json"
        " where id in (select message_id from never)",
};

struct next run_expiry_begin(struct flow *f)
{
    struct run_expiry *x = locals(f, struct run_expiry);
    x->query = query_new(f, x->store->system, &expire_statement);
    query_int(f, x->query, x->after_ms);
    query_text(x->query, "{\"error\":{\"message\":\"Nobody started this answer "
                         "in time.\",\"code\":\"NOT_STARTED\"}}");
    query_begin(f, x->query);
    return await(f, expired);
}

static struct next expired(struct flow *f)
{
    struct run_expiry *x = locals(f, struct run_expiry);
    x->expired = x->query->affected;
    return back(f);
}

/* ---- frames ------------------------------------------------------------- */

enum { FRAME_BATCHES = 64 }; /* of a page */

/* The first row says how the run stands; the others are batches. */
static const struct statement frames_statement = {
    .name = "runs.frames",
    .again = true,
    .sql =
        "with run as (select m.id, m.status, m.content, m.metadata, m.chat_id,"
        "     r.message_id is not null as started, r.ended_at is not null as"
        "     ended, coalesce(r.trimmed, 0) as trimmed,"
        "     greatest((select max(last) from run_events"
        "       where message_id = m.id), r.trimmed) as newest"
        "   from data_chat_messages m"
        "   join data_chats c on c.id = m.chat_id"
        "   left join runs r on r.message_id = m.id"
        "   where m.id = $1::uuid and c.owner_id = $2::uuid"
        "     and (c.deleted_at is null or $5::boolean)"
        "     and m.role = 'assistant'),"
        " page as (select * from (select first, last, frames,"
        "     sum(octet_length(frames)) over (order by first)"
        "       - octet_length(frames) as before"
        "   from (select * from run_events"
        "     where message_id = (select id from run)"
        "       and last > $3::bigint order by first limit $4::int) b) s"
        "   where before < $6::bigint),"
        " the_end as (select ended and $4::int > 0 and"
        "     coalesce((select max(last) from page),"
        "       greatest($3::bigint, trimmed)) >= coalesce(newest, 0) as told"
        "   from run)"
        " select null::bigint, newest, null::text, started, ended, status,"
        "   case when told then content end,"
        "   case when told then metadata::text end, chat_id,"
        "   case when told then " SQL_CHARTS(
            "run.id") "::text end, trimmed"
                      "   from run, the_end"
                      " union all (select first, last, frames, null, null, null, null, null,"
                      "   null, null, null from page order by first)",
};

static struct next frames_read(struct flow *f);

struct next run_frames_begin(struct flow *f)
{
    struct run_frames *r = locals(f, struct run_frames);
    r->query = query_new(f, r->store->system, &frames_statement);
    query_str(f, r->query, r->message_id);
    query_str(f, r->query, r->user_id);
    query_int(f, r->query, r->after);
    query_int(f, r->query, r->head ? 0 : FRAME_BATCHES);
    query_bool(r->query, r->opened);
    query_int(f, r->query, RUN_FRAMES_BYTES);
    query_begin(f, r->query);
    return await(f, frames_read);
}

static void join_frames(struct flow *f, struct run_frames *r)
{
    const struct query *q = r->query;
    struct buf out;
    buf_init(&out, flow_keep(f));
    size_t size = 0;
    for (int i = 1; i < q->n_rows; i++)
        size += query_cell(q, i, 2).len;
    buf_reserve(&out, size);
    for (int i = 1; i < q->n_rows; i++) {
        struct str frames = query_cell(q, i, 2);
        if (query_cell_int(q, i, 0) <= r->last)
            frames = journal_frames_after(frames, r->last);
        buf_str(&out, frames);
        r->last = query_cell_int(q, i, 1);
    }
    r->frames = buf_view(&out);
    r->more = q->n_rows > 1 && r->last < r->newest;
}

static void take_metadata(struct flow *f, struct run_frames *r)
{
    struct str charts = query_cell(r->query, 0, 9);
    struct buf out;
    buf_init(&out, flow_keep(f));
    buf_reserve(&out, query_cell(r->query, 0, 7).len + 2 * charts.len);
    charts_put_back(&out, query_cell(r->query, 0, 7), charts);
    r->metadata = buf_view(&out);
}

static struct next frames_read(struct flow *f)
{
    struct run_frames *r = locals(f, struct run_frames);
    const struct query *q = r->query;
    r->last = r->after;
    r->found = q->n_rows > 0;
    if (!r->found)
        return back(f);
    r->newest = query_cell_int(q, 0, 1);
    r->trimmed = query_cell_int(q, 0, 10);
    r->started = query_cell_bool(q, 0, 3);
    r->ended = query_cell_bool(q, 0, 4);
    r->status = take(f, q, 0, 5);
    r->content = take(f, q, 0, 6);
    take_metadata(f, r);
    r->chat_id = take(f, q, 0, 8);
    join_frames(f, r);
    return back(f);
}
