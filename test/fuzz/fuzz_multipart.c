/* Any split of a form gives the same parts as the whole of it. */
#include "base/buf.h"
#include "net/multipart.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void write_down(struct buf *out, const struct multipart *m,
                       enum multipart_event event)
{
    if (event == MULTIPART_PART)
        buf_printf(out, "[part %zu %.*s|%d%zu %.*s]", m->part.name.len,
                   STR_ARG(m->part.name), m->part.has_filename,
                   m->part.filename.len, STR_ARG(m->part.filename));
    else if (event == MULTIPART_DATA)
        buf_str(out, m->data);
    else
        buf_printf(out, "[%d %s]", (int)event, m->why ? m->why : "");
}

/* Pieces of the sizes that `sizes` tells, over and over; none: all at once. */
static struct buf read_form(struct str type, struct str stream,
                            const uint8_t *sizes, size_t n)
{
    struct buf out;
    struct multipart m;
    buf_init(&out, NULL);
    bool good = multipart_init(&m, type);
    for (size_t i = 0, at = 0; good && at < stream.len; i++) {
        size_t size = n ? sizes[i % n] % 16u + 1 : stream.len;
        size = size > stream.len - at ? stream.len - at : size;
        char *copy = malloc(size); /* so that reading past its end shows */
        memcpy(copy, stream.ptr + at, size);
        struct str bytes = {copy, size};
        while (bytes.len && good) {
            size_t before = bytes.len;
            enum multipart_event event = multipart_feed(&m, &bytes);
            must(bytes.len <= before);
            must(event != MULTIPART_MORE || bytes.len == 0);
            if (event != MULTIPART_MORE)
                write_down(&out, &m, event);
            good = event != MULTIPART_BAD;
        }
        free(copy);
        at += size;
    }
    return out;
}

/* The first line is the Content-Type, the rest the form. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    struct str stream = {(const char *)data + 4, size - 4}, type = stream;
    ptrdiff_t end = str_find_char(stream, '\n');
    if (end >= 0) {
        type = str_cut(stream, 0, (size_t)end);
        stream = str_from(stream, (size_t)end + 1);
    }
    struct buf whole = read_form(type, stream, NULL, 0);
    struct buf split = read_form(type, stream, data, 4);
    must(str_eq(buf_view(&whole), buf_view(&split)));
    buf_done(&whole);
    buf_done(&split);
    return 0;
}
