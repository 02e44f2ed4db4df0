/* query_values.c - the parameters of a query. */
#include "db/query.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include "base/banned.h"

bool query_failed_with(const struct query *q, const char *sqlstate)
{
    return strcmp(q->sqlstate, sqlstate) == 0;
}

/* ---- building one -------------------------------------------------------- */

struct query *query_new(struct flow *f, struct pool *pool,
                        const struct statement *statement)
{
    struct query *q = here(f, struct query);
    q->pool = pool;
    q->statement = statement;
    return q;
}

void query_text(struct query *q, const char *text_or_null)
{
    assert(q->n_params < QUERY_MAX_PARAMS);
    q->params[q->n_params++] = text_or_null;
}

void query_bytes(struct query *q, struct str bytes)
{
    assert(q->n_params == 0 && bytes.len && bytes.len <= INT_MAX);
    q->bytes = (int)bytes.len;
    query_text(q, bytes.ptr);
}

void query_str(struct flow *f, struct query *q, struct str s)
{
    query_text(q, arena_cstr(flow_here(f), s));
}

void query_int(struct flow *f, struct query *q, int64_t n)
{
    query_text(q, arena_printf(flow_here(f), "%lld", (long long)n).ptr);
}

void query_bool(struct query *q, bool b)
{
    query_text(q, b ? "t" : "f");
}

void query_null(struct query *q)
{
    query_text(q, NULL);
}
