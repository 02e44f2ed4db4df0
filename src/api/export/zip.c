/* zip.c - a streaming zip writer over zlib's deflate. */
#include "zip.h"
#include "base/zlib_memory.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

enum {
    STEP_BYTES = 4096,
    ROOM_KEPT = 1 << 20, /* reserved for what follows the files */
    VERSION = 20,
    DEFLATED = 8,
    /* Sizes follow the data; names are UTF-8. */
    FLAGS = 1 << 3 | 1 << 11,
    /* 1980-01-01, so that equal rows make equal bytes. */
    DATE = 1 << 5 | 1,
    LOCAL = 0x04034b50,
    BEHIND = 0x08074b50,
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
};

static void put16(struct buf *out, unsigned n)
{
    buf_char(out, (char)(n & 0xff));
    buf_char(out, (char)(n >> 8 & 0xff));
}

static void put32(struct buf *out, uint32_t n)
{
    put16(out, n & 0xffff);
    put16(out, n >> 16);
}

void zip_begin(struct zip *z, struct buf *out)
{
    *z = (struct zip){.out = out};
    z->deflate.zalloc = zlib_allocate;
    z->deflate.zfree = zlib_release;
    int made = deflateInit2(&z->deflate, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS,
                            MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
    assert(made == Z_OK);
    (void)made;
}

void zip_done(struct zip *z)
{
    deflateEnd(&z->deflate);
}

static struct zip_file *current_file(struct zip *z)
{
    return &z->files[z->n - 1];
}

static int squeeze_some(struct zip *z, int flush)
{
    struct buf *out = z->out;
    buf_reserve(out, STEP_BYTES);
    z->deflate.next_out = (Bytef *)out->ptr + out->len;
    z->deflate.avail_out = STEP_BYTES;
    int how = deflate(&z->deflate, flush);
    assert(how != Z_STREAM_ERROR);
    size_t made = STEP_BYTES - z->deflate.avail_out;
    out->len += made;
    z->written += made;
    current_file(z)->packed += (uint32_t)made;
    return how;
}

void zip_write(struct zip *z, struct str bytes)
{
    struct zip_file *file = current_file(z);
    file->whole += (uint32_t)bytes.len;
    file->crc =
        (uint32_t)crc32(file->crc, (const Bytef *)bytes.ptr, (uInt)bytes.len);
    z->deflate.next_in = (Bytef *)bytes.ptr;
    z->deflate.avail_in = (uInt)bytes.len;
    while (z->deflate.avail_in)
        squeeze_some(z, Z_NO_FLUSH);
}

bool zip_has_room(const struct zip *z, size_t more)
{
    uint64_t whole = z->n ? z->files[z->n - 1].whole : 0;
    return whole + more + ROOM_KEPT < UINT32_MAX &&
           z->written + more + ROOM_KEPT < UINT32_MAX;
}

/* The fields that a file's local and central headers share. */
static void put_file_head(struct buf *out, const struct zip_file *file)
{
    put16(out, VERSION);
    put16(out, FLAGS);
    put16(out, DEFLATED);
    put16(out, 0); /* midnight */
    put16(out, DATE);
    put32(out, file->crc);
    put32(out, file->packed);
    put32(out, file->whole);
    put16(out, (unsigned)strlen(file->name));
    put16(out, 0);
}

static void end_file(struct zip *z)
{
    if (!z->n)
        return;
    while (squeeze_some(z, Z_FINISH) != Z_STREAM_END)
        ;
    size_t before = z->out->len;
    put32(z->out, BEHIND);
    put32(z->out, current_file(z)->crc);
    put32(z->out, current_file(z)->packed);
    put32(z->out, current_file(z)->whole);
    z->written += z->out->len - before;
}

void zip_file(struct zip *z, const char *name)
{
    end_file(z);
    assert(z->n < ZIP_FILES_MOST);
    z->files[z->n++] =
        (struct zip_file){.name = name, .at = (uint32_t)z->written};
    deflateReset(&z->deflate);
    size_t before = z->out->len;
    put32(z->out, LOCAL);
    put_file_head(z->out, current_file(z));
    buf_text(z->out, name);
    z->written += z->out->len - before;
}

static void put_central(struct buf *out, const struct zip_file *file)
{
    put32(out, CENTRAL);
    put16(out, VERSION);
    put_file_head(out, file);
    put16(out, 0); /* comment */
    put16(out, 0); /* disk */
    put16(out, 0);
    put32(out, 0); /* attributes */
    put32(out, file->at);
    buf_text(out, file->name);
}

void zip_end(struct zip *z)
{
    end_file(z);
    size_t before = z->out->len;
    for (int i = 0; i < z->n; i++)
        put_central(z->out, &z->files[i]);
    size_t bytes = z->out->len - before;
    put32(z->out, END);
    put16(z->out, 0);
    put16(z->out, 0);
    put16(z->out, (unsigned)z->n);
    put16(z->out, (unsigned)z->n);
    put32(z->out, (uint32_t)bytes);
    put32(z->out, (uint32_t)z->written);
    put16(z->out, 0);
}
