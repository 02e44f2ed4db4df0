/* origin.c - parses URLs into origins and keeps the list of them. The list is
 * short, so it is searched in order. */
#include "origin.h"
#include "base/arena.h"
#include "base/mem.h"
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_IDLE = 64 };

static struct http_origin *origins;

struct url_parts {
    bool tls;
    struct str host; /* without brackets */
    int port;
};

static bool read_port(struct str text, bool tls, int *port)
{
    int64_t n = tls ? 443 : 80;
    if (text.len && (*text.ptr < '0' || *text.ptr > '9'))
        return false;
    if (text.len && !str_to_int64(text, &n))
        return false;
    *port = (int)n;
    return n > 0 && n < 65536;
}

/* Host and port of "host:port" or "[v6]:port". */
static bool read_authority(struct str s, struct url_parts *a)
{
    struct str port = {0};
    bool v6 = s.len && s.ptr[0] == '[';
    ptrdiff_t end = str_find_char(s, v6 ? ']' : ':');
    if (v6 && end < 0)
        return false;
    size_t start = v6 ? 1 : 0;
    a->host = end < 0 ? s : str_cut(s, start, (size_t)end - start);
    struct str rest = end < 0 ? port : str_from(s, (size_t)end + (v6 ? 1 : 0));
    if (rest.len && *rest.ptr != ':')
        return false;
    port = rest.len ? str_from(rest, 1) : rest;
    return a->host.len && a->host.len < 256 &&
           read_port(port, a->tls, &a->port);
}

static bool read_url(struct str url, struct url_parts *a)
{
    for (size_t i = 0; i < url.len; i++)
        if ((unsigned char)url.ptr[i] <= ' ' || url.ptr[i] == 0x7f)
            return false;
    struct str scheme = str_cut(url, 0, 8);
    a->tls = str_eq_nocase(scheme, STR("https://"));
    if (!a->tls && !str_eq_nocase(str_cut(url, 0, 7), STR("http://")))
        return false;
    struct str rest = str_from(url, a->tls ? 8 : 7);
    size_t end = 0;
    while (end < rest.len && !strchr("/?#\\", rest.ptr[end]))
        end++;
    struct str authority = str_cut(rest, 0, end);
    return str_find_char(authority, '@') < 0 && read_authority(authority, a);
}

static bool is_ip_literal(const char *host)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, bytes) == 1 ||
           inet_pton(AF_INET6, host, bytes) == 1;
}

/* Frees unused origins when there are too many. */
static void free_idle(void)
{
    unsigned count = 0;
    for (struct http_origin **at = &origins; *at;) {
        struct http_origin *o = *at;
        if (++count > MOST_IDLE && !o->under_way && !o->first) {
            *at = o->next;
            mem_free(o->key);
            mem_free(o->host);
            mem_free(o);
        } else {
            at = &o->next;
        }
    }
}

static struct http_origin *origin_new(struct str key, const struct url_parts *a,
                                      bool is_socket)
{
    free_idle();
    struct http_origin *o = mem_new(struct http_origin);
    o->key = mem_copy(key.ptr, key.len);
    o->last = &o->first;
    o->host = mem_copy(a->host.ptr, a->host.len);
    o->port = a->port;
    o->tls = a->tls;
    if (is_socket || is_ip_literal(o->host)) {
        mem_free(o->host);
        o->host = NULL;
    }
    o->next = origins;
    origins = o;
    return o;
}

static struct http_origin *find_by_key(struct str key)
{
    for (struct http_origin *o = origins; o; o = o->next)
        if (str_is(key, o->key))
            return o;
    return NULL;
}

struct http_origin *origin_find(struct str url, const char *unix_socket)
{
    struct url_parts a;
    if (!read_url(url, &a))
        return NULL;
    struct arena scratch;
    arena_init(&scratch, 0);
    struct str key = arena_printf(
        &scratch, "%s://%.*s:%d%s%s", a.tls ? "https" : "http", STR_ARG(a.host),
        a.port, unix_socket ? " on " : "", unix_socket ? unix_socket : "");
    struct http_origin *o = find_by_key(key);
    if (!o)
        o = origin_new(key, &a, unix_socket != NULL);
    arena_done(&scratch);
    return o;
}

unsigned origin_permits(const struct http_origin *o, unsigned permits)
{
    /* Calls beyond what curl sends at once would wait inside curl, unseen. */
    unsigned most = permits;
    if (o->tls && o->http2 == HTTP2_UNKNOWN)
        most = HTTP2_CONNECTIONS;
    else if (o->tls && o->http2 == HTTP2_YES)
        most = HTTP2_CONNECTIONS * HTTP2_STREAMS;
    return most < permits ? most : permits;
}

struct http_origin *origin_first(void)
{
    return origins;
}

void origins_close(void)
{
    while (origins) {
        struct http_origin *o = origins;
        origins = o->next;
        assert(!o->under_way && !o->first);
        mem_free(o->key);
        mem_free(o->host);
        mem_free(o);
    }
}
