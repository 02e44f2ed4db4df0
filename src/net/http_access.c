/* http_access.c - one log line a request, made by hand: it is on the way of
 * every answer. The query is left out (it may hold what is private).
 *
 * A flood must not fill the disk: a second's lines are limited, by kind and in
 * all. What is held back is told in one line when the second is over. */
#include "http_connection.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include <string.h>
#include "base/banned.h"

enum { STATUS_CUT = 499, LINE_BYTES = 384 };

static void put_text(struct buf *line, const char *key, struct str value)
{
    buf_text(line, key);
    json_quote(line, value);
}

static void put_number(struct buf *line, const char *key, uint64_t value)
{
    buf_text(line, key);
    buf_uint(line, value);
}

/* A path may hold a secret itself: a link that opens a door. */
static struct str path_shown(const struct exchange *e)
{
    struct str path = e->face.path;
    const char *mark = e->server->options.secret_after;
    ptrdiff_t at = mark ? str_find(path, str_of(mark)) : -1;
    return at < 0 ? path : str_cut(path, 0, (size_t)at + str_of(mark).len);
}

/* ---- the limit ---------------------------------------------------------- */

/* NULL: there are more kinds than places. */
static struct access_kind *kind_of(struct access_window *w, int route,
                                   int status)
{
    unsigned at = (unsigned)route * 31u + (unsigned)status;
    for (unsigned i = 0; i < ACCESS_KINDS; i++) {
        struct access_kind *k = &w->kinds[(at + i) % ACCESS_KINDS];
        if (!k->status)
            *k = (struct access_kind){.route = route, .status = status};
        if (k->route == route && k->status == status)
            return k;
    }
    return NULL;
}

/* "401":17,"404":3 */
static void put_statuses(struct access_window *w, struct buf *line)
{
    const char *separator = "\"";
    for (int i = 0; i < ACCESS_KINDS; i++) {
        uint64_t held = 0;
        int status = w->kinds[i].status;
        for (int k = i; k < ACCESS_KINDS; k++)
            if (w->kinds[k].status == status) {
                held += w->kinds[k].held;
                w->kinds[k].held = 0;
            }
        if (!held)
            continue;
        buf_printf(line, "%s%d\":%llu", separator, status,
                   (unsigned long long)held);
        separator = ",\"";
    }
}

static void begin_window(struct access_window *w, uint64_t second)
{
    struct buf line;
    timer_stop(&w->end);
    if (w->held) {
        buf_init(&line, NULL);
        put_number(&line, "\"count\":", w->held);
        buf_text(&line, ",\"statuses\":{");
        put_statuses(w, &line);
        buf_char(&line, '}');
        log_fields(LOG_WARN, "requests not logged", buf_view(&line));
        buf_done(&line);
    }
    memset(w->kinds, 0, sizeof w->kinds);
    w->second = second;
    w->lines = 0;
    w->held = 0;
}

static void on_end(struct timer *t)
{
    begin_window(RING_MEMBER(t, struct access_window, end),
                 clock_ms() / ACCESS_WINDOW_MS);
    log_flush(); /* this turn's flush is over, and the next may be far */
}

void http_access_end(struct http_server *s)
{
    begin_window(&s->access, 0);
}

static bool admit(struct access_window *w, int route, int status)
{
    uint64_t second = clock_ms() / ACCESS_WINDOW_MS;
    if (w->second != second)
        begin_window(w, second);
    struct access_kind *k = kind_of(w, route, status);
    bool first = k && k->lines == 0;
    if (k &&
        (first || (k->lines < ACCESS_KIND_LINES && w->lines < ACCESS_LINES))) {
        k->lines++;
        w->lines++;
        return true;
    }
    if (k)
        k->held++;
    if (w->held++ == 0)
        timer_start(&w->end, ACCESS_WINDOW_MS, on_end);
    return false;
}

/* ---- the line ----------------------------------------------------------- */

void http_access_log(const struct exchange *e)
{
    const struct http_exchange *x = &e->face;
    static struct buf line;
    int status = e->cut ? STATUS_CUT : e->status;
    if (!e->server->options.access_log || !log_enabled(LOG_INFO))
        return;
    if (!admit(&e->server->access, x->route, status)) {
        e->server->counts.unlogged++;
        return;
    }
    buf_clear(&line);
    buf_reserve(&line, LINE_BYTES);
    put_text(&line, "\"method\":", x->method);
    put_text(&line, ",\"path\":", path_shown(e));
    put_number(&line, ",\"status\":", (uint64_t)status);
    put_number(&line, ",\"ms\":", clock_ms() - x->started_ms);
    put_number(&line, ",\"bytes\":", e->sent);
    put_text(&line, ",\"peer\":", x->peer);
    put_text(&line, ",\"requestId\":", x->request_id);
    put_text(&line, ",\"traceId\":", str_of(x->trace.trace_id));
    put_text(&line, ",\"spanId\":", str_of(x->trace.span_id));
    log_fields(LOG_INFO, "request", buf_view(&line));
}
