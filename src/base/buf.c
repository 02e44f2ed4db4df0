/* buf.c - growth and formatting of byte buffers. */
#include "base/buf.h"
#include "base/mem.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* Large bufs grow by half, so that at most a third is unused: a thousand runs
 * collect their journal batches in them. */
enum { LEAST = 64, GROWS_BY_HALF = 4096 };

void buf_init(struct buf *b, struct arena *arena_or_null)
{
    *b = (struct buf){.arena = arena_or_null};
}

void buf_done(struct buf *b)
{
    if (!b->arena)
        mem_free(b->ptr);
    buf_init(b, b->arena);
}

void buf_clear(struct buf *b)
{
    b->len = 0;
}

void buf_grow(struct buf *b, size_t more)
{
    if (more > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
        mem_exhausted(more);
    size_t cap = b->cap < GROWS_BY_HALF ? b->cap * 2 : b->cap + b->cap / 2;
    if (cap < LEAST)
        cap = LEAST;
    if (cap < b->len + more + 1)
        cap = b->len + more + 1;
    if (b->arena) {
        b->ptr = arena_resize(b->arena, b->ptr, b->cap, cap);
    } else {
        b->ptr = mem_resize(b->ptr, cap);
    }
    b->cap = cap;
}

/* Prints into the free room; only if that is too small, prints again. */
void buf_vprintf(struct buf *b, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t room = b->cap - b->len;
    int len = vsnprintf(room ? b->ptr + b->len : NULL, room, format, again);
    va_end(again);
    if (len <= 0)
        return;
    if ((size_t)len >= room) {
        buf_reserve(b, (size_t)len);
        vsnprintf(b->ptr + b->len, (size_t)len + 1, format, args);
    }
    b->len += (size_t)len;
}

void buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_vprintf(b, format, args);
    va_end(args);
}

void buf_uint(struct buf *b, uint64_t n)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    buf_bytes(b, digits + at, sizeof digits - at);
}

void buf_int(struct buf *b, int64_t n)
{
    if (n < 0)
        buf_char(b, '-');
    buf_uint(b, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

void buf_quoted(struct buf *b, struct str text, char quote)
{
    buf_char(b, quote);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == quote)
            buf_char(b, quote);
        if (text.ptr[i])
            buf_char(b, text.ptr[i]);
    }
    buf_char(b, quote);
}

void buf_drop(struct buf *b, size_t n)
{
    if (n > b->len)
        n = b->len;
    if (n == 0)
        return;
    memmove(b->ptr, b->ptr + n, b->len - n);
    b->len -= n;
}

struct str buf_view(const struct buf *b)
{
    return (struct str){b->ptr, b->len};
}

const char *buf_cstr(struct buf *b)
{
    buf_reserve(b, 1);
    b->ptr[b->len] = '\0';
    return b->ptr;
}

struct str buf_finish(struct buf *b)
{
    buf_cstr(b);
    if (b->arena) {
        b->ptr = arena_resize(b->arena, b->ptr, b->cap, b->len + 1);
        b->cap = b->len + 1;
    }
    return buf_view(b);
}
