/* model_runs.c - runs that build semantic models from databases: started,
 * renewed, ended, listed, and as events. */
#include "store/model_runs.h"
#include "../rows.h"
#include "store/notices.h"
#include "base/banned.h"

static step_fn model_run_started, model_run_beaten, model_run_ended,
    model_runs_listed;

/* ---- start -------------------------------------------------------------- */

static enum model_run_outcome row_model_run_outcome(struct row_cursor *at)
{
    struct str word = row_text(at);
    return str_is(word, "started") ? MODEL_RUN_STARTED
           : str_is(word, "busy")  ? MODEL_RUN_BUSY
           : str_is(word, "taken") ? MODEL_RUN_TAKEN
           : str_is(word, "full")  ? MODEL_RUN_FULL
                                   : MODEL_RUN_MISSING;
}

#define MODEL_RUN_START_ROW(FIRST, X) \
    FIRST(model_run_outcome, outcome, "outcome") \
    X(uuid, id, "run") \
    X(boolean, replaces, "replaces") \
    X(text, database_name, "database")
#define MODEL_RUN_START_COLUMNS ROW_SQL(MODEL_RUN_START_ROW)

static const struct statement start_statement = {
    .name = "model_runs.start",
    .sql = "select " MODEL_RUN_START_COLUMNS
           " from start_model_run($1::uuid, $2::boolean, $3::uuid,"
           "   nullif($4, ''), $5, $6,"
           "   array(select json_array_elements_text($7::json)),"
           "   array(select json_array_elements_text($8::json)),"
           "   nullif($9, ''), $10, $11::int, $12::int, $13::int)",
};

struct next model_run_start_begin(struct flow *f)
{
    struct model_run_start *s = locals(f, struct model_run_start);
    struct query *q = s->query =
        query_new(f, s->store->system, &start_statement);
    query_str(f, q, s->owner_id);
    query_bool(q, s->all);
    query_str(f, q, s->connection_id);
    query_str(f, q, s->database);
    query_str(f, q, s->name);
    query_text(q, s->shared ? "shared" : "private");
    query_str(f, q, s->schemas);
    query_str(f, q, s->tables);
    query_str(f, q, s->instructions);
    query_text(q, s->store->owner);
    query_int(f, q, s->store->lease_ms);
    query_int(f, q, MODEL_RUNS_OF_USER);
    query_int(f, q, MODEL_RUNS_OF_PROCESS);
    query_begin(f, q);
    return await(f, model_run_started);
}

static struct next model_run_started(struct flow *f)
{
    struct model_run_start *s = locals(f, struct model_run_start);
    ROW_READ(MODEL_RUN_START_ROW, s, row_copies(s->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- in progress --------------------------------------------------------- */

static const struct statement beat_statement = {
    .name = "model_runs.beat",
    .sql = "update semantic_model_runs r set"
           "   lease_until = now() + $3::int * interval '1 ms',"
           "   updated_at = now(), stage = $4, done = $5::int, total = $6::int,"
           "   changes = changes + $7::int"
           " from users u where r.id = $1::uuid and r.process = $2"
           "   and r.status = 'running' and r.lease_until > now()"
           "   and u.id = r.owner_id and u.is_active returning r.id",
};

struct next model_run_renewal_begin(struct flow *f)
{
    struct model_run_renewal *b = locals(f, struct model_run_renewal);
    struct query *q = b->query =
        query_new(f, b->store->system, &beat_statement);
    query_str(f, q, b->id);
    query_text(q, b->store->owner);
    query_int(f, q, b->store->lease_ms);
    query_text(q, b->stage);
    query_int(f, q, (int64_t)b->done);
    query_int(f, q, (int64_t)b->total);
    query_int(f, q, b->news);
    query_begin(f, q);
    return await(f, model_run_beaten);
}

static struct next model_run_beaten(struct flow *f)
{
    struct model_run_renewal *b = locals(f, struct model_run_renewal);
    b->lost = b->query->n_rows == 0;
    if (b->news)
        notice_send(b->store->notices, NOTICE_WROTE, b->id);
    return back(f);
}

/* ---- the end ------------------------------------------------------------ */

static const struct statement end_statement = {
    .name = "model_runs.end",
    .sql = "select end_model_run($1::uuid, $2, $3, $4, $5, null)",
};

struct next model_run_end_begin(struct flow *f)
{
    struct model_run_end *e = locals(f, struct model_run_end);
    struct query *q = e->query = query_new(f, e->store->system, &end_statement);
    query_str(f, q, e->id);
    query_text(q, e->own ? e->store->owner : NULL);
    query_text(q, e->status);
    query_text(q, e->code);
    query_str(f, q, e->error);
    query_begin(f, q);
    return await(f, model_run_ended);
}

static struct next model_run_ended(struct flow *f)
{
    struct model_run_end *e = locals(f, struct model_run_end);
    e->ended = ROW_VALUE(boolean, row_slices(e->query, 0));
    return back(f);
}

/* ---- tokens ------------------------------------------------------------- */

static const struct statement tokens_statement = {
    .name = "model_runs.tokens",
    .sql = "insert into token_usage (user_id, tokens)"
           " values ($1::uuid, $2::bigint)",
};

struct next model_run_tokens_begin(struct flow *f)
{
    struct model_run_tokens *t = locals(f, struct model_run_tokens);
    t->query = query_new(f, t->store->system, &tokens_statement);
    query_str(f, t->query, t->user_id);
    query_int(f, t->query, t->tokens);
    query_begin(f, t->query);
    return await(f, row_none);
}

/* ---- lists -------------------------------------------------------------- */

#define VISIBLE \
    " where (r.owner_id = $1::uuid or $2::boolean)" \
    "   and ($3 = '' or r.id = nullif($3, '')::uuid)" \
    "   and ($4 = '' or r.connection_id = nullif($4, '')::uuid)"

#define MODEL_RUN_ROW(FIRST, X) \
    FIRST(uuid, id, "p.id", "id") \
    X(text, name, "p.name", "name") \
    X(uuid, connection_id, "p.connection_id", "connectionId") \
    X(text, database, "coalesce(p.database_name, c.database_name)", \
      "databaseName") \
    X(uuid, owner_id, "p.owner_id", "ownerId") \
    X(text, visibility, "p.visibility", "visibility") \
    X(json, schemas, "to_json(p.selected_schemas)", "selectedSchemas") \
    X(json, tables, "to_json(p.selected_tables)", "selectedTables") \
    X(text, instructions, "p.instructions", "instructions") \
    X(text, status, "p.status", "status") \
    X(text, stage, "p.stage") \
    X(json, stage_done, "p.done") \
    X(json, stage_total, "p.total") \
    X(text, code, "p.error_code") \
    X(text, error, "p.error") \
    X(uuid, model_id, "s.id") \
    X(json, datasets, "s.dataset_count") \
    X(json, relationships, "s.relationship_count") \
    X(json, metrics, "s.metric_count") \
    X(time, created_at, "rfc3339(p.created_at)") \
    X(time, updated_at, "rfc3339(p.updated_at)") \
    X(time, ended_at, "rfc3339(p.ended_at)") \
    X(int64, changes, "p.changes") \
    X(json, found, "case when $3 <> '' then p.found end") \
    X(int64, total, "t.total")
#define MODEL_RUN_COLUMNS ROW_SQL(MODEL_RUN_ROW)
ROW_STRUCT(model_run_row, MODEL_RUN_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "model_runs.page",
    .again = true,
    .sql = "select " MODEL_RUN_COLUMNS
           " from (select count(*) as total from model_runs_now r" VISIBLE ") t"
           " left join (select * from model_runs_now r" VISIBLE
           "   order by r.created_at desc, r.id limit $5::int offset $6::int) p"
           "   on true left join connections c on c.id = p.connection_id"
           " left join semantic_models s on s.id = p.semantic_model_id"
           "   and s.deleted_at is null"
           " order by p.created_at desc, p.id",
};

struct next model_run_page_begin(struct flow *f)
{
    struct model_run_page *p = locals(f, struct model_run_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->run_id);
    query_str(f, q, p->connection_id);
    query_page(f, q, p->page, p->page_size);
    query_begin(f, q);
    return await(f, model_runs_listed);
}

static struct next model_runs_listed(struct flow *f)
{
    struct model_run_page *p = locals(f, struct model_run_page);
    struct model_run_row first = model_run_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    return back(f);
}

/* ---- as JSON ------------------------------------------------------------ */

static void model_run_put_progress(struct json_writer *w,
                                   const struct model_run_row *r)
{
    row_put_text(w, "stage", r->stage);
    row_put_json(w, "done", r->stage_done);
    row_put_json(w, "total", r->stage_total);
}

static void model_run_put_counts(struct json_writer *w,
                                 const struct model_run_row *r)
{
    row_put_text(w, "semanticModelId", r->model_id);
    row_put_json(w, "datasetCount", r->datasets);
    row_put_json(w, "relationshipCount", r->relationships);
    row_put_json(w, "metricCount", r->metrics);
}

static void model_run_put_error(struct json_writer *w,
                                const struct model_run_row *r)
{
    json_put_key(w, "error");
    if (!r->code.ptr) {
        json_put_null(w);
        return;
    }
    json_put_object(w);
    row_put_text(w, "code", r->code);
    row_put_text(w, "message", r->error);
    json_put_object_end(w);
}

void model_run_write(struct json_writer *w, const struct query *q, int row)
{
    struct model_run_row r = model_run_row_at(q, row);
    ROW_WRITE(MODEL_RUN_ROW, w, &r);
    json_put_key(w, "progress");
    json_put_object(w);
    model_run_put_progress(w, &r);
    json_put_object_end(w);
    model_run_put_error(w, &r);
    model_run_put_counts(w, &r);
    row_put_text(w, "createdAt", r.created_at);
    row_put_text(w, "updatedAt", r.updated_at);
    row_put_text(w, "endedAt", r.ended_at);
    if (r.found.ptr)
        row_put_json(w, "found", r.found);
}

void model_run_event(const struct query *q, int row,
                     struct model_run_event *out)
{
    struct model_run_row r = model_run_row_at(q, row);
    bool complete = str_is(r.status, "complete");
    out->ended = !str_is(r.status, "running");
    out->id = r.changes;
    out->type = !out->ended ? "run_progress"
                : complete  ? "run_complete"
                            : "run_error";
}

void model_run_event_write(struct json_writer *w, const struct query *q,
                           int row)
{
    struct model_run_row r = model_run_row_at(q, row);
    struct model_run_event news;
    model_run_event(q, row, &news);
    json_field_text(w, "type", news.type);
    row_put_text(w, "runId", r.id);
    if (!news.ended) {
        model_run_put_progress(w, &r);
    } else if (str_is(r.status, "complete")) {
        model_run_put_counts(w, &r);
    } else {
        row_put_text(w, "code", r.code);
        row_put_text(w, "message", r.error);
        row_put_text(w, "error", r.error);
    }
}
