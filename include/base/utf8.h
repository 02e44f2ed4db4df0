/* utf8.h - UTF-8 (RFC 3629): validation, lengths in code points, cleaning. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

bool utf8_valid(struct str s);
/* Appends a code point, up to U+10FFFF. */
void utf8_put(struct buf *out, unsigned point);
/* The number of code points; s must be valid. */
size_t utf8_count(struct str s);
/* The first n code points at most. */
struct str utf8_first(struct str s, size_t n);
/* The first n bytes at most, cut at a code point. */
struct str utf8_cut(struct str s, size_t n);
/* Without white space at both ends, as ECMAScript's trim: ASCII and Unicode
 * spaces (Zs, line and paragraph separators) and U+FEFF. */
struct str utf8_trim(struct str s);
/* A copy in which each invalid byte is replaced by U+FFFD. */
struct str utf8_repair(struct arena *arena, struct str s);
/* Appends `s` in a form that is safe for a terminal: control characters other
 * than LF and TAB, bidirectional controls and invalid bytes become U+FFFD, CR
 * LF becomes LF. */
void utf8_put_plain(struct buf *out, struct str s);
/* Appends a line of JSON and escapes the terminal controls that JSON allows
 * unescaped (C1 and bidirectional controls). */
void utf8_put_json(struct buf *out, struct str json);
