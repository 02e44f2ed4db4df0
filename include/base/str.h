/* str.h - text as pointer and length.
 *
 * A `struct str` is a slice: it owns nothing, and the bytes it points at
 * outlive it by the caller's arrangement (usually an arena). It may hold any
 * byte, also NUL; functions that need a C string say so. The empty slice has
 * len 0 and a ptr that may be NULL. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *ptr;
    size_t len;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
/* For printf's "%.*s". */
#define STR_ARG(s) (int)(s).len, (s).ptr ? (s).ptr : ""

struct str str_of(const char *text); /* NULL gives the empty slice */
bool str_eq(struct str a, struct str b);
/* Here, so that a literal's length is known where it is compared. */
static inline bool str_is(struct str a, const char *literal)
{
    size_t len = literal ? strlen(literal) : 0;
    return a.len == len && (len == 0 || !memcmp(a.ptr, literal, len));
}
bool str_eq_nocase(struct str a, struct str b); /* ASCII case only */
int str_cmp(struct str a, struct str b);        /* bytewise */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);

/* Offset of the first `needle`, or -1. `str_find_nocase` folds ASCII. */
ptrdiff_t str_find(struct str s, struct str needle);
ptrdiff_t str_find_nocase(struct str s, struct str needle);
ptrdiff_t str_find_char(struct str s, char c);

struct str str_from(struct str s, size_t start); /* the rest from start on */
struct str str_cut(struct str s, size_t start, size_t len);
struct str str_trim(struct str s); /* ASCII white space at both ends */

/* Takes the part of *rest before `sep` into *piece and moves *rest behind the
 * separator. False when *rest is used up (its ptr is NULL then). */
bool str_split(struct str *rest, char sep, struct str *piece);

/* Whole-slice decimal parse, sign allowed; false on anything else or on
 * overflow. */
bool str_to_int64(struct str s, int64_t *out);

uint64_t str_hash(struct str s);
