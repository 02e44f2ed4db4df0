#include "base/utf8.h"
#include "base/buf.h"
#include <string.h>
#include "base/banned.h"

/* Length of the well-formed sequence at s (RFC 3629, table in section 4), or 0:
 * no overlong forms, no surrogates, nothing above U+10FFFF. */
static size_t sequence(const unsigned char *s, size_t left)
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

/* Most text is ASCII: eight bytes at a time. Offset of the next other byte, or
 * a little before it. */
static size_t skip_ascii(struct str s, size_t at)
{
    uint64_t eight;
    for (; s.len - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, s.ptr + at, sizeof eight);
        if (eight & 0x8080808080808080u)
            break;
    }
    return at;
}

bool utf8_valid(struct str s)
{
    for (size_t at = 0; (at = skip_ascii(s, at)) < s.len;) {
        size_t n = sequence((const unsigned char *)s.ptr + at, s.len - at);
        if (!n)
            return false;
        at += n;
    }
    return true;
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

size_t utf8_count(struct str s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++)
        count += !continues(s.ptr[i]);
    return count;
}

struct str utf8_first(struct str s, size_t n)
{
    size_t at = 0;
    for (; at < s.len; at++)
        if (!continues(s.ptr[at]) && n-- == 0)
            break;
    return str_cut(s, 0, at);
}

struct str utf8_cut(struct str s, size_t n)
{
    if (s.len <= n)
        return s;
    while (n > 0 && continues(s.ptr[n]))
        n--;
    return str_cut(s, 0, n);
}

struct str utf8_repair(struct arena *arena, struct str s)
{
    if (utf8_valid(s))
        return arena_str(arena, s);
    struct buf out;
    buf_init(&out, arena);
    for (size_t at = 0; at < s.len;) {
        size_t n = sequence((const unsigned char *)s.ptr + at, s.len - at);
        if (n)
            buf_bytes(&out, s.ptr + at, n);
        else
            buf_text(&out, "\xEF\xBF\xBD");
        at += n ? n : 1;
    }
    return buf_finish(&out);
}
