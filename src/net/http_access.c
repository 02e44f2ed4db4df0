/* http_access.c - the access log: one line for each request. The query is left
 * out, because it may be private. Lines are composed by hand, because each
 * response waits for its own.
 *
 * A rate limit keeps a flood of requests from filling the disk: lines are
 * limited a second, by kind and in all. When the second is over, one line says
 * how many were suppressed. */
#include "http_connection.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include <string.h>
#include "base/banned.h"

enum { STATUS_CUT = 499, LINE_BYTES = 384 };

static void put_text_field(struct buf *line, const char *key, struct str value)
{
    buf_text(line, key);
    json_quote(line, value);
}

static void put_number_field(struct buf *line, const char *key, uint64_t value)
{
    buf_text(line, key);
    buf_uint(line, value);
}

/* The path without its secret part (the token of a shared link). */
static struct str path_shown(const struct exchange *e)
{
    struct str path = e->face.path;
    const char *mark = e->server->options.secret_after;
    ptrdiff_t at = mark ? str_find(path, str_of(mark)) : -1;
    return at < 0 ? path : str_cut(path, 0, (size_t)at + str_of(mark).len);
}

/* ---- the limit ---------------------------------------------------------- */

/* Finds or adds a kind. NULL: the table is full. */
static struct access_kind *find_kind(struct access_window *w, int route,
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
static void put_status_counts(struct access_window *w, struct buf *line)
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

static void window_begin(struct access_window *w, uint64_t second)
{
    struct buf line;
    timer_stop(&w->end);
    if (w->held) {
        buf_init(&line, NULL);
        put_number_field(&line, "\"count\":", w->held);
        buf_text(&line, ",\"statuses\":{");
        put_status_counts(w, &line);
        buf_char(&line, '}');
        log_fields(LOG_WARN, "requests not logged", buf_view(&line));
        buf_done(&line);
    }
    memset(w->kinds, 0, sizeof w->kinds);
    w->second = second;
    w->lines = 0;
    w->held = 0;
}

static void on_window_end(struct timer *t)
{
    window_begin(container_of(t, struct access_window, end),
                 clock_ms() / ACCESS_WINDOW_MS);
    log_flush(); /* this turn has flushed, and the next may be far */
}

void http_access_end(struct http_server *s)
{
    window_begin(&s->access, 0);
}

static bool rate_limit_passes(struct access_window *w, int route, int status)
{
    uint64_t second = clock_ms() / ACCESS_WINDOW_MS;
    if (w->second != second)
        window_begin(w, second);
    struct access_kind *k = find_kind(w, route, status);
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
        timer_start(&w->end, ACCESS_WINDOW_MS, on_window_end);
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
    if (!rate_limit_passes(&e->server->access, x->route, status)) {
        e->server->counts.unlogged++;
        return;
    }
    buf_clear(&line);
    buf_reserve(&line, LINE_BYTES);
    put_text_field(&line, "\"method\":", x->method);
    put_text_field(&line, ",\"path\":", path_shown(e));
    put_number_field(&line, ",\"status\":", (uint64_t)status);
    put_number_field(&line, ",\"ms\":", clock_ms() - x->started_ms);
    put_number_field(&line, ",\"bytes\":", e->sent);
    put_text_field(&line, ",\"peer\":", x->peer);
    put_text_field(&line, ",\"requestId\":", x->request_id);
    put_text_field(&line, ",\"traceId\":", str_of(x->trace.trace_id));
    put_text_field(&line, ",\"spanId\":", str_of(x->trace.span_id));
    log_fields(LOG_INFO, "request", buf_view(&line));
}
