/* kept_rows.c - long rows in slices; see kept_rows.h. */
#include "kept_rows.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    MARKED_BYTES = 256 * 1024, /* a longer text is recorded in slices */
    SLICE_BYTES = 256 * 1024,
};

static struct next slice_due(struct flow *f);

static struct record_name slice_name(size_t result, unsigned slice)
{
    char stem[32];
    snprintf(stem, sizeof stem, "rows_%zu", result);
    return record_name(stem, slice);
}

static bool is_long(struct str rows)
{
    return rows.len > MARKED_BYTES;
}

/* ---- recording ---------------------------------------------------------- */

struct next kept_rows_begin(struct flow *f)
{
    struct kept_rows *k = locals(f, struct kept_rows);
    k->room = here(f, struct journal_room);
    return go(f, slice_due);
}

static struct next slice_due(struct flow *f)
{
    struct kept_rows *k = locals(f, struct kept_rows);
    const struct run *r = k->run;
    size_t n = r->results ? r->results->n_results : 0;
    while (k->result < n && (!is_long(r->full_data[k->result]) ||
                             k->at == r->full_data[k->result].len)) {
        k->result++;
        k->at = k->slice = 0;
    }
    if (k->result == n)
        return back(f);
    struct str slice =
        utf8_cut(str_from(r->full_data[k->result], k->at), SLICE_BYTES);
    journal_artifact(r->log, slice_name(k->result, k->slice++).text, slice);
    k->at += slice.len;
    journal_room_begin(f, k->room, r->log);
    return await(f, slice_due);
}

struct str kept_rows_mark(struct arena *arena, struct str rows)
{
    return is_long(rows) ? arena_printf(arena, "%zu", rows.len) : rows;
}

/* ---- restoring ---------------------------------------------------------- */

static struct str find_slice(const struct run_artifacts *stored, size_t result,
                             unsigned slice)
{
    struct record_name name = slice_name(result, slice);
    for (size_t i = 0; i < stored->n; i++)
        if (str_is(stored->items[i].kind, name.text))
            return stored->items[i].body;
    return STR("");
}

bool kept_rows_take(struct arena *arena, const struct run_artifacts *stored,
                    size_t result, struct str mark, struct str *rows)
{
    int64_t size;
    struct buf out;
    if (!str_to_int64(mark, &size)) {
        *rows = arena_str(arena, mark);
        return true;
    }
    buf_init(&out, arena);
    for (unsigned n = 0; (int64_t)out.len < size; n++) {
        struct str slice = find_slice(stored, result, n);
        if (!slice.len)
            return false;
        buf_reserve(&out, n ? slice.len : (size_t)size);
        buf_str(&out, slice);
    }
    *rows = buf_finish(&out);
    return (int64_t)rows->len == size;
}
