/* transfer.c - sets up curl's easy handle for a call, and handles its
 * callbacks. The callbacks run inside curl, so they must not touch the multi
 * handle. */
#include "transfer.h"
#include "base/clock.h"
#include "base/mem.h"
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include "base/banned.h"

enum {
    HANDLES_KEPT = 64,
    BUFFER_BYTES = 2048, /* each call in flight has one */
    UPLOAD_BYTES = 16384,
    HEAD_BYTES = 64 * 1024,
    BODY_BYTES = 32 * 1024 * 1024,
};

static CURL *kept[HANDLES_KEPT];
static unsigned n_kept;

/* ---- the response ------------------------------------------------------- */

void transfer_explain(struct transfer *t, const char *why)
{
    str_copy(t->call->detail, sizeof t->call->detail, str_of(why));
}

static void refuse_response(struct transfer *t, const char *why)
{
    if (t->ending == OK) {
        t->ending = ERR_BAD_REPLY;
        transfer_explain(t, why);
    }
}

static void read_retry_after(struct http_call *c, struct str value, bool in_ms)
{
    int64_t n;
    char date[64];
    if (str_to_int64(value, &n)) {
        if (n >= 0 && n < INT32_MAX)
            c->retry_after_ms = in_ms ? n : n * 1000;
    } else if (!in_ms && value.len && value.len < sizeof date) {
        str_copy(date, sizeof date, value);
        time_t at = curl_getdate(date, NULL);
        int64_t ms = (int64_t)at * 1000 - clock_wall_ms();
        if (at != -1)
            c->retry_after_ms = ms > 0 ? ms : 0;
    }
}

static void read_header(struct transfer *t, struct str name, struct str value)
{
    struct http_call *c = t->call;
    if (str_eq_nocase(name, STR("content-encoding"))) {
        if (value.len && !str_eq_nocase(value, STR("identity")))
            refuse_response(t, "the body has an unexpected content coding");
    } else if (str_eq_nocase(name, STR("retry-after"))) {
        if (c->retry_after_ms < 0)
            read_retry_after(c, value, false);
    } else if (str_eq_nocase(name, STR("retry-after-ms"))) {
        read_retry_after(c, value, true); /* overrides Retry-After */
    } else if (str_eq_nocase(name, STR("x-should-retry"))) {
        c->should_retry = str_eq_nocase(value, STR("true"))    ? 1
                          : str_eq_nocase(value, STR("false")) ? 0
                                                               : -1;
    }
}

/* A status line: resets what an interim response (1xx) said. */
static void start_head(struct transfer *t)
{
    struct http_call *c = t->call;
    t->head_is_whole = false;
    c->retry_after_ms = c->should_retry = -1;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *who)
{
    struct transfer *t = who;
    struct str line = {bytes, size * count};
    if (!t->call->first_byte_ms)
        t->call->first_byte_ms = clock_ms() - t->began_ms;
    t->head_bytes += line.len;
    if (t->head_bytes > HEAD_BYTES)
        refuse_response(t, "the head is larger than 64 KiB");
    ptrdiff_t colon = str_find_char(line, ':');
    if (!str_trim(line).len)
        t->head_is_whole = true;
    if (str_starts(line, STR("HTTP/")))
        start_head(t);
    else if (colon > 0)
        read_header(t, str_cut(line, 0, (size_t)colon),
                    str_trim(str_from(line, (size_t)colon + 1)));
    return t->ending == OK ? line.len : 0;
}

static bool deliver_body(struct transfer *t, struct str bytes)
{
    struct http_call *c = t->call;
    if (!c->on_body) {
        buf_str(&c->reply, bytes);
        return true;
    }
    return c->on_body(c, bytes);
}

static size_t on_body_bytes(char *ptr, size_t size, size_t count, void *who)
{
    struct transfer *t = who;
    struct http_call *c = t->call;
    struct str bytes = {ptr, size * count};
    size_t most = c->max_bytes ? c->max_bytes : BODY_BYTES;
    if (!c->status) {
        long status = 0;
        curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
        c->status = (int)status;
    }
    t->body_bytes += bytes.len;
    if (t->body_bytes > most)
        refuse_response(t, "the body is too large");
    else if (!c->explicit_progress)
        transfer_useful(t);
    if (t->ending == OK && !deliver_body(t, bytes))
        refuse_response(t, "the body could not be used");
    return t->ending == OK ? bytes.len : CURL_WRITEFUNC_ERROR;
}

/* ---- the request -------------------------------------------------------- */

/* curl keeps the pointer, and reads from it until all is sent. */
static void set_body(struct transfer *t, struct str body)
{
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     (curl_off_t)body.len);
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, body.len ? body.ptr : "");
}

/* Called before each request is sent. When curl sends the request again,
 * because a kept connection was dead, it still uses the size that it got the
 * first time. */
static int on_connected(void *who, char *their_ip, char *our_ip, int their_port,
                        int our_port)
{
    struct transfer *t = who;
    (void)their_ip, (void)our_ip, (void)their_port, (void)our_port;
    if (t->body_sent) {
        size_t as_before = t->body_sent;
        t->body_sent = 0;
        t->call->write_body(t->call, &t->body);
        if (t->body.len != as_before)
            return CURL_PREREQFUNC_ABORT;
        set_body(t, buf_view(&t->body));
    }
    transfer_connected(t);
    return CURL_PREREQFUNC_OK;
}

/* Frees the body once it is sent: a model may think for many seconds before it
 * responds. */
static int on_progress(void *who, curl_off_t down_total, curl_off_t down,
                       curl_off_t up_total, curl_off_t up)
{
    struct transfer *t = who;
    (void)down_total, (void)down, (void)up_total;
    if (t->body.len && up >= (curl_off_t)t->body.len) {
        curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, NULL);
        t->body_sent = t->body.len;
        buf_done(&t->body);
    }
    return 0;
}

/* curl is about to send the request again: on_connected writes the body. */
static int on_seek(void *who, curl_off_t offset, int origin)
{
    (void)who, (void)offset, (void)origin;
    return CURL_SEEKFUNC_OK;
}

/* Never reads: on_connected sets the body. */
static size_t on_read_nothing(char *buffer, size_t size, size_t count,
                              void *who)
{
    (void)buffer, (void)size, (void)count, (void)who;
    return CURL_READFUNC_ABORT;
}

static void write_body(struct transfer *t)
{
    t->call->write_body(t->call, &t->body);
    set_body(t, buf_view(&t->body));
    curl_easy_setopt(t->easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(t->easy, CURLOPT_XFERINFODATA, t);
    curl_easy_setopt(t->easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(t->easy, CURLOPT_SEEKFUNCTION, on_seek);
    curl_easy_setopt(t->easy, CURLOPT_READFUNCTION, on_read_nothing);
}

static size_t on_read_parts(char *buffer, size_t size, size_t count, void *who)
{
    struct transfer *t = who;
    const struct http_call *c = t->call;
    size_t room = size * count, n = 0;
    while (n < room && t->part < c->n_parts) {
        struct str left = str_from(c->parts[t->part], t->part_at);
        size_t some = left.len < room - n ? left.len : room - n;
        if (some)
            memcpy(buffer + n, left.ptr, some);
        n += some;
        t->part_at += some;
        if (some == left.len) {
            t->part++;
            t->part_at = 0;
        }
    }
    return n;
}

/* curl only seeks to the start, when a kept connection was dead. */
static int on_seek_parts(void *who, curl_off_t offset, int origin)
{
    struct transfer *t = who;
    if (offset != 0 || origin != SEEK_SET)
        return CURL_SEEKFUNC_CANTSEEK;
    t->part = t->part_at = 0;
    return CURL_SEEKFUNC_OK;
}

static void set_parts(struct transfer *t)
{
    curl_off_t size = 0;
    for (size_t i = 0; i < t->call->n_parts; i++)
        size += (curl_off_t)t->call->parts[i].len;
    curl_easy_setopt(t->easy, CURLOPT_POST, 1L);
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, size);
    curl_easy_setopt(t->easy, CURLOPT_READFUNCTION, on_read_parts);
    curl_easy_setopt(t->easy, CURLOPT_READDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_SEEKFUNCTION, on_seek_parts);
    curl_easy_setopt(t->easy, CURLOPT_SEEKDATA, t);
}

/* At the end of a body curl asks no more: it knows the size. */
static size_t on_read_body(char *buffer, size_t size, size_t count, void *who)
{
    struct transfer *t = who;
    size_t n = t->call->read_body(t->call, buffer, size * count);
    t->paused = n == 0;
    return n ? n : CURL_READFUNC_PAUSE;
}

static void set_reader(struct transfer *t)
{
    curl_easy_setopt(t->easy, CURLOPT_POST, 1L);
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     (curl_off_t)t->call->body_size);
    curl_easy_setopt(t->easy, CURLOPT_READFUNCTION, on_read_body);
    curl_easy_setopt(t->easy, CURLOPT_READDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_FRESH_CONNECT, 1L);
}

static bool add_line(struct curl_slist **list, struct str line)
{
    struct buf text;
    if (memchr(line.ptr, '\r', line.len) || memchr(line.ptr, '\n', line.len) ||
        memchr(line.ptr, '\0', line.len))
        return false;
    buf_init(&text, NULL);
    buf_str(&text, line);
    struct curl_slist *longer = curl_slist_append(*list, buf_cstr(&text));
    buf_done(&text);
    if (!longer)
        mem_exhausted(line.len);
    *list = longer;
    return true;
}

static bool set_headers(struct transfer *t)
{
    struct http_call *c = t->call;
    add_line(&t->headers, STR("Expect:"));
    add_line(&t->headers, STR("Accept-Encoding: identity"));
    for (size_t i = 0; i < c->n_headers; i++)
        if (!add_line(&t->headers, c->headers[i]))
            return false;
    curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
    return true;
}

static void set_method(struct transfer *t)
{
    struct http_call *c = t->call;
    const char *method = c->method ? c->method : "GET";
    if (c->read_body)
        set_reader(t);
    else if (c->write_body)
        write_body(t);
    else if (c->n_parts)
        set_parts(t);
    else if (c->body.len || strcmp(method, "POST") == 0)
        set_body(t, c->body);
    if (strcmp(method, "HEAD") == 0)
        curl_easy_setopt(t->easy, CURLOPT_NOBODY, 1L);
    else if (strcmp(method, "POST") != 0)
        curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, method);
}

void transfer_resolve(struct transfer *t, const struct http_origin *who,
                      const char *addresses)
{
    struct buf line;
    buf_init(&line, NULL);
    buf_printf(&line, "%s:%d:%s", who->host, who->port, addresses);
    add_line(&t->resolve, buf_view(&line));
    buf_done(&line);
}

static bool set_address(struct transfer *t)
{
    struct http_call *c = t->call;
    char *url = mem_copy(c->url.ptr, c->url.len);
    CURLcode rc = curl_easy_setopt(t->easy, CURLOPT_URL, url);
    mem_free(url);
    if (c->unix_socket && rc == CURLE_OK)
        rc =
            curl_easy_setopt(t->easy, CURLOPT_UNIX_SOCKET_PATH, c->unix_socket);
    if (t->resolve)
        curl_easy_setopt(t->easy, CURLOPT_RESOLVE, t->resolve);
    return rc == CURLE_OK;
}

static void set_policy(CURL *easy, const struct http_client_options *options)
{
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)BUFFER_BYTES);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)UPLOAD_BYTES);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "sextant/" SEXTANT_VERSION);
    curl_easy_setopt(easy, CURLOPT_PROXY, options->proxy ? options->proxy : "");
    if (options->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
}

static bool may_reach(const struct http_call *c, const struct address *a)
{
    for (size_t i = 0; i < c->n_networks; i++)
        if (network_has(&c->networks[i], a))
            return true;
    return address_is_public(a);
}

/* The address that curl connects to next. */
static bool read_address(const struct sockaddr *from, struct address *out)
{
    char text[ADDRESS_TEXT_SIZE];
    const void *bytes =
        from->sa_family == AF_INET
            ? (const void *)&((const struct sockaddr_in *)from)->sin_addr
            : &((const struct sockaddr_in6 *)from)->sin6_addr;
    if (from->sa_family != AF_INET && from->sa_family != AF_INET6)
        return false;
    return inet_ntop(from->sa_family, bytes, text, sizeof text) &&
           address_parse(str_of(text), out);
}

static curl_socket_t on_open_socket(void *who, curlsocktype purpose,
                                    struct curl_sockaddr *to)
{
    struct transfer *t = who;
    struct address address;
    if (purpose == CURLSOCKTYPE_IPCXN && read_address(&to->addr, &address) &&
        may_reach(t->call, &address))
        return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
    if (t->ending == OK) {
        t->ending = ERR_BAD_GATEWAY;
        transfer_explain(t, "its address is not a public one");
    }
    return CURL_SOCKET_BAD;
}

static void set_public_only(struct transfer *t)
{
    curl_easy_setopt(t->easy, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    curl_easy_setopt(t->easy, CURLOPT_OPENSOCKETDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(t->easy, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(t->easy, CURLOPT_PROXY, "");
}

/* curl keeps connections with other trust settings apart. */
static void set_trust(CURL *easy, const struct http_trust *trust)
{
    struct curl_blob pem = {(void *)trust->pem.ptr, trust->pem.len,
                            CURL_BLOB_COPY};
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, trust->any_issuer ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST,
                     trust->any_issuer || trust->any_host ? 0L : 2L);
    if (trust->pem.len)
        curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &pem);
    else if (trust->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, trust->ca_file);
}

static void set_callbacks(struct transfer *t)
{
    curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
    curl_easy_setopt(t->easy, CURLOPT_ERRORBUFFER, t->error);
    curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body_bytes);
    curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_PREREQFUNCTION, on_connected);
    curl_easy_setopt(t->easy, CURLOPT_PREREQDATA, t);
}

bool transfer_prepare(struct transfer *t,
                      const struct http_client_options *options)
{
    t->easy = n_kept ? kept[--n_kept] : curl_easy_init();
    if (!t->easy)
        mem_exhausted(sizeof *t);
    set_policy(t->easy, options);
    if (t->call->trust)
        set_trust(t->easy, t->call->trust);
    set_callbacks(t);
    if (t->call->public_only)
        set_public_only(t);
    set_method(t);
    bool tls = t->origin->tls;
    curl_easy_setopt(t->easy, CURLOPT_HTTP_VERSION,
                     tls ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(t->easy, CURLOPT_PIPEWAIT,
                     tls && t->origin->http2 != HTTP2_NO ? 1L : 0L);
    unsigned connect_ms = t->call->connect_ms;
    curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)connect_ms);
    if (!set_address(t)) {
        transfer_explain(t, "the address is not a valid URL");
        return false;
    }
    if (!set_headers(t)) {
        transfer_explain(t, "a header holds a line break");
        return false;
    }
    return true;
}

void transfer_release(struct transfer *t)
{
    curl_slist_free_all(t->headers);
    curl_slist_free_all(t->resolve);
    t->headers = t->resolve = NULL;
    buf_done(&t->body);
    if (!t->easy)
        return;
    curl_easy_reset(t->easy);
    /* A handle whose HTTP/2 connection other streams still use keeps its buffer
     * and refuses to set its size. The reset has changed that size, so the
     * handle would write past the end of the buffer (curl 7.88). */
    bool fit = curl_easy_setopt(t->easy, CURLOPT_BUFFERSIZE,
                                (long)BUFFER_BYTES) == CURLE_OK;
    if (fit && n_kept < HANDLES_KEPT)
        kept[n_kept++] = t->easy;
    else
        curl_easy_cleanup(t->easy);
    t->easy = NULL;
}

void transfers_close(void)
{
    while (n_kept)
        curl_easy_cleanup(kept[--n_kept]);
}
