/* zip.h - a zip archive, written as it goes (PKWARE's APPNOTE.TXT 6.3).
 *
 * Nothing is gone back to: a file's sizes and checksum stand behind its bytes, so
 * that the archive can be sent while it is made. Bytes are appended to `out`, from
 * which whoever sends them takes them. One thread, no files. */
#pragma once
#include "base/buf.h"
#include <zlib.h>

enum { ZIP_FILES_MOST = 8 };

struct zip_file {
    const char *name;
    uint32_t at, crc, packed, whole;
};

struct zip {
    struct buf *out;
    z_stream deflate;
    uint64_t written; /* of the archive */
    struct zip_file files[ZIP_FILES_MOST];
    int n;
};

void zip_begin(struct zip *z, struct buf *out);
/* `name` stays valid; the file before it is ended. */
void zip_file(struct zip *z, const char *name);
void zip_write(struct zip *z, struct str bytes);
/* Whether so many more bytes can be told: the form has room for 4 GiB. */
bool zip_has_room(const struct zip *z, size_t more);
void zip_end(struct zip *z);
void zip_done(struct zip *z); /* its memory, whether it was ended or not */
