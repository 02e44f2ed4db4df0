#include "checked_rows.h"
#include "base/json.h"
#include "base/map.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

/* Exact numbers come as text where JSON's would not hold them. */
static bool number_of(const json_t *v, struct str type, double *out)
{
    static const char *const numeric[] = {"int2",   "int4",   "int8",
                                          "float4", "float8", "numeric", NULL};
    struct str text = json_text(v);
    char copy[64];
    *out = json_number_value(v);
    if (json_is_number(v))
        return true;
    if (!json_is_string(v) || text.len >= sizeof copy)
        return false;
    for (const char *const *n = numeric; *n; n++)
        if (str_is(type, *n)) {
            memcpy(copy, text.ptr, text.len);
            copy[text.len] = '\0';
            *out = strtod(copy, NULL);
            return isfinite(*out);
        }
    return false;
}

static uint64_t print_of(const json_t *v)
{
    if (json_is_string(v))
        return str_hash(json_text(v)) * 31 + 1;
    char *text = v ? json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    uint64_t print = str_hash(str_of(text));
    free(text);
    return print;
}

static void take(struct checked_rows *out, size_t row, const json_t *object,
                 const struct sql_result *result)
{
    for (size_t i = 0; i < out->n_columns; i++) {
        struct checked_column *c = &out->columns[i];
        const json_t *v = json_object_getn(object, result->columns[i].ptr,
                                           result->columns[i].len);
        double number;
        c->nulls += !v || json_is_null(v);
        out->prints[row * out->n_columns + i] = print_of(v);
        if (number_of(v, result->column_types[i], &number)) {
            c->numbers++;
            c->sum += number;
        }
    }
}

/* Nothing of the arena is asked for while there is a tree, which is not its. */
void checked_rows_read(struct arena *arena, struct str rows,
                       const struct sql_result *result,
                       struct checked_rows *out)
{
    size_t most = result->row_count > 0 ? (size_t)result->row_count : 0;
    *out = (struct checked_rows){.n_columns = result->n_columns};
    if (rows.len > CHECKED_BYTES || most > rows.len ||
        result->n_column_types < result->n_columns)
        return;
    out->columns =
        arena_new_array(arena, struct checked_column, out->n_columns + 1);
    out->prints = arena_new_array(arena, uint64_t, most * out->n_columns + 1);
    json_t *v = json_read(rows, NULL);
    out->read = json_is_array(v) && json_array_size(v) <= most;
    for (size_t i = 0; out->read && i < json_array_size(v); i++)
        take(out, i, json_array_get(v, i), result);
    out->n_rows = out->read ? json_array_size(v) : 0;
    json_decref(v);
}

size_t checked_rows_doubled(struct arena *arena, const struct checked_rows *rows,
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
