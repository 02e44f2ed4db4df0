/* http_feed.c - a driver for the parser. */
#include "http_feed.h"
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

void feed_open(struct feed *f)
{
    *f = (struct feed){0};
    http_parser_init(&f->parser, &http_default_limits);
    arena_init(&f->exchange.arena, 0);
    buf_init(&f->body, NULL);
}

static void begin(struct feed *f)
{
    struct arena arena = f->exchange.arena;
    arena_reset(&arena, (struct arena_mark){0});
    f->exchange = (struct http_exchange){.arena = arena};
    buf_done(&f->body);
}

static void take(struct feed *f, struct str bytes,
                 void (*each)(struct feed *f, void *who), void *who)
{
    while (bytes.len && !f->status) {
        enum http_parsed got = http_parser_feed(&f->parser, &bytes);
        if (got == PARSED_HEAD) {
            begin(f);
            got = http_parser_head(&f->parser, &f->exchange, &f->body);
        }
        if (got == PARSED_REFUSED)
            f->status = f->parser.refusal->status;
        if (got != PARSED_WHOLE)
            continue;
        f->exchange.body = buf_view(&f->body);
        f->requests++;
        if (each)
            each(f, who);
    }
}

void feed_piece(struct feed *f, struct str piece,
                void (*each)(struct feed *f, void *who), void *who)
{
    char *copy = malloc(piece.len ? piece.len : 1);
    if (piece.len)
        memcpy(copy, piece.ptr, piece.len);
    take(f, (struct str){copy, piece.len}, each, who);
    free(copy);
}

void feed_close(struct feed *f)
{
    http_parser_done(&f->parser);
    arena_done(&f->exchange.arena);
    buf_done(&f->body);
}
