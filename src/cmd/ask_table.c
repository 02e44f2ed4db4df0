/* ask_table.c - lays out rows as a text table of limited width and height. */
#include "ask_table.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { MOST_ROWS = 40, MOST_COLUMNS = 12, MOST_WIDTH = 48 };

struct table_column {
    const char *name;
    size_t width;
    bool numbers;
};

/* Line breaks and other control characters would break the table. */
static struct str cell_text(struct arena *arena, const json_t *v)
{
    struct buf out;
    buf_init(&out, arena);
    struct str text = json_is_string(v) ? json_text(v) : STR("");
    if (!v || json_is_null(v))
        text = STR("(none)");
    else if (!json_is_string(v))
        text = json_print(arena, v);
    text = utf8_first(text, MOST_WIDTH);
    for (size_t i = 0; i < text.len; i++)
        buf_char(&out, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
    return buf_view(&out);
}

/* Whether it is a number, also as text ("-3.50"), which is how exact numbers
 * arrive. */
static bool is_numeric(const json_t *v)
{
    struct str s = json_text(v);
    size_t digits = 0;
    if (json_is_number(v))
        return true;
    for (size_t i = 0; i < s.len; i++) {
        bool digit = s.ptr[i] >= '0' && s.ptr[i] <= '9';
        digits += digit;
        if (!digit && s.ptr[i] != '.' && !(s.ptr[i] == '-' && i == 0))
            return false;
    }
    return digits > 0;
}

static void measure_columns(struct arena *arena, struct table_column *c,
                            const json_t *rows, size_t n)
{
    c->width = utf8_count(str_of(c->name));
    if (c->width > MOST_WIDTH)
        c->width = MOST_WIDTH;
    c->numbers = n > 0;
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_object_get(json_array_get(rows, i), c->name);
        size_t width = utf8_count(cell_text(arena, v));
        if (width > c->width)
            c->width = width;
        if (v && !json_is_null(v) && !is_numeric(v))
            c->numbers = false;
    }
}

static void put_padded(struct buf *out, struct str text, size_t width,
                       bool right)
{
    size_t length = utf8_count(text);
    size_t gap = width > length ? width - length : 0;
    if (right)
        buf_printf(out, "%*s", (int)gap, "");
    buf_str(out, text);
    if (!right)
        buf_printf(out, "%*s", (int)gap, "");
}

static void put_header_row(struct buf *out, const struct table_column *columns,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        buf_text(out, i ? " | " : " ");
        put_padded(out, utf8_first(str_of(columns[i].name), MOST_WIDTH),
                   columns[i].width, columns[i].numbers);
    }
    buf_char(out, '\n');
    for (size_t i = 0; i < n; i++) {
        buf_text(out, i ? "+" : "");
        for (size_t k = 0; k < columns[i].width + 2; k++)
            buf_char(out, '-');
    }
    buf_char(out, '\n');
}

static void put_data_row(struct arena *arena, struct buf *out,
                         const struct table_column *columns, size_t n,
                         const json_t *row)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_object_get(row, columns[i].name);
        buf_text(out, i ? " | " : " ");
        put_padded(out, cell_text(arena, v), columns[i].width,
                   columns[i].numbers);
    }
    buf_char(out, '\n');
}

void ask_table(struct buf *out, const json_t *names, const json_t *rows,
               int64_t total)
{
    struct arena arena;
    struct table_column columns[MOST_COLUMNS];
    size_t n = json_array_size(names), n_rows = json_array_size(rows);
    size_t shown = n_rows < MOST_ROWS ? n_rows : MOST_ROWS;
    size_t wide = n < MOST_COLUMNS ? n : MOST_COLUMNS;
    arena_init(&arena, 0);
    for (size_t i = 0; i < wide; i++) {
        columns[i].name = json_string_value(json_array_get(names, i));
        if (!columns[i].name)
            columns[i].name = "";
        measure_columns(&arena, &columns[i], rows, shown);
    }
    put_header_row(out, columns, wide);
    for (size_t i = 0; i < shown; i++)
        put_data_row(&arena, out, columns, wide, json_array_get(rows, i));
    buf_printf(out, "(%lld row%s", (long long)total, total == 1 ? "" : "s");
    if (total > (int64_t)shown)
        buf_printf(out, ", the first %zu shown", shown);
    if (n > wide)
        buf_printf(out, ", %zu more columns", n - wide);
    buf_text(out, ")\n");
    arena_done(&arena);
}
