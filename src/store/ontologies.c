#include "store/ontologies.h"
#include "rows.h"
#include "base/banned.h"

/* ---- lists -------------------------------------------------------------- */

#define VISIBLE                                                                \
    " where o.deleted_at is null and (o.owner_id = $1::uuid"                   \
    "     or o.visibility = 'shared' or $2::boolean)"                          \
    "   and ($3 = '' or o.id = nullif($3, '')::uuid)"                          \
    "   and ($6 = '' or o.semantic_model_id = nullif($6, '')::uuid)"

/* A page past the end still tells the total. */
static const struct statement page_statement = {
    .name = "ontologies.page",
    .again = true,
    .sql = "select p.id, p.name, p.description, p.semantic_model_id, p.owner_id,"
           "   p.status, p.visibility, p.dataset_count, p.node_count,"
           "   p.relationship_count, " SQL_TIME("p.created_at") ","
           "   " SQL_TIME("p.updated_at") ", t.total, p.version,"
           "   p.failure, p.embedding_model"
           " from (select count(*) as total from ontologies o" VISIBLE ") t"
           " left join (select o.* from ontologies o" VISIBLE
           "   order by o.created_at desc, o.id limit $4::int offset $5::int)"
           "   p on true order by p.created_at desc, p.id",
};

static struct next ontologies_listed(struct flow *f);

struct next ontology_page_begin(struct flow *f)
{
    struct ontology_page *p = locals(f, struct ontology_page);
    struct query *q = p->query = query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->ontology_id);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_str(f, q, p->model_id);
    query_begin(f, q);
    return await(f, ontologies_listed);
}

static struct next ontologies_listed(struct flow *f)
{
    struct ontology_page *p = locals(f, struct ontology_page);
    struct query *q = p->query = rows_keep(f, p->query);
    p->total = query_cell_int(q, 0, 12);
    if (query_is_null(q, 0, 0))
        q->n_rows = 0;
    if (q->n_rows) {
        p->owner_id = query_cell(q, 0, 4);
        p->status = query_cell(q, 0, 5);
        p->version = (int)query_cell_int(q, 0, 13);
    }
    return back(f);
}

void ontology_write(struct json_writer *w, const struct query *q, int row)
{
    static const char *const texts[] = {"id", "name", "description",
                                        "semanticModelId", "ownerId", "status",
                                        "visibility"};
    static const char *const counts[] = {"datasetCount", "nodeCount",
                                         "relationshipCount"};
    for (int i = 0; i < 7; i++)
        row_field_str(w, texts[i], q, row, i);
    for (int i = 0; i < 3; i++)
        json_field_raw(w, counts[i], query_cell(q, row, 7 + i));
    row_field_str(w, "failure", q, row, 14);
    row_field_str(w, "embeddingModel", q, row, 15);
    json_field_str(w, "createdAt", query_cell(q, row, 10));
    json_field_str(w, "updatedAt", query_cell(q, row, 11));
}
