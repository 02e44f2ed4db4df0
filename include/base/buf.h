/* buf.h - bytes that grow.
 *
 * A buf over an arena lives as long as that arena and is never freed by
 * itself; one over the heap (arena NULL) is freed by buf_done. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdarg.h>
#include <string.h>

struct buf {
    char *ptr;
    size_t len, cap;
    struct arena *arena;
};

void buf_init(struct buf *b, struct arena *arena_or_null);
void buf_done(struct buf *b); /* frees heap bytes; the buf is empty again */
void buf_clear(struct buf *b);
void buf_grow(struct buf *b, size_t more);

/* Room for more bytes and a NUL. Prompts and events are written with these in
 * small pieces: they stand here to be part of their callers. */
static inline void buf_reserve(struct buf *b, size_t more)
{
    if (more >= b->cap - b->len)
        buf_grow(b, more);
}

static inline void buf_bytes(struct buf *b, const void *bytes, size_t len)
{
    if (len == 0)
        return;
    buf_reserve(b, len);
    memcpy(b->ptr + b->len, bytes, len);
    b->len += len;
}

static inline void buf_str(struct buf *b, struct str s)
{
    buf_bytes(b, s.ptr, s.len);
}

static inline void buf_text(struct buf *b, const char *literal)
{
    buf_bytes(b, literal, strlen(literal));
}

static inline void buf_char(struct buf *b, char c)
{
    buf_reserve(b, 1);
    b->ptr[b->len++] = c;
}

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
