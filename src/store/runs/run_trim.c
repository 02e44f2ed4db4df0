/* run_trim.c - retention: deletes what old runs left behind, a batch at a
 * time. */
#include "../rows.h"
#include "store/runs.h"
#include "base/banned.h"

static step_fn trimmed;

/* A run has a few dozen rows of events. Deleting them by key takes row locks
 * alone; dropping a partition would block writers. */
static const struct statement trim_statement = {
    .name = "runs.trim",
    .urgent = true,
    .again = true,
    .sql = "select case $1 when 'audit' then trim_audit($2::int, $3::int)"
           " else trim_runs($1, $2::int, $3::int) end",
};

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
    t->done = t->query->n_rows ? ROW_VALUE(int64, row_slices(t->query, 0)) : 0;
    return back(f);
}
