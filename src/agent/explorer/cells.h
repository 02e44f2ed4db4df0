/* cells.h - reading the rows of a result (tools.h), which may be a browser's:
 * columns are found by name, a cell may have any type, and what does not fit is
 * as if it were NULL. */
#pragma once
#include "base/scan.h"
#include "tools.h"

enum { CELLS_MOST = 40 }; /* columns of a row that are looked at */

struct cells {
    const struct explorer_rows *rows;
    struct str row[CELLS_MOST]; /* the JSON texts of the current row */
    size_t n;
    struct scan scan; /* private */
};

/* Begins before the first row. Rows that failed or are withheld have none. */
void cells_init(struct cells *c, const struct explorer_rows *rows);
/* Moves to the next row; false: there are no more. */
bool cells_next(struct cells *c);
/* The JSON text of the cell in that column; empty: there is none, or NULL. */
struct str cells_get(const struct cells *c, const char *column);
/* As a number, also when it is written as text; NaN when it is none. */
double cells_real(const struct cells *c, const char *column);
/* As a number of rows; 0 when it is none. */
int64_t cells_count(const struct cells *c, const char *column);
/* The cell's text in the arena, of a number its digits; at most `most` bytes. */
struct str cells_text(const struct cells *c, struct arena *arena,
                      const char *column, size_t most);
/* The rows of the query with that id; NULL: it did not run or did not answer. */
const struct explorer_rows *cells_of_query(const struct explorer_call *call,
                                           const char *id);
