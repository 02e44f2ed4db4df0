/* static_files.h - serves the files of one folder: small ones from memory,
 * those of more than 16 KiB from disk.
 *
 * The folder is read once, at the start, so no request ever becomes a path in
 * the file system. Symbolic links and hidden entries are left out.
 * Precompressed versions (.br, .gz) are chosen by Accept-Encoding. A file whose
 * name contains a hash (app-3fA9x01b.js) is cached for ever by browsers; others
 * are revalidated each time. */
#pragma once
#include "net/http_server.h"

struct static_files;
/* NULL when the folder cannot be read. */
MUST_CHECK struct static_files *static_files_open(const char *folder);
/* Frees them and sets *files to NULL. */
void static_files_close(struct static_files **files);
/* Answers GET and HEAD for `path` (ETag, If-None-Match, Cache-Control, type;
 * for pages and workers a Content-Security-Policy); "/" is index.html. False: no such file,
 * or another method; nothing was sent. The files must outlive the server. */
MUST_CHECK bool static_files_serve(const struct static_files *files,
                                   struct http_exchange *x, struct str path);
