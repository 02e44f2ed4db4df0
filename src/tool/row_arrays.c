/* row_arrays.c - rows as arrays instead of objects, without a JSON tree; see
 * tool/csv_tools.h. */
#include "base/scan.h"
#include "tool/csv_tools.h"
#include "base/banned.h"

enum { EXACT_DIGITS = 15 }; /* that a double holds */

void row_arrays_init(struct row_arrays *r, struct arena *arena, struct str rows,
                     const struct str *types, size_t n_columns)
{
    bool *numeric = arena_new_array(arena, bool, n_columns + 1);
    for (size_t i = 0; i < n_columns; i++)
        numeric[i] = str_is(types[i], "numeric");
    struct str rest = str_trim(rows);
    if (rest.len && rest.ptr[0] == '[')
        rest = str_from(rest, 1);
    *r = (struct row_arrays){numeric, n_columns, rest};
}

/* A quoted value is a decimal number of few enough digits. */
static bool is_exact(struct str quoted)
{
    size_t digits = 0, dots = 0;
    if (quoted.len < 3 || quoted.ptr[0] != '"')
        return false;
    for (size_t i = 1; i + 1 < quoted.len; i++) {
        char c = quoted.ptr[i];
        digits += c >= '0' && c <= '9';
        dots += c == '.';
        if (!(c >= '0' && c <= '9') && c != '.' && !(c == '-' && i == 1))
            return false;
    }
    return digits && digits <= EXACT_DIGITS && dots <= 1;
}

bool row_arrays_next(struct row_arrays *r, struct buf *out)
{
    struct scan s = scan_of(r->rest);
    struct str key;
    size_t n = 0;
    while (s.at < s.end && (*s.at == ',' || *s.at == ' ' || *s.at == '\n'))
        s.at++;
    if (s.at == s.end || *s.at != '{' || !scan_object(&s))
        return false;
    buf_char(out, '[');
    for (; scan_member(&s, &key); n++) {
        struct str value = scan_skip(&s);
        if (n)
            buf_char(out, ',');
        if (n < r->n_columns && r->numeric[n] && is_exact(value))
            value = str_cut(value, 1, value.len - 2);
        buf_str(out, value);
    }
    buf_char(out, ']');
    r->rest = (struct str){s.at, (size_t)(s.end - s.at)};
    return !s.bad;
}
