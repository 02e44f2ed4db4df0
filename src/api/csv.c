#include "csv.h"
#include "base/utf8.h"
#include "base/banned.h"

static size_t skip_digits(struct str s, size_t i)
{
    while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
        i++;
    return i;
}

/* -1, +2.5, -3e-7: no formula can be made of these. */
static bool is_number(struct str s)
{
    size_t i = s.len && (s.ptr[0] == '-' || s.ptr[0] == '+');
    size_t end = skip_digits(s, i);
    if (end == i)
        return false;
    if (end < s.len && s.ptr[end] == '.')
        end = skip_digits(s, end + 1);
    if (end < s.len && (s.ptr[end] | 0x20) == 'e') {
        i = end + 1;
        i += i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+');
        end = skip_digits(s, i);
        if (end == i)
            return false;
    }
    return end == s.len;
}

static bool is_formula(struct str s)
{
    static const struct str starts[] = {
        {"=", 1}, {"+", 1}, {"-", 1}, {"@", 1}, {"\t", 1}, {"\r", 1}, {"\n", 1},
        {"\uff1d", 3}, {"\uff0b", 3}, {"\uff0d", 3}, {"\uff20", 3}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(s, starts[i]))
            return !is_number(s);
    return false;
}

/* White space at its ends is kept by all readers when it is quoted. */
static bool needs_quotes(struct str s)
{
    if (!s.len || s.ptr[0] == ' ' || s.ptr[s.len - 1] == ' ')
        return true;
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == '"' || s.ptr[i] == ',' || s.ptr[i] == '\r' ||
            s.ptr[i] == '\n')
            return true;
    return false;
}

static void put_quoted(struct buf *out, struct str s, bool formula)
{
    buf_text(out, formula ? "\"'" : "\"");
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            buf_char(out, '"');
        buf_char(out, s.ptr[i]);
    }
    buf_char(out, '"');
}

static void put_cell(struct buf *out, struct str s)
{
    bool formula = is_formula(s);
    if (formula || needs_quotes(s))
        put_quoted(out, s, formula);
    else
        buf_str(out, s);
}

static void put_repaired(struct buf *out, struct str s)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    put_cell(out, utf8_repair(&scratch, s));
    arena_done(&scratch);
}

void csv_row(struct buf *out, const struct str *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_char(out, ',');
        if (!cells[i].ptr)
            continue;
        if (utf8_valid(cells[i]))
            put_cell(out, cells[i]);
        else
            put_repaired(out, cells[i]);
    }
    buf_text(out, "\r\n");
}
