/* read_pool.c - reads on a pool of connections to PostgreSQL, the engine of
 * databases: the op and its rows. read_job.c does the work on the
 * connection. */
#include "read_pool.h"
#include "base/utf8.h"
#include "db/pool.h"
#include "db/read.h"
#include "envelope.h"
#include "read_job.h"
#include <assert.h>
#include "base/banned.h"

static void read_done(void *what)
{
    struct read *r = what;
    struct read_job *j = r->state;
    r->state = NULL;
    if (j)
        read_job_release(j);
}

/* A read that only waited for a database that is away fails for that reason,
 * and not with a timeout. */
static void read_cancel(struct op *op)
{
    struct read *r = (struct read *)op;
    struct read_job *j = r->state;
    enum err how = ERR_CANCELLED;
    if (op->expired && j->state == READ_JOB_WAITING && !pool_is_up(j->pool)) {
        op->expired = false;
        how = ERR_DATABASE_UNAVAILABLE;
    }
    read_job_stop(j);
    pool_count(j->pool, true);
    op_complete(op, how);
}

static void pool_read_begin(struct flow *f, struct read *r)
{
    assert((r->options.own || r->options.calls.len) && "an unfenced text");
    defer(f, read_done, r);
    struct read_job *j = r->state = read_job_new(r);
    begin(f, &r->op, "read", read_cancel);
    op_deadline(&r->op, pool_deadline_ms(j->pool));
    pool_submit(j->pool, &j->job, false);
}

static struct str *pool_read_names(const struct read *r, struct arena *arena)
{
    const struct read_job *j = r->state;
    int n = PQnfields(j->described);
    const char **names = arena_new_array(arena, const char *, (size_t)n + 1);
    struct str *unique = arena_new_array(arena, struct str, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        names[i] = utf8_repair(arena, str_of(PQfname(j->described, i))).ptr;
    envelope_unique_names(arena, names, n, unique);
    return unique;
}

static struct str *pool_read_types(const struct read *r, struct arena *arena)
{
    const struct read_job *j = r->state;
    int n = PQnfields(j->described);
    struct str *types = arena_new_array(arena, struct str, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        types[i] = arena_str(arena, j->types[i]);
    return types;
}

static void pool_read_hold(struct read *r, bool held)
{
    struct read_job *j = r->state;
    if (j && j->state == READ_JOB_FETCHING)
        connection_hold(j->job.lane->connection, held);
}

static size_t pool_read_n_cells(const struct read *r)
{
    const struct read_job *j = r->state;
    return j->rows.n_cells;
}

static struct str pool_read_cell(const struct read *r, size_t i)
{
    const struct read_job *j = r->state;
    return rows_cell(&j->rows, i);
}

/* The source is the first member of its pool. */
static const char *pool_source_problem(const struct source *source)
{
    return pool_problem((const struct pool *)source);
}

const struct source_engine pool_engine = {.dialect = DIALECT_POSTGRES,
                                          .name = "PostgreSQL",
                                          .read_begin = pool_read_begin,
                                          .read_names = pool_read_names,
                                          .read_types = pool_read_types,
                                          .read_n_cells = pool_read_n_cells,
                                          .read_cell = pool_read_cell,
                                          .read_hold = pool_read_hold,
                                          .problem = pool_source_problem};
