/* runs.c - what a run reads when it starts or resumes, and how it ends.
 *
 *   run_load_begin -> run_loaded -> history_loaded
 */
#include "store/runs.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn run_loaded, history_loaded, artifacts_loaded, calls_read,
    finish_answered;

/* ---- load --------------------------------------------------------------- */

static enum share_rows row_share_rows(struct row_cursor *at)
{
    enum share_rows share;
    return share_of_word(row_text(at), &share) ? share : SHARE_NONE;
}

static enum agent_kind_id row_agent(struct row_cursor *at)
{
    return agent_of(row_text(at));
}

#define LOAD_ROW(FIRST, X) \
    FIRST(uuid, chat_id, "c.id") \
    X(uuid, user_id, "r.user_id") \
    X(uuid, ontology_id, "c.ontology_id") \
    X(uuid, connection_id, "s.connection_id") \
    X(int32, ontology_version, "o.version") \
    X(text, ontology_status, "o.status") \
    X(text, llm_provider, "coalesce(m.llm_provider, c.llm_provider)") \
    X(text, question, "q.content") \
    X(boolean, chat_named, "c.named") \
    X(int32, epoch, "r.epoch") \
    X(int32, revision, "r.revision") \
    X(text, phase, "r.phase") \
    X(uuid, parent_id, "q.parent_id") \
    X(int64, phase_after, "r.phase_after") \
    X(boolean, cancel_requested, "r.cancel_requested") \
    X(text, connection_changed_at, \
      "(select updated_at from connections where id = s.connection_id)") \
    X(boolean, clarified, "b.status = 'clarification_needed'") \
    X(json, asked, \
      "case when b.status = 'clarification_needed'" \
      "   then b.metadata -> 'clarificationQuestions' end") \
    X(share_rows, share_rows, \
      "(select coalesce(options ->> 'shareRows', 'all')" \
      "   from connections where id = s.connection_id)") \
    X(text, database, "s.database_name") \
    X(agent, agent, "c.agent") \
    X(text, time_zone, "z.name") \
    X(int64, zone_seconds, \
      "extract(epoch from (r.started_at at time zone z.name)" \
      "   - (r.started_at at time zone 'UTC'))::bigint") \
    X(int32, max_steps, "coalesce(c.max_steps, 0)") \
    X(uuid, dataset_id, \
      "coalesce((select id from file_sets where ontology_id = o.id" \
      "   and deleted_at is null limit 1), o.id)") \
    X(text, tokens, "r.tokens") \
    X(int64, cost_today, \
      "case when $2::boolean then (select cost from used_today(r.user_id))" \
      "   else 0 end")
#define LOAD_COLUMNS ROW_SQL(LOAD_ROW)

/* Messages to skip on the way up from the question to the answer that it may
 * reply to: answers that failed or were never finished. */
#define UNSETTLED \
    "up.role = 'user' or up.status not in ('complete', 'clarification_needed')"

/* One step up a branch, by the id that follows and a limit: it makes the
 * planner use the index. In a recursion it expects many rows, and would read
 * the whole table at each step. */
#define MESSAGE_OF \
    "select id, parent_id, role, content, status from data_chat_messages" \
    "   where id = "

/* `b`: the latest settled answer before the question. */
static const struct statement load_statement = {
    .name = "runs.load",
    .sql = "select " LOAD_COLUMNS
           " from runs r join data_chats c on c.id = r.chat_id"
           " join data_chat_messages m on m.id = r.message_id"
           " join ontologies o on o.id = c.ontology_id"
           " join semantic_models s on s.id = o.semantic_model_id"
           " left join lateral (select options ->> 'timeZone' as name"
           "   from connections where id = s.connection_id) z on true"
           " join lateral (select content, parent_id from data_chat_messages"
           "   where chat_id = c.id and role = 'user' and seq < m.seq"
           "     and (id = m.parent_id or m.parent_id is null)"
           "   order by seq desc limit 1) q on true"
           " left join lateral (with recursive up as ("
           "     (" MESSAGE_OF "q.parent_id limit 1)"
           "     union all select a.* from up cross join lateral"
           "       (" MESSAGE_OF "up.parent_id limit 1) a where " UNSETTLED ")"
           "   select up.status, (select metadata from data_chat_messages"
           "       where id = up.id) as metadata from up"
           "     where not (" UNSETTLED ") limit 1) b on true"
           " where r.message_id = $1::uuid",
};

#define HISTORY_ROW(FIRST, X) \
    FIRST(text, role, "b.role") \
    X(text, content, "b.content") \
    X(text, status, "b.status") \
    X(text, digest, "a.body")
#define HISTORY_COLUMNS ROW_SQL(HISTORY_ROW)
ROW_STRUCT(history_row, HISTORY_ROW);

/* Settled messages of the branch that the question continues, the latest
 * first. */
static const struct statement history_statement = {
    .name = "runs.history",
    .sql = "with recursive branch as ("
           "   select id, parent_id, role, content, status, 1 as place,"
           "       0 as settled from data_chat_messages"
           "     where id = nullif($1, '')::uuid"
           "   union all"
           "   select m.*, b.place + 1,"
           "       b.settled + (b.status <> 'generating')::int"
           "     from branch b cross join lateral"
           "       (" MESSAGE_OF "b.parent_id limit 1) m"
           "     where b.settled < $2::int)"
           " select " HISTORY_COLUMNS " from branch b"
           " left join lateral (select body from run_artifacts"
           "   where message_id = b.id and kind = 'digest' limit 1) a on true"
           " where b.status <> 'generating' order by b.place limit $2::int",
};

/* The CSV analyst sees at least the 12 messages that its API promises. */
static int history_limit(const struct run_load *l)
{
    enum { CSV_HISTORY = 12 };
    return l->agent == AGENT_CSV && l->history_limit < CSV_HISTORY
               ? CSV_HISTORY
               : l->history_limit;
}

struct next run_load_begin(struct flow *f)
{
    struct run_load *l = locals(f, struct run_load);
    l->query = query_new(f, l->store->system, &load_statement);
    query_str(f, l->query, l->message_id);
    query_bool(l->query, l->limits_cost);
    query_begin(f, l->query);
    return await(f, run_loaded);
}

static struct next run_loaded(struct flow *f)
{
    struct run_load *l = locals(f, struct run_load);
    if (l->query->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    ROW_READ(LOAD_ROW, l, row_copies(l->query, 0, l->memory));
    l->preferred =
        preferences_query_begin(f, l->store, l->user_id, l->ontology_id);
    l->query = query_new(f, l->store->system, &history_statement);
    query_str(f, l->query, l->parent_id);
    query_int(f, l->query, history_limit(l));
    query_begin(f, l->query);
    return await(f, history_loaded);
}

static struct next history_loaded(struct flow *f)
{
    struct run_load *l = locals(f, struct run_load);
    size_t n = (size_t)l->query->n_rows;
    struct run_turn *turns =
        arena_new_array(flow_here(f), struct run_turn, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct history_row row = history_row_at(l->query, (int)(n - 1 - i));
        turns[i] = (struct run_turn){.from_user = str_is(row.role, "user"),
                                     .content = row.content,
                                     .status = row.status,
                                     .digest = row.digest};
    }
    l->turns = turns_keep(l->memory, flow_here(f), turns, n);
    preferences_read(l->memory, l->preferred, &l->preferences);
    return back(f);
}

/* ---- artifacts ---------------------------------------------------------- */

#define ARTIFACT_ROW(FIRST, X) \
    FIRST(text, kind, "kind") \
    X(text, body, "body") \
    X(int64, last_event, \
      "coalesce((select max(last) from run_events" \
      "   where message_id = $1::uuid), 0)") \
    X(int64, last_call, \
      "coalesce((select max(call_index) from llm_traces" \
      "   where message_id = $1::uuid), -1)")
#define ARTIFACT_COLUMNS ROW_SQL(ARTIFACT_ROW)
ROW_STRUCT(artifact_row, ARTIFACT_ROW);

/* The first row, without an artifact, has the counters of a run that has
 * none. */
static const struct statement artifacts_statement = {
    .name = "runs.artifacts",
    .sql = "select " ARTIFACT_COLUMNS
           " from (select '' as kind, '' as body union all"
           "   select kind, body from run_artifacts"
           "   where message_id = $1::uuid) a",
};

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
    a->items = arena_new_array(a->memory, struct run_artifact,
                               (size_t)a->query->n_rows + 1);
    for (int i = 0; i < a->query->n_rows; i++) {
        struct artifact_row row = artifact_row_at(a->query, i);
        a->last_event = row.last_event;
        a->last_call = row.last_call;
        if (row.kind.len)
            a->items[a->n++] = (struct run_artifact){
                arena_str(a->memory, row.kind), arena_str(a->memory, row.body)};
    }
    return back(f);
}

static const struct statement calls_statement = {
    .name = "runs.calls",
    .sql = "select body from run_artifacts where message_id = $1::uuid"
           " and kind like 'calls\\_%' order by length(kind), kind"
           " limit $2::int",
};

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
        c->records[i] =
            ROW_VALUE(json, row_copies(c->query, (int)i, c->memory));
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

static const struct statement finish_capsule_statement = {
    .name = "runs.finish.capsule",
    .sql = "select finish_run_capsule($1::uuid, $2::int, $3, $4, $5::json, $6,"
           "   nullif($7, '')::json, $8)",
};

static const struct statement finish_build_statement = {
    .name = "runs.finish.build",
    .sql =
        "with used as (insert into token_usage (user_id, tokens,"
        "     cost) select owner_id, $6::bigint, $7::bigint from semantic_model_runs"
        "   where id = $1::uuid and $6::bigint > 0)"
        " select finish_model_run($1::uuid, $2::int, $3, $4, $5)",
};

static struct next finish_build(struct flow *f, struct run_finish *r)
{
    struct query *q = r->query =
        query_new(f, r->store->system, &finish_build_statement);
    query_str(f, q, r->message_id);
    query_int(f, q, r->epoch);
    query_str(f, q, r->status);
    query_text(q, r->code);
    query_str(f, q, r->content);
    query_int(f, q, r->tokens);
    query_int(f, q, r->cost);
    query_begin(f, q);
    return await(f, finish_answered);
}

struct next run_finish_begin(struct flow *f)
{
    struct run_finish *r = locals(f, struct run_finish);
    if (r->code)
        return finish_build(f, r);
    struct query *q = r->query =
        query_new(f, r->store->system,
                  r->capsule.len  ? &finish_capsule_statement
                  : r->charts.len ? &finish_drawn_statement
                                  : &finish_statement);
    query_str(f, q, r->message_id);
    query_int(f, q, r->epoch);
    query_str(f, q, r->status);
    query_str(f, q, r->content);
    query_text(q, r->metadata.ptr); /* large: not copied */
    query_str(f, q, r->chat_name);
    if (r->charts.len || r->capsule.len)
        query_str(f, q, r->charts);
    if (r->capsule.len)
        query_text(q, r->capsule.ptr); /* as the metadata */
    query_begin(f, q);
    return await(f, finish_answered);
}

static struct next finish_answered(struct flow *f)
{
    struct run_finish *r = locals(f, struct run_finish);
    r->finished = ROW_VALUE(boolean, row_slices(r->query, 0));
    return back(f);
}
