/* sql.c - quoted names and literals in SQL text; see modeling.h. */
#include "modeling.h"
#include "base/banned.h"

void sql_put_name(struct buf *out, struct str name)
{
    buf_quoted(out, name, '"');
}

/* Independent of the setting standard_conforming_strings. */
void sql_put_literal(struct buf *out, struct str text)
{
    buf_text(out, "E'");
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\'' || text.ptr[i] == '\\')
            buf_char(out, text.ptr[i]);
        buf_char(out, text.ptr[i]);
    }
    buf_char(out, '\'');
}

void sql_put_table(struct buf *out, const struct catalog_table *t)
{
    sql_put_name(out, t->schema);
    buf_char(out, '.');
    sql_put_name(out, t->name);
}

void sql_put_column(struct buf *out, const struct catalog_table *t, size_t i)
{
    sql_put_name(out, t->columns[i].name);
}

void sql_put_filter(struct buf *out, const char *of,
                    const struct str_list *names)
{
    if (!names->n)
        return;
    buf_printf(out, " and %s in (", of);
    for (size_t i = 0; i < names->n; i++) {
        if (i)
            buf_char(out, ',');
        sql_put_literal(out, names->items[i]);
    }
    buf_char(out, ')');
}

struct str cell_text(const struct read *r, int row, int column)
{
    return r->cells[row * r->n_columns + column];
}

int64_t cell_int(const struct read *r, int row, int column)
{
    int64_t n = 0;
    str_to_int64(cell_text(r, row, column), &n);
    return n;
}
