/* http_server.c - listens, accepts, runs the turn, closes.
 *
 * The server calls accept itself, from a poll handle on each listening socket.
 * libuv's accept closes clients when the process is out of descriptors, and
 * spins when it cannot even do that. Here they wait in the kernel's queue until
 * a connection closes or the retry timer fires.
 *
 * Processes that share a port have a socket each, over which the kernel
 * distributes connections evenly. Each process also has the sockets of the
 * others, and checks them every LOOK_MS: connections that still wait there are
 * accepted, because the owner of the socket is dead, stopped or busy. */
#include "http_connection.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    ACCEPTS_A_TURN = 64,
    TURN_US = 10 * 1000, /* an event may go to ten thousand streams */
    LISTEN_BACKLOG = 1024,
    RETRY_MS = 50,
    LOOK_MS = 100,
    UNSENT_BYTES = 128 * 1024, /* that the kernel buffers for a connection */
    DEAD_PEER_MS = 60 * 1000,
    SPARE_DESCRIPTORS = 128,
    IDLE_LOOKS = 16,
};

const struct http_limits http_default_limits = {
    .head_bytes = 16 * 1024,
    .headers = 100,
    .body_bytes = 1024 * 1024,
    .head_ms = 10 * 1000,
    .body_ms = 30 * 1000,
    .idle_ms = 75 * 1000,
    .write_ms = 30 * 1000,
    .connections = 20000,
};

/* ---- accepting ---------------------------------------------------------- */

static void on_acceptable(uv_poll_t *poll, int status, int events);

static void accept_pause(struct http_server *s)
{
    s->accept_paused = true;
    for (int i = 0; i < s->n_own; i++)
        uv_poll_stop(&s->listeners[i].poll);
}

static void accept_resume(struct http_server *s)
{
    if (!s->listening || !s->accept_paused)
        return;
    s->accept_paused = false;
    timer_stop(&s->retry);
    for (int i = 0; i < s->n_own; i++)
        uv_poll_start(&s->listeners[i].poll, UV_READABLE, on_acceptable);
}

static void on_retry_timer(struct timer *t)
{
    accept_resume(container_of(t, struct http_server, retry));
}

/* Closes the connection that has been idle longest. False: none is idle. */
static bool close_idle_connection(struct http_server *s)
{
    struct ring_link *l = s->idle.next;
    for (int i = 0; i < IDLE_LOOKS && l != &s->idle; i++, l = l->next) {
        struct http_connection *c =
            container_of(l, struct http_connection, place);
        if (http_connection_queued(c) || c->in.len)
            continue;
        http_connection_close(c);
        return true;
    }
    return false;
}

static bool out_of_descriptors(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS ||
           error == ENOMEM;
}

static void print_peer(const struct sockaddr_storage *from,
                       char name[ADDRESS_SIZE])
{
    name[0] = '\0';
    if (from->ss_family == AF_INET)
        uv_ip4_name((const struct sockaddr_in *)from, name, ADDRESS_SIZE);
    if (from->ss_family == AF_INET6)
        uv_ip6_name((const struct sockaddr_in6 *)from, name, ADDRESS_SIZE);
    if (strncmp(name, "::ffff:", 7) == 0 && strchr(name, '.'))
        memmove(name, name + 7, strlen(name + 7) + 1);
}

/* False: no client waits, or there is no room for one. */
static bool accept_one(struct http_server *s,
                       const struct http_listener *from_it)
{
    struct sockaddr_storage from = {0};
    socklen_t size = sizeof from;
    char peer[ADDRESS_SIZE];
    if (s->connections >= s->most_connections && !close_idle_connection(s)) {
        accept_pause(s); /* until a connection closes */
        return false;
    }
    int fd = accept4(from_it->fd, (struct sockaddr *)&from, &size,
                     SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        print_peer(&from, peer);
        s->counts.accepted++;
        http_connection_open(s, fd, peer);
        return true;
    }
    if (out_of_descriptors(errno)) {
        log_line(LOG_WARN, "cannot accept", "%s", strerror(errno));
        close_idle_connection(s);
        accept_pause(s);
        timer_start(&s->retry, RETRY_MS, on_retry_timer);
    }
    return errno == ECONNABORTED || errno == EINTR || errno == EPROTO;
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
    struct http_server *s = poll->data;
    (void)status;
    (void)events;
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        bool full = s->connections >= s->most_connections;
        if ((full && i > 0) ||
            !accept_one(s, container_of(poll, struct http_listener, poll)))
            return; /* closes an idle connection only for a client that waits */
    }
}

static void accept_from(struct http_server *s, const struct http_listener *l,
                        int most)
{
    while (most-- > 0 && !s->accept_paused &&
           s->connections < s->most_connections && accept_one(s, l))
        continue;
}

static void on_look_timer(struct timer *t)
{
    struct http_server *s = container_of(t, struct http_server, look);
    for (int i = s->n_own; i < s->n_listeners; i++)
        accept_from(s, &s->listeners[i], ACCEPTS_A_TURN);
    timer_start(t, LOOK_MS, on_look_timer);
}

/* ---- the turn ----------------------------------------------------------- */

static void on_wake(uv_idle_t *unused)
{
    (void)unused;
}

void http_server_wake(struct http_server *s)
{
    if (!uv_is_closing((uv_handle_t *)&s->wake))
        uv_idle_start(&s->wake, on_wake);
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct http_server *s = prepare->data;
    struct ring_link now;
    uint64_t until = clock_us() + TURN_US;
    s->turn++;
    ring_init(&now);
    ring_append(&now, &s->touched);
    while (!ring_empty(&now) && clock_us() < until) {
        struct http_connection *c =
            container_of(now.next, struct http_connection, touched);
        ring_remove(&c->touched);
        http_connection_turn(c);
    }
    ring_append(&now, &s->touched); /* those left go first next time */
    ring_append(&s->touched, &now);
    uv_idle_stop(&s->wake);
    if (!ring_empty(&s->touched))
        http_server_wake(s);
    if (s->options.access_log)
        log_flush();
    http_exchange_free_ended(s);
}

/* ---- the end ------------------------------------------------------------ */

static void on_handle_closed(uv_handle_t *handle)
{
    struct http_server *s = handle->data;
    if (--s->handles)
        return;
    http_access_end(s);
    while (s->spare) {
        struct exchange *e = s->spare;
        s->spare = e->next;
        arena_done(&e->face.arena);
        mem_free(e);
    }
    mem_free(s->listeners);
    mem_free(s);
}

/* The kernel resets the connections that wait when the last process closes a
 * socket; with take_last they are accepted first. */
static void stop_listening(struct http_server *s, bool take_last)
{
    if (!s->listening)
        return;
    s->listening = false;
    timer_stop(&s->retry);
    timer_stop(&s->look);
    for (int i = 0; i < s->n_listeners; i++) {
        if (i < s->n_own)
            uv_close((uv_handle_t *)&s->listeners[i].poll, on_handle_closed);
        if (take_last)
            accept_from(s, &s->listeners[i], LISTEN_BACKLOG);
        close(s->listeners[i].fd);
    }
}

/* Frees a closing server once it has no connections and no exchanges. */
static void server_free_if_unused(struct http_server *s)
{
    uv_handle_t *prepare = (uv_handle_t *)&s->prepare;
    if (!s->closing || s->connections || s->exchanges || uv_is_closing(prepare))
        return;
    uv_close(prepare, on_handle_closed);
    uv_close((uv_handle_t *)&s->wake, on_handle_closed);
}

void http_server_connection_closed(struct http_server *s)
{
    s->connections--;
    accept_resume(s);
    server_free_if_unused(s);
}

void http_server_exchange_freed(struct http_server *s)
{
    s->exchanges--;
    server_free_if_unused(s);
}

void http_server_drain(struct http_server *s)
{
    s->draining = true;
    struct ring_link *l = s->idle.next;
    while (l != &s->idle) {
        struct http_connection *c =
            container_of(l, struct http_connection, place);
        l = l->next;
        http_connection_drain(c);
    }
}

void http_server_stop_listening(struct http_server *s)
{
    http_server_drain(s);
    stop_listening(s, true);
}

static void close_all(struct ring_link *ring)
{
    struct ring_link now;
    ring_init(&now);
    ring_append(&now, ring);
    while (!ring_empty(&now)) {
        struct http_connection *c =
            container_of(now.next, struct http_connection, place);
        ring_add(ring, &c->place);
        if (c->state != CONNECTION_CLOSED)
            http_connection_flush(c); /* sends complete responses */
        http_connection_close(c);
    }
}

void http_server_close(struct http_server **server)
{
    struct http_server *s = *server;
    *server = NULL;
    if (!s)
        return;
    s->closing = s->draining = true;
    stop_listening(s, false);
    close_all(&s->idle);
    close_all(&s->active);
    http_access_end(s);
    if (s->options.access_log)
        log_buffered(false);
    http_server_wake(s);
    server_free_if_unused(s);
}

/* ---- the beginning ------------------------------------------------------ */

static bool parse_listen_address(const struct http_server_options *o,
                                 struct sockaddr_storage *out)
{
    const char *host = o->host ? o->host : "127.0.0.1";
    if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    if (o->port < 0 || o->port > 65535)
        return false;
    return uv_ip4_addr(host, o->port, (struct sockaddr_in *)out) == 0 ||
           uv_ip6_addr(host, o->port, (struct sockaddr_in6 *)out) == 0;
}

static void set_option(int fd, int level, int name, int value)
{
    /* Some do not exist for every kind of socket; none is essential. */
    (void)!setsockopt(fd, level, name, &value, sizeof value);
}

static int bind_socket(const struct http_server_options *o)
{
    struct sockaddr_storage address = {0};
    if (!parse_listen_address(o, &address)) {
        errno = EINVAL;
        return -1;
    }
    bool six = address.ss_family == AF_INET6;
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (six)
        set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    socklen_t size =
        six ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (bind(fd, (struct sockaddr *)&address, size) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* Accepted sockets inherit these on Linux. */
static void set_options(int fd)
{
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set_option(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, UNSENT_BYTES);
    set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, DEAD_PEER_MS);
    set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
}

static int port_of(int fd)
{
    struct sockaddr_storage a = {0};
    socklen_t size = sizeof a;
    if (getsockname(fd, (struct sockaddr *)&a, &size))
        return 0;
    if (a.ss_family == AF_INET)
        return ntohs(((struct sockaddr_in *)&a)->sin_port);
    if (a.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)&a)->sin6_port);
    return 0;
}

/* Leaves descriptors for databases, model calls and child processes. */
static unsigned descriptor_limit(unsigned wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    rlim_t spare = limit.rlim_cur / 2 < SPARE_DESCRIPTORS ? limit.rlim_cur / 2
                                                          : SPARE_DESCRIPTORS;
    rlim_t most = limit.rlim_cur - spare;
    return most < wanted ? (unsigned)most : wanted;
}

static void open_handles(struct http_server *s)
{
    uv_loop_t *loop = loop_uv();
    uv_prepare_init(loop, &s->prepare);
    uv_idle_init(loop, &s->wake);
    s->prepare.data = s->wake.data = s;
    s->handles = 2 + (unsigned)s->n_own;
    uv_prepare_start(&s->prepare, on_prepare);
    uv_unref((uv_handle_t *)&s->prepare);
    for (int i = 0; i < s->n_own; i++) {
        uv_poll_t *poll = &s->listeners[i].poll;
        uv_poll_init(loop, poll, s->listeners[i].fd);
        poll->data = s;
        uv_poll_start(poll, UV_READABLE, on_acceptable);
    }
}

static bool listen_all(const int *fds, int n)
{
    for (int i = 0; i < n; i++) {
        if (listen(fds[i], LISTEN_BACKLOG) != 0)
            return false;
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
        set_options(fds[i]);
    }
    return n > 0;
}

static void close_fds(const int *fds, int n)
{
    for (int i = 0; i < n; i++)
        close(fds[i]);
}

static void take_listeners(struct http_server *s, const int *fds, int n,
                           int n_own)
{
    s->listeners = mem_new_array(struct http_listener, (size_t)n);
    s->n_listeners = n;
    s->n_own = n_own;
    for (int i = 0; i < n; i++)
        s->listeners[i].fd = fds[i];
}

struct http_server *http_server_open(const struct http_server_options *options,
                                     struct str *why)
{
    static char text[160];
    int bound = options->fds ? -1 : bind_socket(options);
    const int *fds = options->fds ? options->fds : &bound;
    int n = options->fds ? options->n_fds : bound >= 0;
    if (!listen_all(fds, n)) {
        snprintf(text, sizeof text, "cannot listen on %s port %d: %s",
                 options->host ? options->host : "127.0.0.1", options->port,
                 strerror(errno));
        *why = str_of(text);
        close_fds(fds, n);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN);
    struct http_server *s = mem_new(struct http_server);
    s->options = *options;
    s->options.fds = NULL;
    take_listeners(s, fds, n, options->fds ? options->n_own_fds : n);
    s->port = port_of(fds[0]);
    s->listening = true;
    s->most_connections = descriptor_limit(options->limits.connections);
    ring_init(&s->idle);
    ring_init(&s->active);
    ring_init(&s->touched);
    open_handles(s);
    if (s->n_own < s->n_listeners)
        timer_start(&s->look, LOOK_MS, on_look_timer);
    if (options->access_log)
        log_buffered(true);
    return s;
}

int http_server_port(const struct http_server *s)
{
    return s->port;
}

unsigned http_server_connections(const struct http_server *s)
{
    return s->connections;
}

const struct http_counts *http_server_counts(const struct http_server *s)
{
    return &s->counts;
}
