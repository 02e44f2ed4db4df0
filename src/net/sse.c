/* sse.c - one event stream to one client, see sse.h.
 *
 * Two timers: one for the heartbeat, one that looks whether the reader reads.
 * Neither moves when something is sent; each looks when it fires.
 *
 * Streams with something in their queue stand in a ring, the one of which nothing
 * has gone out for longest first. */
#include "net/sse.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "loop/timer.h"
#include "ring.h"
#include <malloc.h>
#include "base/banned.h"

enum {
    HEARTBEAT_MS = 15 * 1000,
    QUEUE_BYTES = 1024 * 1024,
    STALL_MS = 30 * 1000,
    QUEUE_TIMES = 4, /* of queue_bytes: closed unless it moves at once */
    OVERRUN_MS = 100,
    LAST_BYTES = 8 * 1024 * 1024,
    LEFT_BYTES = 16 * 1024, /* may go out without us, at the end */
    SHORT_MS = 1000,        /* without progress: closed when there is no room */
    LOOKS = 32,             /* at streams, for one that asks for room */
    MUCH_BYTES = 8 * 1024 * 1024, /* worth giving back */
};

struct sse {
    struct http_exchange *exchange;
    struct sse_options options;
    struct timer heartbeat, stall;
    uint64_t written_ms; /* when the last frame or comment was sent */
    uint64_t over_since; /* more than queue_bytes wait; 0: not so */
    size_t exempt;       /* bytes of a last frame */
    struct link waiting; /* in the ring of those with a queue */
    size_t held;         /* bytes of its queue, as they were counted */
    uint64_t moved_ms;   /* when something went out, as far as was looked */
    uint64_t moved_to;   /* … and how much had by then */
    bool closing;        /* ends when its queue is empty */
    bool overrun;        /* far too much waits: closed if it stays so */
};

/* ---- all queues --------------------------------------------------------- */

static unsigned open_streams;
static uint64_t slow_streams;
static size_t budget = 64 * 1024 * 1024, held, most_held;
static struct link waiting = {&waiting, &waiting};

unsigned sse_count(void)
{
    return open_streams;
}

size_t sse_held(void)
{
    return held;
}

uint64_t sse_slow(void)
{
    return slow_streams;
}

void sse_budget(size_t bytes)
{
    budget = bytes;
}

void sse_tidy(void)
{
    if (most_held >= MUCH_BYTES && held < most_held / 4) {
        malloc_trim(0);
        most_held = held;
    }
}

static void count_held(struct sse *sse, size_t bytes)
{
    held += bytes - sse->held;
    most_held = held > most_held ? held : most_held;
    sse->held = bytes;
    if (bytes == 0) {
        ring_remove(&sse->waiting);
    } else if (ring_empty(&sse->waiting)) {
        ring_add(&waiting, &sse->waiting);
        sse->moved_ms = clock_ms();
        sse->moved_to = http_stream_sent(sse->exchange);
    }
}

/* Whether something went out since the last look; if so, it is the last in the
 * ring again. */
static bool has_moved(struct sse *sse)
{
    uint64_t sent = http_stream_sent(sse->exchange);
    if (sent == sse->moved_to)
        return false;
    sse->moved_to = sent;
    sse->moved_ms = clock_ms();
    ring_add(&waiting, &sse->waiting);
    count_held(sse, http_stream_queued(sse->exchange));
    return true;
}

/* ---- the end ------------------------------------------------------------ */

static void stop(struct sse *sse)
{
    open_streams--;
    count_held(sse, 0);
    timer_stop(&sse->heartbeat);
    timer_stop(&sse->stall);
    sse->exchange->on_gone = NULL;
    sse->exchange->on_drained = NULL;
}

/* Ends it from our side, for a reader that does not read or is gone. */
static void cut(struct sse *sse)
{
    slow_streams += !http_gone(sse->exchange);
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

static void end(struct sse *sse)
{
    stop(sse);
    http_stream_end(sse->exchange);
    mem_free(sse);
}

/* What still waits counts until it is gone, and is watched. */
void sse_close(struct sse **stream)
{
    struct sse *sse = *stream;
    *stream = NULL;
    if (!sse)
        return;
    sse->options.on_closed = NULL;
    sse->options.on_drained = NULL;
    sse->closing = http_stream_queued(sse->exchange) > LEFT_BYTES;
    if (!sse->closing)
        end(sse);
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

/* Until the next look whether something went out. */
static unsigned look_ms(const struct sse *sse)
{
    return (sse->options.stall_ms + 3) / 4;
}

static void on_stall(struct timer *t)
{
    struct sse *sse = RING_MEMBER(t, struct sse, stall);
    watch_queue(sse);
    bool overrun = sse->overrun;
    bool stuck =
        !has_moved(sse) && clock_ms() - sse->moved_ms >= sse->options.stall_ms;
    bool behind = sse->over_since &&
                  clock_ms() - sse->over_since >= sse->options.stall_ms;
    sse->overrun = over(sse, sse->options.queue_bytes * QUEUE_TIMES);
    if (stuck || behind || (overrun && sse->overrun)) {
        cut(sse);
        return;
    }
    timer_start(t, look_ms(sse), on_stall);
}

static void on_drained(struct http_exchange *x)
{
    struct sse *sse = x->owner;
    sse->over_since = 0;
    sse->overrun = false;
    count_held(sse, 0);
    timer_stop(&sse->stall);
    if (sse->closing)
        end(sse);
    else if (sse->options.on_drained)
        sse->options.on_drained(sse, sse->options.who);
}

/* ---- sending ------------------------------------------------------------ */

static void put(struct sse *sse, struct str bytes)
{
    http_stream_write(sse->exchange, bytes);
    count_held(sse, http_stream_queued(sse->exchange));
    sse->written_ms = clock_ms();
    watch_queue(sse);
    if (over(sse, sse->options.queue_bytes * QUEUE_TIMES) && !sse->overrun) {
        sse->overrun = true;
        timer_start(&sse->stall, OVERRUN_MS, on_stall);
    } else if (!timer_running(&sse->stall)) {
        timer_start(&sse->stall, look_ms(sse), on_stall);
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

/* One that reads is passed over; if the first that does not has not for long, none
 * of those after it has either. */
static bool close_the_slowest(const struct sse *but)
{
    for (int i = 0; i < LOOKS && !ring_empty(&waiting); i++) {
        struct sse *sse = RING_MEMBER(waiting.next, struct sse, waiting);
        if (has_moved(sse))
            continue;
        if (sse == but || clock_ms() - sse->moved_ms < SHORT_MS)
            return false;
        cut(sse);
        return true;
    }
    return false;
}

bool sse_room(struct sse *sse, size_t bytes)
{
    while (held > sse->held && held + bytes > budget)
        if (!close_the_slowest(sse))
            return false;
    return true;
}

size_t sse_queued(const struct sse *sse)
{
    return http_stream_queued(sse->exchange);
}

struct sse *sse_open(struct http_exchange *x, const struct sse_options *options)
{
    struct sse *sse = mem_new(struct sse);
    open_streams++;
    sse->exchange = x;
    ring_init(&sse->waiting);
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
