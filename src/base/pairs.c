/* pairs.c - reads lists of names and values. */
#include "base/pairs.h"
#include "base/utf8.h"
#include "base/banned.h"

static bool is_pair_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] <= ' ' || s.ptr[i] >= 127 || s.ptr[i] == ':' ||
            s.ptr[i] == '"')
            return false;
    return s.len > 0;
}

/* The byte at the front of *s; -1: badly encoded. */
static int take_byte(struct str *s)
{
    unsigned char c = (unsigned char)s->ptr[0];
    if (c != '%') {
        *s = str_from(*s, 1);
        return c;
    }
    int high = s->len < 3 ? -1 : str_hex_digit(s->ptr[1]);
    int low = s->len < 3 ? -1 : str_hex_digit(s->ptr[2]);
    if (high < 0 || low < 0)
        return -1;
    *s = str_from(*s, 3);
    return high * 16 + low;
}

static bool decode_value(struct arena *arena, struct str s, struct str *out)
{
    char *bytes = arena_alloc(arena, s.len + 1);
    size_t n = 0;
    while (s.len) {
        int c = take_byte(&s);
        if (c < ' ' || c == 127)
            return false;
        bytes[n++] = (char)c;
    }
    *out = (struct str){bytes, n};
    return utf8_valid(*out);
}

bool pairs_next(struct arena *arena, struct str *list, struct str *name,
                struct str *value)
{
    struct str pair = {0};
    *name = *value = (struct str){0};
    while (!pair.len) {
        if (!str_split(list, ',', &pair))
            return false;
        pair = str_trim(pair);
    }
    ptrdiff_t equals = str_find_char(pair, '=');
    size_t at = equals < 0 ? pair.len : (size_t)equals;
    *name = str_trim(str_cut(pair, 0, at));
    if (!name->len)
        *name = STR(" ");
    return equals >= 0 && is_pair_name(*name) &&
           decode_value(arena, str_trim(str_from(pair, at + 1)), value);
}

bool pairs_good(struct str list, size_t most)
{
    struct arena scratch;
    struct str name, value;
    size_t n = 0;
    arena_init(&scratch, 0);
    while (pairs_next(&scratch, &list, &name, &value))
        n++;
    arena_done(&scratch);
    return !name.len && n <= most;
}
