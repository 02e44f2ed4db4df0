/* csv_python.c - execute_python: code over the tables of a dataset, whose
 * result_df comes back as rows.
 *
 *   csv_execute_python -> table_due <-> table_read -> code_due -> code_ran
 *
 * Tables of files are read in the sandbox. Those of a database are read here,
 * the ones that the code names, within the limits of a query; what was cut is
 * said in the result. Code around the code names the DataFrames and writes
 * result_df to a file. */
#include "csv_result.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "db/source.h"
#include "ontology/columns.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum {
    TABLES_MOST = 8,
    PRINTED_BYTES = 4000,       /* of what the code printed, for a model */
    RESULT_BYTES = 1024 * 1024, /* of the file with the result */
};

const struct str csv_result_file = {"sextant_result.json",
                                    sizeof "sextant_result.json" - 1};

static struct next table_due(struct flow *f), table_read(struct flow *f),
    code_due(struct flow *f), code_ran(struct flow *f),
    python_over(struct flow *f);

struct csv_python {
    struct tool_run *tool;
    struct str code;
    struct query_tool query;
    struct python_data *data;
    size_t n_data;
    size_t first_table; /* in `data`: those before it are earlier results */
    size_t at;          /* the dataset to look at next */
    struct buf notes;   /* what was cut */
    struct python_tool python;
};

/* ---- code around the code ----------------------------------------------- */

/* pandas and numpy by their usual names, unless a table has such a name; and the
 * tables of a database: those of files get the same names from the sandbox. */
static struct str before_code(struct arena *a, const struct csv_python *p)
{
    struct buf out;
    buf_init(&out, a);
    buf_text(&out, "globals().setdefault('pd', __import__('pandas'))\n"
                   "globals().setdefault('np', __import__('numpy'))\n");
    if (p->first_table == p->n_data)
        return buf_finish(&out);
    buf_text(&out, "datasets = {");
    for (size_t i = p->first_table; i < p->n_data; i++) {
        json_quote(&out, p->data[i].name);
        buf_text(&out, ": globals().get(");
        json_quote(&out, p->data[i].name);
        buf_text(&out, "), ");
    }
    buf_text(&out, "}\n");
    if (p->n_data - p->first_table == 1)
        buf_text(&out, "df = next(iter(datasets.values()))\n");
    return buf_finish(&out);
}

/* Takes a DataFrame, a Series, a list, a dictionary or one value. A column that
 * JSON has no form for becomes text. */
static const char after_code[] =
    "def _sextant_write(value, most, room):\n"
    "    import json, math\n"
    "    import pandas as pd\n"
    "    if isinstance(value, pd.Series):\n"
    "        value = value.to_frame(value.name if value.name is not None else "
    "'value')\n"
    "    if not isinstance(value, pd.DataFrame):\n"
    "        if isinstance(value, dict):\n"
    "            value = value if any(isinstance(v, (list, tuple)) for v in "
    "value.values()) else [value]\n"
    "        elif not isinstance(value, (list, tuple)):\n"
    "            value = [value]\n"
    "        value = pd.DataFrame(value)\n"
    "        if list(value.columns) == [0]:\n"
    "            value.columns = ['value']\n"
    "    index = value.index\n"
    "    if not isinstance(index, pd.RangeIndex) and any(n is not None for n in "
    "index.names):\n"
    "        value = value.reset_index()\n"
    "    def plain(v):\n"
    "        if v is None or v is pd.NaT or v is pd.NA:\n"
    "            return None\n"
    "        if isinstance(v, (bool, str)):\n"
    "            return v[:10000] if isinstance(v, str) else v\n"
    "        if hasattr(v, 'item'):\n"
    "            try:\n"
    "                v = v.item()\n"
    "            except Exception:\n"
    "                pass\n"
    "        if isinstance(v, float):\n"
    "            return v if math.isfinite(v) else None\n"
    "        if isinstance(v, (bool, int)):\n"
    "            return v if isinstance(v, bool) or abs(v) <= 2**53 else str(v)\n"
    "        if hasattr(v, 'isoformat'):\n"
    "            return v.isoformat()\n"
    "        return str(v)[:10000]\n"
    "    rows, size = [], 0\n"
    "    for row in value.head(most).itertuples(index=False, name=None):\n"
    "        row = [plain(v) for v in row]\n"
    "        size += len(json.dumps(row)) + 1\n"
    "        if size > room:\n"
    "            break\n"
    "        rows.append(row)\n"
    "    with open('/tmp/sextant_result.json', 'w') as out:\n"
    "        json.dump({'columns': [str(c) for c in value.columns], 'rows': "
    "rows, 'row_count': len(value), 'truncated': len(rows) < len(value)}, "
    "out, allow_nan=False)\n"
    "if 'result_df' in globals():\n"
    "    _sextant_write(result_df, %d, %d)\n";

/* ---- the tables of a database ------------------------------------------- */

static bool names(struct str code, const struct dataset *d)
{
    return str_find(code, d->name) >= 0 || str_find(code, STR("datasets")) >= 0;
}

struct next csv_execute_python(struct flow *f, const json_t *args)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct str code = json_get_text(args, "python_code");
    if (!csv_right_dataset(f, args))
        return csv_wrong_dataset(f, args);
    if (t->context->sandbox->off)
        return csv_fail(f, CSV_FEATURE_DISABLED,
                        STR("Python execution is disabled on this server."),
                        STR(""));
    if (!str_trim(code).len)
        return csv_fail(f, CSV_BAD_ARGUMENTS,
                        STR("Give python_code: Python that sets result_df."),
                        STR(""));
    struct csv_python *p = t->state = arena_new(t->memory, struct csv_python);
    *p = (struct csv_python){.tool = t, .code = arena_str(t->memory, code)};
    p->data = arena_new_array(t->memory, struct python_data,
                              t->n_data + TABLES_MOST + 1);
    for (size_t i = 0; i < t->n_data; i++)
        p->data[p->n_data++] = t->data[i];
    p->first_table = p->n_data;
    buf_init(&p->notes, t->memory);
    return call(f, table_due, p, python_over);
}

static struct next table_due(struct flow *f)
{
    struct csv_python *p = locals(f, struct csv_python);
    const struct tool_context *c = p->tool->context;
    const struct ontology *o = c->ontology->model;
    bool only = o->n_datasets == 1; /* it is also df */
    if (source_tables(c->source).len && !o->hides)
        return go(f, code_due);
    while (p->at < o->n_datasets && !only &&
           !names(p->code, &o->datasets[p->at]))
        p->at++;
    if (p->at == o->n_datasets)
        return go(f, code_due);
    if (p->n_data - p->first_table == TABLES_MOST) {
        buf_printf(&p->notes, "Only %d tables were read. ", TABLES_MOST);
        return go(f, code_due);
    }
    p->query = (struct query_tool){
        .context = c,
        .sql = arena_printf(
            p->tool->memory, "select * from %.*s as t",
            STR_ARG(dataset_relation(flow_here(f), &o->datasets[p->at]))),
        .memory = p->tool->memory,
        .json_memory = p->tool->memory};
    return call(f, query_tool_begin, &p->query, table_read);
}

static void add_table(struct csv_python *p, const struct dataset *d)
{
    const struct query_tool *q = &p->query;
    struct arena *a = p->tool->memory;
    size_t n = (size_t)q->n_columns;
    struct str *columns = arena_new_array(a, struct str, n + 1);
    struct str *types = arena_new_array(a, struct str, n + 1);
    for (size_t i = 0; i < n; i++) {
        columns[i] = q->columns[i].name;
        types[i] = q->columns[i].type;
    }
    p->data[p->n_data++] =
        (struct python_data){d->name, q->json, columns, types, n};
    if (q->more_rows)
        buf_printf(&p->notes, "Only the first %d rows of %.*s were read. ",
                   q->n_rows, STR_ARG(d->name));
}

static struct next table_read(struct flow *f)
{
    struct csv_python *p = locals(f, struct csv_python);
    const struct ontology *o = p->tool->context->ontology->model;
    const struct dataset *d = &o->datasets[p->at++];
    if (p->query.failed)
        buf_printf(&p->notes, "%.*s could not be read. ", STR_ARG(d->name));
    else
        add_table(p, d);
    return go(f, table_due);
}

/* ---- the code ----------------------------------------------------------- */

static struct next code_due(struct flow *f)
{
    struct csv_python *p = locals(f, struct csv_python);
    const struct tool_context *c = p->tool->context;
    struct arena *a = p->tool->memory;
    p->python = (struct python_tool){
        .context = c,
        .code = p->code,
        .data = p->data,
        .n_data = p->n_data,
        .tables =
            c->ontology->model->hides ? STR("") : source_tables(c->source),
        .before = before_code(a, p),
        .after = arena_printf(a, after_code, c->sql_max_rows,
                              RESULT_BYTES - 64 * 1024),
        .take = &csv_result_file,
        .n_take = 1,
        .memory = a};
    return call(f, python_tool_begin, &p->python, code_ran);
}

static struct next code_ran(struct flow *f)
{
    struct csv_python *p = locals(f, struct csv_python);
    if (p->python.cut.len)
        buf_printf(&p->notes, "%.*s ", STR_ARG(p->python.cut));
    return back(f);
}

/* ---- the result --------------------------------------------------------- */

static bool are_rows(const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!json_is_array(row))
            return false;
        for (size_t k = 0; k < json_array_size(row); k++)
            if (json_is_object(json_array_get(row, k)) ||
                json_is_array(json_array_get(row, k)))
                return false;
    }
    return json_is_array(rows);
}

static bool are_texts(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return json_is_array(list);
}

struct str csv_python_rows(struct arena *arena, const struct python_tool *p)
{
    struct str text = p->n_taken ? p->taken[0].text : STR("");
    struct buf out;
    if (!text.len || text.len > RESULT_BYTES)
        return STR("");
    buf_init(&out, arena);
    buf_reserve(&out, 2 * text.len + 100); /* no jump while v is held */
    json_t *v = json_read(text, NULL);
    const json_t *columns = json_object_get(v, "columns");
    const json_t *rows = json_object_get(v, "rows");
    int64_t n = json_get_int(v, "row_count", 0);
    if (are_texts(columns) && are_rows(rows)) {
        buf_text(&out, "{\"columns\":");
        json_print_into(&out, columns);
        buf_text(&out, ",\"rows\":");
        json_print_into(&out, rows);
        buf_printf(&out, ",\"row_count\":%lld,\"truncated\":%s}",
                   (long long)(n > 0 ? n : 0),
                   json_get_bool(v, "truncated", false) ? "true" : "false");
    }
    json_decref(v);
    return buf_finish(&out);
}

/* The last line that the code printed to stderr names the error. */
static struct str error_of(const struct python_tool *p)
{
    struct str err = str_trim(p->err);
    size_t start = err.len;
    while (start > 0 && err.ptr[start - 1] != '\n')
        start--;
    return start < err.len ? str_from(err, start) : p->error;
}

static struct next python_failed(struct flow *f, const struct csv_python *p,
                                 bool printed)
{
    const struct python_tool *python = &p->python;
    struct str shown = error_of(python);
    if (python->unavailable)
        return csv_fail(f, CSV_UNAVAILABLE, python->error, STR(""));
    if (!printed)
        return csv_fail(f, CSV_PYTHON_ERROR, STR("The code failed."), shown);
    struct buf more;
    buf_init(&more, flow_here(f));
    buf_text(&more, ",\"stderr\":");
    json_quote(&more, utf8_cut(python->err, PRINTED_BYTES));
    return csv_fail_with(f, CSV_PYTHON_ERROR, shown, shown, buf_view(&more));
}

/* Appends the rows as far as they fit; they are an array that this process
 * printed, so that a row ends at its bracket outside of texts. */
static size_t rows_that_fit(struct str rows, size_t budget)
{
    bool text = false;
    size_t end = 1, depth = 0;
    for (size_t i = 0; i < rows.len && i < budget; i++) {
        char c = rows.ptr[i];
        if (text && c == '\\')
            i++;
        else if (c == '"')
            text = !text;
        else if (!text && c == '[')
            depth++;
        else if (!text && c == ']' && --depth == 1)
            end = i + 1;
    }
    return end;
}

static struct str python_json(struct flow *f, const struct csv_python *p,
                              struct str found, bool rows, size_t budget)
{
    struct str columns = scan_get(found, "columns");
    struct str all = scan_get(found, "rows");
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_text(&w, "status", "success");
    json_field_raw(&w, "columns",
                   columns.len && columns.len < budget / 2 ? columns
                                                           : STR("[]"));
    size_t used = out.len + (rows ? p->python.out.len : 0) + p->notes.len + 300;
    size_t room = used < budget ? budget - used : 0;
    json_put_key(&w, "rows");
    size_t end = rows && all.len ? rows_that_fit(all, room) : 0;
    json_put_raw(&w, end > 1 ? arena_printf(flow_here(f), "%.*s]",
                                            STR_ARG(str_cut(all, 0, end)))
                             : STR("[]"));
    json_field_int(&w, "row_count", scan_get_int(found, "row_count", 0));
    json_field_int(&w, "exec_time_ms", p->python.elapsed_ms);
    if (all.len && end + 1 < all.len)
        json_field_bool(&w, "more_rows_not_shown", true);
    if (str_is(scan_get(found, "truncated"), "true"))
        json_field_bool(&w, "truncated", true);
    if (p->python.out.len)
        json_field_str(&w, "stdout",
                       rows ? utf8_cut(p->python.out, budget / 4 < PRINTED_BYTES
                                                          ? budget / 4
                                                          : PRINTED_BYTES)
                            : not_disclosed);
    if (p->python.n_charts)
        json_field_int(&w, "charts", (int64_t)p->python.n_charts);
    if (p->notes.len)
        json_field_str(&w, "note", str_trim(buf_view(&p->notes)));
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* Raw rows are in the DataFrames: a model may see what comes of them only when
 * it may see all rows. */
static struct next python_over(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct csv_python *p = t->state;
    bool all = t->context->share_rows == SHARE_ALL;
    if (p->python.failed)
        return python_failed(f, p, all);
    struct str found = csv_python_rows(t->memory, &p->python);
    if (!found.len && !p->python.out.len && !p->python.n_charts)
        return csv_fail(f, CSV_NO_RESULT,
                        STR("Assign a DataFrame or a list to result_df."),
                        STR(""));
    t->python = &p->python;
    return csv_succeed(f,
                       python_json(f, p, found, all, t->context->text_budget),
                       python_json(f, p, found, true, CSV_SHOWN_BYTES));
}
