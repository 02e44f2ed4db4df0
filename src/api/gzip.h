/* gzip.h - compresses answers (RFC 1952) for clients that accept it.
 *
 * The length of a compressed answer reveals what repeats in it. An attacker who
 * can send requests as the user and put bytes of their own into the answer
 * could guess a secret that way (the BREACH attack). So answers with a token or
 * another secret are not compressed: see reply_send_secret. */
#pragma once
#include "net/http_server.h"

enum {
    GZIP_LEAST = 1024,      /* smaller bodies fit into one packet anyway */
    GZIP_LARGE = 64 * 1024, /* larger ones are compressed on another thread */
};

/* Whether `body` is worth compressing and the client accepts it. Adds Vary to
 * the answer if its size allows compression. */
bool gzip_wanted(struct http_exchange *x, struct str body);
/* The bytes that gzip_pack needs for an input of `len` bytes. */
size_t gzip_room(size_t len);
/* Compresses `in` into `out`, which has gzip_room(in.len) bytes. Returns the
 * length. May run on any thread. */
size_t gzip_pack(char *out, struct str in);
