/* static_files.h - the files of one folder, read at start.
 *
 * The folder is walked once; what was not found then does not exist, so no
 * request ever becomes a path. Symbolic links and hidden entries are left out.
 * Precompressed siblings (.br, .gz) are chosen by Accept-Encoding. A file whose
 * name holds a hash (app-3fA9x01b.js) may be cached for ever, others are asked
 * for each time. */
#pragma once
#include "net/http_server.h"

struct static_files;
/* NULL when the folder cannot be read. */
struct static_files *static_files_open(const char *folder);
void static_files_close(struct static_files **files);
/* Answers GET and HEAD for `path` (ETag, If-None-Match, Cache-Control, type;
 * for pages a Content-Security-Policy). False: no such file or another method,
 * nothing answered. "/" is index.html. The files outlive the server. */
bool static_files_serve(const struct static_files *files,
                        struct http_exchange *x, struct str path);
