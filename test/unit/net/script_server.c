/* script_server.c - a server for tests that does what a script says. */
#include "script_server.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "loop/timer.h"
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

struct script_server {
    union {
        uv_tcp_t tcp;
        uv_pipe_t pipe;
        uv_stream_t stream;
        uv_handle_t handle;
    } at;
    char *path;
    const struct script_step *const *scripts;
    size_t n_scripts;
    unsigned requests, accepted, open;
    struct buf head, body;
    struct peer *peers;
};

struct peer {
    union {
        uv_tcp_t tcp;
        uv_pipe_t pipe;
        uv_stream_t stream;
        uv_handle_t handle;
    } at;
    struct script_server *server;
    struct peer *prev, *next;
    struct buf in;
    const struct script_step *step; /* NULL: reading */
    size_t dripped;
    uv_write_t write;
    struct timer timer;
    bool writing, closing;
};

static void play(struct peer *p);

static void peer_freed(uv_handle_t *handle)
{
    struct peer *p = handle->data;
    buf_done(&p->in);
    mem_free(p);
}

static void peer_close(struct peer *p, bool reset)
{
    if (p->closing)
        return;
    p->closing = true;
    p->server->open--;
    *(p->prev ? &p->prev->next : &p->server->peers) = p->next;
    if (p->next)
        p->next->prev = p->prev;
    timer_stop(&p->timer);
    if (!reset || p->server->path ||
        uv_tcp_close_reset(&p->at.tcp, peer_freed) != 0)
        uv_close(&p->at.handle, peer_freed);
}

/* ---- playing ------------------------------------------------------------ */

static void on_written(uv_write_t *write, int status)
{
    struct peer *p = write->data;
    p->writing = false;
    if (p->closing)
        return;
    if (status < 0)
        peer_close(p, false);
    else
        play(p);
}

static void put(struct peer *p, struct str bytes)
{
    uv_buf_t b = uv_buf_init((char *)bytes.ptr, (unsigned)bytes.len);
    p->write.data = p;
    p->writing = true;
    if (uv_write(&p->write, &p->at.stream, &b, 1, on_written) != 0)
        peer_close(p, false);
}

static void on_pause_over(struct timer *t)
{
    play((struct peer *)((char *)t - offsetof(struct peer, timer)));
}

static void take_request(struct peer *p);

static void play_step(struct peer *p, const struct script_step *step)
{
    switch (step->act) {
    case SCRIPT_SEND:
        p->step++;
        put(p, step->bytes);
        break;
    case SCRIPT_DRIP:
        if (p->dripped == step->bytes.len) {
            p->dripped = 0;
            p->step++;
            play(p);
        } else {
            put(p, str_cut(step->bytes, p->dripped++, 1));
        }
        break;
    case SCRIPT_FLOOD:
        put(p, step->bytes);
        break;
    case SCRIPT_PAUSE:
        p->step++;
        timer_start(&p->timer, step->ms, on_pause_over);
        break;
    case SCRIPT_STALL:
        break;
    case SCRIPT_CLOSE:
    case SCRIPT_RESET:
        peer_close(p, step->act == SCRIPT_RESET);
        break;
    case SCRIPT_END:
        p->step = NULL;
        take_request(p);
        break;
    }
}

static void play(struct peer *p)
{
    if (p->step && !p->writing && !p->closing)
        play_step(p, p->step);
}

/* ---- reading ------------------------------------------------------------ */

static size_t content_length(struct str head)
{
    ptrdiff_t at = str_find_nocase(head, STR("\r\ncontent-length:"));
    if (at < 0)
        return 0;
    struct str value = str_from(head, (size_t)at + 17);
    value = str_cut(value, 0, (size_t)str_find(value, STR("\r\n")));
    int64_t n = 0;
    str_to_int64(str_trim(value), &n);
    return (size_t)n;
}

static void take_request(struct peer *p)
{
    struct script_server *s = p->server;
    struct str in = buf_view(&p->in);
    ptrdiff_t end = str_find(in, STR("\r\n\r\n"));
    if (p->step || end < 0)
        return;
    struct str head = str_cut(in, 0, (size_t)end + 4);
    size_t length = content_length(head);
    if (in.len < head.len + length)
        return;
    buf_clear(&s->head);
    buf_str(&s->head, head);
    buf_clear(&s->body);
    buf_str(&s->body, str_cut(in, head.len, length));
    buf_drop(&p->in, head.len + length);
    assert(s->n_scripts && "a script for the request");
    size_t i = s->requests++;
    p->step = s->scripts[i < s->n_scripts ? i : s->n_scripts - 1];
    play(p);
}

static void on_room(uv_handle_t *handle, size_t size, uv_buf_t *b)
{
    struct peer *p = handle->data;
    (void)size;
    buf_reserve(&p->in, 65536);
    *b = uv_buf_init(p->in.ptr + p->in.len, 65536);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *b)
{
    struct peer *p = stream->data;
    (void)b;
    if (n < 0) {
        peer_close(p, false);
        return;
    }
    p->in.len += (size_t)n;
    take_request(p);
}

static void on_connection(uv_stream_t *stream, int status)
{
    struct script_server *s = stream->data;
    assert(status == 0);
    struct peer *p = mem_new(struct peer);
    p->server = s;
    if (s->path) {
        uv_pipe_init(loop_uv(), &p->at.pipe, 0);
    } else {
        uv_tcp_init(loop_uv(), &p->at.tcp);
    }
    p->at.handle.data = p;
    uv_accept(stream, &p->at.stream);
    if (!s->path)
        uv_tcp_nodelay(&p->at.tcp, 1);
    p->next = s->peers;
    if (p->next)
        p->next->prev = p;
    s->peers = p;
    s->accepted++;
    s->open++;
    uv_read_start(&p->at.stream, on_room, on_read);
}

/* ---- the server --------------------------------------------------------- */

struct script_server *script_server_open(const char *path)
{
    struct script_server *s = mem_new(struct script_server);
    struct sockaddr_in any;
    int rc;
    signal(SIGPIPE, SIG_IGN); /* clients here go away */
    if (path) {
        s->path = mem_copy(path, strlen(path));
        uv_pipe_init(loop_uv(), &s->at.pipe, 0);
        rc = uv_pipe_bind(&s->at.pipe, path);
    } else {
        uv_ip4_addr("127.0.0.1", 0, &any);
        uv_tcp_init(loop_uv(), &s->at.tcp);
        rc = uv_tcp_bind(&s->at.tcp, (const struct sockaddr *)&any, 0);
    }
    assert(rc == 0);
    s->at.handle.data = s;
    rc = uv_listen(&s->at.stream, 512, on_connection);
    assert(rc == 0);
    (void)rc;
    return s;
}

void script_server_play(struct script_server *s,
                        const struct script_step *const *scripts, size_t n)
{
    s->scripts = scripts;
    s->n_scripts = n;
    s->requests = s->accepted = 0;
}

int script_server_port(const struct script_server *s)
{
    struct sockaddr_in at;
    int len = sizeof at;
    uv_tcp_getsockname(&s->at.tcp, (struct sockaddr *)&at, &len);
    return ntohs(at.sin_port);
}

unsigned script_server_requests(const struct script_server *s)
{
    return s->requests;
}

unsigned script_server_accepted(const struct script_server *s)
{
    return s->accepted;
}

unsigned script_server_open_connections(const struct script_server *s)
{
    return s->open;
}

struct str script_server_head(const struct script_server *s)
{
    return buf_view(&s->head);
}

struct str script_server_body(const struct script_server *s)
{
    return buf_view(&s->body);
}

static void server_freed(uv_handle_t *handle)
{
    struct script_server *s = handle->data;
    buf_done(&s->head);
    buf_done(&s->body);
    mem_free(s->path);
    mem_free(s);
}

void script_server_close(struct script_server **server)
{
    struct script_server *s = *server;
    *server = NULL;
    while (s->peers)
        peer_close(s->peers, false);
    uv_close(&s->at.handle, server_freed);
}
