/* arena.h - memory that is freed all at once.
 *
 * An arena returns zeroed memory, aligned to 16 bytes. Nothing in it is freed
 * alone. It never returns NULL: when the heap is empty or the arena's limit is
 * reached, it calls `on_exhausted`, which must not return (a flow fails there);
 * without one it ends the process.
 *
 * An arena also works as a stack: arena_mark notes a position, arena_reset
 * frees everything that was allocated after it. */
#pragma once
#include "base/str.h"
#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *top;
    struct arena_block *large; /* those of one slice each, the newest first */
    struct arena_block *spare; /* kept by a reset: the next block is free */
    size_t total;              /* bytes of the blocks held */
    size_t limit;              /* 0: none */
    size_t block_size;         /* of the next ordinary block */
    unsigned n_large;
    bool latest_is_large; /* the latest slice is in `large` */
    void (*on_exhausted)(void *who);
    void *who;
};

struct arena_mark {
    struct arena_block *block;
    size_t used;
    unsigned n_large;
    bool latest_is_large;
};

/* Makes an empty arena, without allocating. `limit` bounds the bytes that it
 * takes from the heap; 0: no bound. */
void arena_init(struct arena *arena, size_t limit);
/* Frees everything; the arena is empty again. */
void arena_done(struct arena *arena);

/* `size` zeroed bytes. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same for `count` elements; an overflow counts as exhaustion. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);
#define arena_new(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define arena_new_array(arena, T, n) \
    ((T *)arena_alloc_array((arena), (n), sizeof(T)))

/* Changes the size of an allocation from `size` to `wanted` bytes: in place if
 * it is the latest one of the arena, so that a growing buffer leaves no copies;
 * otherwise by a copy. New bytes are not zeroed. NULL with size 0 allocates. */
char *arena_resize(struct arena *arena, char *bytes, size_t size,
                   size_t wanted);

/* Copies a slice, adding a NUL that does not count in len. */
struct str arena_str(struct arena *arena, struct str s);
char *arena_cstr(struct arena *arena, struct str s);
/* Formatted text, with a NUL that does not count in len. */
struct str arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct str arena_vprintf(struct arena *arena, const char *format, va_list args);

/* The current position, for arena_reset. */
struct arena_mark arena_mark(const struct arena *arena);
/* Frees all that was allocated after the mark was taken. */
void arena_reset(struct arena *arena, struct arena_mark mark);

/* Test seam: makes the n-th block allocation from now on fail as if the heap
 * were empty (1 is the next one); 0 turns it off. Counts allocations of all
 * arenas that have an on_exhausted. */
void arena_fail_block(unsigned n);
/* Test seam: block allocations since arena_fail_block. */
unsigned arena_blocks_taken(void);
