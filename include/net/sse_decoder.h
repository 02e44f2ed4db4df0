/* sse_decoder.h - parses an event stream as it arrives (WHATWG HTML,
 * "Server-sent events").
 *
 * Takes bytes in pieces of any size and reports each complete event once. An
 * event that the end of the stream cuts off is dropped, as the standard says.
 * Invalid UTF-8 becomes U+FFFD. `id` and `retry` are ignored. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

struct sse_event {
    struct str type; /* "message" when it has no name */
    struct str data;
};

struct sse_decoder {
    size_t max_event; /* bytes held at a time: one event and a line */
    /* False ends the decoding. The slices are valid during the call only. */
    bool (*on_event)(void *who, const struct sse_event *event);
    void *who;

    /* Private */
    struct buf line; /* the beginning of an incomplete line */
    struct buf data, type;
    unsigned char bom_seen; /* bytes of a BOM at the very start */
    bool started, after_cr, has_data, over;
};

void sse_decoder_init(struct sse_decoder *d, size_t max_event,
                      bool (*on_event)(void *who,
                                       const struct sse_event *event),
                      void *who);
void sse_decoder_done(struct sse_decoder *d);
/* False: an event was larger than max_event, or on_event returned false; from
 * then on it reports nothing more. */
bool sse_decoder_feed(struct sse_decoder *d, struct str bytes);
