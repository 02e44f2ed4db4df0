/* model_runs.c - runs that build semantic models from databases: started,
 * loaded, cancelled, listed. */
#include "store/model_runs.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn model_run_started, model_run_loaded, model_runs_listed;

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
    X(uuid, id, "run")
#define MODEL_RUN_START_COLUMNS ROW_SQL(MODEL_RUN_START_ROW)

static const struct statement start_statement = {
    .name = "model_runs.start",
    .sql = "select " MODEL_RUN_START_COLUMNS
           " from start_model_run($1::uuid, $2::boolean, $3::uuid,"
           "   nullif($4, ''), $5, $6,"
           "   array(select json_array_elements_text($7::json)),"
           "   array(select json_array_elements_text($8::json)),"
           "   nullif($9, ''), $10::boolean, $11, $12::int, $13::int,"
           "   $14::int)",
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
    query_bool(q, s->describe);
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

/* ---- load --------------------------------------------------------------- */

#define MODEL_RUN_LOAD_ROW(FIRST, X) \
    FIRST(uuid, owner_id, "b.owner_id") \
    X(uuid, connection_id, "b.connection_id") \
    X(text, database, "b.database_name") \
    X(text, database_name, "coalesce(b.database_name, c.database_name)") \
    X(text, name, "b.name") \
    X(json, schemas, "to_json(b.selected_schemas)") \
    X(json, tables, "to_json(b.selected_tables)") \
    X(text, instructions, "b.instructions") \
    X(boolean, shared, "b.visibility = 'shared'") \
    X(boolean, describe, "b.describe") \
    X(boolean, replaces, \
      "exists (select from semantic_models s where s.owner_id = b.owner_id" \
      "   and s.name = b.name and s.deleted_at is null)") \
    X(int64, tokens_today, "used.tokens") \
    X(int64, cost_today, "used.cost") \
    X(boolean, cancelled, \
      "coalesce(r.cancel_requested or not u.is_active, true)")
#define MODEL_RUN_LOAD_COLUMNS ROW_SQL(MODEL_RUN_LOAD_ROW)

static const struct statement load_statement = {
    .name = "model_runs.load",
    .again = true,
    .sql = "select " MODEL_RUN_LOAD_COLUMNS " from semantic_model_runs b"
           " join connections c on c.id = b.connection_id"
           " join users u on u.id = b.owner_id"
           " left join runs r on r.build_id = b.id"
           " cross join lateral used_today(b.owner_id) used"
           " where b.id = $1::uuid",
};

struct next model_run_load_begin(struct flow *f)
{
    struct model_run_load *l = locals(f, struct model_run_load);
    l->query = query_new(f, l->store->system, &load_statement);
    query_str(f, l->query, l->id);
    query_begin(f, l->query);
    return await(f, model_run_loaded);
}

static struct next model_run_loaded(struct flow *f)
{
    struct model_run_load *l = locals(f, struct model_run_load);
    if (l->query->n_rows == 0)
        return fail(f, ERR_CANCELLED); /* its connection was deleted */
    ROW_READ(MODEL_RUN_LOAD_ROW, l, row_copies(l->query, 0, l->memory));
    return l->cancelled ? fail(f, ERR_CANCELLED) : back(f);
}

/* ---- cancel ------------------------------------------------------------- */

static const struct statement cancel_statement = {
    .name = "model_runs.cancel",
    .again = true,
    .sql = "select cancel_model_run($1::uuid, $2, $3)",
};

struct next model_run_cancel_begin(struct flow *f)
{
    struct model_run_cancel *c = locals(f, struct model_run_cancel);
    struct query *q = query_new(f, c->store->system, &cancel_statement);
    query_str(f, q, c->id);
    query_text(q, err_code(ERR_CANCELLED));
    query_text(q, err_sentence(ERR_CANCELLED));
    query_begin(f, q);
    return await(f, row_none);
}

/* ---- tokens ------------------------------------------------------------- */

static const struct statement tokens_statement = {
    .name = "model_runs.tokens",
    .sql = "insert into token_usage (user_id, tokens, cost)"
           " values ($1::uuid, $2::bigint, $3::bigint)",
};

struct next model_run_tokens_begin(struct flow *f)
{
    struct model_run_tokens *t = locals(f, struct model_run_tokens);
    t->query = query_new(f, t->store->system, &tokens_statement);
    query_str(f, t->query, t->user_id);
    query_int(f, t->query, t->tokens);
    query_int(f, t->query, t->cost);
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
    X(json, found, "case when $3 <> '' then p.found end") \
    X(int64, total, "t.total")
#define MODEL_RUN_COLUMNS ROW_SQL(MODEL_RUN_ROW)
ROW_STRUCT(model_run_row, MODEL_RUN_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "model_runs.page",
    .again = true,
    .sql =
        "select " MODEL_RUN_COLUMNS
        " from (select count(*) as total from model_runs_shown r" VISIBLE ") t"
        " left join (select * from model_runs_shown r" VISIBLE
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
    json_field_object(w, "progress");
    row_put_text(w, "stage", r.stage);
    row_put_json(w, "done", r.stage_done);
    row_put_json(w, "total", r.stage_total);
    json_put_object_end(w);
    model_run_put_error(w, &r);
    row_put_text(w, "semanticModelId", r.model_id);
    row_put_json(w, "datasetCount", r.datasets);
    row_put_json(w, "relationshipCount", r.relationships);
    row_put_json(w, "metricCount", r.metrics);
    row_put_text(w, "createdAt", r.created_at);
    row_put_text(w, "updatedAt", r.updated_at);
    row_put_text(w, "endedAt", r.ended_at);
    if (r.found.ptr)
        row_put_json(w, "found", r.found);
}
