/* data_frame.c - reads a result's rows from JSON, and writes numbers and
 * groups as people read them. */
#include "data_frame.h"
#include "base/scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum { NUMBER_ROOM = 64 };

/* ---- reading ------------------------------------------------------------ */

struct frame_reader {
    struct arena *arena;
    struct data_frame *frame;
    struct scan rows;
    struct buf text; /* of a cell or a name; reused */
};

static size_t rows_count(struct str data)
{
    struct scan rows = scan_of(data);
    size_t n = 0;
    bool list = scan_array(&rows);
    for (; list && scan_element(&rows); n++)
        scan_skip(&rows);
    return rows.bad ? 0 : n;
}

/* The column of a member, whose name is as JSON writes it. */
static size_t column_of(struct frame_reader *r, struct str key)
{
    struct scan quoted = {key.ptr - 1, key.ptr + key.len + 1, false};
    if (str_find_char(key, '\\') < 0)
        return data_frame_column(r->frame, key);
    buf_clear(&r->text);
    scan_string(&quoted, &r->text);
    return data_frame_column(r->frame, buf_view(&r->text));
}

/* Integers, true and false as they are. */
static struct str scalar_text(struct arena *arena, struct str raw)
{
    char text[NUMBER_ROOM];
    if (str_is(raw, "-0")) /* as a double may be */
        return STR("0");
    bool number = *raw.ptr == '-' || (*raw.ptr >= '0' && *raw.ptr <= '9');
    size_t len = str_copy(text, sizeof text, raw);
    if (!number || len < raw.len || !strpbrk(text, ".eE"))
        return arena_str(arena, raw);
    return arena_printf(arena, "%.15g", strtod(text, NULL));
}

static void cell_read(struct frame_reader *r, struct cell *cell)
{
    char kind = scan_peek(&r->rows);
    *cell = (struct cell){.null = kind == 'n'};
    if (kind == '"') {
        buf_clear(&r->text);
        scan_string(&r->rows, &r->text);
        cell->text = arena_str(r->arena, buf_view(&r->text));
        return;
    }
    struct str raw = scan_skip(&r->rows);
    if (raw.len && !cell->null && kind != '{' && kind != '[')
        cell->text = scalar_text(r->arena, raw);
}

static void row_read(struct frame_reader *r, struct cell *cells)
{
    struct str key;
    for (size_t c = 0; c < r->frame->n_columns; c++)
        cells[c].null = true;
    if (!scan_object(&r->rows))
        return;
    while (scan_member(&r->rows, &key)) {
        size_t column = column_of(r, key);
        if (column < r->frame->n_columns)
            cell_read(r, &cells[column]);
        else
            scan_skip(&r->rows);
    }
}

static void rows_read(struct arena *arena, struct str data,
                      struct data_frame *frame)
{
    size_t n = rows_count(data);
    struct frame_reader r = {
        .arena = arena, .frame = frame, .rows = scan_of(data)};
    frame->cells =
        arena_new_array(arena, struct cell, n * frame->n_columns + 1);
    frame->n_rows = n;
    buf_init(&r.text, arena);
    if (n && scan_array(&r.rows))
        for (size_t i = 0; scan_element(&r.rows); i++)
            row_read(&r, &frame->cells[i * frame->n_columns]);
}

const struct step_result *result_of_step(const struct step_results *results,
                                         int64_t step_id)
{
    for (size_t i = 0; results && i < results->n_results; i++)
        if (results->results[i].step_id == step_id)
            return &results->results[i];
    return NULL;
}

struct data_frame data_frame_read(struct arena *arena,
                                  const struct step_results *results,
                                  int64_t step_id)
{
    struct data_frame frame = {.n_columns = 0};
    const struct step_result *step = result_of_step(results, step_id);
    const struct sql_result *sql = step ? step->sql_result : NULL;
    if (!sql)
        return frame;
    frame.columns = sql->columns;
    frame.n_columns = sql->n_columns;
    frame.truncated = sql->truncated;
    rows_read(arena, sql->data.len ? sql->data : STR("[]"), &frame);
    frame.row_count =
        sql->row_count > 0 ? (size_t)sql->row_count : frame.n_rows;
    return frame;
}

size_t data_frame_column(const struct data_frame *frame, struct str name)
{
    for (size_t i = 0; i < frame->n_columns; i++)
        if (str_eq(frame->columns[i], name))
            return i;
    return SIZE_MAX;
}

const struct cell *data_frame_cell(const struct data_frame *frame, size_t row,
                                   size_t column)
{
    static const struct cell none = {.null = true};
    if (row >= frame->n_rows || column >= frame->n_columns)
        return &none;
    return &frame->cells[row * frame->n_columns + column];
}

/* ---- numbers ------------------------------------------------------------ */

/* A sign, digits, perhaps a point and digits, and nothing else. */
static bool is_decimal(struct str s)
{
    size_t at = s.len && *s.ptr == '-' ? 1 : 0, digits = 0, points = 0;
    for (; at < s.len; at++) {
        digits += s.ptr[at] >= '0' && s.ptr[at] <= '9';
        points += s.ptr[at] == '.';
        if (!(s.ptr[at] >= '0' && s.ptr[at] <= '9') && s.ptr[at] != '.')
            return false;
    }
    return digits && points <= 1;
}

bool cell_number(const struct cell *cell, double *number)
{
    char text[400];
    if (cell->null || !cell->text.len || cell->text.len >= sizeof text)
        return false;
    memcpy(text, cell->text.ptr, cell->text.len);
    text[cell->text.len] = '\0';
    char *end;
    *number = strtod(text, &end);
    return *end == '\0' && *number - *number == 0;
}

/* Rounds the digits of `s`, which has no sign, to `places` decimals into
 * `out`, which has room for one digit more. Returns the length. */
static size_t round_decimal(struct str s, size_t places, char *out)
{
    ptrdiff_t point = str_find_char(s, '.');
    size_t whole = point < 0 ? s.len : (size_t)point, len = 0;
    size_t fraction = point < 0 ? 0 : s.len - whole - 1;
    bool up = fraction > places && s.ptr[whole + 1 + places] >= '5';
    if (fraction > places)
        fraction = places;
    out[len++] = '0';
    memcpy(out + len, s.ptr, whole);
    len += whole;
    if (fraction) {
        memcpy(out + len, s.ptr + whole, fraction + 1);
        len += fraction + 1;
    }
    for (size_t i = len; up && i-- > 0;) {
        if (out[i] == '.')
            continue;
        up = out[i] == '9';
        out[i] = up ? '0' : (char)(out[i] + 1);
    }
    if (*out == '0' && whole) {
        memmove(out, out + 1, len - 1);
        len--;
    }
    return len;
}

static size_t places_of(struct str digits)
{
    ptrdiff_t point = str_find_char(digits, '.');
    size_t fraction = point < 0 ? 0 : digits.len - (size_t)point - 1;
    bool small = point == 0 || (point == 1 && *digits.ptr == '0');
    return fraction <= 4 ? fraction : small ? 4 : 2;
}

struct str number_text(struct arena *arena, const struct cell *cell)
{
    if (cell->null)
        return STR("(none)");
    if (!is_decimal(cell->text))
        return cell->text;
    bool negative = *cell->text.ptr == '-';
    struct str digits = str_from(cell->text, negative);
    char *rounded = arena_alloc(arena, digits.len + 2);
    size_t len = round_decimal(digits, places_of(digits), rounded);
    struct str text = {rounded, len};
    ptrdiff_t point = str_find_char(text, '.');
    size_t whole = point < 0 ? len : (size_t)point;
    struct buf out;
    buf_init(&out, arena);
    if (negative)
        buf_char(&out, '-');
    for (size_t i = 0; i < whole; i++) {
        if (i && (whole - i) % 3 == 0)
            buf_char(&out, ',');
        buf_char(&out, rounded[i]);
    }
    buf_bytes(&out, rounded + whole, len - whole);
    return buf_view(&out);
}

struct str percent_text(struct arena *arena, double percent, bool sign)
{
    return arena_printf(arena, sign ? "%+.1f %%" : "%.1f %%", percent);
}

/* ---- groups ------------------------------------------------------------- */

struct str group_text(struct arena *arena, const struct cell *cell,
                      enum time_unit grain)
{
    struct str text = cell->text;
    if (cell->null)
        return STR("(none)");
    if (!str_trim(text).len)
        return STR("(empty)");
    bool date =
        grain && text.len >= 10 && text.ptr[4] == '-' && text.ptr[7] == '-';
    if (!date)
        return text;
    int month = (text.ptr[5] - '0') * 10 + text.ptr[6] - '0';
    switch (grain) {
    case UNIT_YEAR:
        return str_cut(text, 0, 4);
    case UNIT_QUARTER:
        return arena_printf(arena, "%.4s Q%d", text.ptr, (month + 2) / 3);
    case UNIT_MONTH:
        return str_cut(text, 0, 7);
    default:
        return str_cut(text, 0, 10);
    }
}

/* Within a word an underscore is not markup. */
static bool is_inside(struct str text, size_t at)
{
    return at && at + 1 < text.len && text.ptr[at - 1] != ' ' &&
           text.ptr[at + 1] != ' ';
}

void put_escaped(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool special = c && strchr("|\\*`<[]", c);
        if (special || (c == '_' && !is_inside(text, i)))
            buf_char(out, '\\');
        buf_char(out, c == '\n' || c == '\r' ? ' ' : c);
    }
}
