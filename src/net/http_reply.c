/* http_reply.c - writes responses: heads, bodies, error objects, chunked
 * streams. */
#include "http_connection.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/random.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/banned.h"

enum { HEAD_BYTES = 384, CHUNK_HEAD = 10, NO_LENGTH = -1 };

static const char error_type[] = "application/json";

static const char *reason_phrase(int status)
{
    static const struct {
        int status;
        const char *text;
    } reasons[] = {
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {204, "No Content"},
        {206, "Partial Content"},
        {301, "Moved Permanently"},
        {302, "Found"},
        {303, "See Other"},
        {304, "Not Modified"},
        {307, "Temporary Redirect"},
        {308, "Permanent Redirect"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {410, "Gone"},
        {412, "Precondition Failed"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {499, "Client Closed Request"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].status == status)
            return reasons[i].text;
    }
    return "";
}

/* "Sun, 06 Nov 1994 08:49:37 GMT"; formatted once a second. */
static struct str http_date(void)
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed",
                                       "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr",
                                         "May", "Jun", "Jul", "Aug",
                                         "Sep", "Oct", "Nov", "Dec"};
    static char text[64];
    static time_t made;
    time_t now = (time_t)(clock_wall_ms() / 1000);
    if (now != made) {
        struct tm t;
        gmtime_r(&now, &t);
        snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT",
                 days[t.tm_wday], t.tm_mday, months[t.tm_mon], t.tm_year + 1900,
                 t.tm_hour, t.tm_min, t.tm_sec);
        made = now;
    }
    return str_of(text);
}

static void put_header(struct buf *out, struct str name, struct str value)
{
    buf_str(out, name);
    buf_text(out, ": ");
    buf_str(out, value);
    buf_text(out, "\r\n");
}

/* The status line and the headers that every response has. */
static void put_common_head(struct buf *out, int status, const char *type,
                            struct str request_id)
{
    buf_text(out, "HTTP/1.1 ");
    buf_uint(out, (uint64_t)status);
    buf_char(out, ' ');
    buf_text(out, reason_phrase(status));
    buf_text(out, "\r\n");
    put_header(out, STR("Date"), http_date());
    if (type)
        put_header(out, STR("Content-Type"), str_of(type));
    put_header(out, STR("X-Content-Type-Options"), STR("nosniff"));
    put_header(out, STR("X-Request-Id"), request_id);
}

static void put_length(struct buf *out, int64_t length)
{
    buf_text(out, "Content-Length: ");
    buf_int(out, length);
    buf_text(out, "\r\n");
}

static void put_connection(struct buf *out, bool keep_alive, bool minor)
{
    if (!keep_alive)
        buf_text(out, "Connection: close\r\n");
    else if (!minor)
        buf_text(out, "Connection: keep-alive\r\n");
}

/* ---- whole responses ---------------------------------------------------- */

/* Weak comparison (RFC 9110, 13.1.2); `tag` has its quotes. */
static bool etag_listed(struct str header, struct str tag)
{
    struct str item;
    if (str_is(str_trim(header), "*"))
        return true;
    while (str_split(&header, ',', &item)) {
        item = str_trim(item);
        if (str_eq(str_starts(item, STR("W/")) ? str_from(item, 2) : item, tag))
            return true;
    }
    return false;
}

/* Whether the client's copy is still valid (If-None-Match). */
static bool client_has_it(const struct exchange *e)
{
    const struct http_exchange *x = &e->face;
    bool reads = str_is(x->method, "GET") || e->head_only;
    for (size_t i = 0; e->etag.len && reads && i < x->n_headers; i++)
        if (str_eq_nocase(x->headers[i].name, STR("If-None-Match")) &&
            etag_listed(x->headers[i].value, e->etag))
            return true;
    return false;
}

void http_set_etag(struct http_exchange *x, struct str tag)
{
    struct exchange *e = container_of(x, struct exchange, face);
    e->etag = arena_str(&x->arena, tag);
}

void http_set_coding(struct http_exchange *x, const char *coding)
{
    struct exchange *e = container_of(x, struct exchange, face);
    http_set_header(x, "Content-Encoding", str_of(coding));
    e->etag_is_weak = true;
}

static void put_etag(struct buf *out, const struct exchange *e)
{
    buf_text(out, e->etag_is_weak ? "ETag: W/" : "ETag: ");
    buf_str(out, e->etag);
    buf_text(out, "\r\n");
}

void http_set_header(struct http_exchange *x, const char *name,
                     struct str value)
{
    struct exchange *e = container_of(x, struct exchange, face);
    if (e->answered || strpbrk(name, "\r\n: ") ||
        str_find_char(value, '\r') >= 0 || str_find_char(value, '\n') >= 0) {
        log_line(LOG_ERROR, "bad answer header", "%s", name);
        abort();
    }
    if (str_eq_nocase(str_of(name), STR("Retry-After")))
        e->has_retry_after = true;
    put_header(&e->headers, str_of(name), value);
}

static bool has_body(int status)
{
    return status != 204 && status != 304;
}

static bool keeps_alive(const struct exchange *e)
{
    return e->connection->parser.keep_alive && !e->server->draining &&
           !e->body_comes;
}

/* Writes the head of a response. NO_LENGTH: without Content-Length. */
static void put_response_head(struct exchange *e, int status, const char *type,
                              int64_t length, bool keep_alive)
{
    struct http_connection *c = e->connection;
    struct buf *out = &c->out;
    e->status = status;
    e->answered = true;
    put_common_head(out, status, type, e->face.request_id);
    buf_str(out, buf_view(&e->headers));
    if (e->etag.len)
        put_etag(out, e);
    if (length >= 0)
        put_length(out, length);
    else if (e->chunked)
        buf_text(out, "Transfer-Encoding: chunked\r\n");
    put_connection(out, keep_alive, c->parser.minor);
    buf_text(out, "\r\n");
}

static void send_response(struct http_exchange *x, int status, const char *type,
                          struct str body, bool copied)
{
    struct exchange *e = container_of(x, struct exchange, face);
    struct http_connection *c = e->connection;
    assert(!e->answered && "an exchange is answered once");
    status = status == 200 && client_has_it(e) ? 304 : status;
    e->status = status;
    if (!c) {
        http_exchange_end(e);
        return;
    }
    bool whole = has_body(status), keep_alive = keeps_alive(e);
    size_t before = c->out.len;
    struct str sent = whole && !e->head_only ? body : (struct str){0};
    buf_reserve(&c->out, HEAD_BYTES + e->headers.len + (copied ? sent.len : 0));
    put_response_head(e, status, whole ? type : NULL,
                      whole ? (int64_t)body.len : NO_LENGTH, keep_alive);
    if (copied)
        buf_str(&c->out, sent);
    else
        c->fixed = sent;
    e->sent = c->out.len - before + c->fixed.len;
    http_exchange_end(e);
    http_connection_answered(c, keep_alive);
}

bool http_not_modified(struct http_exchange *x)
{
    bool has_it = client_has_it(container_of(x, struct exchange, face));
    if (has_it)
        http_reply(x, 304, NULL, (struct str){0});
    return has_it;
}

void http_reply(struct http_exchange *x, int status, const char *content_type,
                struct str body)
{
    send_response(x, status, content_type, body, true);
}

void http_reply_static(struct http_exchange *x, int status,
                       const char *content_type, struct str body)
{
    send_response(x, status, content_type, body, false);
}

/* ---- errors ------------------------------------------------------------- */

static void error_object(struct buf *out, int status, const char *code,
                         struct str message, struct str details,
                         struct str request_id, bool with_detail,
                         bool with_success)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_put_object(&w);
    json_field_int(&w, "statusCode", status);
    json_field_text(&w, "code", code);
    json_field_str(&w, "message", message);
    if (with_detail)
        json_field_str(&w, "detail", message);
    if (with_success) {
        json_field_bool(&w, "success", false);
        json_field_str(&w, "error", message);
    }
    if (details.len)
        json_field_raw(&w, "details", details);
    json_field_str(&w, "requestId", request_id);
    json_put_object_end(&w);
}

void http_reply_error(struct http_exchange *x, enum err error,
                      struct str message, struct str details_json)
{
    struct exchange *e = container_of(x, struct exchange, face);
    int status = err_status(error);
    struct buf body;
    buf_init(&body, &x->arena);
    if (message.len == 0)
        message = str_of(err_sentence(error));
    if ((status == 429 || status == 503) && !e->has_retry_after)
        http_set_header(x, "Retry-After", STR("1"));
    if (status == 401)
        http_set_header(x, "WWW-Authenticate", STR("Bearer"));
    if (x->put_error)
        x->put_error(&body, error, message, details_json, x->request_id);
    else
        error_object(&body, status, err_code(error), message, details_json,
                     x->request_id, x->error_detail, x->error_success);
    http_reply(x, status, error_type, buf_view(&body));
}

static struct str refusal_id(struct http_connection *c, char fresh[UUID_SIZE])
{
    if (c->exchange)
        return http_exchange_request_id(c->exchange);
    uuid_new(fresh);
    return str_of(fresh);
}

static void log_refusal(const struct http_connection *c, int status,
                        const char *text, struct str id)
{
    char number[12];
    snprintf(number, sizeof number, "%d", status);
    log_event(LOG_INFO, "request refused",
              (struct log_field[]){{"status", str_of(number)},
                                   {"why", str_of(text)},
                                   {"peer", str_of(c->peer)},
                                   {"requestId", id},
                                   {NULL, {0}}});
}

void http_connection_refuse(struct http_connection *c,
                            const struct http_refusal *why)
{
    char fresh[UUID_SIZE];
    struct str id = refusal_id(c, fresh);
    struct buf body;
    buf_init(&body, NULL);
    error_object(&body, why->status, why->code, str_of(why->text),
                 (struct str){0}, id, false, false);
    put_common_head(&c->out, why->status, error_type, id);
    if (why->status == 405)
        put_header(&c->out, STR("Allow"),
                   STR("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"));
    put_length(&c->out, (int64_t)body.len);
    put_connection(&c->out, false, true);
    buf_text(&c->out, "\r\n");
    buf_str(&c->out, buf_view(&body));
    buf_done(&body);
    log_refusal(c, why->status, why->text, id);
    c->server->counts.refused++;
    c->server->counts.status[why->status / 100]++;
    if (c->exchange)
        http_exchange_free(c->exchange);
    http_connection_answered(c, false);
}

/* ---- streams ------------------------------------------------------------ */

/* NO_LENGTH: chunked, or until the close. */
static void begin_stream(struct http_exchange *x, int status, const char *type,
                         int64_t length)
{
    struct exchange *e = container_of(x, struct exchange, face);
    struct http_connection *c = e->connection;
    assert(!e->answered && "an exchange is answered once");
    e->status = status;
    e->streaming = e->answered = true;
    if (!c)
        return;
    size_t before = c->out.len;
    e->chunked = length == NO_LENGTH && c->parser.minor;
    c->parser.keep_alive =
        keeps_alive(e) && (e->chunked || length != NO_LENGTH);
    put_response_head(e, status, type, length, c->parser.keep_alive);
    e->sent = c->out.len - before;
    http_connection_touch(c);
}

void http_stream_begin(struct http_exchange *x, int status,
                       const char *content_type)
{
    begin_stream(x, status, content_type, NO_LENGTH);
}

void http_stream_begin_sized(struct http_exchange *x, int status,
                             const char *content_type, size_t length)
{
    begin_stream(x, status, content_type, (int64_t)length);
}

void http_stream_write(struct http_exchange *x, struct str bytes)
{
    struct exchange *e = container_of(x, struct exchange, face);
    struct http_connection *c = e->connection;
    assert(e->streaming && !e->ended);
    if (!c || bytes.len == 0 || e->head_only)
        return;
    if (e->chunked && !e->chunk_open) {
        e->chunk_open = true;
        e->chunk_at = c->out.len;
        buf_bytes(&c->out, "00000000\r\n", CHUNK_HEAD);
        e->sent += CHUNK_HEAD + 2;
    }
    buf_str(&c->out, bytes);
    e->sent += bytes.len;
    http_connection_touch(c);
}

/* Puts the size in front of the chunk, where http_stream_write left room for
 * it. */
void http_exchange_close_chunk(struct exchange *e)
{
    if (!e->chunk_open)
        return;
    struct buf *out = &e->connection->out;
    size_t size = out->len - e->chunk_at - CHUNK_HEAD;
    char head[CHUNK_HEAD + 8];
    int digits = snprintf(head, sizeof head, "%zx\r\n", size);
    size_t spare = CHUNK_HEAD - (size_t)digits;
    char *at = out->ptr + e->chunk_at;
    memcpy(at, head, (size_t)digits);
    memmove(at + digits, at + CHUNK_HEAD, size);
    out->len -= spare;
    e->sent -= spare;
    buf_text(out, "\r\n");
    e->chunk_open = false;
}

size_t http_stream_queued(const struct http_exchange *x)
{
    const struct exchange *e = container_of(x, struct exchange, face);
    return e->connection ? http_connection_queued(e->connection) : 0;
}

uint64_t http_stream_sent(const struct http_exchange *x)
{
    const struct exchange *e = container_of(x, struct exchange, face);
    size_t queued = http_stream_queued(x);
    return e->sent > queued ? e->sent - queued : 0;
}

void http_stream_end(struct http_exchange *x)
{
    struct exchange *e = container_of(x, struct exchange, face);
    struct http_connection *c = e->connection;
    assert(e->streaming && !e->ended);
    if (c && e->chunked && !e->head_only) {
        http_exchange_close_chunk(e);
        buf_text(&c->out, "0\r\n\r\n");
        e->sent += 5;
    }
    http_exchange_end(e);
    bool keep_alive = c && c->parser.keep_alive && !e->server->draining;
    if (c)
        http_connection_answered(c, keep_alive);
}
