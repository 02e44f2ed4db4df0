#include "store/model_runs.h"
#include "rows.h"
#include "store/notices.h"
#include "base/banned.h"

/* ---- start -------------------------------------------------------------- */

#define NAMES(json) "array(select json_array_elements_text(" json "::json))"

static const struct statement start_statement = {
    .name = "model_runs.start",
    .sql = "select * from start_model_run($1::uuid, $2::boolean, $3::uuid,"
           " nullif($4, ''), $5, $6, " NAMES("$7") ", " NAMES("$8") ","
           " nullif($9, ''), $10, $11::int, $12::int, $13::int)",
};

static struct next run_started(struct flow *f);

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
    return await(f, run_started);
}

static struct next run_started(struct flow *f)
{
    static const struct {
        const char *word;
        enum model_run_outcome outcome;
    } words[] = {{"started", MODEL_RUN_STARTED}, {"missing", MODEL_RUN_MISSING},
                 {"busy", MODEL_RUN_BUSY},       {"taken", MODEL_RUN_TAKEN},
                 {"full", MODEL_RUN_FULL}};
    struct model_run_start *s = locals(f, struct model_run_start);
    struct str word = query_cell(s->query, 0, 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i].word))
            s->outcome = words[i].outcome;
    s->id = arena_str(flow_keep(f), query_cell(s->query, 0, 1));
    s->replaces = query_cell_bool(s->query, 0, 2);
    s->database_name = arena_str(flow_keep(f), query_cell(s->query, 0, 3));
    return back(f);
}

/* ---- under way ---------------------------------------------------------- */

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

static struct next beaten(struct flow *f);

struct next model_run_beat_begin(struct flow *f)
{
    struct model_run_beat *b = locals(f, struct model_run_beat);
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
    return await(f, beaten);
}

static struct next beaten(struct flow *f)
{
    struct model_run_beat *b = locals(f, struct model_run_beat);
    b->lost = b->query->n_rows == 0;
    if (b->news)
        notice_say(b->store->notices, NOTICE_WROTE, b->id);
    return back(f);
}

/* ---- the end ------------------------------------------------------------ */

static const struct statement end_statement = {
    .name = "model_runs.end",
    .sql = "select end_model_run($1::uuid, $2, $3, $4, $5, null)",
};

static struct next run_ended(struct flow *f);

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
    return await(f, run_ended);
}

static struct next run_ended(struct flow *f)
{
    struct model_run_end *e = locals(f, struct model_run_end);
    e->ended = query_cell_bool(e->query, 0, 0);
    return back(f);
}

/* ---- tokens ------------------------------------------------------------- */

static const struct statement tokens_statement = {
    .name = "model_runs.tokens",
    .sql = "insert into token_usage (user_id, tokens)"
           " values ($1::uuid, $2::bigint)",
};

static struct next tokens_counted(struct flow *f)
{
    return back(f);
}

struct next model_run_tokens_begin(struct flow *f)
{
    struct model_run_tokens *t = locals(f, struct model_run_tokens);
    t->query = query_new(f, t->store->system, &tokens_statement);
    query_str(f, t->query, t->user_id);
    query_int(f, t->query, t->tokens);
    query_begin(f, t->query);
    return await(f, tokens_counted);
}

/* ---- lists -------------------------------------------------------------- */

#define VISIBLE                                                                \
    " where (r.owner_id = $1::uuid or $2::boolean)"                            \
    "   and ($3 = '' or r.id = nullif($3, '')::uuid)"                          \
    "   and ($4 = '' or r.connection_id = nullif($4, '')::uuid)"

enum {
    ID, NAME, CONNECTION, DATABASE, OWNER, VISIBILITY, SCHEMAS, TABLES,
    INSTRUCTIONS, STATUS, STAGE, DONE, TOTAL_OF_STAGE, CODE, ERROR, MODEL,
    DATASETS, RELATIONSHIPS, METRICS, CREATED, UPDATED, ENDED, CHANGES, FOUND,
    TOTAL
};

/* A page past the end still tells the total. */
static const struct statement page_statement = {
    .name = "model_runs.page",
    .again = true,
    .sql = "select p.id, p.name, p.connection_id,"
           "   coalesce(p.database_name, c.database_name), p.owner_id,"
           "   p.visibility, to_json(p.selected_schemas),"
           "   to_json(p.selected_tables), p.instructions, p.status, p.stage,"
           "   p.done, p.total, p.error_code, p.error, s.id, s.dataset_count,"
           "   s.relationship_count, s.metric_count,"
           "   " SQL_TIME("p.created_at") ", " SQL_TIME("p.updated_at") ","
           "   " SQL_TIME("p.ended_at") ", p.changes,"
           "   case when $3 <> '' then p.found end, t.total"
           " from (select count(*) as total from model_runs_now r" VISIBLE ") t"
           " left join (select * from model_runs_now r" VISIBLE
           "   order by r.created_at desc, r.id limit $5::int offset $6::int) p"
           "   on true left join connections c on c.id = p.connection_id"
           " left join semantic_models s on s.id = p.semantic_model_id"
           "   and s.deleted_at is null"
           " order by p.created_at desc, p.id",
};

static struct next runs_listed(struct flow *f);

struct next model_run_page_begin(struct flow *f)
{
    struct model_run_page *p = locals(f, struct model_run_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->run_id);
    query_str(f, q, p->connection_id);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_begin(f, q);
    return await(f, runs_listed);
}

static struct next runs_listed(struct flow *f)
{
    struct model_run_page *p = locals(f, struct model_run_page);
    p->query = rows_keep(f, p->query);
    p->total = query_cell_int(p->query, 0, TOTAL);
    if (query_is_null(p->query, 0, ID))
        p->query->n_rows = 0;
    return back(f);
}

/* ---- as JSON ------------------------------------------------------------ */

static void put_progress(struct json_writer *w, const struct query *q, int row)
{
    row_field_str(w, "stage", q, row, STAGE);
    row_field_raw(w, "done", q, row, DONE);
    row_field_raw(w, "total", q, row, TOTAL_OF_STAGE);
}

static void put_counts(struct json_writer *w, const struct query *q, int row)
{
    row_field_str(w, "semanticModelId", q, row, MODEL);
    row_field_raw(w, "datasetCount", q, row, DATASETS);
    row_field_raw(w, "relationshipCount", q, row, RELATIONSHIPS);
    row_field_raw(w, "metricCount", q, row, METRICS);
}

static void put_error(struct json_writer *w, const struct query *q, int row)
{
    json_put_key(w, "error");
    if (query_is_null(q, row, CODE)) {
        json_put_null(w);
        return;
    }
    json_put_object(w);
    row_field_str(w, "code", q, row, CODE);
    row_field_str(w, "message", q, row, ERROR);
    json_put_object_end(w);
}

void model_run_write(struct json_writer *w, const struct query *q, int row)
{
    row_field_str(w, "id", q, row, ID);
    row_field_str(w, "name", q, row, NAME);
    row_field_str(w, "connectionId", q, row, CONNECTION);
    row_field_str(w, "databaseName", q, row, DATABASE);
    row_field_str(w, "ownerId", q, row, OWNER);
    row_field_str(w, "visibility", q, row, VISIBILITY);
    row_field_raw(w, "selectedSchemas", q, row, SCHEMAS);
    row_field_raw(w, "selectedTables", q, row, TABLES);
    row_field_str(w, "instructions", q, row, INSTRUCTIONS);
    row_field_str(w, "status", q, row, STATUS);
    json_put_key(w, "progress");
    json_put_object(w);
    put_progress(w, q, row);
    json_put_object_end(w);
    put_error(w, q, row);
    put_counts(w, q, row);
    row_field_str(w, "createdAt", q, row, CREATED);
    row_field_str(w, "updatedAt", q, row, UPDATED);
    row_field_str(w, "endedAt", q, row, ENDED);
    if (!query_is_null(q, row, FOUND))
        row_field_raw(w, "found", q, row, FOUND);
}

void model_run_news(const struct query *q, int row, struct model_run_news *out)
{
    struct str status = query_cell(q, row, STATUS);
    bool complete = str_is(status, "complete");
    out->ended = !str_is(status, "running");
    out->id = query_cell_int(q, row, CHANGES);
    out->type = !out->ended ? "run_progress"
                : complete  ? "run_complete"
                            : "run_error";
}

void model_run_news_write(struct json_writer *w, const struct query *q, int row)
{
    struct model_run_news news;
    model_run_news(q, row, &news);
    json_field_text(w, "type", news.type);
    row_field_str(w, "runId", q, row, ID);
    if (!news.ended) {
        put_progress(w, q, row);
    } else if (str_is(query_cell(q, row, STATUS), "complete")) {
        put_counts(w, q, row);
    } else {
        row_field_str(w, "code", q, row, CODE);
        row_field_str(w, "message", q, row, ERROR);
        row_field_str(w, "error", q, row, ERROR);
    }
}
