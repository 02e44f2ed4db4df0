/* packed.c - raw deflate streams, one for each direction, used again and
 * again. */
#include "base/packed.h"
#include "base/buf.h"
#include "base/zlib_memory.h"
#include <assert.h>
#include "base/banned.h"

enum {
    WINDOW_BITS = -MAX_WBITS, /* no header, no checksum */
    MEMORY_LEVEL = 7,         /* 128 KB for the compressor */
    ROOM_KEPT = 1 << 16,
};

static z_stream packer, unpacker;
static struct buf room; /* output; static, so that it is not lost when the
                           arena runs out of memory */

static z_stream *packer_reset(void)
{
    z_stream *z = &packer;
    int made;
    if (z->state) {
        made = deflateReset(z);
    } else {
        *z = (z_stream){.zalloc = zlib_allocate, .zfree = zlib_release};
        made = deflateInit2(z, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS,
                            MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    }
    assert(made == Z_OK);
    (void)made;
    return z;
}

static z_stream *unpacker_reset(void)
{
    z_stream *z = &unpacker;
    int made;
    if (z->state) {
        made = inflateReset(z);
    } else {
        *z = (z_stream){.zalloc = zlib_allocate, .zfree = zlib_release};
        made = inflateInit2(z, WINDOW_BITS);
    }
    assert(made == Z_OK);
    (void)made;
    return z;
}

struct packed pack(struct arena *memory, struct str text)
{
    struct packed p = {.size = text.len};
    z_stream *z = packer_reset();
    assert(text.len < UINT32_MAX);
    buf_clear(&room);
    buf_reserve(&room, text.len);
    z->next_in = (Bytef *)text.ptr;
    z->avail_in = (uInt)text.len;
    z->next_out = (Bytef *)room.ptr;
    z->avail_out = (uInt)text.len;
    bool smaller = deflate(z, Z_FINISH) == Z_STREAM_END && z->avail_out;
    p.bytes = arena_str(memory,
                        smaller ? (struct str){room.ptr, z->total_out} : text);
    if (room.cap > ROOM_KEPT)
        buf_done(&room);
    return p;
}

struct str unpack(const struct packed *p, struct arena *memory)
{
    if (p->bytes.len == p->size)
        return arena_str(memory, p->bytes);
    z_stream *z = unpacker_reset();
    char *text = arena_alloc(memory, p->size + 1);
    z->next_in = (Bytef *)p->bytes.ptr;
    z->avail_in = (uInt)p->bytes.len;
    z->next_out = (Bytef *)text;
    z->avail_out = (uInt)p->size;
    int how = inflate(z, Z_FINISH);
    assert(how == Z_STREAM_END && z->total_out == p->size);
    (void)how;
    return (struct str){text, p->size};
}
