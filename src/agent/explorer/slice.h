/* slice.h - values inside a JSON text, without a tree: a value is a slice of
 * the text. Nothing has to be freed, so memory may run out at any time. What is
 * no JSON reads as if it were not there. The text has a bound; each function is
 * linear in it. */
#pragma once
#include "base/scan.h"
#include <stdbool.h>

static inline char slice_kind(struct str v)
{
    return v.len ? v.ptr[0] : '\0';
}

static inline bool slice_is_number(struct str v)
{
    char c = slice_kind(v);
    return c == '-' || (c >= '0' && c <= '9');
}

static inline bool slice_is_bool(struct str v)
{
    return str_is(v, "true") || str_is(v, "false");
}

/* Blanks around the value are left out, and of text around an object the outer
 * braces count, as models write it. Empty: there is no whole value. */
struct str slice_of(struct str text);
/* A member of an object; empty: there is none. */
struct str slice_get(struct str object, const char *name);
/* The text of a string in the arena; empty when it is none. */
struct str slice_text(struct arena *arena, struct str v);
/* Both in one. */
struct str slice_get_text(struct arena *arena, struct str object,
                          const char *name);
double slice_real(struct str v);  /* NaN: it is no number */
size_t slice_count(struct str v); /* elements of an array */
