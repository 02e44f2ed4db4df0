/* arena.c - a chain of blocks, the newest on top; see arena.h.
 *
 * A request that does not fit the ordinary block gets a block of its own size,
 * so a large slice never wastes more than its rounding. These are a chain of
 * their own: the room that the ordinary block has left is still used. */
#include "base/arena.h"
#include "base/mem.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

/* Blocks stay small: a thousand waiting runs hold ten arenas each, and with
 * blocks of 4 KB the unused part was a third of the cost of a run. With its
 * header the largest block has 512 bytes, a size that malloc serves without a
 * search. */
enum { ALIGN = 16, FIRST_BLOCK = 224, LARGEST_BLOCK = 448 };

struct arena_block {
    struct arena_block *below;
    size_t size, used;
    _Alignas(ALIGN) char bytes[];
};

static unsigned fail_at, taken;

void arena_fail_block(unsigned n)
{
    fail_at = n;
    taken = 0;
}

unsigned arena_blocks_taken(void)
{
    return taken;
}

void arena_init(struct arena *arena, size_t limit)
{
    *arena = (struct arena){.limit = limit, .block_size = FIRST_BLOCK};
}

static void block_free(struct arena *arena, struct arena_block *block)
{
    arena->total -= sizeof *block + block->size;
    free(block);
}

/* Frees the newest, until n are left. */
static void free_large(struct arena *arena, unsigned n)
{
    while (arena->n_large > n) {
        struct arena_block *block = arena->large;
        arena->large = block->below;
        arena->n_large--;
        block_free(arena, block);
    }
}

void arena_done(struct arena *arena)
{
    while (arena->top) {
        struct arena_block *block = arena->top;
        arena->top = block->below;
        block_free(arena, block);
    }
    free_large(arena, 0);
    arena->latest_is_large = false;
    if (arena->spare)
        block_free(arena, arena->spare);
    arena->spare = NULL;
}

static void arena_exhausted(struct arena *arena, size_t size)
{
    if (arena->on_exhausted)
        arena->on_exhausted(arena->who);
    mem_exhausted(size);
}

/* Allocates a block, or resizes `old`. */
static struct arena_block *block_make(struct arena *arena,
                                      struct arena_block *old, size_t size)
{
    size_t whole = sizeof(struct arena_block) + size;
    size_t before = old ? sizeof(struct arena_block) + old->size : 0;
    bool larger = !old || size > old->size;
    bool refused = arena->on_exhausted && larger && ++taken == fail_at;
    if (refused ||
        (arena->limit && arena->total - before + whole > arena->limit))
        arena_exhausted(arena, size);
    struct arena_block *block = realloc(old, whole);
    if (!block)
        arena_exhausted(arena, size);
    block->size = size;
    arena->total += whole - before;
    return block;
}

static void block_push(struct arena *arena, size_t wanted)
{
    struct arena_block *block = arena->spare;
    if (block && block->size >= wanted) {
        arena->spare = NULL;
    } else {
        size_t size = arena->block_size;
        if (arena->block_size < LARGEST_BLOCK)
            arena->block_size *= 2;
        block = block_make(arena, NULL, size);
    }
    block->used = 0;
    block->below = arena->top;
    arena->top = block;
}

static struct arena_block *large_push(struct arena *arena, size_t size)
{
    struct arena_block *block = block_make(arena, NULL, size);
    block->used = size;
    block->below = arena->large;
    arena->large = block;
    arena->n_large++;
    arena->latest_is_large = true;
    return block;
}

static size_t rounded_up(size_t size)
{
    return (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        arena_exhausted(arena, size);
    size = rounded_up(size);
    struct arena_block *block = arena->top;
    bool fits = block && block->size - block->used >= size;
    if (!fits && size > arena->block_size / 2)
        return memset(large_push(arena, size)->bytes, 0, size);
    if (!fits) {
        block_push(arena, size);
        block = arena->top;
    }
    void *p = block->bytes + block->used;
    block->used += size;
    arena->latest_is_large = false;
    memset(p, 0, size);
    return p;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size)
        arena_exhausted(arena, SIZE_MAX / 2);
    return arena_alloc(arena, count * size);
}

char *arena_resize(struct arena *arena, char *bytes, size_t size, size_t wanted)
{
    struct arena_block *block =
        arena->latest_is_large ? arena->large : arena->top;
    if (size > SIZE_MAX / 2 || wanted > SIZE_MAX / 2)
        arena_exhausted(arena, wanted);
    size_t rounded = rounded_up(size), room = rounded_up(wanted);
    bool last = bytes && block && bytes + rounded == block->bytes + block->used;
    if (last && arena->latest_is_large &&
        (room > block->size || block->size - room > LARGEST_BLOCK)) {
        arena->large = block = block_make(arena, block, room);
        block->used = room;
        return block->bytes;
    }
    if (last && room <= block->size - (block->used - rounded)) {
        block->used = block->used - rounded + room;
        return bytes;
    }
    if (wanted <= size)
        return bytes;
    bool was_large = arena->latest_is_large;
    char *copy = arena_alloc(arena, wanted);
    if (bytes)
        memcpy(copy, bytes, size);
    if (last && block->used == rounded && !was_large)
        block->used = 0; /* it was alone in an ordinary block */
    return copy;
}

char *arena_cstr(struct arena *arena, struct str s)
{
    char *copy = arena_alloc(arena, s.len + 1);
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    return copy;
}

struct str arena_str(struct arena *arena, struct str s)
{
    return (struct str){arena_cstr(arena, s), s.len};
}

struct str arena_vprintf(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0)
        return (struct str){"", 0};
    char *text = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return (struct str){text, (size_t)len};
}

struct str arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str s = arena_vprintf(arena, format, args);
    va_end(args);
    return s;
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){arena->top, arena->top ? arena->top->used : 0,
                               arena->n_large, arena->latest_is_large};
}

void arena_reset(struct arena *arena, struct arena_mark mark)
{
    while (arena->top != mark.block) {
        struct arena_block *block = arena->top;
        arena->top = block->below;
        if (!arena->spare)
            arena->spare = block;
        else
            block_free(arena, block);
    }
    if (arena->top)
        arena->top->used = mark.used;
    free_large(arena, mark.n_large);
    arena->latest_is_large = mark.latest_is_large;
}
