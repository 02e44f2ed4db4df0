/* capsule.c - what is kept of a run of the scientist (store/capsules.h): the
 * code that ran last, the rows of its result, and the last error. The rest of
 * its answer is in the metadata (finalOutput). */
#include "scientist.h"
#include "tool/csv_tools.h"
#include "base/banned.h"

/* NULL: no code left a result. */
static const struct sql_result *table_of(const struct run *r)
{
    const struct step_results *all = r->results;
    return all && all->n_results ? all->results[0].sql_result : NULL;
}

static void put_rows(struct json_writer *w, struct run *r,
                     const struct sql_result *table)
{
    struct row_arrays arrays;
    json_put_key(w, "rows");
    buf_char(w->out, '[');
    row_arrays_init(&arrays, &r->arena, table->data, table->column_types,
                    table->n_column_types);
    for (size_t before = w->out->len;; buf_char(w->out, ',')) {
        size_t end = w->out->len;
        if (row_arrays_next(&arrays, w->out))
            continue;
        w->out->len = end > before ? end - 1 : end; /* without the comma */
        break;
    }
    buf_char(w->out, ']');
    w->comma = true;
}

static void put_table(struct json_writer *w, struct run *r,
                      const struct sql_result *table)
{
    json_field_array(w, "columns");
    for (size_t i = 0; i < table->n_columns; i++)
        json_put_str(w, table->columns[i]);
    json_put_array_end(w);
    put_rows(w, r, table);
    json_field_int(w, "row_count", table->row_count);
    if (table->truncated)
        json_field_bool(w, "truncated", true);
}

static void put_result(struct json_writer *w, struct run *r)
{
    const struct scientist *s = scientist_of(r);
    const struct sql_result *table = table_of(r);
    json_field_object(w, "result_json");
    if (s->execution) {
        if (table)
            put_table(w, r, table);
        json_field_int(w, "exec_time_ms", s->exec_ms);
        json_field_text(w, "status", "success");
    }
    json_put_object_end(w);
}

static void put_error(struct json_writer *w, struct str type,
                      struct str message)
{
    json_field_text(w, "status", "failed");
    json_field_object(w, "error_json");
    json_field_str(w, "type", type);
    json_field_str(w, "message", message);
    json_put_object_end(w);
}

static void put_outcome(struct json_writer *w, const struct run *r,
                        const struct code_attempt *last)
{
    if (r->end.error != OK) {
        put_error(w, str_of(err_code(r->end.error)), r->end.error_text);
    } else if (last && !scientist_of(r)->execution) {
        put_error(w, STR("PYTHON_ERROR"), last->error);
    } else {
        json_field_text(w, "status", "succeeded");
        json_field_null(w, "error_json");
    }
}

struct str scientist_capsule(struct run *r)
{
    const struct scientist *s = scientist_of(r);
    struct buf out;
    struct json_writer w;
    if (!s) /* it ended before it was loaded */
        return STR("");
    const struct code_attempt *last =
        s->n_attempts ? &s->attempts[s->n_attempts - 1] : NULL;
    buf_init(&out, &r->arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, "dataset_id", r->load.dataset_id);
    json_field_str(&w, "question", r->load.question);
    json_field_text(&w, "query_mode", last ? "python" : "chat");
    if (last)
        json_field_str(&w, "python_code", last->code);
    put_outcome(&w, r, last);
    put_result(&w, r);
    json_field_int(&w, "exec_time_ms", s->exec_ms);
    json_put_object_end(&w);
    return buf_finish(&out);
}
