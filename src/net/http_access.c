/* http_access.c - one log line a request, made by hand: it is on the way of
 * every answer. The query is left out (it may hold what is private). */
#include "http_connection.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
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

void http_access_log(const struct exchange *e)
{
    const struct http_exchange *x = &e->face;
    static struct buf line;
    if (!e->server->options.access_log || !log_enabled(LOG_INFO))
        return;
    buf_clear(&line);
    buf_reserve(&line, LINE_BYTES);
    put_text(&line, "\"method\":", x->method);
    put_text(&line, ",\"path\":", path_shown(e));
    put_number(&line, ",\"status\":",
               (uint64_t)(e->cut ? STATUS_CUT : e->status));
    put_number(&line, ",\"ms\":", clock_ms() - x->started_ms);
    put_number(&line, ",\"bytes\":", e->sent);
    put_text(&line, ",\"peer\":", x->peer);
    put_text(&line, ",\"requestId\":", x->request_id);
    put_text(&line, ",\"traceId\":", str_of(x->trace.trace_id));
    put_text(&line, ",\"spanId\":", str_of(x->trace.span_id));
    log_fields(LOG_INFO, "request", buf_view(&line));
}
