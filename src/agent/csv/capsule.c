/* capsule.c - what is kept of a run of the CSV analyst: its latest query, plan
 * or code, and the result.
 *
 *   csv_rows_begin -> rows_due (until all rows are written) */
#include "csv.h"
#include "llm/provider.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "base/banned.h"

enum {
    CAPSULE_ROWS_BYTES = 4 * 1024 * 1024,
    SLICE_BYTES = 512 * 1024, /* in one turn of the loop */
};

static struct next rows_due(struct flow *f);

/* ---- the latest call ---------------------------------------------------- */

static bool executes(const struct run *r, struct str name)
{
    return react_runs_query(r, name) || str_is(name, react_variant(r)->python);
}

/* As valid JSON; what a model writes may be none. */
static struct str valid_arguments(struct run *r, struct str text)
{
    struct buf out;
    buf_init(&out, &r->arena);
    buf_reserve(&out, 6 * text.len + 16); /* no jump while v is held */
    json_t *v = json_read_lenient(text, NULL);
    if (json_is_object(v))
        json_print_into(&out, v);
    else
        buf_text(&out, "{}");
    json_decref(v);
    return buf_finish(&out);
}

/* The built-in analyst runs the query that answers first; then those that
 * verify it and the code that draws. */
static bool is_settled(const struct run *r, const struct csv_call *last)
{
    return r->provider && r->provider->model.provider->local &&
           last->name.len && !last->failed;
}

/* Results are in the order of the calls that had one (../react/record.c). */
void csv_round_kept(struct run *r, const struct loop_round *round, size_t first)
{
    struct csv_call *last = &csv_of(r)->last;
    for (size_t i = 0; i < round->n_calls; i++) {
        const struct loop_call *c = &round->calls[i];
        if (!executes(r, c->name) || is_settled(r, last))
            continue;
        *last = (struct csv_call){.name = c->name,
                                  .arguments = c->arguments,
                                  .result = c->result,
                                  .failed = c->failed,
                                  .result_at = c->failed ? SIZE_MAX : first++};
    }
    if (last->name.len)
        last->arguments = valid_arguments(r, last->arguments);
}

static const struct step_result *result_of(const struct run *r)
{
    size_t at = csv_of(r)->last.result_at;
    if (!csv_of(r)->last.name.len || !r->results || at >= r->results->n_results)
        return NULL;
    return &r->results->results[at];
}

/* ---- its rows ----------------------------------------------------------- */

struct next csv_rows_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct csv_state *s = csv_of(r);
    const struct step_result *result = result_of(r);
    if (!result)
        return back(f);
    struct str all = r->full_data[s->last.result_at];
    if (!result->sql_result) {
        s->rows = scan_get(all, "rows");
        s->rows_cut = str_is(scan_get(all, "truncated"), "true");
        return back(f);
    }
    row_arrays_init(&s->arrays, &r->arena, all,
                    result->sql_result->column_types,
                    result->sql_result->n_column_types);
    size_t room = all.len < CAPSULE_ROWS_BYTES ? all.len : CAPSULE_ROWS_BYTES;
    buf_init(&s->out, &r->rows);
    buf_reserve(&s->out, room + 2);
    buf_char(&s->out, '[');
    return go(f, rows_due);
}

static struct next rows_due(struct flow *f)
{
    struct csv_state *s = csv_of(locals(f, struct run));
    size_t most = s->out.len + SLICE_BYTES;
    while (s->out.len < most) {
        size_t before = s->out.len;
        if (before > 1)
            buf_char(&s->out, ',');
        bool more = row_arrays_next(&s->arrays, &s->out);
        s->rows_cut = more && s->out.len > CAPSULE_ROWS_BYTES;
        if (more && !s->rows_cut)
            continue;
        s->out.len = before;
        buf_char(&s->out, ']');
        s->rows = buf_finish(&s->out);
        return back(f);
    }
    return await(f, rows_due); /* in the next turn */
}

/* ---- the capsule -------------------------------------------------------- */

static int64_t exec_ms(const struct csv_call *c)
{
    return scan_get_int(c->result, "exec_time_ms", 0);
}

static void put_sql_result(struct json_writer *w, const struct csv_state *s,
                           const struct sql_result *sql)
{
    json_field_strs(w, "columns", sql->columns, sql->n_columns);
    json_field_raw(w, "rows", s->rows.len ? s->rows : STR("[]"));
    json_field_int(w, "row_count", sql->row_count);
    if (sql->truncated || s->rows_cut)
        json_field_bool(w, "truncated", true);
}

static void put_python_result(struct json_writer *w, const struct csv_state *s,
                              struct str all)
{
    struct str columns = scan_get(all, "columns");
    json_field_raw(w, "columns", columns.len ? columns : STR("[]"));
    json_field_raw(w, "rows", s->rows.len ? s->rows : STR("[]"));
    json_field_int(w, "row_count", scan_get_int(all, "row_count", 0));
    if (s->rows_cut)
        json_field_bool(w, "truncated", true);
}

static void put_result(struct json_writer *w, const struct run *r)
{
    const struct csv_state *s = csv_of(r);
    const struct step_result *result = result_of(r);
    json_field_object(w, "result_json");
    if (result && result->sql_result)
        put_sql_result(w, s, result->sql_result);
    else if (result)
        put_python_result(w, s, r->full_data[s->last.result_at]);
    if (result) {
        json_field_int(w, "exec_time_ms", exec_ms(&s->last));
        json_field_text(w, "status", "success");
    }
    json_put_object_end(w);
}

/* The text of a member that is a string. */
static struct str text_of(struct arena *a, struct str object, const char *key)
{
    struct str json = scan_get(object, key);
    struct scan s = scan_of(json);
    struct buf out;
    buf_init(&out, a);
    if (!json.len || !scan_string(&s, &out))
        return STR("");
    return buf_finish(&out);
}

static void put_query(struct json_writer *w, struct run *r)
{
    const struct csv_call *c = &csv_of(r)->last;
    const struct step_result *result = result_of(r);
    bool plan = str_is(c->name, "execute_query_plan");
    bool python = str_is(c->name, "execute_python");
    struct str sql = result && result->sql_result
                         ? result->sql_result->sql
                         : text_of(&r->arena, plan ? c->result : c->arguments,
                                   plan ? "compiled_sql" : "sql");
    json_field_text(w, "query_mode",
                    !c->name.len ? "chat"
                    : plan       ? "plan"
                    : python     ? "python"
                                 : "sql");
    struct str given = plan ? scan_get(c->arguments, "plan") : STR("");
    json_field_raw(w, "plan_json", given.len ? given : STR("null"));
    json_field_str_or_null(w, "compiled_sql", python ? STR("") : sql);
    json_field_str_or_null(
        w, "python_code",
        python ? text_of(&r->arena, c->arguments, "python_code") : STR(""));
}

static void put_error(struct json_writer *w, struct str type,
                      struct str message)
{
    json_field_object(w, "error_json");
    json_field_str(w, "type", type);
    json_field_str(w, "message", message);
    json_put_object_end(w);
}

/* The code and the sentence of a call that failed. */
static struct str error_code(struct run *r)
{
    struct str code = text_of(&r->arena, csv_of(r)->last.result, "error");
    return code.len ? code : str_of(err_code(ERR_INTERNAL));
}

static struct str error_message(struct run *r)
{
    const struct csv_call *c = &csv_of(r)->last;
    struct str message = text_of(&r->arena, c->result, "message");
    return message.len ? message : c->result;
}

static void put_outcome(struct json_writer *w, struct run *r)
{
    const struct csv_call *c = &csv_of(r)->last;
    bool call_failed = c->name.len && c->failed;
    if (r->end.error != OK) {
        json_field_text(w, "status", "failed");
        put_error(w, str_of(err_code(r->end.error)), r->end.error_text);
    } else if (call_failed) {
        struct str code = error_code(r);
        json_field_text(w, "status",
                        csv_error_rejects(code) ? "rejected" : "failed");
        put_error(w, code, error_message(r));
    } else {
        json_field_text(w, "status", "succeeded");
        json_field_null(w, "error_json");
    }
}

struct str csv_capsule(struct run *r)
{
    struct buf out;
    struct json_writer w;
    if (!r->state) /* it ended before it was loaded */
        return STR("");
    buf_init(&out, &r->arena);
    buf_reserve(&out, csv_of(r)->rows.len + 4096);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, "dataset_id", r->load.dataset_id);
    json_field_str(&w, "question", r->load.question);
    put_query(&w, r);
    put_outcome(&w, r);
    put_result(&w, r);
    json_field_int(&w, "exec_time_ms", exec_ms(&csv_of(r)->last));
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* ---- in words ----------------------------------------------------------- */

static struct str count_text(struct arena *a, const char *what, int64_t rows,
                             bool truncated)
{
    if (rows == 0)
        return arena_printf(a, "The %s returned no rows.", what);
    return arena_printf(a, "The %s returned %lld row%s.%s", what,
                        (long long)rows, rows == 1 ? "" : "s",
                        truncated ? " There are more, which were not read."
                                  : "");
}

static struct str failure_words(struct run *r, const char *what)
{
    struct str code = error_code(r);
    return arena_printf(&r->arena, "The %s %s: %.*s", what,
                        csv_error_rejects(code) ? "was refused" : "failed",
                        STR_ARG(error_message(r)));
}

static struct str python_words(struct run *r, const struct step_result *result)
{
    enum { PRINTED = 4000 };
    struct arena *a = &r->arena;
    const struct csv_call *c = &csv_of(r)->last;
    struct str all = r->full_data[c->result_at];
    struct str note = text_of(a, c->result, "note");
    struct str text;
    if (str_starts(all, STR("{")))
        text = count_text(a, "code", scan_get_int(all, "row_count", 0),
                          str_is(scan_get(all, "truncated"), "true"));
    else if (result->python_result->out.len)
        text = arena_printf(
            a, "The code printed:\n\n```\n%.*s\n```",
            STR_ARG(utf8_cut(str_trim(result->python_result->out), PRINTED)));
    else
        text = STR("The code ran.");
    return note.len ? arena_printf(a, "%.*s %.*s", STR_ARG(text), STR_ARG(note))
                    : text;
}

/* The only value of a result with one row and one column. */
static struct str only_value(struct run *r, const struct sql_result *sql)
{
    enum { VALUE_BYTES = 200 };
    struct scan s = scan_of(r->full_data[csv_of(r)->last.result_at]);
    struct str key, value = STR("");
    if (sql->row_count != 1 || sql->n_columns != 1)
        return value;
    if (scan_array(&s) && scan_element(&s) && scan_object(&s) &&
        scan_member(&s, &key))
        value = scan_skip(&s);
    if (value.len > VALUE_BYTES)
        return STR("");
    if (str_starts(value, STR("\"")))
        value = str_cut(value, 1, value.len - 2);
    return str_find_char(value, '\\') < 0 ? value : STR("");
}

struct str csv_direct_text(struct run *r)
{
    const struct csv_call *c = &csv_of(r)->last;
    const struct step_result *result = result_of(r);
    const char *what = str_is(c->name, "execute_python") ? "code"
                       : str_is(c->name, "execute_sql")  ? "query"
                                                         : "plan";
    if (!result)
        return c->failed ? failure_words(r, what) : STR("Nothing was run.");
    if (!result->sql_result)
        return python_words(r, result);
    struct str value = only_value(r, result->sql_result);
    if (value.len)
        return arena_printf(&r->arena, "The result is **%.*s**.",
                            STR_ARG(value));
    return count_text(&r->arena, what, result->sql_result->row_count,
                      result->sql_result->truncated);
}
