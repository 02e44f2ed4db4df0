/* rows.c - cells of a result as C values, and values as members of JSON. */
#include "rows.h"
#include <assert.h>
#include <stdlib.h>
#include "base/banned.h"

/* ---- reading ------------------------------------------------------------ */

struct row_cursor row_copies(const struct query *q, int row,
                             struct arena *memory)
{
    assert(row < q->n_rows && "a row the result does not have");
    return (struct row_cursor){
        .result = q->result, .row = row, .memory = memory};
}

struct row_cursor row_slices(const struct query *q, int row)
{
    return row_copies(q, row, NULL);
}

void row_end(const struct row_cursor *at)
{
    assert(at->column == PQnfields(at->result) && "a column without a field");
    (void)at;
}

static struct str row_cell(struct row_cursor *at)
{
    int column = at->column++;
    if (PQgetisnull(at->result, at->row, column))
        return (struct str){NULL, 0};
    return (struct str){PQgetvalue(at->result, at->row, column),
                        (size_t)PQgetlength(at->result, at->row, column)};
}

struct str row_text(struct row_cursor *at)
{
    struct str cell = row_cell(at);
    return at->memory ? arena_str(at->memory, cell) : cell;
}

int64_t row_int64(struct row_cursor *at)
{
    int64_t n = 0;
    str_to_int64(row_cell(at), &n);
    return n;
}

int row_int32(struct row_cursor *at)
{
    return (int)row_int64(at);
}

double row_real(struct row_cursor *at)
{
    struct str cell = row_cell(at);
    return cell.ptr ? strtod(cell.ptr, NULL) : 0;
}

bool row_boolean(struct row_cursor *at)
{
    return str_is(row_cell(at), "t");
}

/* ---- writing ------------------------------------------------------------ */

void row_put_text(struct json_writer *w, const char *key, struct str value)
{
    if (key && value.ptr)
        json_field_str(w, key, value);
    else if (key)
        json_field_null(w, key);
}

void row_put_json(struct json_writer *w, const char *key, struct str value)
{
    if (key)
        json_field_raw(w, key, value.len ? value : STR("null"));
}

void row_put_int64(struct json_writer *w, const char *key, int64_t value)
{
    if (key)
        json_field_int(w, key, value);
}

void row_put_boolean(struct json_writer *w, const char *key, bool value)
{
    if (key)
        json_field_bool(w, key, value);
}

/* ---- queries ------------------------------------------------------------ */

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
        defer_kept(f, rows_free, kept->result); /* also when this jumps out */
    }
    return kept;
}

struct query *rows_keep_page(struct flow *f, struct query *q, struct str id)
{
    struct query *kept = rows_keep(f, q);
    if (!id.len)
        kept->n_rows = 0;
    return kept;
}

void query_page(struct flow *f, struct query *q, int page, int page_size)
{
    query_int(f, q, page_size);
    query_int(f, q, (int64_t)(page - 1) * page_size);
}

struct next row_none(struct flow *f)
{
    return back(f);
}
