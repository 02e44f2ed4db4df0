/* one_line.c - text on one line; see base/one_line.h. */
#include "base/one_line.h"
#include "base/bytes16.h"
#include "base/utf8.h"
#include "base/banned.h"

/* Bytes of a line break, of another control character or of a bidirectional
 * control at the start of s. */
static size_t break_at(struct str s)
{
    static const struct str wide[] = {
        {"\xe2\x80\xa8", 3}, {"\xe2\x80\xa9", 3}, {"\xe2\x80\x8e", 3},
        {"\xe2\x80\x8f", 3}, {"\xe2\x80\xaa", 3}, {"\xe2\x80\xab", 3},
        {"\xe2\x80\xac", 3}, {"\xe2\x80\xad", 3}, {"\xe2\x80\xae", 3},
        {"\xe2\x81\xa6", 3}, {"\xe2\x81\xa7", 3}, {"\xe2\x81\xa8", 3},
        {"\xe2\x81\xa9", 3}};
    unsigned char c = (unsigned char)s.ptr[0];
    if (c < 0x20 || c == 0x7f)
        return 1;
    if (c == 0xc2 && s.len > 1) /* C1: U+0080 to U+009F */
        return (unsigned char)s.ptr[1] < 0xa0 ? 2 : 0;
    for (size_t i = 0; c == 0xe2 && i < sizeof wide / sizeof *wide; i++)
        if (str_starts(s, wide[i]))
            return wide[i].len;
    return 0;
}

/* Bytes at the start of s that stay as they are, whatever follows. */
static size_t plain_bytes(struct str s)
{
    size_t n = 0, first = 16;
    for (; first == 16 && s.len - n >= 16; n += first) {
        bytes16 b = bytes16_load(s.ptr + n);
        first = bytes16_first((bytes16)((b < 0x20) | (b == 0x7f) | (b == 0xc2) |
                                        (b == 0xe2) | (b == '`')));
    }
    for (; first == 16 && n < s.len; n++) {
        unsigned char c = (unsigned char)s.ptr[n];
        if (c < 0x20 || c == 0x7f || c == 0xc2 || c == 0xe2 || c == '`')
            break;
    }
    return n;
}

void one_line_put(struct buf *out, struct str text, size_t most)
{
    struct str rest = most ? utf8_cut(text, most) : text;
    bool cut = rest.len < text.len;
    unsigned ticks = 0;
    while (rest.len) {
        size_t plain = plain_bytes(rest);
        buf_str(out, str_cut(rest, 0, plain));
        rest = str_from(rest, plain);
        if (!rest.len)
            break;
        bool tick = rest.ptr[0] == '`';
        ticks = !tick ? 0 : plain ? 1 : ticks + 1;
        size_t skip = break_at(rest);
        if (skip)
            buf_char(out, ' ');
        else if (ticks < 3)
            buf_char(out, rest.ptr[0]);
        rest = str_from(rest, skip ? skip : 1);
    }
    if (cut)
        buf_text(out, "…");
}
