/* cells.c - reads rows as JSON text, one after the other; see cells.h. */
#include "cells.h"
#include "base/utf8.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

void cells_init(struct cells *c, const struct explorer_rows *rows)
{
    bool any = rows && !rows->failed && !rows->withheld && rows->rows.len;
    *c = (struct cells){.rows = rows,
                        .scan = scan_of(any ? rows->rows : STR("[]"))};
    if (!scan_array(&c->scan))
        c->scan.bad = true;
}

bool cells_next(struct cells *c)
{
    c->n = 0;
    if (c->scan.bad || !scan_element(&c->scan))
        return false;
    if (!scan_array(&c->scan))
        return !c->scan.bad;
    while (scan_element(&c->scan)) {
        struct str cell = scan_skip(&c->scan);
        if (c->n < CELLS_MOST)
            c->row[c->n++] = cell;
    }
    return !c->scan.bad;
}

struct str cells_get(const struct cells *c, const char *column)
{
    for (size_t i = 0; i < c->n && i < c->rows->n_columns; i++)
        if (str_is(c->rows->columns[i], column))
            return str_is(c->row[i], "null") ? STR("") : c->row[i];
    return STR("");
}

double cells_real(const struct cells *c, const char *column)
{
    char text[64], *end;
    struct str cell = cells_get(c, column);
    if (cell.len > 2 && cell.ptr[0] == '"')
        cell = str_cut(cell, 1, cell.len - 2);
    if (!cell.len || cell.len >= sizeof text)
        return NAN;
    str_copy(text, sizeof text, cell);
    double d = strtod(text, &end);
    return *end || !isfinite(d) ? NAN : d;
}

int64_t cells_count(const struct cells *c, const char *column)
{
    double d = cells_real(c, column);
    return d >= 0 && d < 9e15 ? (int64_t)d : 0;
}

struct str cells_text(const struct cells *c, struct arena *arena,
                      const char *column, size_t most)
{
    struct buf out;
    struct str cell = cells_get(c, column);
    struct scan s = scan_of(cell);
    if (!cell.len || cell.ptr[0] != '"')
        return utf8_cut(cell, most);
    buf_init(&out, arena);
    scan_string(&s, &out);
    return utf8_cut(buf_view(&out), most);
}

const struct explorer_rows *cells_of_query(const struct explorer_call *call,
                                           const char *id)
{
    for (size_t i = 0; call->found && i < call->n_queries; i++)
        if (!strcmp(call->queries[i].id, id))
            return call->found[i].failed ? NULL : &call->found[i];
    return NULL;
}
