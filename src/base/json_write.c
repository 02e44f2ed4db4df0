/* json_write.c - writing JSON into a buf.
 *
 * Most of what a run writes is prompts, so quoting goes 16 bytes at a time. */
#include "base/bytes16.h"
#include "base/json.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

void json_writer_init(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer){.out = out};
}

static void put_comma(struct json_writer *w)
{
    if (w->comma)
        buf_char(w->out, ',');
    w->comma = true;
}

static void open_bracket(struct json_writer *w, char c)
{
    put_comma(w);
    buf_char(w->out, c);
    w->comma = false;
}

static void close_bracket(struct json_writer *w, char c)
{
    buf_char(w->out, c);
    w->comma = true;
}

void json_put_object(struct json_writer *w)
{
    open_bracket(w, '{');
}

void json_put_object_end(struct json_writer *w)
{
    close_bracket(w, '}');
}

void json_put_array(struct json_writer *w)
{
    open_bracket(w, '[');
}

void json_put_array_end(struct json_writer *w)
{
    close_bracket(w, ']');
}

void json_put_key_str(struct json_writer *w, struct str key)
{
    put_comma(w);
    json_quote(w->out, key);
    buf_char(w->out, ':');
    w->comma = false;
}

void json_put_key(struct json_writer *w, const char *key)
{
    struct buf *out = w->out;
    size_t len = strlen(key);
    buf_reserve(out, len + 4);
    char *to = out->ptr + out->len;
    *to = ',';
    to += w->comma;
    *to++ = '"';
    memcpy(to, key, len);
    to[len] = '"';
    to[len + 1] = ':';
    out->len = (size_t)(to + len + 2 - out->ptr);
    w->comma = false;
}

/* The character after the backslash; 0: the byte has no short escape. */
static const char short_escapes[256] = {
    ['"'] = '"', ['\\'] = '\\', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

/* Writes an escape of at most ESCAPE_MOST bytes; returns the end of it. */
enum { ESCAPE_MOST = 8 };
static char *quote_char(char *to, unsigned char c)
{
    if (short_escapes[c]) {
        *to++ = '\\';
        *to++ = short_escapes[c];
        return to;
    }
    int n = snprintf(to, ESCAPE_MOST, "\\u%04x",
                     c ? c : 0xfffd); /* PostgreSQL refuses \u0000 in text */
    return to + n;
}

/* How many bytes come before the first one that must be escaped. */
static size_t count_plain(bytes16 block)
{
    return bytes16_first((bytes16)((block < 0x20) | (block == '"') |
                                   (block == '\\') | (block == 0x7f)));
}

/* Copies bytes up to the first one that must be escaped, and returns their
 * number. `to` has room for all. Bytes that were read are or-ed into *seen. */
static size_t copy_plain(char *to, const char *from, size_t len, bytes16 *seen)
{
    bytes16 block;
    size_t at = 0;
    for (; len - at >= sizeof block; at += sizeof block) {
        block = bytes16_load(from + at);
        memcpy(to + at, &block, sizeof block);
        *seen |= block;
        size_t plain = count_plain(block);
        if (plain < sizeof block)
            return at + plain;
    }
    size_t left = len - at;
    block = (bytes16){0};
    memcpy(&block, from + at, left); /* the zeros after it count as special */
    memcpy(to + at, &block, left);
    *seen |= block;
    return at + count_plain(block);
}

/* False: there are bytes beyond ASCII, which may not be valid UTF-8. */
static bool quote_bytes(struct buf *out, struct str s)
{
    bytes16 seen = {0};
    buf_reserve(out, s.len + s.len / 16 + 2 + ESCAPE_MOST);
    buf_char(out, '"');
    for (size_t at = 0; at < s.len;) {
        buf_reserve(out, s.len - at + ESCAPE_MOST + 1);
        char *to = out->ptr + out->len;
        size_t n = copy_plain(to, s.ptr + at, s.len - at, &seen);
        to += n;
        at += n;
        if (at < s.len)
            to = quote_char(to, (unsigned char)s.ptr[at++]);
        out->len = (size_t)(to - out->ptr);
    }
    buf_char(out, '"');
    uint64_t halves[2];
    memcpy(halves, &seen, sizeof halves);
    return !((halves[0] | halves[1]) & 0x8080808080808080u);
}

void json_quote(struct buf *out, struct str s)
{
    size_t before = out->len;
    if (quote_bytes(out, s) || utf8_valid(s))
        return;
    struct arena scratch;
    arena_init(&scratch, 0);
    out->len = before;
    quote_bytes(out, utf8_repair(&scratch, s));
    arena_done(&scratch);
}

void json_put_str(struct json_writer *w, struct str s)
{
    put_comma(w);
    json_quote(w->out, s);
}

void json_put_text(struct json_writer *w, const char *text_or_null)
{
    if (text_or_null)
        json_put_str(w, str_of(text_or_null));
    else
        json_put_null(w);
}

void json_put_int(struct json_writer *w, int64_t n)
{
    put_comma(w);
    buf_int(w->out, n);
}

/* Numbers with up to four decimal places, as most are: n / 10000 is the nearest
 * double, so its digits are exact. False: not such a number. */
static bool put_short_real(struct json_writer *w, double d)
{
    static const double parts = 10000, most = 1e11;
    if (!(d > -most && d < most))
        return false;
    int64_t n = (int64_t)(d * parts + (d < 0 ? -0.5 : 0.5));
    if ((double)n / parts != d || (n == 0 && signbit(d)))
        return false;
    uint64_t digits = n < 0 ? (uint64_t)-n : (uint64_t)n;
    unsigned rest = (unsigned)(digits % 10000), unit = 1000;
    put_comma(w);
    if (n < 0)
        buf_char(w->out, '-');
    buf_uint(w->out, digits / 10000);
    if (rest)
        buf_char(w->out, '.');
    for (; rest; rest %= unit, unit /= 10)
        buf_char(w->out, (char)('0' + rest / unit));
    return true;
}

enum { REAL_SIZE = 32 };

/* The fewest digits that read back as the same value. */
static void print_exact(char text[REAL_SIZE], double d)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, REAL_SIZE, "%.*g", digits, d);
        if (strtod(text, NULL) == d)
            break;
    }
}

struct str json_cell_text(struct arena *arena, const json_t *v)
{
    char text[REAL_SIZE];
    switch (v ? json_typeof(v) : JSON_NULL) {
    case JSON_NULL:
        return (struct str){NULL, 0};
    case JSON_TRUE:
        return STR("t");
    case JSON_FALSE:
        return STR("f");
    case JSON_STRING:
        return json_text(v);
    case JSON_REAL:
        print_exact(text, json_real_value(v));
        return arena_str(arena, str_of(text));
    default:
        return json_print(arena, v);
    }
}

void json_put_real(struct json_writer *w, double d)
{
    if (!isfinite(d)) {
        json_put_null(w);
        return;
    }
    char text[REAL_SIZE];
    if (put_short_real(w, d))
        return;
    print_exact(text, d);
    json_put_raw(w, str_of(text));
}

void json_put_bool(struct json_writer *w, bool b)
{
    json_put_raw(w, b ? STR("true") : STR("false"));
}

void json_put_null(struct json_writer *w)
{
    json_put_raw(w, STR("null"));
}

void json_put_strs(struct json_writer *w, const struct str *texts, size_t n)
{
    json_put_array(w);
    for (size_t i = 0; i < n; i++)
        json_put_str(w, texts[i]);
    json_put_array_end(w);
}

void json_put_raw(struct json_writer *w, struct str json)
{
    put_comma(w);
    buf_str(w->out, json);
}

void json_field_str(struct json_writer *w, const char *key, struct str s)
{
    json_put_key(w, key);
    json_put_str(w, s);
}

void json_field_text(struct json_writer *w, const char *key, const char *text)
{
    json_put_key(w, key);
    json_put_text(w, text);
}

void json_field_int(struct json_writer *w, const char *key, int64_t n)
{
    json_put_key(w, key);
    json_put_int(w, n);
}

void json_field_bool(struct json_writer *w, const char *key, bool b)
{
    json_put_key(w, key);
    json_put_bool(w, b);
}

void json_field_real(struct json_writer *w, const char *key, double d)
{
    json_put_key(w, key);
    json_put_real(w, d);
}

void json_field_object(struct json_writer *w, const char *key)
{
    json_put_key(w, key);
    json_put_object(w);
}

void json_field_array(struct json_writer *w, const char *key)
{
    json_put_key(w, key);
    json_put_array(w);
}

void json_field_null(struct json_writer *w, const char *key)
{
    json_put_key(w, key);
    json_put_null(w);
}

void json_field_str_or_null(struct json_writer *w, const char *key,
                            struct str s)
{
    if (s.len)
        json_field_str(w, key, s);
    else
        json_field_null(w, key);
}

void json_field_raw(struct json_writer *w, const char *key, struct str json)
{
    json_put_key(w, key);
    json_put_raw(w, json);
}

void json_field_strs(struct json_writer *w, const char *key,
                     const struct str *texts, size_t n)
{
    json_put_key(w, key);
    json_put_strs(w, texts, n);
}
