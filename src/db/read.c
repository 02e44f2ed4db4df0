/* read.c - see read.h: the op and its rows. read_job.c does the work on the
 * connection. */
#include "db/read.h"
#include "base/utf8.h"
#include "envelope.h"
#include "read_job.h"
#include <assert.h>
#include <string.h>
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

void read_begin(struct flow *f, struct read *r)
{
    assert((r->options.own || r->options.calls.len) && "an unfenced text");
    assert(r->options.source &&
           !memchr(r->options.sql.ptr, 0, r->options.sql.len));
    defer(f, read_done, r);
    struct read_job *j = r->state = read_job_new(r);
    begin(f, &r->op, "read", read_cancel);
    op_deadline(&r->op, pool_deadline_ms(j->pool));
    pool_submit(j->pool, &j->job, false);
}

struct str *read_names(const struct read *r, struct arena *arena)
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

struct str *read_types(const struct read *r, struct arena *arena)
{
    const struct read_job *j = r->state;
    int n = PQnfields(j->described);
    struct str *types = arena_new_array(arena, struct str, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        types[i] = arena_str(arena, j->types[i]);
    return types;
}

void read_hold(struct read *r, bool held)
{
    struct read_job *j = r->state;
    if (j && j->state == READ_JOB_FETCHING)
        connection_hold(j->job.lane->connection, held);
}

static void copy_columns(struct read *r, struct arena *arena)
{
    size_t n = (size_t)r->n_columns;
    const struct str *unique = read_names(r, arena);
    const struct str *types = read_types(r, arena);
    r->columns = arena_new_array(arena, struct read_column, n + 1);
    for (int i = 0; i < r->n_columns; i++)
        r->columns[i] =
            (struct read_column){.name = unique[i], .type = types[i]};
}

static struct str copy_cell(struct str cell, struct arena *arena)
{
    return cell.len ? utf8_repair(arena, cell) : cell;
}

static size_t row_bytes(const struct read_job *j, size_t row, size_t columns)
{
    size_t bytes = 0;
    for (size_t i = 0; i < columns; i++)
        bytes += rows_cell(&j->rows, row * columns + i).len;
    return bytes;
}

int read_first_rows(struct read *r, struct arena *arena, size_t bytes)
{
    const struct read_job *j = r->state;
    assert(j && !r->op.owner && r->op.status == OK && "rows of an answer");
    size_t columns = (size_t)r->n_columns, taken = 0, n = 0;
    size_t kept =
        columns ? j->rows.n_cells / columns : 0; /* on_row keeps none */
    copy_columns(r, arena);
    while (n < kept &&
           (taken += row_bytes(j, n, columns), n == 0 || taken <= bytes))
        n++;
    r->cells = arena_new_array(arena, struct str, n * columns + 1);
    for (size_t i = 0; i < n * columns; i++)
        r->cells[i] = copy_cell(rows_cell(&j->rows, i), arena);
    return (int)n;
}

void read_rows(struct read *r, struct arena *arena)
{
    read_first_rows(r, arena, SIZE_MAX);
}

struct str read_cell(const struct read *r, size_t i)
{
    const struct read_job *j = r->state;
    return rows_cell(&j->rows, i);
}
