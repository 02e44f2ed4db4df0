/* bridge_answer.c - reads what a browser answered to a call. All of it is
 * hostile: each result becomes rows of scalars, no wider than its columns, no
 * longer than the limits. */
#include "bridge_state.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { ERROR_BYTES = 1000, NAME_BYTES = 1000 };

static struct str text_in(struct arena *a, const json_t *v, size_t most)
{
    return arena_str(a, utf8_cut(json_text(v), most));
}

/* ---- one result --------------------------------------------------------- */

static struct str *texts_in(struct arena *a, const json_t *list, size_t n)
{
    struct str *out = arena_new_array(a, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = text_in(a, json_array_get(list, i), NAME_BYTES);
    return out;
}

/* Nested values are no cells. */
static void put_cell(struct buf *out, const json_t *v)
{
    if (json_is_array(v) || json_is_object(v))
        v = NULL;
    json_print_into(out, v);
}

/* A row is an array in the order of the columns, or an object by their
 * names. */
static void put_row(struct buf *out, const struct explorer_rows *r,
                    const json_t *row)
{
    buf_char(out, '[');
    for (size_t i = 0; i < r->n_columns; i++) {
        const json_t *v =
            json_is_object(row)
                ? json_object_getn(row, r->columns[i].ptr, r->columns[i].len)
                : json_array_get(row, i);
        if (i)
            buf_char(out, ',');
        put_cell(out, v);
    }
    buf_char(out, ']');
}

static void take_rows(struct arena *a, struct explorer_rows *r,
                      const json_t *rows)
{
    struct buf out;
    size_t n = json_array_size(rows);
    if (n > EXPLORER_ROWS) {
        n = EXPLORER_ROWS;
        r->truncated = true;
    }
    buf_init(&out, a);
    buf_char(&out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_char(&out, ',');
        put_row(&out, r, json_array_get(rows, i));
    }
    buf_char(&out, ']');
    r->rows = buf_finish(&out);
    r->n_rows = (int64_t)n;
}

static void fail_rows(struct explorer_rows *r, struct str why)
{
    r->failed = true;
    r->error = why;
}

static void take_one(struct arena *a, struct explorer_rows *r, const json_t *v)
{
    const json_t *error = json_object_get(v, "error");
    const json_t *columns = json_object_get(v, "columns");
    if (error && !json_is_null(error)) {
        struct str why = text_in(a, error, ERROR_BYTES);
        fail_rows(r, why.len ? why : STR("The query failed."));
        return;
    }
    if (!json_is_array(columns)) {
        fail_rows(r, STR("The browser sent no columns."));
        return;
    }
    r->n_columns = json_array_size(columns);
    if (r->n_columns > 2 * EXPLORER_COLUMNS)
        r->n_columns = 2 * EXPLORER_COLUMNS;
    r->columns = texts_in(a, columns, r->n_columns);
    r->types = texts_in(a, json_object_get(v, "types"), r->n_columns);
    r->withheld = json_get_bool(v, "withheld", false);
    r->truncated = json_get_bool(v, "truncated", false);
    take_rows(a, r, r->withheld ? NULL : json_object_get(v, "rows"));
    int64_t n = json_get_int(v, "rowCount", r->n_rows);
    if (n > r->n_rows)
        r->n_rows = n;
}

/* ---- the answer --------------------------------------------------------- */

static const json_t *result_of(const json_t *results, const char *id)
{
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *v = json_array_get(results, i);
        if (str_is(json_get_text(v, "id"), id))
            return v;
    }
    return NULL;
}

/* The seed's form: `data` is the result of the first query. */
static const json_t *data_of(const json_t *result)
{
    const json_t *data = json_object_get(result, "data");
    if (json_is_object(data))
        return data;
    return json_is_array(json_object_get(result, "columns")) ? result : NULL;
}

static void take_all(struct explorer_call *c, const json_t *result)
{
    const json_t *results = json_object_get(result, "results");
    const json_t *data = json_is_array(results) ? NULL : data_of(result);
    struct explorer_rows *found =
        arena_new_array(c->memory, struct explorer_rows, c->n_queries + 1);
    for (size_t i = 0; i < c->n_queries; i++) {
        const json_t *v =
            data && i == 0 ? data : result_of(results, c->queries[i].id);
        found[i] =
            (struct explorer_rows){.id = c->queries[i].id, .rows = STR("[]")};
        if (v)
            take_one(c->memory, &found[i], v);
        else
            fail_rows(&found[i], STR("The browser did not run this query."));
    }
    c->found = found;
}

void bridge_read_answer(struct flow *f, struct explorer_call *c,
                        struct str body)
{
    json_t *v = json_read(body, NULL);
    if (v)
        defer(f, json_drop, v);
    const json_t *result = json_object_get(v, "result");
    bool good = json_get_bool(v, "success", false) && json_is_object(result) &&
                json_get_bool(result, "success", true);
    if (good) {
        take_all(c, result);
        return;
    }
    const json_t *error = json_object_get(v, "error");
    if (!json_is_string(error))
        error = json_object_get(result, "error");
    struct str why = text_in(c->memory, error, ERROR_BYTES);
    c->failure = why.len ? why : STR("The query failed in the browser.");
}
