/* http_connection.c - one client connection: reads, parses requests in order,
 * ends.
 *
 * All connections read into one shared buffer. Complete requests are parsed in
 * place; only an incomplete head, or bytes that were sent ahead of a response,
 * are copied. So a connection between requests takes no memory beyond its
 * struct. */
#include "http_connection.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/banned.h"

#define TO(state) (1u << CONNECTION_##state)

static const unsigned transitions[CONNECTION_STATES] = {
    [CONNECTION_IDLE] =
        TO(IDLE) | TO(HEAD) | TO(BODY) | TO(BUSY) | TO(ENDING) | TO(CLOSED),
    [CONNECTION_HEAD] = TO(BODY) | TO(BUSY) | TO(ENDING) | TO(CLOSED),
    [CONNECTION_BODY] = TO(BUSY) | TO(ENDING) | TO(CLOSED),
    [CONNECTION_BUSY] = TO(IDLE) | TO(ENDING) | TO(CLOSED),
    [CONNECTION_ENDING] = TO(LINGERING) | TO(CLOSED),
    [CONNECTION_LINGERING] = TO(CLOSED),
};

static char shared_bytes[32 * 1024];

/* ---- states and deadlines ----------------------------------------------- */

static void on_connection_timer(struct timer *t);

static uint64_t deadline_ms(const struct http_connection *c)
{
    const struct http_limits *limits = &c->server->options.limits;
    switch ((enum http_connection_state)c->state) {
    case CONNECTION_IDLE:
        return c->server->draining ? LAST_REQUEST_MS : limits->idle_ms;
    case CONNECTION_HEAD:
        return limits->head_ms;
    case CONNECTION_BODY:
        return limits->body_ms;
    case CONNECTION_LINGERING:
        return c->streams ? STREAM_LINGER_MS : LINGER_MS;
    default:
        return 0;
    }
}

/* Leaves a running timer alone if the deadline moves later: the timer then
 * checks again. So a busy connection does not restart its timer with every
 * request. */
static void set_deadline(struct http_connection *c)
{
    uint64_t ms = deadline_ms(c);
    c->deadline = ms ? clock_ms() + ms : 0;
    if (!ms || (timer_running(&c->timer) && c->timer.at <= c->deadline))
        return;
    timer_start(&c->timer, ms, on_connection_timer);
}

/* Changes the state; a transition that is not allowed ends the process. */
static void http_connection_move(struct http_connection *c,
                                 enum http_connection_state to)
{
    if (!(transitions[c->state] & 1u << to)) {
        log_line(LOG_ERROR, "connection state not allowed", "%d to %d",
                 c->state, (int)to);
        abort();
    }
    bool idle = to == CONNECTION_IDLE;
    if (idle || c->state == CONNECTION_IDLE)
        ring_add(idle ? &c->server->idle : &c->server->active, &c->place);
    c->state = (uint8_t)to;
    set_deadline(c);
}

static void end_connection(struct http_connection *c)
{
    http_connection_move(c, CONNECTION_ENDING);
    http_connection_touch(c);
}

static const struct http_refusal too_slow = {408, "TIMEOUT",
                                             "The request came too slowly."};

/* A streamed body has no time limit, but a least speed; while its reader holds
 * it back, nothing is asked of the client. */
static void check_stream(struct http_connection *c)
{
    struct exchange *e = c->exchange;
    if (e->stream.broken != OK)
        c->deadline = 0;
    else if (e->stream.arrived < PROGRESS_BYTES && body_stream_takes(e))
        body_stream_break(e, ERR_REQUEST_TIMEOUT, str_of(too_slow.text));
    else
        set_deadline(c);
    e->stream.arrived = 0;
}

/* After a long turn of the loop, timers run before what has arrived is read. */
static bool has_unread_bytes(const struct http_connection *c)
{
    uv_os_fd_t fd;
    int n = 0;
    return uv_fileno((const uv_handle_t *)&c->tcp, &fd) == 0 &&
           ioctl(fd, FIONREAD, &n) == 0 && n > 0;
}

static void on_connection_timer(struct timer *t)
{
    struct http_connection *c = container_of(t, struct http_connection, timer);
    uint64_t now = clock_ms();
    if (!c->deadline)
        return;
    if (c->state == CONNECTION_IDLE && now >= c->deadline &&
        has_unread_bytes(c))
        c->deadline = now + UNREAD_MS;
    if (now < c->deadline)
        timer_start(t, c->deadline - now, on_connection_timer);
    else if (c->state == CONNECTION_IDLE)
        end_connection(c);
    else if (c->state == CONNECTION_LINGERING)
        http_connection_close(c);
    else if (c->state == CONNECTION_BODY && c->exchange->body_comes)
        check_stream(c);
    else
        http_connection_refuse(c, &too_slow);
}

void http_connection_touch(struct http_connection *c)
{
    /* A connection that is in the ring keeps its position, or one that is
     * touched each turn would never be served. */
    if (c->state != CONNECTION_CLOSED && ring_empty(&c->touched))
        ring_add(&c->server->touched, &c->touched);
}

/* ---- requests ----------------------------------------------------------- */

static size_t read_ahead(const struct http_connection *c)
{
    return c->in.len - c->in_at;
}

static bool within_budget(struct http_connection *c)
{
    if (c->turn != c->server->turn) {
        c->turn = c->server->turn;
        c->requests = 0;
    }
    return c->requests < REQUESTS_A_TURN;
}

/* Whether more bytes may be parsed now. */
static bool takes_bytes(struct http_connection *c)
{
    if (c->state == CONNECTION_IDLE)
        return c->fixed.len == 0 && http_connection_queued(c) < BACKLOG_BYTES &&
               within_budget(c);
    if (c->state == CONNECTION_BODY)
        return !c->exchange->body_comes || body_stream_takes(c->exchange);
    return c->state == CONNECTION_HEAD;
}

static void hand_over(struct http_connection *c)
{
    c->requests++;
    http_connection_move(c, CONNECTION_BUSY);
    http_exchange_hand_over(c->exchange);
}

static void begin_body(struct http_connection *c, struct str bytes)
{
    http_connection_move(c, CONNECTION_BODY);
    if (!bytes.len)
        http_connection_continue(c);
}

void http_connection_continue(struct http_connection *c)
{
    if (!c->parser.expects)
        return;
    c->parser.expects = false;
    buf_text(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
    http_connection_touch(c);
}

/* The handler gets the request before its body. */
static void begin_stream(struct http_connection *c)
{
    struct exchange *e = c->exchange;
    const struct http_body *body = &c->parser.body;
    http_connection_move(c, CONNECTION_BODY);
    c->streams = e->body_comes = true;
    e->stream.length =
        body->framing == FRAMING_LENGTH ? (int64_t)body->left : -1;
    c->requests++;
    http_exchange_hand_over(e);
}

static void end_body(struct http_connection *c)
{
    if (!c->exchange->body_comes) {
        hand_over(c);
        return;
    }
    http_connection_move(c, CONNECTION_BUSY);
    body_stream_whole(c->exchange);
}

static void refuse_request(struct http_connection *c)
{
    const struct http_refusal *why = c->parser.refusal;
    if (c->exchange && c->exchange->body_comes)
        body_stream_break(c->exchange,
                          why->status == 413 ? ERR_TOO_LARGE : ERR_VALIDATION,
                          str_of(why->text));
    else
        http_connection_refuse(c, why);
}

static void take_head(struct http_connection *c, struct str bytes)
{
    struct exchange *e = c->exchange = http_exchange_new(c);
    switch (http_parser_head(&c->parser, &e->face, &e->body)) {
    case PARSED_WHOLE:
        hand_over(c);
        break;
    case PARSED_BODY:
        if (c->parser.streams)
            begin_stream(c);
        else
            begin_body(c, bytes);
        break;
    default:
        http_connection_refuse(c, c->parser.refusal);
    }
}

/* Parses what may be parsed next; moves *bytes to after it. */
static void parse_some(struct http_connection *c, struct str *bytes)
{
    struct exchange *streams =
        c->exchange && c->exchange->body_comes ? c->exchange : NULL;
    size_t before = streams ? streams->body.len : 0;
    enum http_parsed got = http_parser_feed(&c->parser, bytes);
    if (streams)
        body_stream_arrived(streams, streams->body.len - before);
    switch (got) {
    case PARSED_HEAD:
        take_head(c, *bytes);
        break;
    case PARSED_WHOLE:
        end_body(c);
        break;
    case PARSED_REFUSED:
        refuse_request(c);
        break;
    default:
        if (c->state == CONNECTION_IDLE)
            http_connection_move(c, CONNECTION_HEAD);
    }
}

/* Parses requests while it may; returns the bytes that are left. */
static struct str parse_requests(struct http_connection *c, struct str bytes)
{
    while (bytes.len && takes_bytes(c))
        parse_some(c, &bytes);
    return bytes;
}

void http_connection_answered(struct http_connection *c, bool keep_alive)
{
    c->exchange = NULL;
    http_connection_move(c, keep_alive ? CONNECTION_IDLE : CONNECTION_ENDING);
    http_connection_touch(c);
}

/* ---- reading ------------------------------------------------------------ */

static void on_alloc(uv_handle_t *unused, size_t size, uv_buf_t *out)
{
    (void)unused;
    (void)size;
    *out = uv_buf_init(shared_bytes, sizeof shared_bytes);
}

static void drop_bytes(struct http_connection *c, size_t len)
{
    c->drained += (uint32_t)len;
    if (c->state == CONNECTION_LINGERING &&
        c->drained > (c->streams ? STREAM_LINGER_BYTES : LINGER_BYTES))
        http_connection_close(c);
}

static void take_bytes(struct http_connection *c, struct str bytes)
{
    if (read_ahead(c) == 0)
        bytes = parse_requests(c, bytes);
    if (c->state >= CONNECTION_ENDING) {
        if (c->state != CONNECTION_CLOSED)
            drop_bytes(c, bytes.len);
        return;
    }
    if (bytes.len == 0)
        return;
    buf_str(&c->in, bytes);
    if (c->state == CONNECTION_IDLE)
        http_connection_touch(c);
    if (read_ahead(c) > PENDING_BYTES) {
        uv_read_stop((uv_stream_t *)&c->tcp);
        c->read_paused = true;
    }
}

/* The client has shut down its sending side; it may still read responses. */
static void take_eof(struct http_connection *c)
{
    c->read_ended = true;
    const struct exchange *x = c->exchange;
    bool gone = x && x->face.gone_at_eof;
    if (c->state == CONNECTION_LINGERING || gone)
        http_connection_close(c);
    else if (c->state == CONNECTION_IDLE)
        http_connection_touch(c);
    else if (c->state == CONNECTION_BODY && x && x->body_comes)
        body_stream_break(c->exchange, ERR_VALIDATION,
                          STR("The body ended before it was complete."));
    else if (c->state == CONNECTION_HEAD || c->state == CONNECTION_BODY)
        end_connection(c);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes)
{
    struct http_connection *c =
        container_of((uv_tcp_t *)stream, struct http_connection, tcp);
    if (n > 0)
        take_bytes(c, (struct str){bytes->base, (size_t)n});
    else if (n == UV_EOF)
        take_eof(c);
    else if (n < 0)
        http_connection_close(c);
}

static void resume_reading(struct http_connection *c)
{
    if (!c->read_paused || c->read_ended)
        return;
    c->read_paused = false;
    if (uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read))
        http_connection_close(c);
}

/* ---- the turn ----------------------------------------------------------- */

static void parse_read_ahead(struct http_connection *c)
{
    struct str bytes = str_from(buf_view(&c->in), c->in_at);
    struct str rest = parse_requests(c, bytes);
    c->in_at += bytes.len - rest.len;
    if (rest.len == 0 || c->state >= CONNECTION_ENDING) {
        buf_done(&c->in);
        c->in_at = 0;
    } else if (c->in_at > PENDING_BYTES) { /* a streamed body goes on */
        buf_drop(&c->in, c->in_at);
        c->in_at = 0;
    }
}

void http_connection_turn(struct http_connection *c)
{
    if (read_ahead(c) && takes_bytes(c))
        parse_read_ahead(c);
    if (c->state == CONNECTION_IDLE && c->read_ended && !read_ahead(c))
        http_connection_move(c, CONNECTION_ENDING);
    if (c->state == CONNECTION_CLOSED)
        return;
    http_connection_flush(c);
    if (c->state == CONNECTION_CLOSED)
        return;
    if (c->state == CONNECTION_IDLE && read_ahead(c) && !c->flight)
        http_connection_touch(c);
    if (read_ahead(c) <= PENDING_BYTES / 2)
        resume_reading(c);
}

/* ---- begin and end ------------------------------------------------------ */

void http_connection_open(struct http_server *s, int fd, const char *peer)
{
    struct http_connection *c = mem_new(struct http_connection);
    c->server = s;
    snprintf(c->peer, sizeof c->peer, "%s", peer);
    http_parser_init(&c->parser, &s->options.limits);
    c->parser.streams_body = s->options.streams_body;
    c->parser.who = s->options.who;
    ring_init(&c->place);
    ring_init(&c->touched);
    s->connections++;
    uv_tcp_init(loop_uv(), &c->tcp);
    http_connection_move(c, CONNECTION_IDLE);
    if (uv_tcp_open(&c->tcp, fd)) {
        close(fd);
        http_connection_close(c);
        return;
    }
    if (uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read))
        http_connection_close(c);
}

static void on_connection_closed(uv_handle_t *handle)
{
    struct http_connection *c =
        container_of((uv_tcp_t *)handle, struct http_connection, tcp);
    struct http_server *s = c->server;
    assert(!c->flight);
    http_parser_done(&c->parser);
    buf_done(&c->in);
    buf_done(&c->out);
    ring_remove(&c->place);
    mem_free(c);
    http_server_connection_closed(s);
}

static void close_handle(struct http_connection *c, bool reset)
{
    struct exchange *e = c->exchange;
    if (c->state == CONNECTION_CLOSED)
        return;
    c->exchange = NULL;
    http_connection_move(c, CONNECTION_CLOSED);
    timer_stop(&c->timer);
    if (c->flight)
        timer_stop(&c->flight->timer);
    ring_remove(&c->touched);
    if (!reset || uv_tcp_close_reset(&c->tcp, on_connection_closed))
        uv_close((uv_handle_t *)&c->tcp, on_connection_closed);
    if (e)
        http_exchange_disconnected(e);
}

void http_connection_close(struct http_connection *c)
{
    close_handle(c, false);
}

void http_connection_reset(struct http_connection *c)
{
    close_handle(c, true);
}

void http_connection_linger(struct http_connection *c)
{
    uv_os_fd_t fd;
    bool shut = uv_fileno((uv_handle_t *)&c->tcp, &fd) == 0 &&
                shutdown(fd, SHUT_WR) == 0;
    if (!shut || c->read_ended) {
        http_connection_close(c);
        return;
    }
    http_connection_move(c, CONNECTION_LINGERING);
    resume_reading(c);
}

void http_connection_drain(struct http_connection *c)
{
    if (c->state == CONNECTION_IDLE)
        set_deadline(c);
}
