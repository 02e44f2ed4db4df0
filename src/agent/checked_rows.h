/* checked_rows.h - the rows of a result as far as checks need them: which
 * values are NULL, sums of numbers, and which rows are equal. Pure. */
#pragma once
#include "artifact/artifact.h"

/* Longer rows are not read: that would block the loop. */
enum { CHECKED_BYTES = 256 * 1024 };

struct checked_column {
    size_t nulls, numbers;
    double sum; /* of the numbers */
};

struct checked_rows {
    bool read; /* false: they are too long, or malformed */
    struct checked_column *columns;
    size_t n_columns, n_rows;
    uint64_t *prints; /* hashes of the values, row by row */
};

/* Reads `rows`, JSON text of an array of objects, into *out. */
void checked_rows_read(struct arena *arena, struct str rows,
                       const struct sql_result *result,
                       struct checked_rows *out);
/* How many rows equal an earlier one in the marked columns. */
size_t checked_rows_doubled(struct arena *arena,
                            const struct checked_rows *rows,
                            const bool *columns);
