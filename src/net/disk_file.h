/* disk_file.h - a file that is sent from disk, a piece at a time.
 *
 * For files that are too large to keep in memory. The descriptor stays open, so
 * that a request never becomes a path in the file system, and a file that is
 * replaced while the server runs is still sent whole. Pieces are read in
 * libuv's thread pool; the next one is read when the client has taken the one
 * before it, so a transfer holds two pieces at most. */
#pragma once
#include "net/http_server.h"

struct disk_file {
    int fd;
    size_t len; /* when it was opened */
};

/* Sends the whole file as the response, with Content-Length, and ends the
 * exchange; HEAD sends only the head. Headers and the ETag are already set, and
 * `x->owner`, `on_gone` and `on_drained` are its own. The descriptor must stay
 * open until the exchange has ended. A file that has become shorter, or cannot
 * be read, resets the connection. */
void disk_file_send(struct http_exchange *x, const struct disk_file *file,
                    const char *type);
