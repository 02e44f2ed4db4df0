/* http_connection.c - one client: reads, takes up requests in order, ends.
 *
 * Bytes come into one buffer that all connections share. What is complete in it
 * is handed over from there; only an incomplete head, or what was sent ahead of
 * an answer, is kept. A connection between requests is its struct alone. */
#include "http_connection.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/banned.h"

#define TO(state) (1u << CONNECTION_##state)

static const unsigned moves[CONNECTION_STATES] = {
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

static void on_timer(struct timer *t);

static uint64_t deadline_ms(const struct connection *c)
{
    const struct http_limits *limits = &c->server->options.limits;
    switch ((enum connection_state)c->state) {
    case CONNECTION_IDLE:
        return c->server->draining ? LAST_REQUEST_MS : limits->idle_ms;
    case CONNECTION_HEAD:
        return limits->head_ms;
    case CONNECTION_BODY:
        return limits->body_ms;
    case CONNECTION_LINGERING:
        return LINGER_MS;
    default:
        return 0;
    }
}

/* A later deadline leaves a running timer alone: it looks again when it fires,
 * so that busy connections do not move in the heap with every request. */
static void set_deadline(struct connection *c)
{
    uint64_t ms = deadline_ms(c);
    c->deadline = ms ? clock_ms() + ms : 0;
    if (!ms || (timer_running(&c->timer) && c->timer.at <= c->deadline))
        return;
    timer_start(&c->timer, ms, on_timer);
}

void http_connection_move(struct connection *c, enum connection_state to)
{
    if (!(moves[c->state] & 1u << to)) {
        log_line(LOG_ERROR, "connection moved wrongly", "%d to %d", c->state,
                 (int)to);
        abort();
    }
    bool idle = to == CONNECTION_IDLE;
    if (idle || c->state == CONNECTION_IDLE)
        ring_add(idle ? &c->server->idle : &c->server->active, &c->place);
    c->state = (uint8_t)to;
    set_deadline(c);
}

static void end(struct connection *c)
{
    http_connection_move(c, CONNECTION_ENDING);
    http_connection_touch(c);
}

static const struct http_refusal too_slow = {408, "TIMEOUT",
                                             "The request came too slowly."};

static void on_timer(struct timer *t)
{
    struct connection *c = RING_MEMBER(t, struct connection, timer);
    uint64_t now = clock_ms();
    if (!c->deadline)
        return;
    if (now < c->deadline)
        timer_start(t, c->deadline - now, on_timer);
    else if (c->state == CONNECTION_IDLE)
        end(c);
    else if (c->state == CONNECTION_LINGERING)
        http_connection_close(c);
    else
        http_connection_refuse(c, &too_slow);
}

void http_connection_touch(struct connection *c)
{
    /* Who waits keeps its place: what is touched each turn would never have one. */
    if (c->state != CONNECTION_CLOSED && ring_empty(&c->touched))
        ring_add(&c->server->touched, &c->touched);
}

/* ---- requests ----------------------------------------------------------- */

static size_t read_ahead(const struct connection *c)
{
    return c->in.len - c->in_at;
}

static bool within_budget(struct connection *c)
{
    if (c->turn != c->server->turn) {
        c->turn = c->server->turn;
        c->requests = 0;
    }
    return c->requests < REQUESTS_A_TURN;
}

/* May more bytes be parsed now? */
static bool takes_bytes(struct connection *c)
{
    if (c->state == CONNECTION_IDLE)
        return c->fixed.len == 0 && http_connection_queued(c) < BACKLOG_BYTES &&
               within_budget(c);
    return c->state == CONNECTION_HEAD || c->state == CONNECTION_BODY;
}

static void hand_over(struct connection *c)
{
    c->requests++;
    http_connection_move(c, CONNECTION_BUSY);
    http_exchange_hand_over(c->exchange);
}

static void body_follows(struct connection *c, struct str bytes)
{
    http_connection_move(c, CONNECTION_BODY);
    if (!c->parser.expects || bytes.len)
        return;
    buf_text(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
    http_connection_touch(c);
}

static void take_head(struct connection *c, struct str bytes)
{
    struct exchange *e = c->exchange = http_exchange_new(c);
    switch (http_parser_head(&c->parser, &e->face, &e->body)) {
    case PARSED_WHOLE:
        hand_over(c);
        break;
    case PARSED_BODY:
        body_follows(c, bytes);
        break;
    default:
        http_connection_refuse(c, c->parser.refusal);
    }
}

/* Takes up what can be taken up now; answers the rest. */
static struct str parse(struct connection *c, struct str bytes)
{
    while (bytes.len && takes_bytes(c)) {
        switch (http_parser_feed(&c->parser, &bytes)) {
        case PARSED_HEAD:
            take_head(c, bytes);
            break;
        case PARSED_WHOLE:
            hand_over(c);
            break;
        case PARSED_REFUSED:
            http_connection_refuse(c, c->parser.refusal);
            break;
        default:
            if (c->state == CONNECTION_IDLE)
                http_connection_move(c, CONNECTION_HEAD);
        }
    }
    return bytes;
}

void http_connection_answered(struct connection *c, bool keep_alive)
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

static void drop(struct connection *c, size_t len)
{
    c->drained += (uint32_t)len;
    if (c->state == CONNECTION_LINGERING && c->drained > LINGER_BYTES)
        http_connection_close(c);
}

static void take(struct connection *c, struct str bytes)
{
    if (read_ahead(c) == 0)
        bytes = parse(c, bytes);
    if (c->state >= CONNECTION_ENDING) {
        if (c->state != CONNECTION_CLOSED)
            drop(c, bytes.len);
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

/* The client has shut its sending side; it may still read our answers. */
static void take_end(struct connection *c)
{
    c->read_ended = true;
    if (c->state == CONNECTION_LINGERING)
        http_connection_close(c);
    else if (c->state == CONNECTION_IDLE)
        http_connection_touch(c);
    else if (c->state == CONNECTION_HEAD || c->state == CONNECTION_BODY)
        end(c);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes)
{
    struct connection *c = (struct connection *)stream;
    if (n > 0)
        take(c, (struct str){bytes->base, (size_t)n});
    else if (n == UV_EOF)
        take_end(c);
    else if (n < 0)
        http_connection_close(c);
}

static void read_on(struct connection *c)
{
    if (!c->read_paused || c->read_ended)
        return;
    c->read_paused = false;
    if (uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read))
        http_connection_close(c);
}

/* ---- the turn ----------------------------------------------------------- */

static void take_up_read_ahead(struct connection *c)
{
    struct str bytes = str_from(buf_view(&c->in), c->in_at);
    struct str rest = parse(c, bytes);
    c->in_at += bytes.len - rest.len;
    if (rest.len == 0 || c->state >= CONNECTION_ENDING) {
        buf_done(&c->in);
        c->in_at = 0;
    }
}

void http_connection_turn(struct connection *c)
{
    if (read_ahead(c) && takes_bytes(c))
        take_up_read_ahead(c);
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
        read_on(c);
}

/* ---- begin and end ------------------------------------------------------ */

void http_connection_open(struct http_server *s, int fd, const char *peer)
{
    struct connection *c = mem_new(struct connection);
    c->server = s;
    snprintf(c->peer, sizeof c->peer, "%s", peer);
    http_parser_init(&c->parser, &s->options.limits);
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

static void on_closed(uv_handle_t *handle)
{
    struct connection *c = (struct connection *)handle;
    struct http_server *s = c->server;
    assert(!c->flight);
    http_parser_done(&c->parser);
    buf_done(&c->in);
    buf_done(&c->out);
    ring_remove(&c->place);
    mem_free(c);
    http_server_connection_closed(s);
}

static void close_handle(struct connection *c, bool reset)
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
    if (!reset || uv_tcp_close_reset(&c->tcp, on_closed))
        uv_close((uv_handle_t *)&c->tcp, on_closed);
    if (e)
        http_exchange_lose(e);
}

void http_connection_close(struct connection *c)
{
    close_handle(c, false);
}

void http_connection_reset(struct connection *c)
{
    close_handle(c, true);
}

void http_connection_linger(struct connection *c)
{
    uv_os_fd_t fd;
    bool shut = uv_fileno((uv_handle_t *)&c->tcp, &fd) == 0 &&
                shutdown(fd, SHUT_WR) == 0;
    if (!shut || c->read_ended) {
        http_connection_close(c);
        return;
    }
    http_connection_move(c, CONNECTION_LINGERING);
    read_on(c);
}

void http_connection_drain(struct connection *c)
{
    if (c->state == CONNECTION_IDLE)
        set_deadline(c);
}
