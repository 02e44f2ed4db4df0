/* http_target.c - parses the target of a request line (RFC 9112, 3.2).
 *
 * Accepted are the origin form; the absolute form, whose host replaces that of
 * the Host header; and `*` for OPTIONS. This server answers for every host. A
 * "..", an encoded slash or NUL, a fragment and bad encoding are refused, not
 * repaired; except that names may have encoded slashes where the server says
 * so. */
#include "base/utf8.h"
#include "http_chars.h"
#include "http_parser.h"
#include "base/banned.h"

static const struct http_refusal bad_target = {400, "VALIDATION_ERROR",
                                               "The address is malformed."};

/* Consumes a byte or a %XX from the front of *s; -1: badly encoded. */
static int next_byte(struct str *s)
{
    unsigned char c = (unsigned char)s->ptr[0];
    size_t taken = 1;
    int value = c;
    if (c == '%') {
        if (s->len < 3)
            return -1;
        int high = str_hex_digit(s->ptr[1]);
        int low = str_hex_digit(s->ptr[2]);
        if (high < 0 || low < 0)
            return -1;
        value = high * 16 + low;
        taken = 3;
    }
    *s = str_from(*s, taken);
    return value;
}

bool http_percent_decode(struct arena *arena, struct str s, bool plus,
                         struct str *out)
{
    char *bytes = arena_alloc(arena, s.len + 1);
    size_t n = 0;
    while (s.len) {
        bool space = plus && s.ptr[0] == '+';
        int c = next_byte(&s);
        if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
            return false;
        bytes[n++] = space ? ' ' : (char)c;
    }
    *out = (struct str){bytes, n};
    return utf8_valid(*out);
}

/* Whether the raw query has no '#' and decodes to text, so that no parameter is
 * taken for absent because it is malformed. The scan has checked that it is
 * visible ASCII. */
static bool query_good(struct arena *arena, struct str s)
{
    struct str text;
    return str_find_char(s, '#') < 0 &&
           http_percent_decode(arena, s, true, &text);
}

/* `names`: encoded slashes are part of names. */
static bool path_chars_good(struct str raw, bool names)
{
    while (raw.len) {
        bool encoded = raw.ptr[0] == '%';
        if (!http_is_path((unsigned char)raw.ptr[0]))
            return false;
        int c = next_byte(&raw);
        bool slash = encoded && (c == '/' || c == '\\');
        if (c < 0x20 || c == HTTP_SLASH_IN_NAME || (slash && !names))
            return false;
    }
    return true;
}

/* A copy with HTTP_SLASH_IN_NAME for each encoded slash. */
static struct str mark_slashes(struct arena *arena, struct str raw)
{
    char *to = arena_alloc(arena, raw.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < raw.len; i++) {
        bool slash = str_eq_nocase(str_cut(raw, i, 3), STR("%2f"));
        to[n++] = slash ? HTTP_SLASH_IN_NAME : raw.ptr[i];
        i += slash ? 2 : 0;
    }
    return (struct str){to, n};
}

/* Removes "." segments in place. False: there is a "..". */
static bool drop_dots(struct str *path)
{
    char *to = (char *)path->ptr;
    size_t n = 0;
    struct str rest = str_from(*path, 1), piece;
    while (str_split(&rest, '/', &piece)) {
        bool last = rest.ptr == NULL;
        if (str_is(piece, ".."))
            return false;
        if (str_is(piece, ".") && !last)
            continue;
        to[n++] = '/';
        if (str_is(piece, "."))
            continue;
        for (size_t i = 0; i < piece.len; i++)
            to[n++] = piece.ptr[i];
    }
    path->len = n;
    return true;
}

/* Removes scheme and host from an absolute target. False: it is not one. */
static bool cut_authority(struct str *target, struct str *host)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (int i = 0; i < 2; i++) {
        struct str scheme = str_of(schemes[i]);
        if (!str_eq_nocase(str_cut(*target, 0, scheme.len), scheme))
            continue;
        struct str rest = str_from(*target, scheme.len);
        size_t end = 0;
        while (end < rest.len && rest.ptr[end] != '/' && rest.ptr[end] != '?')
            end++;
        *host = str_cut(rest, 0, end);
        *target = str_from(rest, end);
        return http_host_good(*host);
    }
    return false;
}

const struct http_refusal *http_target_read(struct http_exchange *x)
{
    struct str target = x->target;
    x->query = (struct str){0};
    if (str_is(target, "*")) {
        x->path = target;
        return str_is(x->method, "OPTIONS") ? NULL : &bad_target;
    }
    if (target.ptr[0] != '/' && !cut_authority(&target, &x->host))
        return &bad_target;
    ptrdiff_t mark = str_find_char(target, '?');
    struct str raw = target;
    if (mark >= 0) {
        raw = str_cut(target, 0, (size_t)mark);
        x->query = str_from(target, (size_t)mark + 1);
    }
    if (raw.len == 0)
        raw = STR("/");
    bool names = x->names_under && str_starts(raw, str_of(x->names_under));
    if (raw.ptr[0] != '/' || !path_chars_good(raw, names) ||
        !query_good(&x->arena, x->query))
        return &bad_target;
    if (names)
        raw = mark_slashes(&x->arena, raw);
    if (!http_percent_decode(&x->arena, raw, false, &x->path) ||
        !drop_dots(&x->path))
        return &bad_target;
    return NULL;
}
