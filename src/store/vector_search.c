#include "store/vector_search.h"
#include "ontology_vectors.h"
#include <stdlib.h>
#include "base/banned.h"

/* As many as `best` may hold, and all that are as near as the last of them:
 * names decide between those. The NaN is of a vector without length. */
static const struct statement search_statement = {
    .name = "ontologies.search",
    .again = true,
    .sql = "select e.dataset, coalesce(nullif((1 - (e.elements::vector <=>"
           "     (select $1::real[]::vector)))::real, 'NaN'), 0)"
           " from ontology_embeddings e"
           " where e.ontology_id = (select id from ontologies"
           "   where id = $2::uuid and version = $3::int)"
           " order by 2 desc fetch first ($4::int) rows with ties",
};

static struct next vectors_found(struct flow *f);

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
        size_t dataset = (size_t)query_cell_int(q, i, 0);
        float score = strtof(query_cell(q, i, 1).ptr, NULL);
        if (dataset < most)
            similarity_take(v->search, (struct similar){dataset, score});
    }
    return back(f);
}
