/* bytes16.h - sixteen bytes at a time, to find the few that matter in a text. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char bytes16 __attribute__((vector_size(16)));
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the first byte is the lowest");

static inline bytes16 bytes16_load(const char *from)
{
    bytes16 block;
    memcpy(&block, from, sizeof block);
    return block;
}

/* Where the first byte that is not 0 is; 16: there is none. */
static inline size_t bytes16_first(bytes16 block)
{
    uint64_t halves[2];
    memcpy(halves, &block, sizeof halves);
    if (halves[0])
        return (size_t)__builtin_ctzll(halves[0]) / 8;
    return halves[1] ? 8 + (size_t)__builtin_ctzll(halves[1]) / 8 : 16;
}
