/* zip.h - writes a zip archive as a stream (PKWARE's APPNOTE.TXT 6.3).
 *
 * The sizes and checksum of a file follow its data, so the archive can be sent
 * while it is written. Bytes are appended to `out`, and the caller sends and
 * clears them. One thread; no files on disk. */
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
    uint64_t written; /* size of the archive so far */
    struct zip_file files[ZIP_FILES_MOST];
    int n;
};

/* Begins an archive. */
void zip_begin(struct zip *z, struct buf *out);
/* Ends the previous file and begins one called `name`, which must stay
 * valid. */
void zip_file(struct zip *z, const char *name);
/* Appends bytes to the current file. */
void zip_write(struct zip *z, struct str bytes);
/* Whether `more` bytes still fit: the format ends at 4 GiB. */
bool zip_has_room(const struct zip *z, size_t more);
/* Ends the last file and appends the central directory. */
void zip_end(struct zip *z);
void zip_done(struct zip *z); /* frees its memory, ended or not */
