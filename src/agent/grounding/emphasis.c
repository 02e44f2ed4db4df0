/* emphasis.c - takes marks of emphasis out of a text; see emphasis.h. */
#include "emphasis.h"
#include "wording.h"
#include <string.h>
#include "base/banned.h"

enum { MARK_MOST = 3 }; /* bytes of "***" */

/* Whether a word, or a mark that belongs to one, ends right before a place. */
static bool word_before(struct str text, size_t at)
{
    return at && ((unsigned char)text.ptr[at - 1] >= 0x80 ||
                  str_is_alnum(text.ptr[at - 1]));
}

static bool is_space(struct str text, size_t at)
{
    return at >= text.len || (strchr(" \t\r\n", text.ptr[at]) != NULL);
}

/* Bytes of the mark at a place; 0: there is none. "3 * 4", "a_b" and the mark of a list
 * are no emphasis. */
static size_t mark_at(struct str text, size_t at, bool *opens)
{
    char c = text.ptr[at];
    size_t n = 1;
    if (c != '*' && c != '_')
        return 0;
    while (at + n < text.len && text.ptr[at + n] == c)
        n++;
    bool before = !at || is_space(text, at - 1);
    bool after = is_space(text, at + n);
    bool inside = word_before(text, at) && at + n < text.len &&
                  wording_letter(str_from(text, at + n));
    *opens = !after && !word_before(text, at);
    return n > MARK_MOST || (before && after) ||
                   (inside && (c == '_' || n == 1))
               ? 0
               : n;
}

static void add_mark(struct arena *arena, struct emphasis *e, size_t *cap,
                     struct emphasis_mark mark)
{
    if (e->n_marks == *cap) {
        size_t more = *cap ? 2 * *cap : 16;
        struct emphasis_mark *marks =
            arena_new_array(arena, struct emphasis_mark, more);
        if (e->n_marks)
            memcpy(marks, e->marks, e->n_marks * sizeof *marks);
        e->marks = marks;
        *cap = more;
    }
    e->marks[e->n_marks++] = mark;
}

void emphasis_read(struct arena *arena, struct str text, struct emphasis *out)
{
    char *plain = arena_alloc(arena, text.len + 1);
    size_t n = 0, cap = 0, bytes = 0;
    bool code = false, opens;
    *out = (struct emphasis){0};
    for (size_t at = 0; at < text.len;) {
        code = code != (text.ptr[at] == '`');
        size_t mark = code ? 0 : mark_at(text, at, &opens);
        if (!mark) {
            plain[n++] = text.ptr[at++];
            continue;
        }
        bytes += mark;
        at += mark;
        add_mark(
            arena, out, &cap,
            (struct emphasis_mark){.at = n, .bytes = bytes, .opens = opens});
    }
    out->plain = (struct str){plain, n};
}

/* How many marks are before a place; at it, those that close are. */
static size_t marks_before(const struct emphasis *e, size_t at)
{
    size_t low = 0, high = e->n_marks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct emphasis_mark *m = &e->marks[middle];
        if (m->at < at || (m->at == at && !m->opens))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t emphasis_place(const struct emphasis *e, size_t at)
{
    size_t n = marks_before(e, at);
    return at + (n ? e->marks[n - 1].bytes : 0);
}

bool emphasis_opens(const struct emphasis *e, size_t at)
{
    size_t n = marks_before(e, at);
    return n < e->n_marks && e->marks[n].at == at;
}
