/* data_frame.h - a query's rows, and their cells as text for an answer. */
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
    size_t n_rows;      /* in `cells` */
    size_t row_count;   /* of the query's result, which may be more */
    bool truncated;     /* the database has more rows still */
};

/* NULL: the step has no result. */
const struct step_result *result_of_step(const struct step_results *results,
                                         int64_t step_id);
/* The rows of a step; n_columns is 0 when it has none. `results` may be NULL. */
struct data_frame data_frame_read(struct arena *arena,
                                  const struct step_results *results,
                                  int64_t step_id);
/* SIZE_MAX: no such column. */
size_t data_frame_column(const struct data_frame *frame, struct str name);
/* A null cell where there is no such row or column. */
const struct cell *data_frame_cell(const struct data_frame *frame, size_t row,
                                   size_t column);

/* False when the cell is null or not a number. */
bool cell_number(const struct cell *cell, double *number);
/* "1234567.891234" as 1,234,567.89: commas between thousands, long fractions
 * rounded half away from zero. Other text stays; NULL is "(none)". */
struct str number_text(struct arena *arena, const struct cell *cell);
/* A percentage with one decimal; with `sign`, "+" is written too. */
struct str percent_text(struct arena *arena, double percent, bool sign);
/* A value of a dimension: a month as 2025-07, a quarter as 2025 Q3. */
struct str group_text(struct arena *arena, const struct cell *cell,
                      enum time_unit grain);
/* Writes text into a Markdown table or sentence, with its markup escaped. */
void put_escaped(struct buf *out, struct str text);
