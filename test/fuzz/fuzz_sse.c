/* Any split of a stream gives the same events as the whole of it. */
#include "base/buf.h"
#include "net/sse_decoder.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool write_down(void *who, const struct sse_event *e)
{
    struct buf *out = who;
    buf_str(out, e->type);
    buf_char(out, '\1');
    buf_str(out, e->data);
    buf_char(out, '\2');
    return out->len < 100000;
}

/* Pieces of the sizes that `sizes` tells, over and over; none: all at once. */
static struct buf decode(struct str stream, const uint8_t *sizes, size_t n)
{
    struct buf out;
    struct sse_decoder d;
    size_t at = 0;
    buf_init(&out, NULL);
    sse_decoder_init(&d, 300, write_down, &out);
    for (size_t i = 0; at < stream.len; i++) {
        size_t size = n ? sizes[i % n] % 16u + 1 : stream.len;
        sse_decoder_feed(&d, str_cut(stream, at, size));
        at += size;
    }
    sse_decoder_done(&d);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    struct str stream = {(const char *)data + 4, size - 4};
    struct buf whole = decode(stream, NULL, 0);
    struct buf split = decode(stream, data, 4);
    if (!str_eq(buf_view(&whole), buf_view(&split)))
        abort();
    buf_done(&whole);
    buf_done(&split);
    return 0;
}
