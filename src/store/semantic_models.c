#include "store/semantic_models.h"
#include "store/audit.h"
#include "rows.h"
#include "base/banned.h"

/* ---- lists -------------------------------------------------------------- */

#define SEEN \
    "s.deleted_at is null and (s.owner_id = $1::uuid" \
    "   or s.visibility = 'shared' or $2::boolean)"

#define VISIBLE \
    " where " SEEN " and ($3 = '' or s.id = nullif($3, '')::uuid)" \
    "   and ($4 = '' or s.connection_id = nullif($4, '')::uuid)" \
    "   and ($5 = '' or strpos(lower(s.name), lower($5)) > 0)"

enum {
    ID,
    NAME,
    DESCRIPTION,
    CONNECTION,
    DATABASE,
    OWNER,
    VISIBILITY,
    OSI_VERSION,
    DATASETS,
    RELATIONSHIPS,
    METRICS,
    CREATED,
    UPDATED,
    ONTOLOGIES,
    TOTAL
};

/* A page past the end still tells the total. */
static const struct statement page_statement = {
    .name = "semantic_models.page",
    .again = true,
    .sql =
        "select p.id, p.name, p.description, p.connection_id,"
        "   coalesce(p.database_name, c.database_name), p.owner_id,"
        "   p.visibility, p.osi_version, p.dataset_count,"
        "   p.relationship_count, p.metric_count,"
        "   " SQL_TIME("p.created_at") ", " SQL_TIME(
            "p.updated_at") ","
                            "   (select count(*) from ontologies o where o.deleted_at is null"
                            "     and o.semantic_model_id = p.id), t.total"
                            " from (select count(*) as total from semantic_models s" VISIBLE
                            ") t"
                            " left join (select id, name, description, connection_id,"
                            "     database_name, owner_id, visibility, osi_version, dataset_count,"
                            "     relationship_count, metric_count, created_at, updated_at"
                            "   from semantic_models s" VISIBLE
                            "   order by s.created_at desc, s.id limit $6::int offset $7::int) p"
                            "   on true left join connections c on c.id = p.connection_id"
                            " order by p.created_at desc, p.id",
};

static struct next models_listed(struct flow *f);

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
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_begin(f, q);
    return await(f, models_listed);
}

static struct next models_listed(struct flow *f)
{
    struct semantic_model_page *p = locals(f, struct semantic_model_page);
    struct query *q = p->query = rows_keep(f, p->query);
    p->total = query_cell_int(q, 0, TOTAL);
    if (query_is_null(q, 0, ID))
        q->n_rows = 0;
    if (q->n_rows) {
        p->owner_id = query_cell(q, 0, OWNER);
        p->name = query_cell(q, 0, NAME);
    }
    return back(f);
}

void semantic_model_write(struct json_writer *w, const struct query *q, int row)
{
    row_field_str(w, "id", q, row, ID);
    row_field_str(w, "name", q, row, NAME);
    row_field_str(w, "description", q, row, DESCRIPTION);
    row_field_str(w, "connectionId", q, row, CONNECTION);
    row_field_str(w, "databaseName", q, row, DATABASE);
    row_field_str(w, "ownerId", q, row, OWNER);
    row_field_str(w, "visibility", q, row, VISIBILITY);
    row_field_str(w, "osiVersion", q, row, OSI_VERSION);
    row_field_raw(w, "datasetCount", q, row, DATASETS);
    row_field_raw(w, "relationshipCount", q, row, RELATIONSHIPS);
    row_field_raw(w, "metricCount", q, row, METRICS);
    row_field_raw(w, "ontologyCount", q, row, ONTOLOGIES);
    row_field_str(w, "createdAt", q, row, CREATED);
    row_field_str(w, "updatedAt", q, row, UPDATED);
}

/* ---- its text ----------------------------------------------------------- */

static const struct statement text_statement = {
    .name = "semantic_models.text",
    .again = true,
    .sql = "select s.name, s.source_text from semantic_models s"
           " where " SEEN " and s.id = $3::uuid",
};

static struct next text_read(struct flow *f);

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
    t->name = query_cell(t->query, 0, 0);
    t->text = query_cell(t->query, 0, 1);
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
        " noted as (" SQL_AUDIT_SHARED("semantic_model", "$7::uuid", "$9",
                                       "changed") ")"
                                                  " select id from changed",
};

static struct next model_changed(struct flow *f);

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
