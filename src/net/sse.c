/* sse.c - one event stream to one client, see sse.h.
 *
 * Two timers: one for the heartbeat, one that looks whether the reader reads.
 * Neither moves when something is sent; each looks when it fires. */
#include "net/sse.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "loop/timer.h"
#include "ring.h"
#include "base/banned.h"

enum {
    HEARTBEAT_MS = 15 * 1000,
    QUEUE_BYTES = 1024 * 1024,
    STALL_MS = 30 * 1000,
    QUEUE_TIMES = 4, /* of queue_bytes: closed unless it moves at once */
    OVERRUN_MS = 100,
    LAST_BYTES = 8 * 1024 * 1024,
};

struct sse {
    struct http_exchange *exchange;
    struct sse_options options;
    struct timer heartbeat, stall;
    uint64_t written_ms; /* when the last frame or comment was sent */
    uint64_t over_since; /* more than queue_bytes wait; 0: not so */
    uint64_t sent;       /* by the kernel, at the last look */
    size_t exempt;       /* bytes of a last frame */
    bool overrun;        /* far too much waits: closed if it stays so */
};

/* ---- the end ------------------------------------------------------------ */

static unsigned open_streams;

unsigned sse_count(void)
{
    return open_streams;
}

static void stop(struct sse *sse)
{
    open_streams--;
    timer_stop(&sse->heartbeat);
    timer_stop(&sse->stall);
    sse->exchange->on_gone = NULL;
    sse->exchange->on_drained = NULL;
}

/* Ends it from our side, for a reader that does not read or is gone. */
static void cut(struct sse *sse)
{
    stop(sse);
    http_abort(sse->exchange);
    if (sse->options.on_closed)
        sse->options.on_closed(sse, sse->options.who);
    mem_free(sse);
}

static void on_gone(struct http_exchange *x)
{
    cut(x->owner);
}

void sse_close(struct sse **stream)
{
    struct sse *sse = *stream;
    *stream = NULL;
    if (!sse)
        return;
    stop(sse);
    http_stream_end(sse->exchange);
    mem_free(sse);
}

/* ---- timers ------------------------------------------------------------- */

/* At most heartbeat_ms, at least three quarters of it, so that streams opened
 * together drift apart. */
static uint64_t heartbeat_ms(const struct sse *sse)
{
    uint64_t ms = sse->options.heartbeat_ms;
    return ms - random_below(ms / 4 + 1);
}

static void on_heartbeat(struct timer *t)
{
    struct sse *sse = RING_MEMBER(t, struct sse, heartbeat);
    uint64_t due = sse->written_ms + heartbeat_ms(sse), now = clock_ms();
    if (now >= due || due - now < sse->options.heartbeat_ms / 8) {
        if (http_stream_queued(sse->exchange) == 0)
            sse_comment(sse, STR("keep-alive"));
        due = now + heartbeat_ms(sse);
    }
    timer_start(t, due - now, on_heartbeat);
}

static bool over(const struct sse *sse, size_t bytes)
{
    return http_stream_queued(sse->exchange) > bytes + sse->exempt;
}

static void watch_queue(struct sse *sse)
{
    if (!over(sse, sse->options.queue_bytes))
        sse->over_since = 0;
    else if (!sse->over_since)
        sse->over_since = clock_ms();
}

static void on_stall(struct timer *t)
{
    struct sse *sse = RING_MEMBER(t, struct sse, stall);
    uint64_t sent = http_stream_sent(sse->exchange);
    watch_queue(sse);
    bool overrun = sse->overrun;
    bool stuck = !overrun && sent == sse->sent;
    bool behind = sse->over_since &&
                  clock_ms() - sse->over_since >= sse->options.stall_ms;
    sse->overrun = over(sse, sse->options.queue_bytes * QUEUE_TIMES);
    if (stuck || behind || (overrun && sse->overrun)) {
        cut(sse);
        return;
    }
    sse->sent = sent;
    timer_start(t, sse->options.stall_ms, on_stall);
}

static void on_drained(struct http_exchange *x)
{
    struct sse *sse = x->owner;
    sse->over_since = 0;
    sse->overrun = false;
    timer_stop(&sse->stall);
    if (sse->options.on_drained)
        sse->options.on_drained(sse, sse->options.who);
}

/* ---- sending ------------------------------------------------------------ */

static void put(struct sse *sse, struct str bytes)
{
    http_stream_write(sse->exchange, bytes);
    sse->written_ms = clock_ms();
    watch_queue(sse);
    if (over(sse, sse->options.queue_bytes * QUEUE_TIMES) && !sse->overrun) {
        sse->overrun = true;
        timer_start(&sse->stall, OVERRUN_MS, on_stall);
    } else if (!timer_running(&sse->stall)) {
        sse->sent = http_stream_sent(sse->exchange);
        timer_start(&sse->stall, sse->options.stall_ms, on_stall);
    }
}

void sse_send(struct sse *sse, struct str frames)
{
    if (frames.len)
        put(sse, frames);
}

void sse_send_last(struct sse *sse, struct str frame)
{
    sse->exempt = frame.len < LAST_BYTES ? frame.len : LAST_BYTES;
    sse_send(sse, frame);
}

void sse_comment(struct sse *sse, struct str text)
{
    struct buf line;
    buf_init(&line, NULL);
    buf_text(&line, ": ");
    buf_str(&line, text);
    buf_text(&line, "\n\n");
    put(sse, buf_view(&line));
    buf_done(&line);
}

size_t sse_queued(const struct sse *sse)
{
    return http_stream_queued(sse->exchange);
}

struct sse *sse_open(struct http_exchange *x,
                     const struct sse_options *options)
{
    struct sse *sse = mem_new(struct sse);
    open_streams++;
    sse->exchange = x;
    sse->options = *options;
    if (!sse->options.heartbeat_ms)
        sse->options.heartbeat_ms = HEARTBEAT_MS;
    if (!sse->options.queue_bytes)
        sse->options.queue_bytes = QUEUE_BYTES;
    if (!sse->options.stall_ms)
        sse->options.stall_ms = STALL_MS;
    x->owner = sse;
    x->on_gone = on_gone;
    x->on_drained = on_drained;
    http_set_header(x, "Cache-Control", STR("no-cache"));
    http_set_header(x, "X-Accel-Buffering", STR("no"));
    http_stream_begin(x, 200, "text/event-stream");
    sse_comment(sse, STR("open"));
    timer_start(&sse->heartbeat, heartbeat_ms(sse), on_heartbeat);
    return sse;
}

/* ---- frames ------------------------------------------------------------- */

/* A line end between the tokens of JSON is a space as well, and must be one. */
static void put_line(struct buf *out, struct str s)
{
    size_t from = out->len;
    buf_str(out, s);
    for (size_t i = from; i < out->len; i++) {
        if (out->ptr[i] == '\n' || out->ptr[i] == '\r')
            out->ptr[i] = ' ';
    }
}

void sse_frame(struct buf *out, struct str type, struct str data, int64_t id)
{
    buf_reserve(out, type.len + data.len + 48);
    buf_text(out, "event: ");
    put_line(out, type);
    buf_text(out, "\ndata: ");
    put_line(out, data);
    if (id >= 0) {
        buf_text(out, "\nid: ");
        buf_int(out, id);
    }
    buf_text(out, "\n\n");
}
