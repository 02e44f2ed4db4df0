/* rows.c - see rows.h. */
#include "rows.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/banned.h"

static struct str result_cell(const PGresult *r, int column)
{
    return (struct str){PQgetvalue(r, 0, column),
                        (size_t)PQgetlength(r, 0, column)};
}

/* Text that is not valid UTF-8 is cut by bytes. */
static struct str rows_cut_cell(struct rows *rows, struct str cell,
                                size_t chars)
{
    if (cell.len <= chars)
        return cell;
    bool valid = utf8_valid(cell);
    if (valid && utf8_count(cell) <= chars)
        return cell;
    rows->cut = true;
    return valid ? utf8_first(cell, chars) : str_cut(cell, 0, chars);
}

static void rows_add_cell(struct rows *rows, struct str cell, bool null)
{
    if (rows->n_cells == rows->capacity) {
        rows->capacity = rows->capacity ? 2 * rows->capacity : 64;
        rows->cells =
            mem_resize(rows->cells, rows->capacity * sizeof *rows->cells);
    }
    rows->cells[rows->n_cells++] =
        (struct rows_cell){rows->bytes.len, cell.len, null};
    buf_str(&rows->bytes, cell);
}

void rows_add(struct rows *rows, const PGresult *r, size_t cell_chars)
{
    for (int i = 0; i < PQnfields(r); i++)
        rows_add_cell(rows, rows_cut_cell(rows, result_cell(r, i), cell_chars),
                      PQgetisnull(r, 0, i));
    rows->n++;
}

size_t rows_weight(const PGresult *r)
{
    size_t bytes = 0;
    for (int i = 0; i < PQnfields(r); i++)
        bytes += (size_t)PQgetlength(r, 0, i);
    return bytes;
}

struct str rows_cell(const struct rows *rows, size_t i)
{
    const struct rows_cell *cell = &rows->cells[i];
    if (cell->null)
        return (struct str){NULL, 0};
    return cell->len ? (struct str){rows->bytes.ptr + cell->at, cell->len}
                     : STR("");
}

void rows_forget(struct rows *rows)
{
    rows->n_cells = 0;
    buf_clear(&rows->bytes);
}

void rows_done(struct rows *rows)
{
    mem_free(rows->cells);
    buf_done(&rows->bytes);
    *rows = (struct rows){0};
}
