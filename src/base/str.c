/* str.c - slices of text. */
#include "base/str.h"
#include <limits.h>
#include <string.h>
#include "base/banned.h"

bool str_eq_nocase(struct str a, struct str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (str_lower_char(a.ptr[i]) != str_lower_char(b.ptr[i]))
            return false;
    return true;
}

bool str_is_one_of(struct str s, const char *const *words)
{
    while (*words && !str_is(s, *words))
        words++;
    return *words;
}

bool str_has_control(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7f)
            return true;
    return false;
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

ptrdiff_t str_find(struct str s, struct str needle)
{
    if (needle.len == 0)
        return 0;
    if (s.len < needle.len)
        return -1;
    const char *at = memmem(s.ptr, s.len, needle.ptr, needle.len);
    return at ? at - s.ptr : -1;
}

ptrdiff_t str_find_nocase(struct str s, struct str needle)
{
    for (size_t i = 0; i + needle.len <= s.len; i++)
        if (str_eq_nocase(str_cut(s, i, needle.len), needle))
            return (ptrdiff_t)i;
    return -1;
}

ptrdiff_t str_find_char(struct str s, char c)
{
    const char *at = s.len ? memchr(s.ptr, c, s.len) : NULL;
    return at ? at - s.ptr : -1;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trim(struct str s)
{
    while (s.len && is_space(*s.ptr))
        s.ptr++, s.len--;
    while (s.len && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool str_split(struct str *rest, char sep, struct str *piece)
{
    if (!rest->ptr)
        return false;
    ptrdiff_t at = str_find_char(*rest, sep);
    if (at < 0) {
        *piece = *rest;
        *rest = (struct str){NULL, 0};
    } else {
        *piece = str_cut(*rest, 0, (size_t)at);
        rest->ptr += at + 1;
        rest->len -= (size_t)at + 1;
    }
    return true;
}

bool str_to_int64(struct str s, int64_t *out)
{
    bool minus = s.len && s.ptr[0] == '-';
    if (s.len && (s.ptr[0] == '-' || s.ptr[0] == '+'))
        s = str_from(s, 1);
    if (s.len == 0)
        return false;
    uint64_t n = 0, most = (uint64_t)INT64_MAX + (minus ? 1 : 0);
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned char)s.ptr[i] - '0';
        if (digit > 9 || n > (most - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = minus ? (int64_t)(0 - n) : (int64_t)n;
    return true;
}

size_t str_copy(char *out, size_t size, struct str s)
{
    s = str_cut(s, 0, size - 1);
    if (s.len)
        memcpy(out, s.ptr, s.len);
    out[s.len] = '\0';
    return s.len;
}

int str_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = str_lower_char(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int str_hex4(struct str s)
{
    int n = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = i < s.len ? str_hex_digit(s.ptr[i]) : -1;
        if (digit < 0)
            return -1;
        n = n * 16 + digit;
    }
    return n;
}

uint64_t str_hash(struct str s)
{
    uint64_t h = 1469598103934665603u; /* FNV-1a, 64 bits */
    for (size_t i = 0; i < s.len; i++)
        h = (h ^ (unsigned char)s.ptr[i]) * 1099511628211u;
    return h ^ h >> 32;
}
