/* scan.c - a pull reader for JSON text; see scan.h. */
#include "base/scan.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_NESTING = 64, MOST_DIGITS = 19 };

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

static void scan_fail(struct scan *s)
{
    s->bad = true;
    s->at = s->end;
}

/* ---- strings ------------------------------------------------------------ */

/* The closing quote of the string whose content starts at `at`, or NULL. */
static const char *closing_quote(const char *at, const char *end)
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

static struct str scan_quoted(struct scan *s)
{
    const char *start = s->at + 1, *quote = closing_quote(start, s->end);
    if (!quote) {
        scan_fail(s);
        return (struct str){0};
    }
    s->at = quote + 1;
    return (struct str){start, (size_t)(quote - start)};
}

/* Appends the character of an escape; `s` is the text after its "\u". Returns
 * how many bytes of `s` belong to the escape. */
static size_t unescape_u(struct str s, struct buf *out)
{
    int code = str_hex4(s);
    size_t used = code < 0 ? 0 : 4;
    if (code >= 0xd800 && code < 0xdc00 &&
        str_starts(str_from(s, 4), STR("\\u"))) {
        int low = str_hex4(str_from(s, 6));
        if (low >= 0xdc00 && low < 0xe000) {
            utf8_put(out, 0x10000u + ((unsigned)(code - 0xd800) << 10) +
                              (unsigned)(low - 0xdc00));
            return 10;
        }
    }
    bool alone = code <= 0 || (code >= 0xd800 && code < 0xe000);
    utf8_put(out, alone ? 0xfffd : (unsigned)code);
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
    struct str inside = scan_quoted(s);
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
            scan_quoted(s);
            continue;
        }
        s->at++;
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth == 0)
            return;
        if (depth > MOST_NESTING)
            break;
    }
    scan_fail(s);
}

static bool is_scalar_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '+' || c == '.' || c == 'E';
}

/* Skips a number, true, false or null, without checking that it is one. */
static void skip_scalar(struct scan *s)
{
    const char *start = s->at;
    while (s->at < s->end && is_scalar_byte(*s->at))
        s->at++;
    if (s->at == start)
        scan_fail(s);
}

struct str scan_skip(struct scan *s)
{
    char c = scan_peek(s);
    const char *start = s->at;
    if (c == '{' || c == '[')
        skip_nested(s);
    else if (c == '"')
        scan_quoted(s);
    else
        skip_scalar(s);
    return s->bad ? (struct str){0}
                  : (struct str){start, (size_t)(s->at - start)};
}

static bool scan_enter(struct scan *s, char bracket)
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
    return scan_enter(s, '{');
}

bool scan_array(struct scan *s)
{
    return scan_enter(s, '[');
}

/* Moves to the next item. False: the bracket is closed, or the text is bad. */
static bool scan_next(struct scan *s, char bracket)
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
        scan_fail(s);
    return !s->bad;
}

bool scan_member(struct scan *s, struct str *key)
{
    if (!scan_next(s, '}'))
        return false;
    if (*s->at != '"') {
        scan_fail(s);
        return false;
    }
    *key = scan_quoted(s);
    if (scan_peek(s) != ':') {
        scan_fail(s);
        return false;
    }
    s->at++;
    return true;
}

bool scan_element(struct scan *s)
{
    return scan_next(s, ']');
}

struct str scan_get(struct str object, const char *name)
{
    struct scan s = scan_of(object);
    struct str key, found = {0};
    if (!scan_object(&s))
        return found;
    while (scan_member(&s, &key)) {
        struct str value = scan_skip(&s);
        if (str_is(key, name))
            found = value;
    }
    return found;
}

int64_t scan_get_int(struct str object, const char *name, int64_t otherwise)
{
    struct scan s = scan_of(scan_get(object, name));
    return scan_int(&s, otherwise);
}

/* ---- numbers ------------------------------------------------------------ */

int64_t scan_int(struct scan *s, int64_t otherwise)
{
    int64_t n;
    struct str text = scan_skip(s);
    return str_to_int64(text, &n) ? n : otherwise;
}

/* Appends digits to *mantissa, up to the first other byte; returns how many. */
static int scan_digits(struct scan *s, uint64_t *mantissa)
{
    int n = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++, n++)
        *mantissa = *mantissa * 10 + (uint64_t)(*s->at - '0');
    return n;
}

/* Parses a number whose digits and power of ten are exact doubles, as most are;
 * the result is then exact, too. False: not such a number. */
static bool scan_short_real(struct scan *s, double *out)
{
    static const double tens[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t mantissa = 0;
    bool minus = *s->at == '-';
    s->at += minus;
    int whole = scan_digits(s, &mantissa), part = 0;
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        part = scan_digits(s, &mantissa);
    }
    bool plain = s->at == s->end || strchr(", ]}\n\r\t", *s->at);
    if (!whole || whole + part > MOST_DIGITS || mantissa >> 53 || !plain)
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
    if (scan_short_real(s, &d))
        return d;
    s->at = start;
    struct str number = scan_skip(s);
    if (!number.len || number.len >= sizeof text)
        return otherwise;
    str_copy(text, sizeof text, number);
    return strtod(text, NULL);
}
