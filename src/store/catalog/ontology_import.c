/* ontology_import.c - stores semantic models and their ontologies, each in one
 * statement with the vectors of its datasets. */
#include "ontology/model_json.h"
#include "ontology_vectors.h"
#include "../rows.h"
#include "store/audit.h"
#include "store/graph_store.h"
#include "store/ontologies.h"
#include "base/banned.h"

static step_fn import_due, imported, ontology_created, projection_due;

/* ---- counts ---------------------------------------------------- */

static int64_t node_count(const struct ontology *o)
{
    size_t n = o->n_datasets;
    for (size_t d = 0; d < o->n_datasets; d++)
        n += o->datasets[d].n_fields;
    return (int64_t)n;
}

static int64_t edge_count(const struct ontology *o)
{
    return node_count(o) - (int64_t)o->n_datasets + (int64_t)o->n_relationships;
}

static void heap_buf_done(void *what)
{
    buf_done(what);
}

/* Lives until the frame ends. Models take megabytes, so they do not come from
 * the arena of a request. */
static struct buf *heap_buf(struct flow *f)
{
    struct buf *out = here(f, struct buf);
    buf_init(out, NULL);
    defer(f, heap_buf_done, out);
    return out;
}

/* ---- import ------------------------------------------------------------- */

/* `notified` is there for its effect: it wakes readers of the run that ends. */
#define IMPORTED_ROW(FIRST, X) \
    FIRST(uuid, model_id, "id") \
    X(uuid, ontology_id, "(select it.id from it order by created_at limit 1)") \
    X(boolean, replaced, "replaced") \
    X(int32, version, "version") \
    X(text, notified, \
      "(select pg_notify('sextant', 'wrote ' || ended.id) from ended)")
#define IMPORTED_COLUMNS ROW_SQL(IMPORTED_ROW)
ROW_STRUCT(imported_row, IMPORTED_ROW);

/* The text becomes a version of its model, which keeps the newest ones. Who
 * replaces the text of a model by its id is noted. */
#define SQL_KEEP_VERSION \
    " kept as (insert into semantic_model_versions (semantic_model_id," \
    "     version, source_text, author_id, changes, restores)" \
    "   select id, version, $7, $24::uuid, coalesce($26::json, '[]')," \
    "     nullif($27::int, 0) from model)," \
    " forgotten as (delete from semantic_model_versions v using model" \
    "   where v.semantic_model_id = model.id" \
    "     and v.version <= model.version - 200)," \
    " noted as (" SQL_AUDIT " select $24::uuid, 'semantic_model.edited'," \
    "   'semantic_model', id::text, jsonb_build_object('name', name," \
    "     'version', version, 'changes', coalesce($26::json, '[]')), $28" \
    "   from model where $20::uuid is not null),"

static const struct statement import_statement = {
    .name = "ontologies.import",
    .sql =
        "with t as materialized (select * from semantic_models"
        "   where id = $20::uuid and deleted_at is null"
        "     and ($25::int = 0 or version = $25::int) for update),"
        " run as materialized (select build_id as id from runs r"
        "   where build_id = $21::uuid and epoch = $22::int"
        "     and ended_at is null and exists (select from"
        "       semantic_model_runs b where b.id = r.build_id"
        "       and b.status = 'running') for update),"
        " model as (insert into semantic_models as s (owner_id,"
        "     connection_id, name, description, source_text, model, visibility,"
        "     database_name, osi_version, dataset_count, relationship_count,"
        "     metric_count)"
        "   select coalesce(t.owner_id, $24::uuid),"
        "     coalesce(t.connection_id, $4::uuid), coalesce(t.name, $5),"
        "     case when t.id is null then $6 else t.description end, $7,"
        "     $8::json, coalesce(t.visibility, $9), case when t.id is null"
        "       then nullif($14, '') else t.database_name end,"
        "     nullif($15, ''), $10::int, $18::int, $19::int"
        "   from (select 1) one left join t on true"
        "   where ($20::uuid is null or t.id is not null)"
        "     and ($21::uuid is null or exists (select from run))"
        "   on conflict (owner_id, name) do update set"
        "     connection_id = excluded.connection_id,"
        "     description = excluded.description,"
        "     source_text = excluded.source_text, model = excluded.model,"
        "     visibility = excluded.visibility,"
        "     database_name = excluded.database_name,"
        "     osi_version = excluded.osi_version,"
        "     dataset_count = excluded.dataset_count,"
        "     relationship_count = excluded.relationship_count,"
        "     metric_count = excluded.metric_count,"
        "     version = s.version + 1, updated_at = now()"
        "     where not $16::boolean and ($21::uuid is null"
        "       or s.connection_id = excluded.connection_id)"
        "   returning id, name, version,"
        "     s.created_at <> s.updated_at as replaced)," SQL_KEEP_VERSION
        " known as (update ontologies o set"
        "     description = case when $17::boolean then $6"
        "       else o.description end,"
        "     visibility = case when $17::boolean then $9"
        "       else o.visibility end,"
        "     status = 'ready', failure = null, dataset_count = $10::int,"
        "     node_count = $11::int, relationship_count = $12::int,"
        "     embedding_model = $13, embedding_size = nullif($3::int, 0),"
        "     version = o.version + 1, updated_at = now()"
        "   from model where o.semantic_model_id = model.id"
        "     and o.deleted_at is null returning o.id, o.created_at),"
        " made as (insert into ontologies (owner_id, semantic_model_id, name,"
        "     description, status, dataset_count, node_count,"
        "     relationship_count, embedding_model, embedding_size, visibility)"
        "   select $24::uuid, id, $5, $6, 'ready', $10::int, $11::int,"
        "     $12::int, $13, nullif($3::int, 0), $9 from model"
        "   where $17::boolean and not exists (select from known)"
        "   returning id, created_at),"
        " it as materialized (select id, created_at from known"
        "   union all select id, created_at from made),"
        " gone as (delete from ontology_embeddings e using it"
        "   where e.ontology_id = it.id"
        "     and (e.dataset >= $10::int or $3::int = 0))," SQL_STORE_VECTORS
        ","
        " over as (update runs r set ended_at = now(), lease_until = null,"
        "     phase = 'done' from run, model where r.message_id = run.id),"
        " ended as (update semantic_model_runs r set status = 'complete',"
        "     semantic_model_id = model.id, found = $23::json,"
        "     stage = n.stage, done = n.done, total = n.total,"
        "     ended_at = now(), updated_at = now()"
        "   from run, model, model_runs_shown n"
        "   where r.id = run.id and n.id = run.id returning r.id)"
        " select " IMPORTED_COLUMNS " from model",
};

static void put_or_null(struct flow *f, struct query *q, struct str text)
{
    if (text.len)
        query_str(f, q, text);
    else
        query_null(q);
}

struct next ontology_import_begin(struct flow *f)
{
    struct ontology_import *i = locals(f, struct ontology_import);
    i->stored = stored_vectors_new(f, i->store, i->vectors,
                                   i->model->n_datasets, i->dimensions);
    return call(f, stored_vectors_begin, i->stored, import_due);
}

static struct next import_due(struct flow *f)
{
    struct ontology_import *i = locals(f, struct ontology_import);
    const struct ontology *o = i->model;
    struct query *q = i->query =
        query_new(f, i->store->system, &import_statement);
    struct buf *model = heap_buf(f);
    ontology_to_json(o, model);
    query_vectors(f, q, i->stored);
    put_or_null(f, q, i->connection_id);
    query_str(f, q, i->name);
    query_str(f, q, i->description.len ? i->description : o->description);
    query_str(f, q, i->source_text);
    query_text(q, buf_cstr(model));
    query_text(q, i->shared ? "shared" : "private");
    query_int(f, q, (int64_t)o->n_datasets);
    query_int(f, q, node_count(o));
    query_int(f, q, edge_count(o));
    query_str(f, q, i->embedding_model);
    query_str(f, q, i->database);
    query_str(f, q, o->version);
    query_bool(q, i->fresh);
    query_bool(q, !i->without_ontology);
    query_int(f, q, (int64_t)o->n_relationships);
    query_int(f, q, (int64_t)o->n_metrics);
    put_or_null(f, q, i->replaces_model);
    put_or_null(f, q, i->run_id);
    query_int(f, q, i->run_epoch);
    put_or_null(f, q, i->found);
    query_str(f, q, i->owner_id);
    query_int(f, q, i->expected_version);
    put_or_null(f, q, i->changes);
    query_int(f, q, i->restores);
    put_or_null(f, q, i->request_id);
    query_begin(f, q);
    return await(f, imported);
}

static struct next imported(struct flow *f)
{
    struct ontology_import *i = locals(f, struct ontology_import);
    i->taken = i->query->n_rows == 0;
    if (i->taken)
        return back(f);
    struct imported_row row = imported_row_at(i->query, 0);
    i->model_id = arena_str(flow_keep(f), row.model_id);
    i->ontology_id = arena_str(flow_keep(f), row.ontology_id);
    i->replaced = row.replaced;
    i->version = row.version;
    return back(f);
}

/* ---- another ontology of a stored model
 * ----------------------------------------- */

#define ONTOLOGY_CREATED_ROW(FIRST, X) \
    FIRST(uuid, id, "made.id") \
    X(json, model, "model.model::text")
#define ONTOLOGY_CREATED_COLUMNS ROW_SQL(ONTOLOGY_CREATED_ROW)

static const struct statement create_statement = {
    .name = "ontologies.create",
    .sql =
        "with model as (select id, description, model from semantic_models"
        "   where id = $2::uuid and deleted_at is null and (owner_id ="
        "     $1::uuid or visibility = 'shared' or $6::boolean)"
        "   for key share),"
        " made as (insert into ontologies (owner_id, semantic_model_id, name,"
        "     description, visibility)"
        "   select $1::uuid, id, $3, coalesce(nullif($4, ''), description),"
        "     $5 from model returning id)"
        " select " ONTOLOGY_CREATED_COLUMNS " from made, model",
};

struct next ontology_create_begin(struct flow *f)
{
    struct ontology_create *c = locals(f, struct ontology_create);
    struct query *q = c->query =
        query_new(f, c->store->system, &create_statement);
    query_str(f, q, c->user_id);
    query_str(f, q, c->model_id);
    query_str(f, q, c->name);
    query_str(f, q, c->description);
    query_text(q, c->shared ? "shared" : "private");
    query_bool(q, c->all);
    query_begin(f, q);
    return await(f, ontology_created);
}

static struct next ontology_created(struct flow *f)
{
    struct ontology_create *c = locals(f, struct ontology_create);
    c->query = rows_keep(f, c->query);
    c->found = c->query->n_rows > 0;
    if (c->found)
        ROW_READ(ONTOLOGY_CREATED_ROW, c, row_slices(c->query, 0));
    return back(f);
}

/* It is ready already when its model was replaced in the meantime. One that was
 * removed in the meantime is settled too: it may be restored. */
static const struct statement settle_statement = {
    .name = "ontologies.settle",
    .sql =
        "update ontologies set version = version + 1, failure = $2,"
        "   status = case when $2::text is null then 'ready' else 'failed' end,"
        "   updated_at = now()"
        " where id = $1::uuid and status = 'creating'",
};

struct next ontology_settle_begin(struct flow *f)
{
    struct ontology_settle *s = locals(f, struct ontology_settle);
    s->query = query_new(f, s->store->system, &settle_statement);
    query_str(f, s->query, s->id);
    query_text(s->query, s->failure);
    query_begin(f, s->query);
    return await(f, row_none);
}

/* ---- the graph store in PostgreSQL
 * ---------------------------------------- */

/* Nodes and edges are read from the model; the store adds their counts and the
 * vectors. */
static const struct statement project_statement = {
    .name = "ontologies.project",
    .sql = "with it as (update ontologies set version = version + 1,"
           "     dataset_count = $4::int,"
           "     node_count = $5::int, relationship_count = $6::int,"
           "     embedding_model = $7, embedding_size = nullif($3::int, 0),"
           "     updated_at = now()"
           "   where id = $8::uuid returning id),"
           " gone as (delete from ontology_embeddings e using it"
           "   where e.ontology_id = it.id"
           "     and (e.dataset >= $4::int or $3::int = 0))," SQL_STORE_VECTORS
           " select id from it",
};

static const struct statement drop_statement = {
    .name = "ontologies.drop",
    .again = true,
    .sql = "delete from ontology_embeddings where ontology_id = $1::uuid",
};

static struct next postgres_project_begin(struct flow *f)
{
    struct graph_projection *p = locals(f, struct graph_projection);
    p->stored = stored_vectors_new(f, p->store, p->vectors,
                                   p->model->n_datasets, p->dimensions);
    return call(f, stored_vectors_begin, p->stored, projection_due);
}

static struct next projection_due(struct flow *f)
{
    struct graph_projection *p = locals(f, struct graph_projection);
    const struct ontology *o = p->model;
    struct query *q = p->query =
        query_new(f, p->store->system, &project_statement);
    query_vectors(f, q, p->stored);
    query_int(f, q, (int64_t)o->n_datasets);
    query_int(f, q, node_count(o));
    query_int(f, q, edge_count(o));
    query_str(f, q, p->embedding_model);
    query_str(f, q, p->ontology_id);
    query_begin(f, q);
    return await(f, row_none);
}

static struct next postgres_drop_begin(struct flow *f)
{
    struct graph_projection *p = locals(f, struct graph_projection);
    p->query = query_new(f, p->store->system, &drop_statement);
    query_str(f, p->query, p->ontology_id);
    query_begin(f, p->query);
    return await(f, row_none);
}

const struct graph_store postgres_graph = {
    .name = "postgres",
    .project_begin = postgres_project_begin,
    .drop_begin = postgres_drop_begin,
};
