/* rows.h - the rows of a read, copied into one piece of memory as they come:
 * libpq takes 2 KB and more for each row in single-row mode. */
#pragma once
#include "base/buf.h"
#include <libpq-fe.h>
#include <stdbool.h>

struct rows {
    struct rows_cell {
        size_t at, len; /* in bytes */
        bool null;
    } *cells;
    size_t n_cells, capacity;
    struct buf bytes;
    int n;
    bool cut; /* a cell was longer than it may be */
};

/* Copies the one row of r, each cell cut at so many characters. */
void rows_add(struct rows *rows, const PGresult *r, size_t cell_chars);
/* Bytes that the one row of r would add, at most. */
size_t rows_weight(const PGresult *r);
/* ptr NULL: SQL's NULL. Valid until the next row. */
struct str rows_cell(const struct rows *rows, size_t i);
/* Forgets the cells; n stays, and so does the memory. */
void rows_forget(struct rows *rows);
void rows_done(struct rows *rows); /* empty again */
