/* packed.h - text that waits long and is read seldom, made small.
 *
 * zlib's fastest level; text that does not get smaller is kept as it is. For the
 * loop's thread: the two streams are one a process. */
#pragma once
#include "base/arena.h"

struct packed {
    struct str bytes;
    size_t size; /* of the text; that of the bytes: they are the text */
};

/* Both answer what lives in `memory`. */
struct packed pack(struct arena *memory, struct str text);
struct str unpack(const struct packed *p, struct arena *memory);
