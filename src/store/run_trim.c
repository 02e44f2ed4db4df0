#include "store/runs.h"
#include "base/banned.h"

/* An event log is a few dozen rows a run: batches of deletions by key take row
 * locks alone, where dropping a partition would stop whoever writes. */
static const struct statement trim_statement = {
    .name = "runs.trim",
    .urgent = true,
    .again = true,
    .sql = "select case $1 when 'audit' then trim_audit($2::int, $3::int)"
           " else trim_runs($1, $2::int, $3::int) end",
};

static struct next trimmed(struct flow *f);

struct next run_trim_begin(struct flow *f)
{
    struct run_trim *t = locals(f, struct run_trim);
    t->query = query_new(f, t->store->system, &trim_statement);
    query_text(t->query, t->kind);
    query_int(f, t->query, t->days);
    query_int(f, t->query, RUN_TRIM_MOST);
    query_begin(f, t->query);
    return await(f, trimmed);
}

static struct next trimmed(struct flow *f)
{
    struct run_trim *t = locals(f, struct run_trim);
    t->done = t->query->n_rows ? query_cell_int(t->query, 0, 0) : 0;
    return back(f);
}
