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

void row_field_str(struct json_writer *w, const char *key,
                   const struct query *q, int row, int column)
{
    json_put_key(w, key);
    if (query_is_null(q, row, column))
        json_put_null(w);
    else
        json_put_str(w, query_cell(q, row, column));
}

void row_field_raw(struct json_writer *w, const char *key,
                   const struct query *q, int row, int column)
{
    struct str raw = query_cell(q, row, column);
    json_field_raw(w, key, raw.len ? raw : STR("null"));
}
