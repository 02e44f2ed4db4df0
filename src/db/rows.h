/* rows.h - the rows of a read, copied into one buffer as they come: libpq takes
 * at least 2 KB for each row in single-row mode. */
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
    bool cut; /* a cell was cut */
};

/* Copies the only row of r; each cell is cut at cell_chars characters. */
void rows_add(struct rows *rows, const PGresult *r, size_t cell_chars);
/* How many bytes the only row of r would add, at most. */
size_t rows_weight(const PGresult *r);
/* Cell i; ptr NULL is SQL's NULL. Valid until the next row. */
struct str rows_cell(const struct rows *rows, size_t i);
/* Drops the cells but keeps the memory, and n goes on counting. */
void rows_forget(struct rows *rows);
void rows_done(struct rows *rows); /* Frees all; it is empty again. */
