/* buf.h - bytes that grow.
 *
 * A buf over an arena lives as long as that arena and is never freed by
 * itself; one over the heap (arena NULL) is freed by buf_done. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdarg.h>

struct buf {
    char *ptr;
    size_t len, cap;
    struct arena *arena;
};

void buf_init(struct buf *b, struct arena *arena_or_null);
void buf_done(struct buf *b); /* frees heap bytes; the buf is empty again */
void buf_clear(struct buf *b);
void buf_reserve(struct buf *b, size_t more); /* room for more bytes and a NUL */

void buf_bytes(struct buf *b, const void *bytes, size_t len);
void buf_str(struct buf *b, struct str s);
void buf_text(struct buf *b, const char *literal);
void buf_char(struct buf *b, char c);
void buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *format, va_list args);
void buf_uint(struct buf *b, uint64_t n);
void buf_int(struct buf *b, int64_t n);

/* Drops the first n bytes. */
void buf_drop(struct buf *b, size_t n);

struct str buf_view(const struct buf *b); /* valid until the next change */
const char *buf_cstr(struct buf *b);      /* puts a NUL behind the bytes */
/* The whole, with a NUL behind it; an arena takes back what was left over. For a
 * buf that grows no more. */
struct str buf_finish(struct buf *b);
