/* packed.h - text that is kept for long and read rarely, compressed.
 *
 * Uses zlib's fastest level; text that does not get smaller is kept as it is.
 * Only for the loop's thread: a process has one stream for each direction. */
#pragma once
#include "base/arena.h"

struct packed {
    struct str bytes;
    size_t size; /* of the text; equal to bytes.len: not compressed */
};

/* Both return a copy in `memory`. */
struct packed pack(struct arena *memory, struct str text);
struct str unpack(const struct packed *p, struct arena *memory);
