/* chunks.h - the chunks of a UI message stream (AI SDK), kept in memory until
 * their run is over, so that a reader may come back.
 *
 *   chunk   a JSON object with a type
 *   frame   a chunk as an event of a stream: its number, its JSON on one line */
#pragma once
#include "base/json.h"

enum { CHUNKS_BYTES = 8 * 1024 * 1024 }; /* of all frames, about */

/* Zeroed is empty. On the heap: chunks_done frees it. */
struct chunks {
    struct buf frames;
    struct buf ends; /* size_t: where each frame ends */
    size_t n;        /* frames */
    bool over;       /* the last frame is there */
    /* private: the chunk that is being written */
    struct buf open;
    struct json_writer writer;
};

void chunks_done(struct chunks *c);
/* Whether `bytes` more fit. What is large asks before it is written. */
bool chunks_have_room(const struct chunks *c, size_t bytes);
/* Writes a chunk: begin, put its fields, end. */
struct json_writer *chunk_begin(struct chunks *c, const char *type);
void chunk_end(struct chunks *c);
/* Ends the stream with "data: [DONE]". */
void chunks_end(struct chunks *c);
/* The frames after the first `after`, `most` bytes of them, but one frame at
 * least; *after becomes the number of those that were returned. Empty: there
 * are no more yet. Valid until the next chunk. */
struct str chunks_after(const struct chunks *c, size_t *after, size_t most);
