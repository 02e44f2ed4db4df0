/* sse.h - one event stream to one client (WHATWG HTML, "Server-sent events").
 *
 * A writer over a chunked exchange: headers and a comment go out at once;
 * comments keep the connection alive (jittered, at most heartbeat_ms apart,
 * only when nothing else was sent); its queue is bounded: a reader that is too slow
 * is closed. So is the sum of the queues of this process (sse_budget): who is
 * about to send asks sse_room, which closes those that read nothing, the slowest
 * first, and else says no. Frames are whole events as the event log holds them:
 *
 *     event: <type>\ndata: {…}\nid: <n>\n\n
 */
#pragma once
#include "net/http_server.h"

struct sse;

struct sse_options {
    unsigned heartbeat_ms; /* 0: 15000 */
    size_t queue_bytes;    /* beyond for stall_ms: close; 0: 1 MiB */
    unsigned stall_ms;     /* nothing went out for so long: close; 0: 30000 */
    /* Called once when the stream is over for whatever reason but sse_close:
     * client gone, too slow. The sse is freed after it, its exchange is ended.
     * Comes from the loop, never from inside a function here. */
    void (*on_closed)(struct sse *sse, void *who);
    /* All that was sent has gone out. Who has much to tell (a replay) sends up
     * to queue_bytes, then waits for this: four times queue_bytes in the queue
     * for 100 ms closes the stream. */
    void (*on_drained)(struct sse *sse, void *who);
    void *who;
};

/* Takes the exchange over, its owner and callbacks too. */
struct sse *sse_open(struct http_exchange *x,
                     const struct sse_options *options);
void sse_send(struct sse *sse, struct str frames); /* copied */
/* For message_complete, which may be larger than the queue: up to 8 MiB. Sent
 * once, as the last. */
void sse_send_last(struct sse *sse, struct str frame);
void sse_comment(struct sse *sse, struct str text); /* one line */
size_t sse_queued(const struct sse *sse);
/* May `bytes` be sent to it now? Takes their number; answers false while the
 * queues of all streams are at their bound, and the caller asks again later. One
 * that is alone may send what it likes. Others may be closed by it. */
bool sse_room(struct sse *sse, size_t bytes);
/* Lets what is queued go out, ends the chunked body, then frees. No call back.
 * Clears the caller's pointer. */
void sse_close(struct sse **sse);

unsigned sse_count(void); /* open in this process */
size_t sse_held(void);    /* bytes in their queues */
uint64_t sse_slow(void);  /* closed by this side, because they did not read */
/* Bytes that the queues may hold together; 64 MiB until it is said. */
void sse_budget(size_t bytes);
/* Once in a while: gives memory back to the system when the queues held much and
 * hold little now. */
void sse_tidy(void);

/* Renders one event into out. `id` < 0: none. `data` is JSON; a line end in it
 * becomes a space. */
void sse_frame(struct buf *out, struct str type, struct str data, int64_t id);
