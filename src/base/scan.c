#include "base/scan.h"
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_NESTING = 64 };

struct scan scan_of(struct str text)
{
    const char *at = text.ptr ? text.ptr : "";
    return (struct scan){at, at + text.len, false};
}

static void skip_space(struct scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' ||
                              *s->at == '\r' || *s->at == '\t'))
        s->at++;
}

char scan_peek(struct scan *s)
{
    skip_space(s);
    return s->at < s->end && !s->bad ? *s->at : '\0';
}

static void give_up(struct scan *s)
{
    s->bad = true;
    s->at = s->end;
}

/* ---- strings ------------------------------------------------------------ */

/* The closing quote of the string whose first byte is at `at`; NULL: none. */
static const char *closing(const char *at, const char *end)
{
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        if (!quote)
            return NULL;
        const char *slash = memchr(at, '\\', (size_t)(quote - at));
        if (!slash)
            return quote;
        at = slash + 2;
    }
    return NULL;
}

static struct str take_quoted(struct scan *s)
{
    const char *start = s->at + 1, *quote = closing(start, s->end);
    if (!quote) {
        give_up(s);
        return (struct str){0};
    }
    s->at = quote + 1;
    return (struct str){start, (size_t)(quote - start)};
}

static int hex4(struct str s)
{
    int n = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = i < s.len ? s.ptr[i] : 'x';
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        n = n * 16 + digit;
    }
    return n;
}

static void put_code_point(struct buf *out, unsigned c)
{
    if (c < 0x80) {
        buf_char(out, (char)c);
    } else if (c < 0x800) {
        buf_char(out, (char)(0xc0 | c >> 6));
        buf_char(out, (char)(0x80 | (c & 0x3f)));
    } else if (c < 0x10000) {
        buf_char(out, (char)(0xe0 | c >> 12));
        buf_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_char(out, (char)(0x80 | (c & 0x3f)));
    } else {
        buf_char(out, (char)(0xf0 | c >> 18));
        buf_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
        buf_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_char(out, (char)(0x80 | (c & 0x3f)));
    }
}

/* `s` begins behind "\u"; how many bytes of it belong to the escape. */
static size_t unescape_u(struct str s, struct buf *out)
{
    int code = hex4(s);
    size_t used = code < 0 ? 0 : 4;
    if (code >= 0xd800 && code < 0xdc00 &&
        str_starts(str_from(s, 4), STR("\\u"))) {
        int low = hex4(str_from(s, 6));
        if (low >= 0xdc00 && low < 0xe000) {
            put_code_point(out, 0x10000u + ((unsigned)(code - 0xd800) << 10) +
                                    (unsigned)(low - 0xdc00));
            return 10;
        }
    }
    bool alone = code <= 0 || (code >= 0xd800 && code < 0xe000);
    put_code_point(out, alone ? 0xfffd : (unsigned)code);
    return used;
}

static void unescape(struct str s, struct buf *out)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    for (;;) {
        ptrdiff_t slash = str_find_char(s, '\\');
        if (slash < 0 || (size_t)slash + 1 >= s.len)
            break;
        buf_bytes(out, s.ptr, (size_t)slash);
        char c = s.ptr[slash + 1];
        s = str_from(s, (size_t)slash + 2);
        const char *known = c ? strchr(from, c) : NULL;
        if (c == 'u')
            s = str_from(s, unescape_u(s, out));
        else
            buf_char(out, known ? to[known - from] : c);
    }
    buf_str(out, s);
}

bool scan_string(struct scan *s, struct buf *append_to)
{
    if (scan_peek(s) != '"') {
        scan_skip(s);
        return false;
    }
    struct str inside = take_quoted(s);
    unescape(inside, append_to);
    return !s->bad;
}

/* ---- structure ---------------------------------------------------------- */

static void skip_nested(struct scan *s)
{
    int depth = 0;
    while (s->at < s->end) {
        char c = *s->at;
        if (c == '"') {
            take_quoted(s);
            continue;
        }
        s->at++;
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth == 0)
            return;
        if (depth > MOST_NESTING)
            break;
    }
    give_up(s);
}

static bool is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '+' || c == '.' || c == 'E';
}

/* A number, true, false or null; what else looks like one is let through. */
static void skip_plain(struct scan *s)
{
    const char *start = s->at;
    while (s->at < s->end && is_plain(*s->at))
        s->at++;
    if (s->at == start)
        give_up(s);
}

struct str scan_skip(struct scan *s)
{
    char c = scan_peek(s);
    const char *start = s->at;
    if (c == '{' || c == '[')
        skip_nested(s);
    else if (c == '"')
        take_quoted(s);
    else
        skip_plain(s);
    return s->bad ? (struct str){0}
                  : (struct str){start, (size_t)(s->at - start)};
}

static bool enter(struct scan *s, char bracket)
{
    if (scan_peek(s) != bracket) {
        scan_skip(s);
        return false;
    }
    s->at++;
    return true;
}

bool scan_object(struct scan *s)
{
    return enter(s, '{');
}

bool scan_array(struct scan *s)
{
    return enter(s, '[');
}

/* At the next item; false: the bracket is closed, or the text is bad. */
static bool more(struct scan *s, char bracket)
{
    char c = scan_peek(s);
    if (c == ',') {
        s->at++;
        c = scan_peek(s);
    }
    if (c == bracket) {
        s->at++;
        return false;
    }
    if (!c)
        give_up(s);
    return !s->bad;
}

bool scan_member(struct scan *s, struct str *key)
{
    if (!more(s, '}'))
        return false;
    if (*s->at != '"') {
        give_up(s);
        return false;
    }
    *key = take_quoted(s);
    if (scan_peek(s) != ':') {
        give_up(s);
        return false;
    }
    s->at++;
    return true;
}

bool scan_element(struct scan *s)
{
    return more(s, ']');
}

/* ---- numbers ------------------------------------------------------------ */

int64_t scan_int(struct scan *s, int64_t otherwise)
{
    int64_t n;
    struct str text = scan_skip(s);
    return str_to_int64(text, &n) ? n : otherwise;
}

/* Digits up to the first other byte, into *mantissa; how many of them. */
static int digits(struct scan *s, uint64_t *mantissa)
{
    int n = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++, n++)
        *mantissa = *mantissa * 10 + (uint64_t)(*s->at - '0');
    return n;
}

/* Exact when the digits and the power of ten fit a double; most floats do. */
static bool real_quickly(struct scan *s, double *out)
{
    static const double tens[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t mantissa = 0;
    bool minus = *s->at == '-';
    s->at += minus;
    int whole = digits(s, &mantissa), part = 0;
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        part = digits(s, &mantissa);
    }
    bool plain = s->at == s->end || strchr(", ]}\n\r\t", *s->at);
    if (!whole || whole + part > 19 || mantissa >> 53 || !plain)
        return false;
    *out = (minus ? -1.0 : 1.0) * (double)mantissa / tens[part];
    return true;
}

double scan_real(struct scan *s, double otherwise)
{
    char text[64];
    double d;
    char c = scan_peek(s);
    const char *start = s->at;
    if (c != '-' && (c < '0' || c > '9')) {
        scan_skip(s);
        return otherwise;
    }
    if (real_quickly(s, &d))
        return d;
    s->at = start;
    struct str number = scan_skip(s);
    if (!number.len || number.len >= sizeof text)
        return otherwise;
    memcpy(text, number.ptr, number.len);
    text[number.len] = '\0';
    return strtod(text, NULL);
}
