/* buf.h - a growing byte buffer.
 *
 * A buf in an arena lives as long as the arena and needs no freeing; one on the
 * heap (arena NULL) is freed by buf_done. */
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

/* Makes an empty buf; allocates nothing. A zeroed buf is an empty one on the
 * heap. */
void buf_init(struct buf *b, struct arena *arena_or_null);
/* Frees heap bytes; the buf is empty again. */
void buf_done(struct buf *b);
/* Empties the buf and keeps its memory. */
void buf_clear(struct buf *b);
/* Makes room for `more` bytes and a NUL. Called through buf_reserve. */
void buf_grow(struct buf *b, size_t more);

/* The small appends are inline: prompts and events are written with many of
 * them. buf_reserve makes room for `more` bytes and a NUL. */
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

/* Appends formatted text. */
void buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *format, va_list args);
/* Appends a number in decimal. */
void buf_uint(struct buf *b, uint64_t n);
void buf_int(struct buf *b, int64_t n);

/* Appends the text between two quotes, and those within it twice, as SQL and
 * YAML write it. NUL, which neither may contain, is left out. */
void buf_quoted(struct buf *b, struct str text, char quote);

/* Drops the first n bytes. */
void buf_drop(struct buf *b, size_t n);

/* The content; valid until the next change. */
struct str buf_view(const struct buf *b);
/* The same with a NUL after it. */
const char *buf_cstr(struct buf *b);
/* The same for a buf that will not grow any more: unused memory goes back to
 * its arena. */
struct str buf_finish(struct buf *b);
