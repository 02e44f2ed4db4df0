/* sse.c - event streams and their back-pressure.
 *
 * A stream has two timers: one for the heartbeat, one that checks whether the
 * client reads. Sending does not restart them; each checks when it fires.
 *
 * Streams whose queue is not empty are in a ring, ordered by how long nothing
 * of them was sent, longest first. */
#include "net/sse.h"
#include "base/compiler.h"
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
    QUEUE_TIMES = 4, /* times queue_bytes: closed after OVERRUN_MS */
    OVERRUN_MS = 100,
    LAST_BYTES = 8 * 1024 * 1024,
    LEFT_BYTES = 16 * 1024, /* at the end, may be sent without a watch */
    SHORT_MS = 1000,        /* without progress: closed if there is no room */
    LOOKS = 32,             /* streams examined by one sse_has_room */
    MUCH_BYTES = 8 * 1024 * 1024, /* worth returning to the system */
};

struct sse {
    struct http_exchange *exchange;
    struct sse_options options;
    struct timer heartbeat, stall;
    uint64_t written_ms; /* when the last frame or comment was sent */
    uint64_t
        over_since; /* when its queue exceeded queue_bytes; 0: it does not */
    size_t exempt;  /* bytes of the last frame: not bounded */
    struct ring_link waiting; /* in the ring of streams with a queue */
    size_t held;              /* bytes of its queue, as counted in the sum */
    uint64_t moved_ms;        /* when progress was last seen */
    uint64_t moved_to;        /* … and the bytes sent by then */
    bool closing;             /* ends when its queue is empty */
    bool overrun;             /* closed if QUEUE_TIMES is still exceeded */
};

/* ---- all queues --------------------------------------------------------- */

static unsigned open_streams;
static uint64_t slow_streams;
static size_t budget = 64 * 1024 * 1024, held, most_held;
static struct ring_link waiting = {&waiting, &waiting};

unsigned sse_count(void)
{
    return open_streams;
}

size_t sse_queued_total(void)
{
    return held;
}

uint64_t sse_slow_count(void)
{
    return slow_streams;
}

void sse_set_budget(size_t bytes)
{
    budget = bytes;
}

void sse_trim_memory(void)
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

/* Whether something was sent since the last check; if so, moves it to the end
 * of the ring. */
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

static void sse_stop(struct sse *sse)
{
    open_streams--;
    count_held(sse, 0);
    timer_stop(&sse->heartbeat);
    timer_stop(&sse->stall);
    sse->exchange->on_gone = NULL;
    sse->exchange->on_drained = NULL;
}

/* Disconnects a client that does not read, or cleans up after one that is
 * gone. */
static void sse_disconnect(struct sse *sse)
{
    slow_streams += !http_disconnected(sse->exchange);
    sse_stop(sse);
    http_abort(sse->exchange);
    if (sse->options.on_closed)
        sse->options.on_closed(sse, sse->options.who);
    mem_free(sse);
}

static void on_client_gone(struct http_exchange *x)
{
    sse_disconnect(x->owner);
}

static void sse_end(struct sse *sse)
{
    sse_stop(sse);
    http_stream_end(sse->exchange);
    mem_free(sse);
}

/* A long queue is still counted and watched until it is sent. */
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
        sse_end(sse);
}

/* ---- timers ------------------------------------------------------------- */

/* Between three quarters of heartbeat_ms and all of it, at random, so that
 * streams opened together do not all send at once. */
static uint64_t jittered_heartbeat_ms(const struct sse *sse)
{
    uint64_t ms = sse->options.heartbeat_ms;
    return ms - random_below(ms / 4 + 1);
}

static void sse_comment(struct sse *sse, struct str text);

static void on_heartbeat_timer(struct timer *t)
{
    struct sse *sse = container_of(t, struct sse, heartbeat);
    uint64_t due = sse->written_ms + jittered_heartbeat_ms(sse),
             now = clock_ms();
    if (now >= due || due - now < sse->options.heartbeat_ms / 8) {
        if (http_stream_queued(sse->exchange) == 0)
            sse_comment(sse, STR("keep-alive"));
        due = now + jittered_heartbeat_ms(sse);
    }
    timer_start(t, due - now, on_heartbeat_timer);
}

static bool queue_exceeds(const struct sse *sse, size_t bytes)
{
    return http_stream_queued(sse->exchange) > bytes + sse->exempt;
}

static void watch_queue(struct sse *sse)
{
    if (!queue_exceeds(sse, sse->options.queue_bytes))
        sse->over_since = 0;
    else if (!sse->over_since)
        sse->over_since = clock_ms();
}

/* Time between two checks for progress. */
static unsigned stall_check_ms(const struct sse *sse)
{
    return (sse->options.stall_ms + 3) / 4;
}

static void on_stall_timer(struct timer *t)
{
    struct sse *sse = container_of(t, struct sse, stall);
    watch_queue(sse);
    bool overrun = sse->overrun;
    bool stuck =
        !has_moved(sse) && clock_ms() - sse->moved_ms >= sse->options.stall_ms;
    bool behind = sse->over_since &&
                  clock_ms() - sse->over_since >= sse->options.stall_ms;
    sse->overrun = queue_exceeds(sse, sse->options.queue_bytes * QUEUE_TIMES);
    if (stuck || behind || (overrun && sse->overrun)) {
        sse_disconnect(sse);
        return;
    }
    timer_start(t, stall_check_ms(sse), on_stall_timer);
}

static void on_queue_drained(struct http_exchange *x)
{
    struct sse *sse = x->owner;
    sse->over_since = 0;
    sse->overrun = false;
    count_held(sse, 0);
    timer_stop(&sse->stall);
    if (sse->closing)
        sse_end(sse);
    else if (sse->options.on_drained)
        sse->options.on_drained(sse, sse->options.who);
}

/* ---- sending ------------------------------------------------------------ */

static void sse_write(struct sse *sse, struct str bytes)
{
    http_stream_write(sse->exchange, bytes);
    count_held(sse, http_stream_queued(sse->exchange));
    sse->written_ms = clock_ms();
    watch_queue(sse);
    if (queue_exceeds(sse, sse->options.queue_bytes * QUEUE_TIMES) &&
        !sse->overrun) {
        sse->overrun = true;
        timer_start(&sse->stall, OVERRUN_MS, on_stall_timer);
    } else if (!timer_running(&sse->stall)) {
        timer_start(&sse->stall, stall_check_ms(sse), on_stall_timer);
    }
}

void sse_send(struct sse *sse, struct str frames)
{
    if (frames.len)
        sse_write(sse, frames);
}

void sse_send_last(struct sse *sse, struct str frame)
{
    sse->exempt = frame.len < LAST_BYTES ? frame.len : LAST_BYTES;
    sse_send(sse, frame);
}

static void sse_comment(struct sse *sse, struct str text)
{
    struct buf line;
    buf_init(&line, NULL);
    buf_text(&line, ": ");
    buf_str(&line, text);
    buf_text(&line, "\n\n");
    sse_write(sse, buf_view(&line));
    buf_done(&line);
}

/* Closes the stream that has made no progress for longest, but not `but`. The
 * ring is in that order: if the first one is not slow, none is. */
static bool close_slowest(const struct sse *but)
{
    for (int i = 0; i < LOOKS && !ring_empty(&waiting); i++) {
        struct sse *sse = container_of(waiting.next, struct sse, waiting);
        if (has_moved(sse))
            continue;
        if (sse == but || clock_ms() - sse->moved_ms < SHORT_MS)
            return false;
        sse_disconnect(sse);
        return true;
    }
    return false;
}

bool sse_has_room(struct sse *sse, size_t bytes)
{
    while (held > sse->held && held + bytes > budget)
        if (!close_slowest(sse))
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
    x->on_gone = on_client_gone;
    x->on_drained = on_queue_drained;
    http_set_header(x, "Cache-Control", STR("no-cache"));
    http_set_header(x, "X-Accel-Buffering", STR("no"));
    http_stream_begin(x, 200, "text/event-stream");
    sse_comment(sse, STR("open"));
    timer_start(&sse->heartbeat, jittered_heartbeat_ms(sse),
                on_heartbeat_timer);
    return sse;
}

/* ---- frames ------------------------------------------------------------- */

/* Appends s on one line. Between the tokens of JSON a line break can be
 * replaced by a space. */
static void put_single_line(struct buf *out, struct str s)
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
    put_single_line(out, type);
    buf_text(out, "\ndata: ");
    put_single_line(out, data);
    if (id >= 0) {
        buf_text(out, "\nid: ");
        buf_int(out, id);
    }
    buf_text(out, "\n\n");
}
