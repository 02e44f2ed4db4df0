/* rows.h - rows that outlive the frame in which they were asked for, and cells
 * written out as JSON. */
#pragma once
#include "base/json.h"
#include "db/query.h"

/* Moves the result of an answered query into the flow's keep. */
struct query *rows_keep(struct flow *f, struct query *q);

/* A member with the cell's text, or null. */
void row_field_str(struct json_writer *w, const char *key,
                   const struct query *q, int row, int column);
/* The cell is JSON itself (a number, json); null when it is empty. */
void row_field_raw(struct json_writer *w, const char *key,
                   const struct query *q, int row, int column);
