/* checked_rows.h - a result's rows, as far as checks need them. */
#pragma once
#include "artifact/artifact.h"

/* More than this is not read again: it would hold up the loop. */
enum { CHECKED_BYTES = 256 * 1024 };

struct checked_column {
    size_t nulls, numbers;
    double sum; /* of the numbers */
};

struct checked_rows {
    bool read; /* false: too many, or not what they should be */
    struct checked_column *columns;
    size_t n_columns, n_rows;
    uint64_t *prints; /* of each value: row by row */
};

/* `rows` is JSON text of an array of objects. */
void checked_rows_read(struct arena *arena, struct str rows,
                       const struct sql_result *result,
                       struct checked_rows *out);
/* Rows that are like an earlier one in the marked columns. */
size_t checked_rows_doubled(struct arena *arena,
                            const struct checked_rows *rows,
                            const bool *columns);
