/* csv.c - writes one row of CSV. */
#include "csv.h"
#include "base/utf8.h"
#include "cells.h"
#include "base/banned.h"

static bool is_formula(struct str s)
{
    static const struct str starts[] = {
        {"=", 1},      {"+", 1},      {"-", 1},     {"@", 1},
        {"\t", 1},     {"\r", 1},     {"\n", 1},    {"\uff1d", 3},
        {"\uff0b", 3}, {"\uff0d", 3}, {"\uff20", 3}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(s, starts[i]))
            return !cell_is_number(s);
    return false;
}

/* Readers keep white space at either end only when it is quoted. */
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

static void put_csv_quoted(struct buf *out, struct str s, bool formula)
{
    buf_text(out, formula ? "\"'" : "\"");
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            buf_char(out, '"');
        buf_char(out, s.ptr[i]);
    }
    buf_char(out, '"');
}

static void put_csv_cell(struct buf *out, struct str s)
{
    bool formula = is_formula(s);
    if (formula || needs_quotes(s))
        put_csv_quoted(out, s, formula);
    else
        buf_str(out, s);
}

static void put_csv_repaired(struct buf *out, struct str s)
{
    struct arena scratch;
    arena_init(&scratch, 0);
    put_csv_cell(out, utf8_repair(&scratch, s));
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
            put_csv_cell(out, cells[i]);
        else
            put_csv_repaired(out, cells[i]);
    }
    buf_text(out, "\r\n");
}
