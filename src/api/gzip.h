/* gzip.h - answers in the gzip coding (RFC 1952), for clients that accept it.
 *
 * A compressed answer tells by its length what repeats in it. That is of use to
 * somebody who can send requests as the user and put bytes of their own into the
 * answer (the BREACH attack), so what holds a token or another secret is sent
 * as it is: see reply_send_secret. */
#pragma once
#include "net/http_server.h"

enum {
    GZIP_LEAST = 1024,      /* less than this fits into one packet anyway */
    GZIP_LARGE = 64 * 1024, /* more is compressed on another thread */
};

/* Whether `body` is worth it and the client accepts it. Adds Vary to the answer
 * when its size alone decides that it may be compressed. */
bool gzip_wanted(struct http_exchange *x, struct str body);
/* Room for gzip_pack, in bytes. */
size_t gzip_room(size_t len);
/* `in` compressed into `out`, which has gzip_room(in.len) bytes; the length. May
 * run on any thread. */
size_t gzip_pack(char *out, struct str in);
