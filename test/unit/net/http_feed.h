/* http_feed.h - feeds the bytes of a connection to the parser, without a
 * socket. */
#pragma once
#include "http_parser.h"

struct feed {
    struct http_parser parser;
    struct http_exchange exchange; /* of the latest request */
    struct buf body;
    int requests; /* complete */
    int status;   /* of the refusal; 0: none */
};

void feed_open(struct feed *f);
/* Feeds a piece, copied to memory of its exact size. `each` may be NULL. */
void feed_piece(struct feed *f, struct str piece,
                void (*each)(struct feed *f, void *who), void *who);
void feed_close(struct feed *f);
