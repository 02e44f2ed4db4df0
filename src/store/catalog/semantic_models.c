/* semantic_models.c - semantic models: listed, read as text, changed. */
#include "store/semantic_models.h"
#include "store/audit.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn models_listed, text_read, model_changed;

/* ---- lists -------------------------------------------------------------- */

#define SEEN \
    "s.deleted_at is null and (s.owner_id = $1::uuid" \
    "   or s.visibility = 'shared' or $2::boolean)"

#define VISIBLE \
    " where " SEEN " and ($3 = '' or s.id = nullif($3, '')::uuid)" \
    "   and ($4 = '' or s.connection_id = nullif($4, '')::uuid)" \
    "   and ($5 = '' or strpos(lower(s.name), lower($5)) > 0)"

#define SEMANTIC_MODEL_ROW(FIRST, X) \
    FIRST(uuid, id, "p.id", "id") \
    X(text, name, "p.name", "name") \
    X(text, description, "p.description", "description") \
    X(text, status, "'ready'", "status") \
    X(uuid, connection_id, "p.connection_id", "connectionId") \
    X(json, connection, "json_build_object('id', c.id, 'name', c.name)", \
      "connection") \
    X(text, database, "coalesce(p.database_name, c.database_name)", \
      "databaseName") \
    X(uuid, owner_id, "p.owner_id", "ownerId") \
    X(text, visibility, "p.visibility", "visibility") \
    X(text, osi_version, "p.osi_version", "osiVersion") \
    X(json, datasets, "p.dataset_count", "datasetCount") \
    X(json, tables, "p.dataset_count", "tableCount") \
    X(json, relationships, "p.relationship_count", "relationshipCount") \
    X(json, metrics, "p.metric_count", "metricCount") \
    X(json, version, "p.version", "version") \
    X(json, ontologies, \
      "(select count(*) from ontologies o where o.deleted_at is null" \
      "   and o.semantic_model_id = p.id)", \
      "ontologyCount") \
    X(time, created_at, "rfc3339(p.created_at)", "createdAt") \
    X(time, updated_at, "rfc3339(p.updated_at)", "updatedAt") \
    X(int64, total, "t.total")
#define SEMANTIC_MODEL_COLUMNS ROW_SQL(SEMANTIC_MODEL_ROW)
ROW_STRUCT(semantic_model_row, SEMANTIC_MODEL_ROW);

/* A page past the end is one row that has the total alone. The limit applies to
 * few columns: source texts and models are large. */
static const struct statement page_statement = {
    .name = "semantic_models.page",
    .again = true,
    .sql =
        "select " SEMANTIC_MODEL_COLUMNS
        " from (select count(*) as total from semantic_models s" VISIBLE ") t"
        " left join (select id, name, description, connection_id,"
        "     database_name, owner_id, visibility, osi_version, dataset_count,"
        "     relationship_count, metric_count, version, created_at, updated_at"
        "   from semantic_models s" VISIBLE
        "   order by s.created_at desc, s.id limit $6::int offset $7::int) p"
        "   on true left join connections c on c.id = p.connection_id"
        " order by p.created_at desc, p.id",
};

struct next semantic_model_page_begin(struct flow *f)
{
    struct semantic_model_page *p = locals(f, struct semantic_model_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->model_id);
    query_str(f, q, p->connection_id);
    query_str(f, q, p->search);
    query_page(f, q, p->page, p->page_size);
    query_begin(f, q);
    return await(f, models_listed);
}

static struct next models_listed(struct flow *f)
{
    struct semantic_model_page *p = locals(f, struct semantic_model_page);
    struct semantic_model_row first = semantic_model_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    p->owner_id = first.owner_id;
    return back(f);
}

void semantic_model_write(struct json_writer *w, const struct query *q, int row)
{
    struct semantic_model_row m = semantic_model_row_at(q, row);
    ROW_WRITE(SEMANTIC_MODEL_ROW, w, &m);
}

/* ---- the source text ---------------------------------------------------- */

#define MODEL_TEXT_ROW(FIRST, X) \
    FIRST(text, name, "s.name") \
    X(text, text, "s.source_text") \
    X(int32, version, "s.version") \
    X(uuid, owner_id, "s.owner_id") \
    X(uuid, connection_id, "s.connection_id") \
    X(text, database, "coalesce(s.database_name, '')")
#define MODEL_TEXT_COLUMNS ROW_SQL(MODEL_TEXT_ROW)

static const struct statement text_statement = {
    .name = "semantic_models.text",
    .again = true,
    .sql = "select " MODEL_TEXT_COLUMNS " from semantic_models s"
           " where " SEEN " and s.id = $3::uuid",
};

struct next semantic_model_text_begin(struct flow *f)
{
    struct semantic_model_text *t = locals(f, struct semantic_model_text);
    t->query = query_new(f, t->store->system, &text_statement);
    query_str(f, t->query, t->user_id);
    query_bool(t->query, t->all);
    query_str(f, t->query, t->model_id);
    query_begin(f, t->query);
    return await(f, text_read);
}

static struct next text_read(struct flow *f)
{
    struct semantic_model_text *t = locals(f, struct semantic_model_text);
    t->query = rows_keep(f, t->query);
    if (!t->query->n_rows)
        return fail(f, ERR_NOT_FOUND);
    ROW_READ(MODEL_TEXT_ROW, t, row_slices(t->query, 0));
    return back(f);
}

/* ---- change ------------------------------------------------------------- */

static const struct statement change_statement = {
    .name = "semantic_models.change",
    .sql =
        "with changed as (update semantic_models s set"
        "   name = coalesce($2, name),"
        "   description = case when $3::text is null then description"
        "     else nullif($3, '') end,"
        "   connection_id = coalesce($4::uuid, connection_id),"
        "   database_name = case when $5::text is null then database_name"
        "     else nullif($5, '') end,"
        "   visibility = coalesce($6, visibility), updated_at = now()"
        "   from (select id as old_id, visibility as was from semantic_models"
        "     where id = $1::uuid for update) old"
        "   where s.id = old.old_id and s.deleted_at is null"
        "     and ($4::uuid is null"
        "     or exists (select from connections c where c.id = $4::uuid"
        "       and (c.owner_id = $7::uuid or c.visibility = 'shared'"
        "         or $8::boolean)))"
        "   returning s.*, old.was),"
        " noted as (" SQL_AUDIT " select $7::uuid, 'semantic_model.' ||"
        "     case visibility when 'shared' then 'shared' else 'unshared' end,"
        "   'semantic_model', id::text, jsonb_build_object('name', name), $9"
        "   from changed where visibility <> was)"
        " select id from changed",
};

struct next semantic_model_change_begin(struct flow *f)
{
    struct semantic_model_change *c = locals(f, struct semantic_model_change);
    struct query *q = c->query =
        query_new(f, c->store->system, &change_statement);
    query_str(f, q, c->model_id);
    query_text(q, c->name);
    query_text(q, c->description);
    query_text(q, c->connection_id);
    query_text(q, c->database);
    query_text(q, c->visibility);
    query_str(f, q, c->user_id);
    query_bool(q, c->all);
    query_str(f, q, c->request_id);
    query_begin(f, q);
    op_tolerate(&q->op);
    return await(f, model_changed);
}

static struct next model_changed(struct flow *f)
{
    struct semantic_model_change *c = locals(f, struct semantic_model_change);
    c->taken = c->query->op.status == ERR_CONFLICT;
    if (c->query->op.status != OK && !c->taken)
        return fail(f, c->query->op.status);
    c->found = c->taken || c->query->n_rows > 0;
    return back(f);
}
