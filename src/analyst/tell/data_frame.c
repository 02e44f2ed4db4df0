/* data_frame.c - reads a result's rows from JSON, and writes numbers and
 * groups as people read them. */
#include "data_frame.h"
#include "base/json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

enum { NUMBER_ROOM = 64 };

/* ---- reading ------------------------------------------------------------ */

/* Writes a scalar's text into `room`, unless that is NULL. Returns its
 * length. */
static size_t scalar_text(const json_t *v, char *room, size_t size)
{
    if (json_is_string(v)) {
        if (room)
            memcpy(room, json_string_value(v), json_string_length(v));
        return json_string_length(v);
    }
    char text[NUMBER_ROOM] = "";
    if (json_is_integer(v))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(v));
    else if (json_is_real(v))
        snprintf(text, sizeof text, "%.15g", json_real_value(v));
    else if (json_is_boolean(v))
        snprintf(text, sizeof text, "%s", json_is_true(v) ? "true" : "false");
    size_t len = strlen(text);
    if (room && len <= size)
        memcpy(room, text, len);
    return len;
}

static size_t text_bytes(const json_t *rows, const struct str *columns,
                         size_t n)
{
    size_t bytes = 0, i;
    const json_t *row;
    json_array_foreach((json_t *)rows, i, row) for (size_t c = 0; c < n; c++)
        bytes += scalar_text(
            json_object_getn(row, columns[c].ptr, columns[c].len), NULL, 0);
    return bytes;
}

static void cells_fill(struct data_frame *frame, const json_t *rows, char *room,
                       size_t size)
{
    size_t i;
    const json_t *row;
    struct cell *cell = frame->cells;
    json_array_foreach((json_t *)rows, i, row)
    {
        if (i == frame->n_rows)
            return;
        for (size_t c = 0; c < frame->n_columns; c++, cell++) {
            const json_t *v = json_object_getn(row, frame->columns[c].ptr,
                                               frame->columns[c].len);
            cell->null = !v || json_is_null(v);
            size_t len = scalar_text(v, NULL, 0);
            if (cell->null || len > size)
                continue;
            scalar_text(v, room, size);
            cell->text = (struct str){room, len};
            room += len;
            size -= len;
        }
    }
}

/* The JSON tree is on the heap, and an arena that is full leaves by a jump.
 * So the size is measured first, and nothing is allocated while a tree is
 * held. */
static void rows_read(struct arena *arena, struct str data,
                      struct data_frame *frame)
{
    json_t *rows = json_read(data, NULL);
    size_t n = json_is_array(rows) ? json_array_size(rows) : 0;
    size_t bytes = n ? text_bytes(rows, frame->columns, frame->n_columns) : 0;
    json_decref(rows);
    frame->cells =
        arena_new_array(arena, struct cell, n * frame->n_columns + 1);
    char *room = arena_alloc(arena, bytes + 1);
    frame->n_rows = n;
    rows = json_read(data, NULL);
    if (rows && n)
        cells_fill(frame, rows, room, bytes);
    json_decref(rows);
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
