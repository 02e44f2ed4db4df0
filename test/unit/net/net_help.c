/* net_help.c - a server and clients on one loop, for tests. */
#include "net_help.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "loop/timer.h"
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/banned.h"

enum { PATIENCE_MS = 100000, BIG = 32 * 1024 * 1024 };

struct help help;
static bool timed_out;
static struct client *clients;

/* ---- waiting ------------------------------------------------------------ */

static void on_patience_over(struct timer *t)
{
    (void)t;
    timed_out = true;
}

void help_wait(done_fn *done, void *who)
{
    struct timer patience = {0};
    timed_out = false;
    timer_start(&patience, PATIENCE_MS, on_patience_over);
    while (!done(who) && !timed_out)
        loop_turn(true);
    timer_stop(&patience);
    assert_false(timed_out);
}

void help_turn_for(unsigned ms)
{
    struct timer over = {0};
    timed_out = false;
    timer_start(&over, ms, on_patience_over);
    while (!timed_out)
        loop_turn(true);
}

/* ---- clients ------------------------------------------------------------ */

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct client *c = (struct client *)poll;
    static char bytes[65536];
    (void)status;
    (void)events;
    ssize_t n = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n > 0) {
        buf_bytes(&c->got, bytes, (size_t)n);
        return;
    }
    c->error = n < 0 ? errno : 0;
    c->ended = true;
    uv_poll_stop(poll);
}

struct client *client_open_small(int port, int bytes)
{
    struct client *c = mem_new(struct client);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(c->fd >= 0);
    if (bytes)
        setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    assert_int_equal(connect(c->fd, (struct sockaddr *)&to, sizeof to), 0);
    buf_init(&c->got, NULL);
    c->next = clients;
    clients = c;
    uv_poll_init(loop_uv(), &c->poll, c->fd);
    uv_poll_start(&c->poll, UV_READABLE, on_readable);
    return c;
}

struct client *client_open(int port)
{
    return client_open_small(port, 0);
}

void client_listen(struct client *c, bool on)
{
    c->deaf = !on;
    if (on)
        uv_poll_start(&c->poll, UV_READABLE, on_readable);
    else
        uv_poll_stop(&c->poll);
}

void client_send(struct client *c, struct str bytes)
{
    while (bytes.len) {
        ssize_t n =
            send(c->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0)
            bytes = str_from(bytes, (size_t)n);
        else if (n < 0 && errno != EAGAIN)
            return; /* the other side has closed */
        else
            loop_turn(true);
    }
}

void client_send_text(struct client *c, const char *text)
{
    client_send(c, str_of(text));
}

void client_shut(struct client *c)
{
    shutdown(c->fd, SHUT_WR);
}

static void on_client_closed(uv_handle_t *handle)
{
    mem_free(handle);
}

void client_close(struct client *c)
{
    struct client **link = &clients;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    uv_poll_stop(&c->poll);
    close(c->fd);
    buf_done(&c->got);
    uv_close((uv_handle_t *)&c->poll, on_client_closed);
}

void client_reset(struct client *c)
{
    struct linger now = {1, 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    client_close(c);
}

static bool has_ended(void *who)
{
    return ((struct client *)who)->ended;
}

void client_wait_end(struct client *c)
{
    help_wait(has_ended, c);
}

struct wanted {
    struct client *client;
    const char *text;
    size_t bytes;
};

static bool has_text(void *who)
{
    struct wanted *w = who;
    return str_find(buf_view(&w->client->got), str_of(w->text)) >= 0;
}

void client_wait_text(struct client *c, const char *text)
{
    help_wait(has_text, &(struct wanted){c, text, 0});
}

static bool has_bytes(void *who)
{
    struct wanted *w = who;
    return w->client->got.len >= w->bytes;
}

void client_wait_bytes(struct client *c, size_t bytes)
{
    help_wait(has_bytes, &(struct wanted){c, NULL, bytes});
}

/* ---- answers ------------------------------------------------------------ */

struct str answer_header(struct http_answer a, const char *name)
{
    struct str rest = a.head, line;
    size_t len = strlen(name);
    while (str_split(&rest, '\n', &line)) {
        if (line.len > len && line.ptr[len] == ':' &&
            str_eq_nocase(str_cut(line, 0, len), str_of(name)))
            return str_trim(str_from(line, len + 1));
    }
    return (struct str){0};
}

static struct buf answer_bytes; /* of the latest answer */

/* Moves `len` received bytes to the memory of the answer. */
static void move_bytes(struct client *c, size_t len)
{
    client_wait_bytes(c, len);
    buf_bytes(&answer_bytes, c->got.ptr, len);
    buf_drop(&c->got, len);
}

static size_t line_of(struct client *c)
{
    client_wait_text(c, "\r\n");
    return (size_t)str_find(buf_view(&c->got), STR("\r\n"));
}

static void move_chunks(struct client *c)
{
    for (size_t size = 1; size;) {
        size_t line = line_of(c);
        size = strtoul(c->got.ptr, NULL, 16);
        buf_drop(&c->got, line + 2);
        move_bytes(c, size);
        client_wait_bytes(c, 2);
        assert_memory_equal(c->got.ptr, "\r\n", 2);
        buf_drop(&c->got, 2);
    }
}

static struct http_answer answer(struct client *c, bool head_only)
{
    struct http_answer a = {0};
    int64_t length = 0;
    buf_clear(&answer_bytes);
    client_wait_text(c, "\r\n\r\n");
    size_t end = (size_t)str_find(buf_view(&c->got), STR("\r\n\r\n")) + 4;
    move_bytes(c, end);
    a.head = buf_view(&answer_bytes);
    assert_true(str_starts(a.head, STR("HTTP/1.1 ")));
    a.status = (a.head.ptr[9] - '0') * 100 + (a.head.ptr[10] - '0') * 10 +
               a.head.ptr[11] - '0';
    bool chunked = answer_header(a, "Transfer-Encoding").len != 0;
    str_to_int64(answer_header(a, "Content-Length"), &length);
    if (head_only || a.status == 100)
        length = 0;
    else if (chunked)
        move_chunks(c);
    move_bytes(c, (size_t)length);
    a.head = str_cut(buf_view(&answer_bytes), 0, end);
    a.body = str_from(buf_view(&answer_bytes), end);
    return a;
}

struct http_answer client_answer(struct client *c)
{
    return answer(c, false);
}

struct http_answer client_answer_head(struct client *c)
{
    return answer(c, true);
}

/* ---- the server --------------------------------------------------------- */

static char *big;

static struct str big_bytes(struct http_exchange *x)
{
    struct str n;
    int64_t size = 0;
    if (!big) {
        big = mem_alloc(BIG);
        memset(big, 'b', BIG);
    }
    if (http_get_query(x, "n", &n))
        str_to_int64(n, &size);
    assert_true(size <= BIG);
    return (struct str){big, (size_t)size};
}

static void on_gone(struct http_exchange *x)
{
    help.gone++;
    for (int i = 0; i < help.n_held; i++) {
        if (help.held[i] == x)
            help.held[i] = help.held[--help.n_held];
    }
    http_abort(x);
}

static void stream(struct http_exchange *x)
{
    struct str bytes = big_bytes(x);
    http_stream_begin(x, 200, "text/plain");
    while (bytes.len) {
        struct str piece = str_cut(bytes, 0, 1000);
        http_stream_write(x, piece);
        bytes = str_from(bytes, piece.len);
    }
    http_stream_end(x);
}

static void on_request(struct http_exchange *x, void *who)
{
    help.requests++;
    help.smuggled += str_is(x->path, "/smuggled");
    size_t len =
        x->path.len < sizeof help.path - 1 ? x->path.len : sizeof help.path - 1;
    memcpy(help.path, x->path.ptr, len);
    help.path[len] = '\0';
    if (help.on_request) {
        help.on_request(x, who);
    } else if (str_is(x->path, "/echo")) {
        http_reply(x, 200, "application/octet-stream", x->body);
    } else if (str_is(x->path, "/later")) {
        x->on_gone = on_gone;
        help.held[help.n_held++] = x;
    } else if (str_is(x->path, "/big")) {
        http_reply(x, 200, "text/plain", big_bytes(x));
    } else if (str_is(x->path, "/static")) {
        http_reply_static(x, 200, "text/plain", big_bytes(x));
    } else if (str_is(x->path, "/stream")) {
        stream(x);
    } else {
        http_reply(x, 200, "text/plain", STR("ok"));
    }
}

static int null_fd = -1;

int help_setup(void **state)
{
    (void)state;
    help = (struct help){0};
    crypto_init();
    if (null_fd < 0)
        null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    log_to_fd(null_fd);
    loop_open();
    return 0;
}

int help_teardown(void **state)
{
    (void)state;
    while (clients) /* left by a test that failed */
        client_close(clients);
    http_server_close(&help.server);
    for (int i = help.n_held - 1; i >= 0; i--)
        http_abort(help.held[i]);
    loop_close();
    buf_done(&answer_bytes);
    mem_free(big);
    big = NULL;
    return 0;
}

static void serve(struct http_server_options options)
{
    struct str why;
    options.access_log = true;
    options.on_request = on_request;
    options.streams_body = help.streams_body;
    help.server = http_server_open(&options, &why);
    assert_non_null(help.server);
    help.port = http_server_port(help.server);
}

void help_serve(struct http_limits limits)
{
    serve((struct http_server_options){.limits = limits});
}

void help_serve_fds(const int *fds, int n, int n_own)
{
    serve((struct http_server_options){.fds = fds,
                                       .n_fds = n,
                                       .n_own_fds = n_own,
                                       .limits = http_default_limits});
}

void help_serve_at(const char *host)
{
    serve((struct http_server_options){.host = host,
                                       .limits = http_default_limits});
}

static bool enough_held(void *count)
{
    return help.n_held == *(int *)count;
}

void help_wait_held(int count)
{
    help_wait(enough_held, &count);
}

static bool enough_connections(void *count)
{
    return http_server_connections(help.server) == *(unsigned *)count;
}

void help_wait_connections(unsigned count)
{
    help_wait(enough_connections, &count);
}
