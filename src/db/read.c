/* read.c - see read.h: hands a read to the engine of its source, and copies the
 * rows that it kept. */
#include "db/read.h"
#include "base/utf8.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

static const struct source_engine *engine_of(const struct read *r)
{
    return r->options.source->engine;
}

void read_begin(struct flow *f, struct read *r)
{
    assert(r->options.source &&
           !memchr(r->options.sql.ptr, 0, r->options.sql.len));
    engine_of(r)->read_begin(f, r);
}

struct str *read_names(const struct read *r, struct arena *arena)
{
    return engine_of(r)->read_names(r, arena);
}

struct str *read_types(const struct read *r, struct arena *arena)
{
    return engine_of(r)->read_types(r, arena);
}

struct str read_cell(const struct read *r, size_t i)
{
    return engine_of(r)->read_cell(r, i);
}

void read_hold(struct read *r, bool held)
{
    engine_of(r)->read_hold(r, held);
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

static size_t row_bytes(const struct read *r, size_t row, size_t columns)
{
    size_t bytes = 0;
    for (size_t i = 0; i < columns; i++)
        bytes += read_cell(r, row * columns + i).len;
    return bytes;
}

int read_first_rows(struct read *r, struct arena *arena, size_t bytes)
{
    assert(r->state && !r->op.owner && r->op.status == OK &&
           "rows of an answer");
    size_t columns = (size_t)r->n_columns, taken = 0, n = 0;
    size_t kept = columns ? engine_of(r)->read_n_cells(r) / columns
                          : 0; /* on_row keeps none */
    copy_columns(r, arena);
    while (n < kept &&
           (taken += row_bytes(r, n, columns), n == 0 || taken <= bytes))
        n++;
    r->cells = arena_new_array(arena, struct str, n * columns + 1);
    for (size_t i = 0; i < n * columns; i++)
        r->cells[i] = copy_cell(read_cell(r, i), arena);
    return (int)n;
}

void read_rows(struct read *r, struct arena *arena)
{
    read_first_rows(r, arena, SIZE_MAX);
}
