/* sample.h - some rows of a dataset that show what its values look like: spread
 * over the table, different from one another, with short cells. */
#pragma once
#include "tool/tool.h"

enum {
    SAMPLE_READ = 20000, /* rows that the sample is spread over */
    SAMPLE_CELL = 120,   /* bytes of a cell */
    SAMPLE_BYTES = 1024 * 1024
};

/* How many rows to read to choose `wanted` of them. */
int sample_window(int wanted);
/* The query for that many rows of `relation` (FROM's text), always the same
 * rows for the same table; in the arena. */
struct str sample_sql(struct arena *arena, enum source_dialect dialect,
                      struct str relation, int wanted);
/* The same result with at most `wanted` of its rows: each next one has the most
 * values that those before it have not. Cells are on one line and cut; new
 * memory is in the arena. */
const struct query_tool *sample_choose(struct arena *arena,
                                       const struct query_tool *q, int wanted);
