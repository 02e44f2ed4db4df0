/* arena.h - memory that goes away as one.
 *
 * An arena hands out zeroed, 16-byte aligned memory and frees all of it at
 * once. It never returns NULL: when the heap is empty or the arena's own limit
 * is reached it calls `on_exhausted`, which must not return (a flow fails its
 * run from there), or ends the process when there is none.
 *
 * As a stack: arena_mark, then arena_reset frees all that came since. */
#pragma once
#include "base/str.h"
#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *top;
    struct arena_block *spare; /* kept by a reset, so marks cost no malloc */
    size_t total;              /* bytes of the blocks held */
    size_t limit;              /* 0: none */
    size_t block_size;         /* of the next ordinary block */
    void (*on_exhausted)(void *who);
    void *who;
};

struct arena_mark {
    struct arena_block *block;
    size_t used;
};

/* `limit` bounds the bytes taken from the heap, 0 is no bound. Allocates
 * nothing yet. */
void arena_init(struct arena *arena, size_t limit);
void arena_done(struct arena *arena);

void *arena_alloc(struct arena *arena, size_t size);
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);
#define arena_new(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define arena_new_array(arena, T, n) \
    ((T *)arena_alloc_array((arena), (n), sizeof(T)))

/* Makes a slice of `size` bytes larger or smaller: where it is if it is the latest
 * of the arena, so that what grows leaves no copies behind; else `wanted` bytes
 * elsewhere. New bytes are not zeroed. NULL with size 0 is a new slice. */
char *arena_resize(struct arena *arena, char *bytes, size_t size,
                   size_t wanted);

/* Copies carry a NUL behind their last byte that is not counted in len. */
struct str arena_str(struct arena *arena, struct str s);
char *arena_cstr(struct arena *arena, struct str s);
struct str arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct str arena_vprintf(struct arena *arena, const char *format, va_list args);

struct arena_mark arena_mark(const struct arena *arena);
void arena_reset(struct arena *arena, struct arena_mark mark);

/* Test seam: the n-th block from now on (1 is the next) is refused as if the
 * heap were empty; 0 turns it off. Counted across all arenas that have an
 * on_exhausted. */
void arena_fail_block(unsigned n);
unsigned arena_blocks_taken(void);
