/* http_write.c - writes responses: one write a turn; the rest becomes a
 * flight. */
#include "http_connection.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/banned.h"

size_t http_connection_queued(const struct http_connection *c)
{
    return c->out.len + c->fixed.len +
           uv_stream_get_write_queue_size((const uv_stream_t *)&c->tcp);
}

/* Nothing is left to send. */
static void all_sent(struct http_connection *c)
{
    struct exchange *e = c->exchange;
    buf_done(&c->out);
    if (c->state == CONNECTION_ENDING) {
        http_connection_linger(c);
        return;
    }
    if (!c->drain_due)
        return;
    c->drain_due = false;
    if (e && e->streaming && !e->ended && e->face.on_drained)
        e->face.on_drained(&e->face);
}

static void flight_free(struct flight *f)
{
    timer_stop(&f->timer);
    buf_done(&f->bytes);
    mem_free(f);
}

static void on_written(uv_write_t *request, int status)
{
    struct flight *f = container_of(request, struct flight, request);
    struct http_connection *c = f->connection;
    c->flight = NULL;
    flight_free(f);
    if (c->state == CONNECTION_CLOSED)
        return;
    c->drain_due = true;
    if (status < 0)
        http_connection_close(c);
    else
        http_connection_touch(c);
}

/* A client that reads a few bytes now and then does not count as reading. */
static void on_flight_timer(struct timer *t)
{
    struct flight *f = container_of(t, struct flight, timer);
    struct http_connection *c = f->connection;
    size_t waiting = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
    if (f->waiting - waiting < PROGRESS_BYTES) {
        http_connection_reset(c);
        return;
    }
    f->waiting = waiting;
    timer_start(t, c->server->options.limits.write_ms, on_flight_timer);
}

/* Gives the bytes from `gone` on to libuv. */
static void write_later(struct http_connection *c, size_t gone)
{
    struct flight *f = c->flight = mem_new(struct flight);
    uv_buf_t bufs[2];
    unsigned n = 0;
    f->connection = c;
    buf_init(&f->bytes, NULL);
    if (gone <
        c->out.len) { /* a copy without unused room: it may stay for long */
        buf_reserve(&f->bytes, c->out.len - gone);
        buf_str(&f->bytes, str_from(buf_view(&c->out), gone));
        bufs[n++] = uv_buf_init(f->bytes.ptr, (unsigned)f->bytes.len);
    }
    buf_done(&c->out);
    if (c->fixed.len)
        bufs[n++] = uv_buf_init((char *)c->fixed.ptr, (unsigned)c->fixed.len);
    c->fixed = (struct str){0};
    if (uv_write(&f->request, (uv_stream_t *)&c->tcp, bufs, n, on_written)) {
        c->flight = NULL;
        flight_free(f);
        http_connection_close(c);
        return;
    }
    f->waiting = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
    timer_start(&f->timer, c->server->options.limits.write_ms, on_flight_timer);
}

void http_connection_flush(struct http_connection *c)
{
    if (c->flight)
        return;
    if (c->exchange)
        http_exchange_close_chunk(c->exchange);
    if (c->out.len + c->fixed.len == 0) {
        all_sent(c);
        return;
    }
    uv_buf_t bufs[2] = {
        uv_buf_init(c->out.ptr, (unsigned)c->out.len),
        uv_buf_init((char *)c->fixed.ptr, (unsigned)c->fixed.len)};
    int rc = uv_try_write((uv_stream_t *)&c->tcp, bufs, c->fixed.len ? 2 : 1);
    if (rc == UV_EAGAIN)
        rc = 0;
    if (rc < 0) {
        http_connection_close(c);
        return;
    }
    size_t gone = (size_t)rc, in_out = c->out.len;
    c->drain_due |= gone > 0;
    if (gone >= in_out)
        c->fixed = str_from(c->fixed, gone - in_out);
    if (gone < in_out || c->fixed.len)
        write_later(c, gone < in_out ? gone : in_out);
    else
        all_sent(c);
}
