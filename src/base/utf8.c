/* utf8.c - UTF-8, with short cuts for ASCII. */
#include "base/utf8.h"
#include <string.h>
#include "base/banned.h"

/* Length of the well-formed sequence at s (RFC 3629, table in section 4), or 0:
 * no overlong forms, no surrogates, nothing above U+10FFFF. */
static size_t sequence_length(const unsigned char *s, size_t left)
{
    unsigned char c = s[0];
    if (c < 0x80)
        return 1;
    size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || left < n)
        return 0;
    unsigned char low = 0x80, high = 0xbf;
    if (c == 0xe0)
        low = 0xa0;
    if (c == 0xed)
        high = 0x9f;
    if (c == 0xf0)
        low = 0x90;
    if (c == 0xf4)
        high = 0x8f;
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

void utf8_put(struct buf *out, unsigned c)
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

/* Skips ASCII, 32 bytes at a time, then eight. Returns the offset of the next
 * byte beyond ASCII, or a little before it. */
static size_t skip_ascii(struct str s, size_t at)
{
    uint64_t w[4];
    for (; s.len - at >= sizeof w; at += sizeof w) {
        memcpy(w, s.ptr + at, sizeof w);
        if ((w[0] | w[1] | w[2] | w[3]) & 0x8080808080808080u)
            break;
    }
    for (; s.len - at >= sizeof *w; at += sizeof *w) {
        memcpy(w, s.ptr + at, sizeof *w);
        if (*w & 0x8080808080808080u)
            break;
    }
    return at;
}

bool utf8_valid(struct str s)
{
    for (size_t at = 0; (at = skip_ascii(s, at)) < s.len;) {
        while (at < s.len && !(s.ptr[at] & 0x80))
            at++;
        if (at == s.len)
            break;
        size_t n =
            sequence_length((const unsigned char *)s.ptr + at, s.len - at);
        if (!n)
            return false;
        at += n;
    }
    return true;
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* How many of eight bytes are 10xxxxxx. The multiplication adds all bytes up in
 * the top one. */
static size_t count_continuations(uint64_t eight)
{
    uint64_t ones = (eight >> 7) & (~eight >> 6) & 0x0101010101010101u;
    return (ones * 0x0101010101010101u) >> 56;
}

size_t utf8_count(struct str s)
{
    size_t at = 0, more = 0;
    uint64_t eight;
    for (; s.len - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, s.ptr + at, sizeof eight);
        more += count_continuations(eight);
    }
    for (; at < s.len; at++)
        more += is_continuation(s.ptr[at]);
    return s.len - more;
}

struct str utf8_first(struct str s, size_t n)
{
    if (s.len <= n)
        return s;
    size_t at = skip_ascii(str_cut(s, 0, n), 0);
    for (n -= at; at < s.len; at++)
        if (!is_continuation(s.ptr[at]) && n-- == 0)
            break;
    return str_cut(s, 0, at);
}

struct str utf8_cut(struct str s, size_t n)
{
    if (s.len <= n)
        return s;
    while (n > 0 && is_continuation(s.ptr[n]))
        n--;
    return str_cut(s, 0, n);
}

static bool is_unicode_space(struct str c)
{
    static const char *const spaces[] = {
        "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8", "\xE2\x80\xA9",
        "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (str_is(c, spaces[i]))
            return true;
    return c.len == 3 && str_starts(c, STR("\xE2\x80")) && /* U+2000 to 200A */
           (unsigned char)c.ptr[2] <= 0x8a;
}

struct str utf8_trim(struct str s)
{
    for (size_t before = s.len + 1; s.len < before;) {
        before = s.len;
        s = str_trim(s);
        struct str first = utf8_first(s, 1);
        if (is_unicode_space(first))
            s = str_from(s, first.len);
        size_t last = s.len;
        while (last > 0 && is_continuation(s.ptr[--last]))
            ;
        if (is_unicode_space(str_from(s, last)))
            s = str_cut(s, 0, last);
    }
    return s;
}

struct str utf8_repair(struct arena *arena, struct str s)
{
    if (utf8_valid(s))
        return arena_str(arena, s);
    struct buf out;
    buf_init(&out, arena);
    for (size_t at = 0; at < s.len;) {
        size_t n =
            sequence_length((const unsigned char *)s.ptr + at, s.len - at);
        if (n)
            buf_bytes(&out, s.ptr + at, n);
        else
            buf_text(&out, "\xEF\xBF\xBD");
        at += n ? n : 1;
    }
    return buf_finish(&out);
}

/* Whether the n bytes at s are a control character beyond ASCII: C1, or a
 * bidirectional control (U+202A to 202E, U+2066 to 2069). */
static bool is_unicode_control(const unsigned char *s, size_t n)
{
    if (n == 2)
        return s[0] == 0xc2 && s[1] < 0xa0;
    if (n != 3 || s[0] != 0xe2)
        return false;
    return (s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) ||
           (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
}

static bool is_control(const unsigned char *s, size_t n)
{
    if (n == 1)
        return (s[0] < 0x20 && s[0] != '\n' && s[0] != '\t') || s[0] == 0x7f;
    return is_unicode_control(s, n);
}

void utf8_put_plain(struct buf *out, struct str s)
{
    for (size_t at = 0; at < s.len;) {
        const unsigned char *here = (const unsigned char *)s.ptr + at;
        size_t n = sequence_length(here, s.len - at);
        bool ends_line = *here == '\r' && s.len - at > 1 && here[1] == '\n';
        if (n && !is_control(here, n))
            buf_bytes(out, here, n);
        else if (!ends_line)
            buf_text(out, "\xEF\xBF\xBD");
        at += n ? n : 1;
    }
}

void utf8_put_json(struct buf *out, struct str json)
{
    size_t from = 0;
    for (size_t at = 0; (at = skip_ascii(json, at)) < json.len;) {
        const unsigned char *here = (const unsigned char *)json.ptr + at;
        size_t n = sequence_length(here, json.len - at);
        if (n > 1 && is_unicode_control(here, n)) {
            buf_bytes(out, json.ptr + from, at - from);
            buf_printf(out, "\\u%04x",
                       n == 2 ? here[1]
                              : 0x2000u + (here[1] & 0x3fu) * 64u +
                                    (here[2] & 0x3fu));
            from = at + n;
        }
        at += n ? n : 1;
    }
    buf_bytes(out, json.ptr + from, json.len - from);
}
