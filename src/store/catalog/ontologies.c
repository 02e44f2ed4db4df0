/* ontologies.c - the list of ontologies. */
#include "store/ontologies.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn ontologies_listed;

/* ---- lists -------------------------------------------------------------- */

#define VISIBLE \
    " where o.deleted_at is null and (o.owner_id = $1::uuid" \
    "     or o.visibility = 'shared' or $2::boolean)" \
    "   and ($3 = '' or o.id = nullif($3, '')::uuid)" \
    "   and ($6 = '' or o.semantic_model_id = nullif($6, '')::uuid)"

#define ONTOLOGY_ROW(FIRST, X) \
    FIRST(uuid, id, "p.id", "id") \
    X(text, name, "p.name", "name") \
    X(text, description, "p.description", "description") \
    X(uuid, model_id, "p.semantic_model_id", "semanticModelId") \
    X(uuid, owner_id, "p.owner_id", "ownerId") \
    X(text, status, "p.status", "status") \
    X(text, visibility, "p.visibility", "visibility") \
    X(json, datasets, "p.dataset_count", "datasetCount") \
    X(json, nodes, "p.node_count", "nodeCount") \
    X(json, relationships, "p.relationship_count", "relationshipCount") \
    X(text, failure, "p.failure", "failure") \
    X(text, embedding_model, "p.embedding_model", "embeddingModel") \
    X(time, created_at, "rfc3339(p.created_at)", "createdAt") \
    X(time, updated_at, "rfc3339(p.updated_at)", "updatedAt") \
    X(int32, version, "p.version") \
    X(int64, total, "t.total")
#define ONTOLOGY_COLUMNS ROW_SQL(ONTOLOGY_ROW)
ROW_STRUCT(ontology_row, ONTOLOGY_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "ontologies.page",
    .again = true,
    .sql = "select " ONTOLOGY_COLUMNS
           " from (select count(*) as total from ontologies o" VISIBLE ") t"
           " left join (select o.* from ontologies o" VISIBLE
           "   order by o.created_at desc, o.id limit $4::int offset $5::int)"
           "   p on true order by p.created_at desc, p.id",
};

struct next ontology_page_begin(struct flow *f)
{
    struct ontology_page *p = locals(f, struct ontology_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->ontology_id);
    query_page(f, q, p->page, p->page_size);
    query_str(f, q, p->model_id);
    query_begin(f, q);
    return await(f, ontologies_listed);
}

static struct next ontologies_listed(struct flow *f)
{
    struct ontology_page *p = locals(f, struct ontology_page);
    struct ontology_row first = ontology_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    p->owner_id = first.owner_id;
    p->status = first.status;
    p->name = first.name;
    p->version = first.version;
    return back(f);
}

void ontology_write(struct json_writer *w, const struct query *q, int row)
{
    struct ontology_row o = ontology_row_at(q, row);
    ROW_WRITE(ONTOLOGY_ROW, w, &o);
}
