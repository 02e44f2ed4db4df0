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
        kept->result = q->result;
        q->result = NULL;
        defer_kept(f, rows_free, kept->result); /* holds also when it leaves */
    }
    return kept;
}
