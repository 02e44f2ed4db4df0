/* ask_table.h - rows as a table for a terminal. */
#pragma once
#include "base/buf.h"
#include "base/json.h"

/* Appends a table. `rows` is an array of objects, `columns` an array of names;
 * numbers are aligned right. Long cells and tables are cut, and a last line
 * says so. `total` is the number of rows of the whole result. */
void ask_table(struct buf *out, const json_t *columns, const json_t *rows,
               int64_t total);
