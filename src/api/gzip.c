/* gzip.c - one zlib stream for each answer, at a level that is fast enough for
 * the loop. */
#include "gzip.h"
#include "base/zlib_memory.h"
#include <assert.h>
#include "base/banned.h"

enum { GZIP_FRAME = 16 + MAX_WBITS, GZIP_FRAME_BYTES = 18 };

bool gzip_wanted(struct http_exchange *x, struct str body)
{
    if (body.len < GZIP_LEAST)
        return false;
    http_set_header(x, "Vary", STR("Accept-Encoding"));
    return http_accepts(http_get_header(x, "Accept-Encoding"), STR("gzip"));
}

size_t gzip_room(size_t len)
{
    return compressBound(len) + GZIP_FRAME_BYTES;
}

size_t gzip_pack(char *out, struct str in)
{
    z_stream z = {.zalloc = zlib_allocate,
                  .zfree = zlib_release,
                  .next_in = (Bytef *)in.ptr,
                  .avail_in = (uInt)in.len,
                  .next_out = (Bytef *)out,
                  .avail_out = (uInt)gzip_room(in.len)};
    int how = deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_FRAME,
                           MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
    assert(how == Z_OK);
    how = deflate(&z, Z_FINISH);
    assert(how == Z_STREAM_END && "the room is enough for any input");
    (void)how;
    deflateEnd(&z);
    return z.total_out;
}
