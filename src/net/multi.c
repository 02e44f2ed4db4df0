/* multi.c - connects curl to the loop. curl calls on_curl_socket and
 * on_curl_timer to say what it waits for, always from inside a call to curl; so
 * they only take a note. */
#include "multi.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/loop.h"
#include <assert.h>
#include "base/banned.h"

struct multi {
    CURLM *curl;
    struct timer timer;
    bool due; /* curl wants to run at once */
};

struct socket_watch {
    uv_poll_t poll;
    struct multi *multi;
    curl_socket_t socket;
    int events; /* UV_READABLE and the like, as curl last said */
};

static struct multi h1, h2;
static int inside;
static void (*call_soon)(void);

bool multi_inside_curl(void)
{
    return inside > 0;
}

/* ---- running curl ------------------------------------------------------- */

static void collect_finished(struct multi *m)
{
    int left;
    for (CURLMsg *msg; (msg = curl_multi_info_read(m->curl, &left));) {
        if (msg->msg != CURLMSG_DONE)
            continue;
        CURLcode result = msg->data.result; /* msg dies with the removal */
        void *who = NULL;
        curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &who);
        transfer_finished(who, result);
    }
}

static void socket_action(struct multi *m, curl_socket_t socket, int events)
{
    int running;
    inside++;
    curl_multi_socket_action(m->curl, socket, events, &running);
    inside--;
    collect_finished(m);
}

static void on_timer_fired(struct timer *t)
{
    struct multi *m = container_of(t, struct multi, timer);
    socket_action(m, CURL_SOCKET_TIMEOUT, 0);
}

static void on_socket_poll(uv_poll_t *poll, int status, int events)
{
    struct socket_watch *w = poll->data;
    /* A connection that was reset may still hold bytes: let curl read them. */
    int flags = status < 0 ? CURL_CSELECT_ERR | CURL_CSELECT_IN : 0;
    if (events & UV_READABLE)
        flags |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE)
        flags |= CURL_CSELECT_OUT;
    socket_action(w->multi, w->socket, flags);
    if (status < 0 && !uv_is_closing((uv_handle_t *)poll))
        uv_poll_start(poll, w->events, on_socket_poll); /* libuv stopped it */
}

void multi_run_due(void)
{
    struct multi *both[] = {&h1, &h2};
    for (int i = 0; i < 2; i++) {
        if (!both[i]->due)
            continue;
        both[i]->due = false;
        socket_action(both[i], CURL_SOCKET_TIMEOUT, 0);
    }
}

/* ---- what curl waits for ------------------------------------------------ */

static int on_curl_timer(CURLM *curl, long ms, void *who)
{
    (void)curl;
    struct multi *m = who;
    if (ms > 0) {
        timer_start(&m->timer, (uint64_t)ms, on_timer_fired);
        return 0;
    }
    timer_stop(&m->timer);
    if (ms == 0) {
        m->due = true;
        call_soon();
    }
    return 0;
}

static void watch_freed(uv_handle_t *handle)
{
    mem_free(handle->data);
}

static struct socket_watch *watch_new(struct multi *m, curl_socket_t socket)
{
    struct socket_watch *w = mem_new(struct socket_watch);
    int rc = uv_poll_init_socket(loop_uv(), &w->poll, socket);
    if (rc) {
        log_line(LOG_ERROR, "cannot poll a socket", "%s", uv_strerror(rc));
        mem_free(w);
        return NULL;
    }
    w->poll.data = w;
    w->multi = m;
    w->socket = socket;
    curl_multi_assign(m->curl, socket, w);
    return w;
}

static int on_curl_socket(CURL *easy, curl_socket_t socket, int what, void *who,
                          void *assigned)
{
    (void)easy;
    struct multi *m = who;
    struct socket_watch *w = assigned;
    if (what == CURL_POLL_REMOVE) {
        if (w) {
            curl_multi_assign(m->curl, socket, NULL);
            uv_poll_stop(&w->poll);
            uv_close((uv_handle_t *)&w->poll, watch_freed);
        }
        return 0;
    }
    if (!w && !(w = watch_new(m, socket)))
        return -1; /* curl fails its transfers */
    w->events = (what & CURL_POLL_IN ? UV_READABLE : 0) |
                (what & CURL_POLL_OUT ? UV_WRITABLE : 0);
    uv_poll_start(&w->poll, w->events, on_socket_poll);
    return 0;
}

/* ---- transfers ---------------------------------------------------------- */

void multi_add(struct transfer *t)
{
    struct http_origin *o = t->origin;
    t->multi = o->tls && o->http2 != HTTP2_NO ? &h2 : &h1;
    CURLMcode rc = curl_multi_add_handle(t->multi->curl, t->easy);
    assert(rc == CURLM_OK && "curl takes a handle");
    (void)rc;
}

void multi_remove(struct transfer *t)
{
    if (!t->multi)
        return;
    assert(!inside && "curl refuses removal from inside itself");
    inside++;
    CURLMcode rc = curl_multi_remove_handle(t->multi->curl, t->easy);
    inside--;
    assert(rc == CURLM_OK && "curl returns a handle");
    (void)rc;
    t->multi = NULL;
}

void multi_resume(struct transfer *t)
{
    assert(!inside && "a call is resumed from outside curl");
    inside++;
    curl_easy_pause(t->easy, CURLPAUSE_CONT);
    inside--;
}

static void multi_open(struct multi *m, unsigned connections)
{
    *m = (struct multi){.curl = curl_multi_init()};
    if (!m->curl)
        mem_exhausted(sizeof *m);
    curl_multi_setopt(m->curl, CURLMOPT_SOCKETFUNCTION, on_curl_socket);
    curl_multi_setopt(m->curl, CURLMOPT_SOCKETDATA, m);
    curl_multi_setopt(m->curl, CURLMOPT_TIMERFUNCTION, on_curl_timer);
    curl_multi_setopt(m->curl, CURLMOPT_TIMERDATA, m);
    curl_multi_setopt(m->curl, CURLMOPT_MAXCONNECTS, (long)connections);
}

void multis_open(unsigned connections, void (*soon)(void))
{
    call_soon = soon;
    multi_open(&h1, connections);
    multi_open(&h2, connections);
    curl_multi_setopt(h2.curl, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl_multi_setopt(h2.curl, CURLMOPT_MAX_HOST_CONNECTIONS,
                      (long)HTTP2_CONNECTIONS);
    curl_multi_setopt(h2.curl, CURLMOPT_MAX_CONCURRENT_STREAMS,
                      (long)HTTP2_STREAMS);
}

void multis_close(void)
{
    struct multi *both[] = {&h1, &h2};
    for (int i = 0; i < 2; i++) {
        inside++;
        curl_multi_cleanup(both[i]->curl);
        inside--;
        timer_stop(&both[i]->timer);
    }
}
