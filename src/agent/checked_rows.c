/* checked_rows.c - reads rows without a JSON tree; see checked_rows.h. */
#include "checked_rows.h"
#include "base/json.h"
#include "base/map.h"
#include "base/scan.h"
#include <math.h>
#include "base/banned.h"

/* For each column of the result. */
struct row_reader {
    struct scan text;
    struct str *keys; /* names as JSON writes them, without quotes */
    bool *numeric;    /* numbers of its type may be text */
    size_t *given;    /* values that are not NULL */
};

static bool is_numeric(struct str type)
{
    static const char *const numeric[] = {"int2",   "int4",    "int8", "float4",
                                          "float8", "numeric", NULL};
    return str_is_one_of(type, numeric);
}

static struct str key_of(struct arena *arena, struct str name)
{
    struct buf out;
    buf_init(&out, arena);
    json_quote(&out, name);
    return str_cut(buf_finish(&out), 1, out.len - 2);
}

/* Members are in the order of the columns, so it is nearly always the next one;
 * two columns may have one name. */
static size_t column_of(const struct row_reader *r, size_t n, size_t next,
                        struct str key)
{
    if (next < n && str_eq(r->keys[next], key))
        return next;
    for (size_t i = 0; i < n; i++)
        if (str_eq(r->keys[i], key))
            return i;
    return n;
}

/* Numbers that JSON would round are text. */
static double number_of(struct str value, bool numeric)
{
    bool quoted = value.ptr[0] == '"';
    if (quoted && !numeric)
        return NAN;
    struct scan s = scan_of(quoted ? str_cut(value, 1, value.len - 2) : value);
    return scan_real(&s, NAN);
}

static void read_value(struct row_reader *r, struct checked_rows *out,
                       size_t row, size_t at, struct str value)
{
    struct checked_column *c = &out->columns[at];
    out->prints[row * out->n_columns + at] = str_hash(value);
    if (!value.len || str_is(value, "null"))
        return;
    r->given[at]++;
    double number = number_of(value, r->numeric[at]);
    if (isfinite(number)) {
        c->numbers++;
        c->sum += number;
    }
}

static void read_row(struct row_reader *r, struct checked_rows *out, size_t row)
{
    struct str key;
    size_t n = out->n_columns, next = 0;
    if (!scan_object(&r->text))
        return;
    while (scan_member(&r->text, &key)) {
        size_t at = column_of(r, n, next, key);
        struct str value = scan_skip(&r->text);
        if (at == n)
            continue;
        read_value(r, out, row, at, value);
        next = at + 1;
    }
}

static void reader_init(struct row_reader *r, struct arena *arena,
                        const struct sql_result *result)
{
    size_t n = result->n_columns;
    r->keys = arena_new_array(arena, struct str, n + 1);
    r->numeric = arena_new_array(arena, bool, n + 1);
    r->given = arena_new_array(arena, size_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        r->keys[i] = key_of(arena, result->columns[i]);
        r->numeric[i] = is_numeric(result->column_types[i]);
    }
}

void checked_rows_read(struct arena *arena, struct str rows,
                       const struct sql_result *result,
                       struct checked_rows *out)
{
    struct row_reader r = {.text = scan_of(rows)};
    size_t most = result->row_count > 0 ? (size_t)result->row_count : 0, n = 0;
    *out = (struct checked_rows){.n_columns = result->n_columns};
    if (rows.len > CHECKED_BYTES || most > rows.len ||
        result->n_column_types < result->n_columns)
        return;
    reader_init(&r, arena, result);
    out->columns =
        arena_new_array(arena, struct checked_column, out->n_columns + 1);
    out->prints = arena_new_array(arena, uint64_t, most * out->n_columns + 1);
    if (!scan_array(&r.text))
        return;
    for (; scan_element(&r.text); n++) {
        if (n == most)
            return;
        read_row(&r, out, n);
    }
    out->read = !r.text.bad;
    out->n_rows = out->read ? n : 0;
    for (size_t i = 0; i < out->n_columns; i++)
        out->columns[i].nulls = n > r.given[i] ? n - r.given[i] : 0;
}

size_t checked_rows_doubled(struct arena *arena,
                            const struct checked_rows *rows,
                            const bool *columns)
{
    struct map seen;
    size_t doubled = 0;
    map_init(&seen, arena);
    for (size_t i = 0; i < rows->n_rows; i++) {
        uint64_t *print = arena_new(arena, uint64_t);
        for (size_t k = 0; k < rows->n_columns; k++)
            if (columns[k])
                *print = (*print ^ rows->prints[i * rows->n_columns + k]) *
                         1099511628211u;
        struct str key = {(const char *)print, sizeof *print};
        if (map_get(&seen, key))
            doubled++;
        else
            map_put(&seen, key, print);
    }
    return doubled;
}
