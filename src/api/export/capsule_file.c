/* capsule_file.c - writes the rows of a capsule as CSV or as a workbook; see
 * capsule_file.h. A JSON value becomes the text that a query would have sent; a
 * column whose values are all numbers, or all truth values, is one of those. */
#include "capsule_file.h"
#include "base/json.h"
#include "csv.h"
#include "sheet.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

struct kept_table {
    struct arena memory;
    const json_t *columns, *rows;
    size_t n;
};

static const char *type_of(const struct kept_table *t, size_t column)
{
    bool numbers = true, truths = true, whole = true;
    for (size_t i = 0; i < json_array_size(t->rows); i++) {
        const json_t *v = json_array_get(json_array_get(t->rows, i), column);
        if (!v || json_is_null(v))
            continue;
        numbers = numbers && json_is_number(v);
        truths = truths && json_is_boolean(v);
        whole = whole && json_is_integer(v);
    }
    return !numbers ? truths ? "bool" : "text" : whole ? "int8" : "float8";
}

/* The cells live until the next row. */
static void row_cells(struct kept_table *t, const json_t *row,
                      struct str *cells)
{
    for (size_t i = 0; i < t->n; i++)
        cells[i] = json_cell_text(&t->memory, json_array_get(row, i));
}

static void put_csv(struct kept_table *t, struct str *cells, struct buf *out)
{
    csv_row(out, cells, t->n); /* the names */
    struct arena_mark mark = arena_mark(&t->memory);
    for (size_t i = 0; i < json_array_size(t->rows); i++) {
        row_cells(t, json_array_get(t->rows, i), cells);
        csv_row(out, cells, t->n);
        arena_reset(&t->memory, mark);
    }
}

static void put_sheet(struct kept_table *t, struct str *cells, struct buf *out)
{
    struct sheet sheet = {0};
    struct str *types = arena_new_array(&t->memory, struct str, t->n);
    for (size_t i = 0; i < t->n; i++)
        types[i] = str_of(type_of(t, i));
    sheet_begin(&sheet, out, cells, types, t->n);
    struct arena_mark mark = arena_mark(&t->memory);
    for (size_t i = 0; i < json_array_size(t->rows); i++) {
        row_cells(t, json_array_get(t->rows, i), cells);
        if (!sheet_row(&sheet, cells))
            break;
        arena_reset(&t->memory, mark);
    }
    sheet_end(&sheet);
    sheet_done(&sheet);
}

void capsule_file_job(void *what)
{
    struct capsule_file *c = what;
    json_t *result = json_read(c->result, NULL);
    struct kept_table t = {.columns = json_object_get(result, "columns"),
                           .rows = json_object_get(result, "rows")};
    t.n = json_array_size(t.columns);
    c->made = t.n > 0;
    if (c->made) {
        arena_init(&t.memory, 0);
        struct str *cells = arena_new_array(&t.memory, struct str, t.n);
        for (size_t i = 0; i < t.n; i++)
            cells[i] = json_cell_text(&t.memory, json_array_get(t.columns, i));
        (c->sheet ? put_sheet : put_csv)(&t, cells, &c->out);
        arena_done(&t.memory);
    }
    json_decref(result);
}

void capsule_file_done(void *what)
{
    buf_done(&((struct capsule_file *)what)->out);
}
