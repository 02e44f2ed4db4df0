/* slice.c - see slice.h. */
#include "slice.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

/* The text is one value and nothing else. */
static bool is_whole(struct str text)
{
    struct scan s = scan_of(text);
    struct str v = scan_skip(&s);
    return !s.bad && v.len && scan_peek(&s) == '\0';
}

struct str slice_of(struct str text)
{
    text = str_trim(text);
    ptrdiff_t start = str_find_char(text, '{');
    if (is_whole(text) || start < 0)
        return is_whole(text) ? text : STR("");
    size_t end = text.len;
    while (end && text.ptr[end - 1] != '}')
        end--;
    if (end <= (size_t)start)
        return STR("");
    text = str_cut(text, (size_t)start, end - (size_t)start);
    return is_whole(text) ? text : STR("");
}

struct str slice_get(struct str object, const char *name)
{
    return slice_kind(object) == '{' ? str_trim(scan_get(object, name))
                                     : STR("");
}

struct str slice_text(struct arena *arena, struct str v)
{
    struct buf out;
    struct scan s = scan_of(v);
    if (slice_kind(v) != '"')
        return STR("");
    buf_init(&out, arena);
    scan_string(&s, &out);
    return buf_finish(&out);
}

struct str slice_get_text(struct arena *arena, struct str object,
                          const char *name)
{
    return slice_text(arena, slice_get(object, name));
}

double slice_real(struct str v)
{
    char text[64];
    if (!slice_is_number(v) || v.len >= sizeof text)
        return NAN;
    str_copy(text, sizeof text, v);
    return strtod(text, NULL);
}

size_t slice_count(struct str v)
{
    struct scan s = scan_of(v);
    size_t n = 0;
    if (slice_kind(v) != '[' || !scan_array(&s))
        return 0;
    while (scan_element(&s)) {
        scan_skip(&s);
        n++;
    }
    return n;
}
