/* utf8.h - well-formed UTF-8 (RFC 3629) and lengths in code points. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

bool utf8_valid(struct str s);
size_t utf8_count(struct str s); /* code points; s must be valid */
/* At most n code points, never a part of one. */
struct str utf8_first(struct str s, size_t n);
/* At most n bytes, never a part of a code point. */
struct str utf8_cut(struct str s, size_t n);
/* Without white space at both ends: ASCII's, Unicode's (Zs, line and paragraph
 * separators) and U+FEFF, which is what ECMAScript trims. */
struct str utf8_trim(struct str s);
/* A copy in which each byte that is not UTF-8 is U+FFFD. */
struct str utf8_repair(struct arena *arena, struct str s);
/* Appends `s` as a terminal may be given it: control characters but LF and TAB,
 * characters that turn the direction of writing, and bytes that are not UTF-8
 * become U+FFFD; CR LF becomes LF. */
void utf8_put_plain(struct buf *out, struct str s);
/* Appends a line of JSON; what a terminal would obey of what JSON lets stand (C1,
 * and what turns the direction of writing) is escaped. */
void utf8_put_json(struct buf *out, struct str json);
