/* ontology_import.c - models and ontologies as they come: stored in one statement
 * with the vectors of their datasets. */
#include "ontology/model_json.h"
#include "ontology_vectors.h"
#include "rows.h"
#include "store/graph_store.h"
#include "store/ontologies.h"
#include "base/banned.h"

/* ---- what is counted ---------------------------------------------------- */

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

/* Until the frame ends; megabytes that a request's own memory need not hold. */
static struct buf *heap_buf(struct flow *f)
{
    struct buf *out = here(f, struct buf);
    buf_init(out, NULL);
    defer(f, heap_buf_done, out);
    return out;
}

/* ---- import ------------------------------------------------------------- */

static const struct statement import_statement = {
    .name = "ontologies.import",
    .sql =
        "with t as materialized (select * from semantic_models"
        "   where id = $20::uuid and deleted_at is null for update),"
        " run as materialized (select id from semantic_model_runs"
        "   where id = $21::uuid and process = $22 and status = 'running'"
        "     and lease_until > now() for update),"
        " model as (insert into semantic_models as s (owner_id,"
        "     connection_id, name, description, source_text, model, visibility,"
        "     database_name, osi_version, dataset_count, relationship_count,"
        "     metric_count)"
        "   select coalesce(t.owner_id, $24::uuid),"
        "     coalesce(t.connection_id, $2::uuid), coalesce(t.name, $3),"
        "     case when t.id is null then $4 else t.description end, $5,"
        "     $6::json, coalesce(t.visibility, $7), case when t.id is null"
        "       then nullif($14, '') else t.database_name end,"
        "     nullif($15, ''), $8::int, $18::int, $19::int"
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
        "     metric_count = excluded.metric_count, updated_at = now()"
        "     where not $16::boolean and ($21::uuid is null"
        "       or s.connection_id = excluded.connection_id)"
        "   returning id, s.created_at <> s.updated_at as replaced),"
        " known as (update ontologies o set"
        "     description = case when $17::boolean then $4"
        "       else o.description end,"
        "     visibility = case when $17::boolean then $7"
        "       else o.visibility end,"
        "     status = 'ready', failure = null, dataset_count = $8::int,"
        "     node_count = $9::int, relationship_count = $10::int,"
        "     embedding_model = $11, embedding_size = nullif($12::int, 0),"
        "     version = o.version + 1, updated_at = now()"
        "   from model where o.semantic_model_id = model.id"
        "     and o.deleted_at is null returning o.id, o.created_at),"
        " made as (insert into ontologies (owner_id, semantic_model_id, name,"
        "     description, status, dataset_count, node_count,"
        "     relationship_count, embedding_model, embedding_size, visibility)"
        "   select $24::uuid, id, $3, $4, 'ready', $8::int, $9::int, $10::int,"
        "     $11, nullif($12::int, 0), $7 from model"
        "   where $17::boolean and not exists (select from known)"
        "   returning id, created_at),"
        " it as materialized (select id, created_at from known"
        "   union all select id, created_at from made),"
        " gone as (delete from ontology_embeddings e using it"
        "   where e.ontology_id = it.id"
        "     and (e.dataset >= $8::int or $12::int = 0))," PUT_VECTORS(
            "it", "$13",
            "$12") ","
                   " ended as (update semantic_model_runs r set status = 'complete',"
                   "     semantic_model_id = model.id, found = $23::json,"
                   "     changes = changes + 1, ended_at = now(), updated_at = now()"
                   "   from run, model where r.id = run.id returning r.id)"
                   " select id, (select it.id from it order by created_at limit 1),"
                   "   replaced, (select pg_notify('sextant', 'wrote ' || ended.id)"
                   "     from ended) from model",
};

static struct next import_due(struct flow *f), imported(struct flow *f);

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
    query_elements(q, i->stored);
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
    query_int(f, q, (int64_t)i->dimensions);
    query_text(q, buf_cstr(&i->stored->hex));
    query_str(f, q, i->database);
    query_str(f, q, o->version);
    query_bool(q, i->fresh);
    query_bool(q, !i->model_alone);
    query_int(f, q, (int64_t)o->n_relationships);
    query_int(f, q, (int64_t)o->n_metrics);
    put_or_null(f, q, i->text_of);
    put_or_null(f, q, i->run_id);
    query_text(q, i->store->owner);
    put_or_null(f, q, i->found);
    query_str(f, q, i->owner_id);
    query_begin(f, q);
    return await(f, imported);
}

static struct next imported(struct flow *f)
{
    struct ontology_import *i = locals(f, struct ontology_import);
    i->taken = i->query->n_rows == 0;
    if (i->taken)
        return back(f);
    i->model_id = arena_str(flow_keep(f), query_cell(i->query, 0, 0));
    i->ontology_id = arena_str(flow_keep(f), query_cell(i->query, 0, 1));
    i->replaced = query_cell_bool(i->query, 0, 2);
    return back(f);
}

/* ---- one more of a stored model ----------------------------------------- */

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
        " select made.id, model.model::text from made, model",
};

static struct next ontology_created(struct flow *f);

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
    if (c->found) {
        c->id = query_cell(c->query, 0, 0);
        c->model = query_cell(c->query, 0, 1);
    }
    return back(f);
}

static struct next ontology_settled(struct flow *f);

/* The model may have been replaced meanwhile: then that made it ready. */
static const struct statement settle_statement = {
    .name = "ontologies.settle",
    .sql =
        "update ontologies set version = version + 1, failure = $2,"
        "   status = case when $2::text is null then 'ready' else 'failed' end,"
        "   updated_at = now()"
        " where id = $1::uuid and status = 'creating' and deleted_at is null",
};

struct next ontology_settle_begin(struct flow *f)
{
    struct ontology_settle *s = locals(f, struct ontology_settle);
    s->query = query_new(f, s->store->system, &settle_statement);
    query_str(f, s->query, s->id);
    query_text(s->query, s->failure);
    query_begin(f, s->query);
    return await(f, ontology_settled);
}

static struct next ontology_settled(struct flow *f)
{
    return back(f);
}

/* ---- the graph store of PostgreSQL ---------------------------------------- */

/* Nodes and edges are the model's own row; here come their counts and the
 * vectors. */
static const struct statement project_statement = {
    .name = "ontologies.project",
    .sql = "with it as (update ontologies set version = version + 1,"
           "     dataset_count = $2::int,"
           "     node_count = $3::int, relationship_count = $4::int,"
           "     embedding_model = $5, embedding_size = nullif($6::int, 0),"
           "     updated_at = now()"
           "   where id = $8::uuid and deleted_at is null returning id),"
           " gone as (delete from ontology_embeddings e using it"
           "   where e.ontology_id = it.id"
           "     and (e.dataset >= $2::int or $6::int = 0))," PUT_VECTORS(
               "it", "$7", "$6") " select id from it",
};

static const struct statement drop_statement = {
    .name = "ontologies.drop",
    .again = true,
    .sql = "delete from ontology_embeddings where ontology_id = $1::uuid",
};

static struct next graph_done(struct flow *f)
{
    return back(f);
}

static struct next projection_due(struct flow *f);

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
    query_elements(q, p->stored);
    query_int(f, q, (int64_t)o->n_datasets);
    query_int(f, q, node_count(o));
    query_int(f, q, edge_count(o));
    query_str(f, q, p->embedding_model);
    query_int(f, q, (int64_t)p->dimensions);
    query_text(q, buf_cstr(&p->stored->hex));
    query_str(f, q, p->ontology_id);
    query_begin(f, q);
    return await(f, graph_done);
}

static struct next postgres_drop_begin(struct flow *f)
{
    struct graph_projection *p = locals(f, struct graph_projection);
    p->query = query_new(f, p->store->system, &drop_statement);
    query_str(f, p->query, p->ontology_id);
    query_begin(f, p->query);
    return await(f, graph_done);
}

const struct graph_store postgres_graph = {
    .name = "postgres",
    .project_begin = postgres_project_begin,
    .drop_begin = postgres_drop_begin,
};
