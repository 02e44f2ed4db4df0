/* trino_address.c - see trino_address.h. */
#include "trino_address.h"
#include <string.h>
#include "base/banned.h"

void trino_base(struct buf *out, const struct trino_options *o)
{
    bool address6 = str_find_char(o->host, ':') >= 0;
    buf_text(out, o->tls ? "https://" : "http://");
    buf_text(out, address6 ? "[" : "");
    buf_str(out, o->host);
    buf_text(out, address6 ? "]" : "");
    if (o->port != (o->tls ? 443 : 80))
        buf_printf(out, ":%d", o->port);
}

/* What a path of Trino has: no step upward, nothing that a client could read as
 * another host. */
static bool is_plain_path(struct str path)
{
    for (size_t i = 0; i < path.len; i++)
        if (!str_is_alnum(path.ptr[i]) && !strchr("/_-.~%?=&", path.ptr[i]))
            return false;
    return str_find(path, STR("..")) < 0 && str_find(path, STR("//")) < 0;
}

struct str trino_same_origin(struct str base, struct str uri)
{
    struct str path = str_from(uri, base.len);
    bool same = uri.len > base.len &&
                str_eq_nocase(str_cut(uri, 0, base.len), base) &&
                str_starts(path, STR("/v1/statement/")) && is_plain_path(path);
    return same ? path : (struct str){0};
}

/* ---- headers ------------------------------------------------------------- */

static void put_base64(struct buf *out, struct str text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < text.len; i += 3) {
        unsigned bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 |
                   (i + k < text.len ? (unsigned char)text.ptr[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            buf_char(out, i + k > text.len ? '='
                                           : digits[bits >> (18 - 6 * k) & 63]);
    }
}

/* A value with a line break would be a second header. */
static void put_header(struct buf *out, size_t *n, const char *name,
                       struct str value)
{
    buf_text(out, name);
    for (size_t i = 0; i < value.len; i++)
        if ((unsigned char)value.ptr[i] >= 0x20)
            buf_char(out, value.ptr[i]);
    buf_char(out, '\0');
    ++*n;
}

static void wipe(struct buf *b)
{
    if (b->ptr)
        explicit_bzero(b->ptr, b->len);
    buf_done(b);
}

static void put_authorization(struct buf *out, const struct trino_options *o,
                              size_t *n)
{
    struct buf plain = {0}, value = {0};
    if (o->auth == TRINO_JWT) {
        put_header(out, n, "Authorization: Bearer ", o->secret);
        return;
    }
    buf_printf(&plain, "%.*s:%.*s", STR_ARG(o->user), STR_ARG(o->secret));
    put_base64(&value, buf_view(&plain));
    put_header(out, n, "Authorization: Basic ", buf_view(&value));
    wipe(&plain);
    wipe(&value);
}

void trino_headers(struct buf *out, const struct trino_options *o, size_t *n)
{
    *n = 0;
    put_header(out, n, "X-Trino-User: ", o->user);
    put_header(out, n, "X-Trino-Source: ", STR("sextant"));
    put_header(out, n, "X-Trino-Catalog: ", o->catalog);
    put_header(out, n, "X-Trino-Time-Zone: ",
               o->time_zone.len ? o->time_zone : STR("UTC"));
    /* without it, times have milliseconds at most */
    put_header(out, n,
               "X-Trino-Client-Capabilities: ", STR("PARAMETRIC_DATETIME"));
    put_header(out, n, "Content-Type: ", STR("text/plain; charset=utf-8"));
    if (o->tls && o->auth != TRINO_NO_SECRET)
        put_authorization(out, o, n);
}
