/* kept_rows.h - records all rows of results, so that a takeover need not query
 * the source again.
 *
 *   mark   what the record of the results has for a result's rows: the text
 *          itself, or for a long text its number of bytes
 *   slice  a part of a long text, a record of its own: "rows_2_0" is the first
 *          one of the third result
 *
 * In one piece, a long text would be copied several times in one loop turn.
 * Each slice waits for room in the journal. When the mark is on record, all
 * slices are. */
#pragma once
#include "agent/run.h"

struct kept_rows {
    struct run *run;
    size_t result; /* the first to record; then the current one */
    size_t at;     /* its bytes that are in slices */
    unsigned slice;
    struct journal_room *room; /* private */
};
/* A subflow: records the long texts of r->full_data, from `result` on. */
struct next kept_rows_begin(struct flow *f);

/* The mark of a text, which may be the text itself. */
struct str kept_rows_mark(struct arena *arena, struct str rows);
/* The text of a mark, in the arena. False: a slice is missing. */
bool kept_rows_take(struct arena *arena, const struct run_artifacts *stored,
                    size_t result, struct str mark, struct str *rows);
