/* chunks.c - the chunks of a UI message stream; see chunks.h. */
#include "chunks.h"
#include "base/banned.h"

void chunks_done(struct chunks *c)
{
    buf_done(&c->frames);
    buf_done(&c->ends);
    buf_done(&c->open);
}

bool chunks_have_room(const struct chunks *c, size_t bytes)
{
    return bytes <= CHUNKS_BYTES && c->frames.len <= CHUNKS_BYTES - bytes;
}

struct json_writer *chunk_begin(struct chunks *c, const char *type)
{
    buf_clear(&c->open);
    json_writer_init(&c->writer, &c->open);
    json_put_object(&c->writer);
    json_field_text(&c->writer, "type", type);
    return &c->writer;
}

static void add_frame(struct chunks *c, struct str data)
{
    struct buf *out = &c->frames;
    if (c->over)
        return;
    buf_reserve(out, data.len + 40);
    buf_text(out, "id: ");
    buf_uint(out, c->n + 1);
    buf_text(out, "\ndata: ");
    buf_str(out, data);
    buf_text(out, "\n\n");
    c->n++;
    size_t end = out->len;
    buf_bytes(&c->ends, &end, sizeof end);
}

/* JSON that was put raw may have line breaks between its tokens. */
void chunk_end(struct chunks *c)
{
    json_put_object_end(&c->writer);
    for (size_t i = 0; i < c->open.len; i++)
        if ((unsigned char)c->open.ptr[i] < 0x20)
            c->open.ptr[i] = ' ';
    add_frame(c, buf_view(&c->open));
    buf_done(&c->open);
}

void chunks_end(struct chunks *c)
{
    add_frame(c, STR("[DONE]"));
    c->over = true;
}

static size_t frame_end(const struct chunks *c, size_t i)
{
    size_t end;
    memcpy(&end, c->ends.ptr + i * sizeof end, sizeof end);
    return end;
}

struct str chunks_after(const struct chunks *c, size_t *after, size_t most)
{
    size_t i = *after;
    if (i >= c->n)
        return STR("");
    size_t from = i ? frame_end(c, i - 1) : 0;
    do {
        i++;
    } while (i < c->n && frame_end(c, i) - from <= most);
    *after = i;
    return str_cut(buf_view(&c->frames), from, frame_end(c, i - 1) - from);
}
