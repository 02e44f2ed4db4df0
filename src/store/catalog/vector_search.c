/* vector_search.c - compares a question's vector with those in PostgreSQL. */
#include "store/vector_search.h"
#include "ontology_vectors.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn vectors_found;

/* The cosine distance to a vector of length 0 is NaN: similarity 0. */
#define NEAREST_ROW(FIRST, X) \
    FIRST(int64, dataset, "e.dataset") \
    X(real, score, \
      "coalesce(nullif((1 - (e.elements::vector <=>" \
      "   (select $1::real[]::vector)))::real, 'NaN'), 0)")
#define NEAREST_COLUMNS ROW_SQL(NEAREST_ROW)
ROW_STRUCT(nearest_row, NEAREST_ROW);

/* The nearest $4 datasets, and those that are as near as the last of them: the
 * caller decides between equals by name. */
static const struct statement search_statement = {
    .name = "ontologies.search",
    .again = true,
    .sql = "select " NEAREST_COLUMNS " from ontology_embeddings e"
           " where e.ontology_id = (select id from ontologies"
           "   where id = $2::uuid and version = $3::int)"
           " order by 2 desc fetch first ($4::int) rows with ties",
};

struct next vector_search_begin(struct flow *f)
{
    struct vector_search *v = locals(f, struct vector_search);
    const struct similarity *s = v->search;
    struct buf *question = here(f, struct buf);
    struct query *q = v->query =
        query_new(f, v->store->system, &search_statement);
    buf_init(question, flow_here(f));
    put_real_array(question, s->query, s->dimensions);
    query_bytes(q, buf_view(question));
    query_text(q, v->held->id);
    query_int(f, q, v->held->version);
    query_int(f, q, (int64_t)s->top_k);
    query_begin(f, q);
    return await(f, vectors_found);
}

static struct next vectors_found(struct flow *f)
{
    struct vector_search *v = locals(f, struct vector_search);
    const struct query *q = v->query;
    size_t most = v->search->ontology->n_datasets;
    if (q->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    for (int i = 0; i < q->n_rows; i++) {
        struct nearest_row row = nearest_row_at(q, i);
        if ((size_t)row.dataset < most)
            similarity_offer(v->search, (struct similar){(size_t)row.dataset,
                                                         (float)row.score});
    }
    return back(f);
}
