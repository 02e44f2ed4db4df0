/* str.h - text as pointer and length.
 *
 * A `struct str` is a slice: it owns nothing, and the caller sees to it that
 * the bytes outlive it (usually they are in an arena). It may hold any byte,
 * NUL included; functions that need a C string say so. The empty slice has len
 * 0; its ptr may be NULL. Whether a slice has bytes is asked of its len: a test
 * of ptr lets static analysis believe in bytes at NULL. */
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
/* The two arguments of printf's "%.*s". */
#define STR_ARG(s) (int)(s).len, (s).len ? (s).ptr : ""

/* The short ones are inline, because texts are read with them character by
 * character, and so that the compiler knows the length of a literal. */

/* A slice of a C string; NULL gives the empty slice. */
static inline struct str str_of(const char *text)
{
    return (struct str){text, text ? strlen(text) : 0};
}

/* Sub-slices; offsets beyond the end are clamped. */
static inline struct str str_from(struct str s, size_t start)
{
    if (start >= s.len)
        return (struct str){s.len ? s.ptr + s.len : s.ptr, 0};
    return (struct str){s.ptr + start, s.len - start};
}

static inline struct str str_cut(struct str s, size_t start, size_t len)
{
    s = str_from(s, start);
    if (s.len > len)
        s.len = len;
    return s;
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.len == b.len &&
           (a.len == 0 || (*a.ptr == *b.ptr && !memcmp(a.ptr, b.ptr, a.len)));
}

/* Whether the slice equals a C string. In a list of words, most differ in the
 * first letter. */
static inline bool str_is(struct str a, const char *literal)
{
    if (a.len && literal && *literal != *a.ptr)
        return false;
    size_t len = literal ? strlen(literal) : 0;
    return a.len == len && (len == 0 || !memcmp(a.ptr, literal, len));
}

static inline bool str_starts(struct str s, struct str prefix)
{
    return s.len >= prefix.len && str_eq(str_cut(s, 0, prefix.len), prefix);
}

static inline bool str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len &&
           str_eq(str_from(s, s.len - suffix.len), suffix);
}

bool str_eq_nocase(struct str a, struct str b); /* ASCII case only */
int str_cmp(struct str a, struct str b);        /* bytewise, as memcmp */

/* Offset of the first `needle`, or -1. `str_find_nocase` ignores ASCII case. */
ptrdiff_t str_find(struct str s, struct str needle);
ptrdiff_t str_find_nocase(struct str s, struct str needle);
ptrdiff_t str_find_char(struct str s, char c);

/* Without ASCII white space at both ends. */
struct str str_trim(struct str s);

/* Moves the part of *rest before the first `sep` into *piece and *rest to after
 * the separator. False when *rest is used up (its ptr is NULL then). */
bool str_split(struct str *rest, char sep, struct str *piece);

/* Parses the whole slice as a decimal number with an optional sign. False:
 * anything else, or an overflow; *out is then unchanged. */
bool str_to_int64(struct str s, int64_t *out);
/* Copies what fits into `size` bytes, with a NUL; returns the bytes copied. */
size_t str_copy(char *out, size_t size, struct str s);
/* Whether it is a word of the list, which ends with NULL. */
bool str_is_one_of(struct str s, const char *const *words);
/* Whether it has a control character of ASCII. */
bool str_has_control(struct str s);

/* ASCII letters and digits. */
static inline bool str_is_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

/* A capital letter of ASCII becomes a small one. */
static inline char str_lower_char(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* The value of a hexadecimal digit of either case, or -1. */
int str_hex_digit(char c);
/* The value of the first four characters as hexadecimal digits, or -1. */
int str_hex4(struct str s);

uint64_t str_hash(struct str s);
