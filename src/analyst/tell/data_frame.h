/* frame.h - a query's rows, for an answer in words. */
#pragma once
#include "artifact/artifact.h"
#include "base/arena.h"
#include "base/buf.h"
#include "read/window.h"

struct cell {
    bool null;
    struct str text; /* as in the data, numbers with all their digits */
};

struct data_frame {
    struct str *columns;
    size_t n_columns;
    struct cell *cells; /* row by row */
    size_t n_rows;      /* those held here */
    size_t row_count;   /* those the query gave */
    bool truncated;
};

/* The rows of a step; n_columns is 0 when it has none. */
struct data_frame data_frame_read(struct arena *arena,
                                  const struct step_results *results,
                                  int64_t step_id);
/* SIZE_MAX: no such column. */
size_t data_frame_column(const struct data_frame *frame, struct str name);
const struct cell *data_frame_cell(const struct data_frame *frame, size_t row,
                                   size_t column);

/* False when the cell is null or no number. */
bool cell_number(const struct cell *cell, double *number);
/* "1234567.891234" as 1,234,567.89: thousands parted, long fractions rounded
 * (half away from zero); all else as it is. NULL is "(none)". */
struct str number_text(struct arena *arena, const struct cell *cell);
/* A percentage with one decimal, the sign always shown when `sign`. */
struct str percent_text(struct arena *arena, double percent, bool sign);
/* A value of a dimension: a month as 2025-07, a quarter as 2025 Q3. */
struct str group_text(struct arena *arena, const struct cell *cell,
                      enum time_unit grain);
/* For a cell of a Markdown table. */
void put_escaped(struct buf *out, struct str text);
