/* trino_reply.c - see trino_reply.h. A page is one JSON document of about a
 * megabyte, which is read as a tree; its cells go into one buffer. */
#include "trino_reply.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "trino_value.h"
#include <string.h>
#include "base/banned.h"

static bool reply_refuse(struct trino_reply *r, const char *why)
{
    r->problem = why;
    return false;
}

/* ---- columns ------------------------------------------------------------- */

static bool reply_take_columns(struct trino_reply *r, json_t *list)
{
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n > TRINO_COLUMNS)
        return reply_refuse(r, "its columns are no list");
    r->described = json_incref(list);
    r->columns = mem_new_array(struct trino_column, n + 1);
    r->handing = mem_new_array(struct str, n + 1);
    for (size_t i = 0; i < n; i++) {
        json_t *v = json_array_get(list, i);
        json_t *signature = json_object_get(v, "typeSignature");
        if (!json_is_string(json_object_get(v, "name")) ||
            !json_is_string(json_object_get(signature, "rawType")))
            return reply_refuse(r, "a column has no name or no type");
        r->columns[r->n_columns++] =
            (struct trino_column){.name = json_get_text(v, "name"),
                                  .type = str_of(trino_type(signature)),
                                  .signature = signature};
    }
    r->has_columns = true;
    return true;
}

/* ---- rows ---------------------------------------------------------------- */

static struct trino_cell *reply_add_cell(struct trino_reply *r)
{
    if (r->n_kept == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        r->cells = mem_resize(r->cells, r->capacity * sizeof *r->cells);
    }
    return &r->cells[r->n_kept++];
}

static void reply_cut(struct trino_reply *r, size_t at, size_t most)
{
    struct str cell = {r->bytes.ptr + at, r->bytes.len - at};
    struct str kept = utf8_first(cell, most);
    if (kept.len == cell.len)
        return;
    r->bytes.len = at + kept.len;
    r->cut_values = true;
}

static size_t reply_cell_chars(const struct trino_reply *r)
{
    size_t share = r->max_bytes / (size_t)(r->n_columns ? r->n_columns : 1);
    return share < TRINO_CELL_CHARS ? share : TRINO_CELL_CHARS;
}

static void reply_put_row(struct trino_reply *r, const json_t *row)
{
    for (int i = 0; i < r->n_columns; i++) {
        const json_t *value = json_array_get(row, (size_t)i);
        struct trino_cell *cell = reply_add_cell(r);
        size_t at = r->bytes.len;
        *cell = (struct trino_cell){.at = at, .null = json_is_null(value)};
        if (cell->null)
            continue;
        trino_value_put(&r->bytes, r->columns[i].signature, value);
        if (r->bytes.len - at > reply_cell_chars(r))
            reply_cut(r, at, reply_cell_chars(r));
        cell->len = r->bytes.len - at;
    }
}

static void reply_hand_row(struct trino_reply *r, size_t cell, size_t byte)
{
    for (int i = 0; i < r->n_columns; i++)
        r->handing[i] = trino_reply_cell(r, cell + (size_t)i);
    r->handed += r->bytes.len - byte;
    r->on_row(r->who, r->handing, r->n_columns);
    r->n_kept = cell;
    r->bytes.len = byte;
}

static bool reply_take_row(struct trino_reply *r, const json_t *row)
{
    size_t cell = r->n_kept, byte = r->bytes.len;
    if (json_array_size(row) != (size_t)r->n_columns)
        return reply_refuse(r, "a row has not as many values as columns");
    if (r->n_rows == r->max_rows) {
        r->more_rows = true;
        return true;
    }
    reply_put_row(r, row);
    if (r->n_rows && r->handed + r->bytes.len > r->max_bytes) {
        r->n_kept = cell;
        r->bytes.len = byte;
        r->more_rows = true;
        return true;
    }
    r->n_rows++;
    if (r->on_row)
        reply_hand_row(r, cell, byte);
    return true;
}

static bool reply_take_rows(struct trino_reply *r, const json_t *data)
{
    if (!json_is_array(data))
        return reply_refuse(r, "its data is no list");
    if (!r->has_columns)
        return reply_refuse(r, "it has rows but no columns");
    for (size_t i = 0; i < json_array_size(data) && !r->more_rows; i++)
        if (!reply_take_row(r, json_array_get(data, i)))
            return false;
    return true;
}

bool trino_reply_is_full(const struct trino_reply *r)
{
    return r->more_rows;
}

struct str trino_reply_cell(const struct trino_reply *r, size_t i)
{
    const struct trino_cell *c = &r->cells[i];
    if (c->null)
        return (struct str){0};
    return (struct str){r->bytes.len ? r->bytes.ptr + c->at : "", c->len};
}

/* ---- errors -------------------------------------------------------------- */

/* By Trino's error name or, for all others, its error type. */
static const struct {
    const char *word;
    enum trino_fault fault;
} trino_faults[] = {
    {"SERVER_STARTING_UP", TRINO_STARTING},
    {"PERMISSION_DENIED", TRINO_DENIED},
    {"EXCEEDED_TIME_LIMIT", TRINO_TIMEOUT},
    {"USER_CANCELED", TRINO_STOPPED},
    {"ADMINISTRATIVELY_KILLED", TRINO_STOPPED},
    {"ADMINISTRATIVELY_PREEMPTED", TRINO_STOPPED},
    {"DIVISION_BY_ZERO", TRINO_DATA},
    {"NUMERIC_VALUE_OUT_OF_RANGE", TRINO_DATA},
    {"INVALID_CAST_ARGUMENT", TRINO_DATA},
    {"INVALID_FUNCTION_ARGUMENT", TRINO_DATA},
    {"SUBQUERY_MULTIPLE_ROWS", TRINO_DATA},
    {"USER_ERROR", TRINO_SQL},
    {"INSUFFICIENT_RESOURCES", TRINO_LIMIT},
};

static enum trino_fault trino_fault_of(const json_t *error)
{
    struct str name = json_get_text(error, "errorName");
    struct str type = json_get_text(error, "errorType");
    for (size_t i = 0; i < sizeof trino_faults / sizeof *trino_faults; i++)
        if (str_is(name, trino_faults[i].word) ||
            str_is(type, trino_faults[i].word))
            return trino_faults[i].fault;
    return TRINO_FAILED;
}

/* "line 1:8: Column 'x' cannot be resolved": the place has members of its own. */
static struct str without_place(struct str message)
{
    struct str rest = message;
    if (!str_starts(rest, STR("line ")))
        return message;
    ptrdiff_t end = str_find(rest, STR(": "));
    return end > 0 && end < 24 ? str_from(rest, (size_t)end + 2) : message;
}

static void reply_take_error(struct trino_reply *r, const json_t *error)
{
    struct str message = without_place(json_get_text(error, "message"));
    r->fault = trino_fault_of(error);
    buf_clear(&r->message);
    if (!message.len)
        message = json_get_text(error, "errorName");
    one_line_put(&r->message, str_trim(message), TRINO_MESSAGE_BYTES);
}

/* ---- pages --------------------------------------------------------------- */

static bool reply_take_next(struct trino_reply *r, const json_t *next)
{
    struct str uri = json_text(next);
    buf_clear(&r->next_uri);
    if (!next)
        return true;
    if (!uri.len || uri.len > TRINO_URI_BYTES)
        return reply_refuse(r, "its nextUri is no address");
    buf_str(&r->next_uri, uri);
    return true;
}

static bool reply_take_page(struct trino_reply *r, const json_t *page)
{
    json_t *error = json_object_get(page, "error");
    json_t *columns = json_object_get(page, "columns");
    const json_t *data = json_object_get(page, "data");
    if (!json_is_string(json_object_get(page, "id")))
        return reply_refuse(r, "it is no answer of Trino");
    if (!reply_take_next(r, json_object_get(page, "nextUri")))
        return false;
    if (json_is_object(error)) {
        reply_take_error(r, error);
        return true;
    }
    if (columns && !r->has_columns && !reply_take_columns(r, columns))
        return false;
    return !data || reply_take_rows(r, data);
}

bool trino_reply_take(struct trino_reply *r, struct str page)
{
    json_t *v = json_read(page, NULL);
    if (!v) /* a text with \u0000, which PostgreSQL does not have */
        v = json_read_lenient(page, NULL);
    bool good = v ? reply_take_page(r, v) : reply_refuse(r, "it is not JSON");
    json_decref(v);
    return good;
}

void trino_reply_done(struct trino_reply *r)
{
    json_decref(r->described);
    mem_free(r->columns);
    mem_free(r->handing);
    mem_free(r->cells);
    buf_done(&r->bytes);
    buf_done(&r->message);
    buf_done(&r->next_uri);
    *r = (struct trino_reply){.max_rows = r->max_rows,
                              .max_bytes = r->max_bytes,
                              .on_row = r->on_row,
                              .who = r->who};
}
