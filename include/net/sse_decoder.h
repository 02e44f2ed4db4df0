/* sse_decoder.h - an event stream, read as it comes (WHATWG HTML, "Server-sent
 * events", interpreting an event stream).
 *
 * Bytes are pushed in pieces of any size; each whole event is handed over once.
 * An event that the end of the stream cuts off is dropped, as the standard
 * says. Bytes that are not UTF-8 come as U+FFFD. `retry` is ignored. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

struct sse_event {
    struct str type; /* "message" when it was not named */
    struct str data;
    struct str id; /* the last that was given */
};

struct sse_decoder {
    size_t max_event; /* bytes held at once: one event and a line */
    /* False ends the decoding. The slices are valid during the call only. */
    bool (*on_event)(void *who, const struct sse_event *event);
    void *who;

    /* Private */
    struct buf line; /* the start of a line that goes on in the next piece */
    struct buf data, type, id;
    unsigned char bom_seen; /* bytes of a BOM at the very start */
    bool started, after_cr, has_data, over;
};

void sse_decoder_init(struct sse_decoder *d, size_t max_event,
                      bool (*on_event)(void *who,
                                       const struct sse_event *event),
                      void *who);
void sse_decoder_done(struct sse_decoder *d);
/* False: an event was larger than max_event or on_event said so; then, and from
 * then on, nothing more is handed over. */
bool sse_decoder_feed(struct sse_decoder *d, struct str bytes);
