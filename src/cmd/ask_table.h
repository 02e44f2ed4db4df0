/* ask_table.h - rows as a table for a terminal. */
#pragma once
#include "base/buf.h"
#include "base/json.h"

/* `rows` is an array of objects, `columns` an array of names; numbers stand
 * right. Long cells and tables are cut, and it is said. `total` rows there are
 * in all. */
void ask_table(struct buf *out, const json_t *columns, const json_t *rows,
               int64_t total);
