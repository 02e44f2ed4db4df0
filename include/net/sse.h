/* sse.h - an event stream to one client (WHATWG HTML, "Server-sent events").
 *
 * Writes to a chunked response. Headers and a comment are sent at once;
 * comments keep an idle stream open (the heartbeat, jittered).
 *
 * Back-pressure: the queue of a stream is bounded, and a client that does not
 * read is disconnected. So is the sum of all queues of this process
 * (sse_set_budget): before it sends, a caller asks sse_has_room, which disconnects
 * clients that read nothing, the slowest first, and says no if that is not
 * enough.
 *
 * A frame is one event in the form that the event log holds:
 *
 *     event: <type>\ndata: {…}\nid: <n>\n\n
 */
#pragma once
#include "net/http_server.h"

struct sse;

struct sse_options {
    unsigned heartbeat_ms; /* at most this apart; 0: 15000 */
    size_t queue_bytes;    /* more than this for stall_ms: closed; 0: 1 MiB */
    unsigned stall_ms;     /* nothing sent for this long: closed; 0: 30000 */
    /* Called once when the stream ends by itself (the client has disconnected,
     * or is too slow), but not by sse_close. The exchange has ended by then;
     * the sse is freed afterwards. Called from the loop, never from inside a
     * function here other than sse_has_room. */
    void (*on_closed)(struct sse *sse, void *who);
    /* All that was queued has been sent. A caller with much to send (a replay)
     * sends up to queue_bytes, then waits for this: a queue of four times
     * queue_bytes for 100 ms closes the stream. */
    void (*on_drained)(struct sse *sse, void *who);
    void *who;
};

/* Begins the response, and takes over the exchange with its callbacks. */
struct sse *sse_open(struct http_exchange *x,
                     const struct sse_options *options);
/* Queues whole frames; copied. */
void sse_send(struct sse *sse, struct str frames);
/* Queues the last frame, which may exceed the queue's bound, up to 8 MiB (a
 * large message_complete). */
void sse_send_last(struct sse *sse, struct str frame);
/* Bytes in its queue. */
size_t sse_queued(const struct sse *sse);
/* Whether `bytes` may be queued now. False: the queues of all streams are at
 * their bound, and the caller tries again later. A stream whose queue is the
 * only one may always send. */
MUST_CHECK bool sse_has_room(struct sse *sse, size_t bytes);
/* Ends the stream once its queue is sent, frees it, and sets *sse to NULL.
 * Calls nothing back. */
void sse_close(struct sse **sse);

unsigned sse_count(void);      /* open streams of this process */
size_t sse_queued_total(void); /* bytes in their queues */
uint64_t sse_slow_count(void); /* closed because the client did not read */
/* Sets the bound of the sum of the queues; 64 MiB by default. */
void sse_set_budget(size_t bytes);
/* Returns freed memory to the system after the queues have shrunk. To be called
 * from time to time. */
void sse_trim_memory(void);

/* Appends one event to `out`. `id` < 0: none. `data` is JSON; line breaks in it
 * become spaces. */
void sse_frame(struct buf *out, struct str type, struct str data, int64_t id);
