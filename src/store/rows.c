#include "rows.h"
#include "base/banned.h"

static void rows_free(void *result)
{
    PQclear(result);
}

struct query *rows_keep(struct flow *f, struct query *q)
{
    struct query *kept = keep(f, struct query);
    kept->n_rows = q->n_rows;
    kept->affected = q->affected;
    if (q->result) {
        defer_kept(f, rows_free, q->result);
        kept->result = q->result;
        q->result = NULL;
    }
    return kept;
}
