/* starting.c - an HTTP server that only says that the server is starting. */
#include "starting.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include "supervisor/listener.h"
#include "loop/timer.h"
#include "net/http_server.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { LAST_ANSWERS_MS = 1200 };

struct starting {
    struct http_server *server;
};

static bool is_liveness_path(const struct http_exchange *x)
{
    return str_is(x->path, "/healthz") || str_is(x->path, "/health") ||
           str_is(x->path, "/health/live");
}

static void on_starting_request(struct http_exchange *x, void *unused)
{
    (void)unused;
    if (is_liveness_path(x))
        http_reply(x, 200, "application/json", STR("{\"status\":\"ok\"}"));
    else
        http_reply_error(x, ERR_UNAVAILABLE,
                         STR("The server is starting: its database does not "
                             "answer yet."),
                         STR(""));
}

static bool copy_sockets(const struct inherited *sockets, int *fds)
{
    for (int i = 0; i < sockets->n; i++) {
        fds[i] = fcntl(sockets->fds[i], F_DUPFD_CLOEXEC, 0);
        if (fds[i] < 0) {
            log_line(LOG_WARN, "cannot answer yet", "%s", strerror(errno));
            while (i > 0)
                close(fds[--i]);
            return false;
        }
    }
    return true;
}

struct starting *starting_open(const struct inherited *sockets)
{
    int fds[LISTENER_MOST];
    struct str why;
    if (!listeners_are_alone(sockets->fds, sockets->n)) {
        log_line(LOG_WARN, "cannot answer yet", "%s", strerror(errno));
        return NULL;
    }
    if (!copy_sockets(sockets, fds))
        return NULL;
    struct http_server *server = http_server_open(
        &(struct http_server_options){.fds = fds,
                                      .n_fds = sockets->n,
                                      .n_own_fds = sockets->n,
                                      .limits = http_default_limits,
                                      .on_request = on_starting_request},
        &why);
    if (!server) {
        log_line(LOG_WARN, "cannot answer yet", "%.*s", STR_ARG(why));
        return NULL;
    }
    http_server_drain(server); /* each connection gets one answer */
    struct starting *s = mem_new(struct starting);
    s->server = server;
    return s;
}

static void on_patience_end(struct timer *unused)
{
    (void)unused;
}

void starting_close(struct starting **at)
{
    struct starting *s = *at;
    struct timer patience = {0};
    *at = NULL;
    if (!s)
        return;
    http_server_stop_listening(s->server);
    timer_start(&patience, LAST_ANSWERS_MS, on_patience_end);
    while (timer_running(&patience) && http_server_connections(s->server))
        loop_turn(true);
    timer_stop(&patience);
    http_server_close(&s->server);
    mem_free(s);
}
