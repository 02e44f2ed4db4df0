/* kept_rows.h - all rows of results on record, so that a takeover need not ask
 * the source again.
 *
 *   mark   what the artifact of the results says of a result's rows: the text
 *          itself, or for a long one its number of bytes
 *   slice  a part of a long text, an artifact of its own: "rows_2_0" is the
 *          first one of the third result
 *
 * A long text would be copied several times on its way to the database, all in
 * one turn of the loop. Its slices wait for room in the journal, one by one.
 * They are complete when the artifact with the mark is there. */
#pragma once
#include "agent/run.h"

struct kept_rows {
    struct run *run;
    size_t result; /* the first to keep; then the one at work */
    size_t at;     /* bytes of it that are in slices */
    unsigned slice;
    struct journal_room *room; /* private */
};
/* Keeps the long texts of r->full_data, from `result` on. */
struct next kept_rows_begin(struct flow *f);

struct str kept_rows_mark(struct arena *arena, struct str rows);
/* The text that was marked, in the arena. False: it is not there as a whole. */
bool kept_rows_take(struct arena *arena, const struct run_artifacts *stored,
                    size_t result, struct str mark, struct str *rows);
