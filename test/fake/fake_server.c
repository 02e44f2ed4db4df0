#include "fake_server.h"
#include "net/body_stream.h"
#include "base/clock.h"
#include "base/mem.h"
#include "http_parser.h"
#include "base/banned.h"

struct http_server {
    struct http_server_options options;
    struct http_counts counts;
};
static struct http_server server; /* one at a time */

const struct http_limits http_default_limits;

struct http_server *http_server_open(const struct http_server_options *options,
                                     struct str *why)
{
    (void)why;
    server = (struct http_server){.options = *options};
    return &server;
}

void http_server_close(struct http_server **s)
{
    *s = NULL;
}

int http_server_port(const struct http_server *s)
{
    (void)s;
    return 1;
}

unsigned http_server_connections(const struct http_server *s)
{
    (void)s;
    return 0;
}

const struct http_counts *http_server_counts(const struct http_server *s)
{
    return &s->counts;
}

void http_server_stop_listening(struct http_server *s)
{
    http_server_drain(s);
}

void http_server_drain(struct http_server *s)
{
    (void)s;
}

/* ---- requests -------------------------------------------------------------- */

static struct fake_request *request_new(const char *method, const char *path,
                                        const char *type, const char *name,
                                        const char *value)
{
    struct fake_request *r = mem_new(struct fake_request);
    struct http_exchange *x = &r->face;
    arena_init(&x->arena, 0);
    x->method = str_of(method);
    x->target = str_of(path);
    x->query = x->target;
    str_split(&x->query, '?', &x->path);
    x->peer = STR("127.0.0.1");
    x->request_id = STR("a request");
    x->headers = r->headers;
    x->started_ms = clock_ms();
    r->headers[x->n_headers++] =
        (struct http_header){STR("Content-Type"), str_of(type)};
    if (name)
        r->headers[x->n_headers++] =
            (struct http_header){str_of(name), str_of(value)};
    return r;
}

struct fake_request *fake_request_new(const char *method, const char *path,
                                      const char *name, const char *value,
                                      const char *json_body)
{
    struct fake_request *r =
        request_new(method, path, "application/json", name, value);
    r->face.body = str_of(json_body ? json_body : "");
    return r;
}

void fake_request_send(struct fake_request *r)
{
    server.options.on_request(&r->face, server.options.who);
}

struct fake_request *fake_request(const char *method, const char *path,
                                  const char *name, const char *value,
                                  const char *json_body)
{
    struct fake_request *r =
        fake_request_new(method, path, name, value, json_body);
    fake_request_send(r);
    return r;
}

void fake_request_leave(struct fake_request *r)
{
    if (r->gone || r->answers)
        return;
    r->gone = true;
    if (r->face.on_gone)
        r->face.on_gone(&r->face);
}

struct fake_request *fake_upload(const char *path, const char *type,
                                 const char *authorization, struct str body,
                                 size_t cut)
{
    struct fake_request *r =
        request_new("POST", path, type, "Authorization", authorization);
    r->stream = body;
    r->cut = cut;
    server.options.on_request(&r->face, server.options.who);
    return r;
}

void fake_request_free(struct fake_request *r)
{
    arena_done(&r->face.arena);
    buf_done(&r->sent);
    buf_done(&r->body);
    mem_free(r);
}

struct str http_get_header(const struct http_exchange *x, const char *name)
{
    for (size_t i = 0; i < x->n_headers; i++)
        if (str_eq_nocase(x->headers[i].name, str_of(name)))
            return x->headers[i].value;
    return STR("");
}

bool http_get_query(struct http_exchange *x, const char *name, struct str *out)
{
    struct str rest = x->query, pair, key;
    while (rest.len && str_split(&rest, '&', &pair))
        if (str_split(&pair, '=', &key) && str_is(key, name))
            return http_percent_decode(&x->arena, pair, true, out);
    return false;
}

/* ---- answers --------------------------------------------------------------- */

static void end(struct http_exchange *x)
{
    struct fake_request *r = (struct fake_request *)x;
    r->answers++;
    if (server.options.on_ended)
        server.options.on_ended(x, r->status, server.options.who);
}

void http_set_header(struct http_exchange *x, const char *name,
                     struct str value)
{
    buf_printf(&((struct fake_request *)x)->sent, "%s: %.*s\n", name,
               STR_ARG(value));
}

void http_set_coding(struct http_exchange *x, const char *coding)
{
    (void)x;
    (void)coding;
}

void http_set_etag(struct http_exchange *x, struct str tag)
{
    http_set_header(x, "ETag", tag);
}

void http_stream_begin(struct http_exchange *x, int status,
                       const char *content_type)
{
    ((struct fake_request *)x)->status = status;
    http_set_header(x, "Content-Type", str_of(content_type));
}

bool http_not_modified(struct http_exchange *x)
{
    (void)x;
    return false;
}

void http_stream_begin_sized(struct http_exchange *x, int status,
                             const char *content_type, size_t length)
{
    (void)length;
    http_stream_begin(x, status, content_type);
}

void http_stream_write(struct http_exchange *x, struct str bytes)
{
    buf_str(&((struct fake_request *)x)->body, bytes);
}

void http_stream_end(struct http_exchange *x)
{
    end(x);
}

size_t http_stream_queued(const struct http_exchange *x)
{
    (void)x;
    return 0;
}

uint64_t http_stream_sent(const struct http_exchange *x)
{
    return ((const struct fake_request *)x)->body.len;
}

void http_reply(struct http_exchange *x, int status, const char *content_type,
                struct str body)
{
    http_stream_begin(x, status, content_type ? content_type : "");
    http_stream_write(x, body);
    end(x);
}

void http_reply_static(struct http_exchange *x, int status,
                       const char *content_type, struct str body)
{
    http_reply(x, status, content_type, body);
}

void http_reply_error(struct http_exchange *x, enum err e, struct str message,
                      struct str details_json)
{
    (void)details_json;
    http_reply(x, err_status(e), "application/json", message);
}

void http_abort(struct http_exchange *x)
{
    end(x);
}

bool http_disconnected(const struct http_exchange *x)
{
    return ((const struct fake_request *)x)->gone;
}

bool http_answered(const struct http_exchange *x)
{
    return ((const struct fake_request *)x)->status != 0;
}

bool http_ended(const struct http_exchange *x)
{
    return ((const struct fake_request *)x)->answers != 0;
}

/* ---- streamed bodies: a piece comes whenever it is waited for -------------- */

enum { PIECE_BYTES = 400000 };

int64_t body_stream_length(const struct http_exchange *x)
{
    return (int64_t)((const struct fake_request *)x)->stream.len;
}

struct str body_stream_bytes(const struct http_exchange *x)
{
    const struct fake_request *r = (const struct fake_request *)x;
    return str_cut(r->stream, r->taken, r->arrived - r->taken);
}

void body_stream_take(struct http_exchange *x, size_t n)
{
    ((struct fake_request *)x)->taken += n;
}

bool body_stream_is_whole(const struct http_exchange *x)
{
    const struct fake_request *r = (const struct fake_request *)x;
    return r->arrived == r->stream.len;
}

enum err body_stream_broken(const struct http_exchange *x, struct str *why)
{
    const struct fake_request *r = (const struct fake_request *)x;
    bool gone = r->cut && r->arrived >= r->cut;
    *why = gone ? STR("The client disconnected.") : STR("");
    return gone ? ERR_CANCELLED : OK;
}

void body_stream_wait(struct flow *f, struct wait *w, struct http_exchange *x)
{
    static struct wake never;
    struct fake_request *r = (struct fake_request *)x;
    size_t left = r->stream.len - r->arrived;
    r->arrived += left < PIECE_BYTES ? left : PIECE_BYTES;
    wait_begin(f, w, &never, 1);
}
