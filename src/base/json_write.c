#include "base/json.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

void json_write_to(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer){.out = out};
}

static void separate(struct json_writer *w)
{
    if (w->comma)
        buf_char(w->out, ',');
    w->comma = true;
}

static void open_with(struct json_writer *w, char c)
{
    separate(w);
    buf_char(w->out, c);
    w->comma = false;
}

static void close_with(struct json_writer *w, char c)
{
    buf_char(w->out, c);
    w->comma = true;
}

void json_put_object(struct json_writer *w)
{
    open_with(w, '{');
}

void json_put_object_end(struct json_writer *w)
{
    close_with(w, '}');
}

void json_put_array(struct json_writer *w)
{
    open_with(w, '[');
}

void json_put_array_end(struct json_writer *w)
{
    close_with(w, ']');
}

void json_put_key_str(struct json_writer *w, struct str key)
{
    separate(w);
    json_quote(w->out, key);
    buf_char(w->out, ':');
    w->comma = false;
}

void json_put_key(struct json_writer *w, const char *key)
{
    json_put_key_str(w, str_of(key));
}

static void quote_char(struct buf *out, unsigned char c)
{
    switch (c) {
    case '"':
        buf_bytes(out, "\\\"", 2);
        break;
    case '\\':
        buf_bytes(out, "\\\\", 2);
        break;
    case '\n':
        buf_bytes(out, "\\n", 2);
        break;
    case '\r':
        buf_bytes(out, "\\r", 2);
        break;
    case '\t':
        buf_bytes(out, "\\t", 2);
        break;
    case '\0': /* PostgreSQL refuses \u0000 in text */
        buf_text(out, "\\ufffd");
        break;
    default:
        buf_printf(out, "\\u%04x", c);
    }
}

static bool plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

/* Nonzero when one of eight bytes is `c`; bytes above 0x7f may count too. */
static uint64_t has(uint64_t eight, unsigned char c)
{
    uint64_t differs = eight ^ (0x0101010101010101u * c);
    return (differs - 0x0101010101010101u) & 0x8080808080808080u;
}

/* Where the run of bytes that stand for themselves ends; eight at a time, which
 * is most of the work of writing prompts. */
static size_t plain_end(struct str s, size_t at)
{
    uint64_t eight;
    for (; s.len - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, s.ptr + at, sizeof eight);
        uint64_t control = (eight - 0x2020202020202020u) & ~eight;
        if ((control & 0x8080808080808080u) |
            ((has(eight, '"') | has(eight, '\\') | has(eight, 0x7f)) & ~eight))
            break;
    }
    while (at < s.len && plain((unsigned char)s.ptr[at]))
        at++;
    return at;
}

static void quote_valid(struct buf *out, struct str s)
{
    buf_reserve(out, s.len + s.len / 16 + 2);
    buf_char(out, '"');
    for (size_t at = 0; at < s.len;) {
        size_t end = plain_end(s, at);
        if (end > at)
            buf_bytes(out, s.ptr + at, end - at);
        at = end;
        if (at < s.len)
            quote_char(out, (unsigned char)s.ptr[at++]);
    }
    buf_char(out, '"');
}

void json_quote(struct buf *out, struct str s)
{
    if (utf8_valid(s)) {
        quote_valid(out, s);
        return;
    }
    struct arena scratch;
    arena_init(&scratch, 0);
    quote_valid(out, utf8_repair(&scratch, s));
    arena_done(&scratch);
}

void json_put_str(struct json_writer *w, struct str s)
{
    separate(w);
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
    separate(w);
    buf_int(w->out, n);
}

void json_put_real(struct json_writer *w, double d)
{
    if (!isfinite(d)) {
        json_put_null(w);
        return;
    }
    char text[32];
    for (int digits = 15; digits <= 17; digits++) { /* shortest that is exact */
        snprintf(text, sizeof text, "%.*g", digits, d);
        double again;
        if (sscanf(text, "%lf", &again) == 1 && again == d)
            break;
    }
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

void json_put_raw(struct json_writer *w, struct str json)
{
    separate(w);
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

void json_field_null(struct json_writer *w, const char *key)
{
    json_put_key(w, key);
    json_put_null(w);
}

void json_field_raw(struct json_writer *w, const char *key, struct str json)
{
    json_put_key(w, key);
    json_put_raw(w, json);
}
