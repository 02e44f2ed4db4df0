/* tools.c - plans and concludes the calls of the explorer's four tools; see
 * tools.h.
 *
 *   explorer_plan      executeSQLQuery, createVisualization: the model's query
 *                      profileData (profile.h), validateAnalysis (validation.h):
 *                      queries that code builds
 *   explorer_conclude  the result for the model, and what the exploration keeps
 *
 * Results are {"success":true,"data":…} or {"success":false,"error","hint"}. */
#include "tools.h"
#include "base/json.h"
#include "base/utf8.h"
#include "chart.h"
#include "columns.h"
#include "explorer.h"
#include "hint.h"
#include "profile.h"
#include "slice.h"
#include "statement.h"
#include "validation.h"
#include "base/banned.h"

enum {
    ARGUMENTS_BYTES = 256 * 1024,
    REASON_CHARACTERS = 500,
    TITLE_CHARACTERS = 200,
    FINDING_CHARACTERS = 1000,
    MODEL_ROWS = 100, /* of a result that a model reads */
    MODEL_BYTES = 16 * 1024,
    KEPT_ROWS = 20, /* of a query in the exploration's result */
    KEPT_BYTES = 64 * 1024,
    SHOWN_ROWS = 200,
    SHOWN_BYTES = 64 * 1024,
    CHART_ROWS_BYTES = 256 * 1024,
};

static const struct tool_info infos[] = {
    {"executeSQLQuery",
     "Run one read-only SQL query over the table t_parsed and get its rows, at "
     "most 1,000 in at most 30 seconds.",
     "{\"type\":\"object\",\"properties\":{"
     "\"query\":{\"type\":\"string\",\"description\":\"One SELECT in "
     "DuckDB's dialect\"},"
     "\"reason\":{\"type\":\"string\",\"description\":\"Why the analysis "
     "needs it\"}},"
     "\"required\":[\"query\",\"reason\"],\"additionalProperties\":false}"},
    {"createVisualization",
     "Draw a chart for the person: a query over t_parsed gives its data, a "
     "Vega-Lite specification says how they are drawn.",
     "{\"type\":\"object\",\"properties\":{"
     "\"chartType\":{\"type\":\"string\",\"enum\":[\"bar\",\"line\","
     "\"scatter\",\"area\",\"pie\"]},"
     "\"sqlQuery\":{\"type\":\"string\",\"description\":\"One SELECT whose "
     "rows are the chart's data\"},"
     "\"vegaLiteSpec\":{\"type\":\"object\",\"description\":\"Vega-Lite: mark "
     "and encoding, whose fields are columns of the query. No data, no "
     "transforms, no expressions\"},"
     "\"title\":{\"type\":\"string\",\"description\":\"A clear title\"},"
     "\"reason\":{\"type\":\"string\",\"description\":\"What the chart "
     "shows\"}},"
     "\"required\":[\"chartType\",\"sqlQuery\",\"vegaLiteSpec\",\"title\","
     "\"reason\"],\"additionalProperties\":false}"},
    {"profileData",
     "Get statistics of columns: numbers of values, of missing and of distinct "
     "ones, mean, deviation, quartiles, smallest, largest and most frequent "
     "value, outliers, and what looks wrong with the data.",
     "{\"type\":\"object\",\"properties\":{"
     "\"columns\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
     "\"description\":\"Names of columns; without them all\"},"
     "\"includeDistribution\":{\"type\":\"boolean\",\"description\":\"Also how "
     "the values are distributed\"},"
     "\"includeNulls\":{\"type\":\"boolean\",\"description\":\"Also missing "
     "values; true unless you say false\"}},"
     "\"required\":[],\"additionalProperties\":false}"},
    {"validateAnalysis",
     "Check a finding before you report it: sample size, missing values, "
     "outliers, whether chance alone explains it, and whether it turns round "
     "within groups (Simpson's paradox).",
     "{\"type\":\"object\",\"properties\":{"
     "\"finding\":{\"type\":\"string\",\"description\":\"The finding, as a "
     "sentence\"},"
     "\"relatedQuery\":{\"type\":\"string\",\"description\":\"The query that it "
     "comes from: SELECT ... FROM t_parsed ... GROUP BY\"}},"
     "\"required\":[\"finding\",\"relatedQuery\"],"
     "\"additionalProperties\":false}"},
    {NULL, NULL, NULL}};

const struct tool_set explorer_tools = {infos, explorer_tool_begin,
                                        "explorer_tool_begin"};

/* What a call is about, between plan and conclude. */
struct planned_call {
    const struct planned_tool *tool;
    struct str query, reason, title, chart_type;
    struct chart_check *chart;
    struct profile_request profile;
    struct validation_request validation;
};

struct planned_tool {
    const char *name;
    bool (*plan)(struct explorer_call *c, struct planned_call *p,
                 struct str args);
    void (*conclude)(struct explorer_call *c, struct planned_call *p);
};

/* ---- failures ----------------------------------------------------------- */

static struct str failure_json(struct explorer_call *c, struct str error,
                               struct str hint)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, c->memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_bool(&w, "success", false);
    json_field_str(&w, "error", error);
    if (hint.len)
        json_field_str(&w, "hint", hint);
    json_put_object_end(&w);
    return buf_finish(&out);
}

static void fail_call(struct explorer_call *c, struct str error,
                      struct str hint)
{
    c->failed = true;
    c->result = failure_json(c, error, hint);
}

static bool refuse_call(struct explorer_call *c, struct str error,
                        struct str hint)
{
    c->refused = true;
    fail_call(c, error, hint);
    return false;
}

/* The query failed: its error, with advice. */
static void fail_query(struct explorer_call *c, struct str error)
{
    fail_call(c, error.len ? utf8_cut(error, 1000) : STR("The query failed."),
              hint_of_error(c->memory, c->table, error));
}

/* ---- arguments ---------------------------------------------------------- */

static struct str argument(struct explorer_call *c, struct str args,
                           const char *name, size_t most)
{
    struct str text = utf8_trim(slice_get_text(c->memory, args, name));
    return most ? utf8_first(text, most) : text;
}

/* A query that passed the guard, in *query. */
static bool plan_query(struct explorer_call *c, struct str args,
                       const char *name, struct str *query)
{
    struct statement_check check = {.table = STR(EXPLORER_TABLE)};
    struct str sql = argument(c, args, name, 0);
    if (!sql.len)
        return refuse_call(
            c, arena_printf(c->memory, "Give %s: one SELECT.", name), STR(""));
    if (!statement_check(c->memory, sql, &check))
        return refuse_call(c, check.problem,
                           STR("Write one SELECT over t_parsed."));
    *query = arena_str(c->memory, check.text);
    return true;
}

static void open_input(struct explorer_call *c, struct buf *out,
                       struct json_writer *w)
{
    buf_init(out, c->memory);
    json_writer_init(w, out);
    json_put_object(w);
}

static void close_input(struct explorer_call *c, struct buf *out,
                        struct json_writer *w)
{
    json_put_object_end(w);
    c->input = buf_finish(out);
}

static void plan_result_query(struct explorer_call *c, struct str sql)
{
    c->queries = arena_new(c->memory, struct explorer_query);
    *c->queries = (struct explorer_query){.id = "result", .sql = sql};
    c->n_queries = 1;
}

/* ---- rows --------------------------------------------------------------- */

/* Appends up to `most` rows of at most `bytes` as an array of arrays. Returns
 * how many there are. */
static int64_t put_rows(struct buf *out, const struct explorer_rows *rows,
                        int64_t most, size_t bytes)
{
    struct scan s = scan_of(rows->rows.len ? rows->rows : STR("[]"));
    size_t start = out->len;
    int64_t n = 0;
    buf_char(out, '[');
    if (!rows->withheld && scan_array(&s))
        while (scan_element(&s)) {
            struct str row = scan_skip(&s);
            if (n == most || out->len - start + row.len > bytes)
                break;
            buf_text(out, n++ ? "," : "");
            buf_str(out, row);
        }
    buf_char(out, ']');
    return n;
}

static void put_column_names(struct json_writer *w,
                             const struct explorer_rows *rows)
{
    json_field_array(w, "columns");
    for (size_t i = 0; i < rows->n_columns; i++)
        json_put_str(w, utf8_first(rows->columns[i], 255));
    json_put_array_end(w);
}

/* {columns, rows, rowCount …}, with as many rows as fit. */
static void put_result_table(struct json_writer *w,
                             const struct explorer_rows *rows, int64_t most,
                             size_t bytes)
{
    json_put_object(w);
    put_column_names(w, rows);
    json_put_key(w, "rows");
    int64_t n = put_rows(w->out, rows, most, bytes);
    w->comma = true;
    json_field_int(w, "rowCount", rows->n_rows);
    if (rows->truncated)
        json_field_bool(w, "truncated", true);
    if (rows->withheld)
        json_field_text(w, "rowsNotShown",
                        "The person does not share these rows.");
    else if (n < rows->n_rows)
        json_field_int(w, "rowsNotShown", rows->n_rows - n);
    json_put_object_end(w);
}

static struct str result_of_rows(struct explorer_call *c,
                                 const struct explorer_rows *rows, int64_t most,
                                 size_t bytes)
{
    struct buf out;
    struct json_writer w;
    open_input(c, &out, &w);
    json_field_bool(&w, "success", true);
    json_put_key(&w, "data");
    put_result_table(&w, rows, most, bytes);
    if (rows->n_rows == 0 && !rows->withheld)
        json_field_text(&w, "hint",
                        "No row matched. Look at the values of the columns in "
                        "the conditions, for example with select distinct.");
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* ---- executeSQLQuery ---------------------------------------------------- */

static bool plan_sql(struct explorer_call *c, struct planned_call *p,
                     struct str args)
{
    struct buf out;
    struct json_writer w;
    p->reason = argument(c, args, "reason", REASON_CHARACTERS);
    if (!plan_query(c, args, "query", &p->query))
        return false;
    open_input(c, &out, &w);
    json_field_str(&w, "query", p->query);
    json_field_str(&w, "reason", p->reason);
    close_input(c, &out, &w);
    plan_result_query(c, p->query);
    return true;
}

static struct str kept_query(struct explorer_call *c,
                             const struct planned_call *p,
                             const struct explorer_rows *rows)
{
    struct buf out;
    struct json_writer w;
    open_input(c, &out, &w);
    json_field_str(&w, "query", p->query);
    json_field_str(&w, "reason", p->reason);
    json_field_object(&w, "result");
    put_column_names(&w, rows);
    json_put_key(&w, "rows");
    put_rows(&out, rows, KEPT_ROWS, KEPT_BYTES);
    w.comma = true;
    json_put_object_end(&w);
    json_put_object_end(&w);
    return buf_finish(&out);
}

static void conclude_sql(struct explorer_call *c, struct planned_call *p)
{
    const struct explorer_rows *rows = &c->found[0];
    if (rows->failed) {
        fail_query(c, rows->error);
        return;
    }
    c->result = result_of_rows(c, rows, MODEL_ROWS, MODEL_BYTES);
    if (rows->n_rows > MODEL_ROWS || rows->rows.len > MODEL_BYTES)
        c->shown = result_of_rows(c, rows, SHOWN_ROWS, SHOWN_BYTES);
    c->query_kept = kept_query(c, p, rows);
}

/* ---- createVisualization ------------------------------------------------ */

/* An object, or one as text, as models write it. */
static struct str spec_of(struct explorer_call *c, struct str args)
{
    struct str spec = slice_get(args, "vegaLiteSpec");
    return slice_kind(spec) == '"' ? slice_of(slice_text(c->memory, spec))
                                   : spec;
}

static bool plan_spec(struct explorer_call *c, struct planned_call *p,
                      struct str args)
{
    struct str spec = spec_of(c, args);
    if (spec.len > EXPLORER_SPEC_BYTES)
        return refuse_call(
            c, STR("The specification is larger than 64 KiB."),
            STR("Leave `data` out: the rows of sqlQuery are the data."));
    p->chart = arena_new(c->memory, struct chart_check);
    *p->chart = (struct chart_check){.spec = spec,
                                     .chart_type = p->chart_type,
                                     .title = p->title,
                                     .arena = c->memory};
    if (!chart_check(p->chart))
        return refuse_call(c, p->chart->problem,
                           STR("Give mark and encoding, with the columns of "
                               "sqlQuery as fields."));
    return true;
}

static bool plan_chart(struct explorer_call *c, struct planned_call *p,
                       struct str args)
{
    struct buf out;
    struct json_writer w;
    p->reason = argument(c, args, "reason", REASON_CHARACTERS);
    p->title = argument(c, args, "title", TITLE_CHARACTERS);
    p->chart_type = argument(c, args, "chartType", 20);
    if (!chart_type_known(p->chart_type))
        return refuse_call(
            c, STR("chartType has to be bar, line, scatter, area or pie."),
            STR(""));
    if (!p->title.len)
        return refuse_call(c, STR("Give a title."), STR(""));
    if (!plan_query(c, args, "sqlQuery", &p->query) || !plan_spec(c, p, args))
        return false;
    open_input(c, &out, &w);
    json_field_str(&w, "chartType", p->chart_type);
    json_field_str(&w, "sqlQuery", p->query);
    json_field_raw(&w, "vegaLiteSpec", p->chart->text);
    json_field_str(&w, "title", p->title);
    json_field_str(&w, "reason", p->reason);
    close_input(c, &out, &w);
    plan_result_query(c, p->query);
    return true;
}

static bool has_column(const struct explorer_rows *rows, struct str name)
{
    for (size_t i = 0; i < rows->n_columns; i++)
        if (str_eq(rows->columns[i], name))
            return true;
    return false;
}

/* A field that the query does not have; empty: all are there. */
static struct str missing_field(const struct chart_check *chart,
                                const struct explorer_rows *rows)
{
    for (size_t i = 0; i < chart->n_fields; i++)
        if (!has_column(rows, chart->fields[i]))
            return chart->fields[i];
    return STR("");
}

static void fail_field(struct explorer_call *c,
                       const struct explorer_rows *rows, struct str field)
{
    struct buf error, hint;
    buf_init(&error, c->memory);
    buf_text(&error, "The query has no column ");
    utf8_put_plain(&error, utf8_first(field, 80));
    buf_text(&error, ", which the chart names.");
    buf_init(&hint, c->memory);
    buf_text(&hint, "Columns of the query: ");
    for (size_t i = 0; i < rows->n_columns && i < 40; i++) {
        buf_text(&hint, i ? ", " : "");
        utf8_put_plain(&hint, utf8_first(rows->columns[i], 80));
    }
    fail_call(c, buf_view(&error), buf_view(&hint));
}

/* The rows as objects, for a specification that carries its data. */
static void put_data(struct buf *out, const struct explorer_rows *rows)
{
    struct scan s = scan_of(rows->rows.len ? rows->rows : STR("[]"));
    size_t start = out->len, n = 0;
    buf_text(out, ",\"data\":{\"values\":[");
    if (!rows->withheld && scan_array(&s))
        while (scan_element(&s)) {
            struct str row = scan_skip(&s);
            struct scan cells = scan_of(row);
            if (out->len - start + row.len > CHART_ROWS_BYTES ||
                !scan_array(&cells))
                break;
            buf_text(out, n++ ? ",{" : "{");
            for (size_t i = 0; scan_element(&cells); i++) {
                struct str cell = scan_skip(&cells);
                if (i >= rows->n_columns)
                    continue;
                buf_text(out, i ? "," : "");
                json_quote(out, rows->columns[i]);
                buf_char(out, ':');
                buf_str(out, cell);
            }
            buf_char(out, '}');
        }
    buf_text(out, "]}");
}

static struct str kept_chart(struct explorer_call *c,
                             const struct planned_call *p,
                             const struct explorer_rows *rows)
{
    struct buf out, spec;
    struct json_writer w;
    struct str text = p->chart->text;
    buf_init(&spec, c->memory);
    buf_str(&spec, str_cut(text, 0, text.len - 1));
    if (c->table->charts_have_rows)
        put_data(&spec, rows);
    buf_char(&spec, '}');
    open_input(c, &out, &w);
    json_field_str(&w, "chartType", p->chart_type);
    json_field_raw(&w, "spec", buf_view(&spec));
    json_field_str(&w, "title", p->title);
    json_field_str(&w, "sqlQuery", p->query);
    json_put_object_end(&w);
    return buf_finish(&out);
}

static void conclude_chart(struct explorer_call *c, struct planned_call *p)
{
    const struct explorer_rows *rows = &c->found[0];
    struct buf out;
    struct json_writer w;
    if (rows->failed) {
        fail_query(c, rows->error);
        return;
    }
    struct str missing = missing_field(p->chart, rows);
    if (missing.len) {
        fail_field(c, rows, missing);
        return;
    }
    if (rows->n_rows == 0) {
        fail_call(c, STR("The query has no rows, so there is nothing to draw."),
                  STR("Look at the conditions of the query."));
        return;
    }
    open_input(c, &out, &w);
    json_field_bool(&w, "success", true);
    json_field_object(&w, "data");
    json_field_str(&w, "title", p->title);
    json_field_str(&w, "chartType", p->chart_type);
    put_column_names(&w, rows);
    json_field_int(&w, "rowCount", rows->n_rows);
    json_field_text(&w, "message", "The chart is shown to the person.");
    json_put_object_end(&w);
    json_put_object_end(&w);
    c->result = buf_finish(&out);
    c->chart_kept = kept_chart(c, p, rows);
}

/* ---- profileData -------------------------------------------------------- */

static bool no_such_column(struct explorer_call *c, struct str name)
{
    struct buf error, hint;
    buf_init(&error, c->memory);
    buf_text(&error, "There is no column ");
    utf8_put_plain(&error, utf8_first(name, 80));
    buf_char(&error, '.');
    buf_init(&hint, c->memory);
    buf_text(&hint, "Columns: ");
    column_put_names(&hint, c->table);
    return refuse_call(c, buf_view(&error), buf_view(&hint));
}

static bool plan_columns(struct explorer_call *c, struct profile_request *r,
                         struct str list)
{
    struct scan s = scan_of(list);
    if (!scan_array(&s))
        return true;
    while (scan_element(&s)) {
        struct str name = slice_text(c->memory, scan_skip(&s));
        const struct explorer_column *column = column_find(c->table, name);
        if (!column)
            return no_such_column(c, name);
        if (r->n_columns == PROFILE_COLUMNS)
            return refuse_call(c, STR("At most 64 columns at a time."),
                               STR("Make several calls."));
        size_t at = (size_t)(column - c->table->columns);
        for (size_t i = 0; i < r->n_columns; i++)
            if (r->columns[i] == at)
                at = SIZE_MAX;
        if (at != SIZE_MAX)
            r->columns[r->n_columns++] = at;
    }
    return true;
}

static bool plan_profile(struct explorer_call *c, struct planned_call *p,
                         struct str args)
{
    struct profile_request *r = &p->profile;
    struct buf out;
    struct json_writer w;
    r->table = c->table;
    r->distribution = str_is(slice_get(args, "includeDistribution"), "true");
    r->nulls = !str_is(slice_get(args, "includeNulls"), "false");
    if (!plan_columns(c, r, slice_get(args, "columns")))
        return false;
    r->all = r->n_columns == 0;
    for (size_t i = 0; r->all && i < c->table->n_columns && i < PROFILE_COLUMNS;
         i++)
        r->columns[r->n_columns++] = i;
    open_input(c, &out, &w);
    json_field_array(&w, "columns");
    for (size_t i = 0; i < r->n_columns; i++)
        json_put_str(&w, c->table->columns[r->columns[i]].name);
    json_put_array_end(&w);
    json_field_bool(&w, "includeDistribution", r->distribution);
    json_field_bool(&w, "includeNulls", r->nulls);
    close_input(c, &out, &w);
    c->n_queries = profile_queries(c->memory, r, &c->queries);
    return true;
}

/* The first error, if all queries failed. */
static bool all_failed(const struct explorer_call *c, struct str *error)
{
    for (size_t i = 0; i < c->n_queries; i++)
        if (!c->found[i].failed)
            return false;
    *error = c->n_queries ? c->found[0].error : STR("");
    return true;
}

static void open_data(struct explorer_call *c, struct buf *out)
{
    buf_init(out, c->memory);
    buf_text(out, "{\"success\":true,\"data\":");
}

static void conclude_profile(struct explorer_call *c, struct planned_call *p)
{
    struct buf out;
    struct str error;
    if (all_failed(c, &error)) {
        fail_query(c, error);
        return;
    }
    open_data(c, &out);
    profile_put(&out, &p->profile, c);
    buf_char(&out, '}');
    c->result = buf_finish(&out);
}

/* ---- validateAnalysis --------------------------------------------------- */

static bool plan_validation(struct explorer_call *c, struct planned_call *p,
                            struct str args)
{
    struct validation_request *v = &p->validation;
    struct buf out;
    struct json_writer w;
    v->table = c->table;
    v->finding = argument(c, args, "finding", FINDING_CHARACTERS);
    if (!v->finding.len)
        return refuse_call(c, STR("Give finding: a sentence."), STR(""));
    if (!plan_query(c, args, "relatedQuery", &v->query))
        return false;
    validation_read(c->memory, v);
    open_input(c, &out, &w);
    json_field_str(&w, "finding", v->finding);
    json_field_str(&w, "relatedQuery", v->query);
    close_input(c, &out, &w);
    c->n_queries = validation_queries(c->memory, v, &c->queries);
    return true;
}

static void conclude_validation(struct explorer_call *c, struct planned_call *p)
{
    struct buf out;
    struct str error;
    if (all_failed(c, &error) || c->found[0].failed) {
        fail_query(c, c->found[0].error);
        return;
    }
    open_data(c, &out);
    size_t start = out.len;
    validation_put(&out, &p->validation, c);
    bool passed =
        str_is(scan_get(str_from(buf_view(&out), start), "passed"), "true");
    buf_char(&out, '}');
    c->result = buf_finish(&out);
    if (passed)
        c->insight = arena_str(c->memory, p->validation.finding);
}

/* ---- dispatch ----------------------------------------------------------- */

static const struct planned_tool planned_tools[] = {
    {"executeSQLQuery", plan_sql, conclude_sql},
    {"createVisualization", plan_chart, conclude_chart},
    {"profileData", plan_profile, conclude_profile},
    {"validateAnalysis", plan_validation, conclude_validation}};

static const struct planned_tool *tool_named(struct str name)
{
    for (size_t i = 0; i < sizeof planned_tools / sizeof *planned_tools; i++)
        if (str_is(name, planned_tools[i].name))
            return &planned_tools[i];
    return NULL;
}

void explorer_plan(struct explorer_call *c)
{
    const struct planned_tool *tool = tool_named(c->name);
    struct planned_call *p = arena_new(c->memory, struct planned_call);
    c->state = p;
    p->tool = tool;
    if (!tool) {
        refuse_call(c, STR("There is no such tool."), STR(""));
        return;
    }
    if (c->arguments.len > ARGUMENTS_BYTES) {
        refuse_call(c, STR("The arguments are larger than 256 KiB."), STR(""));
        return;
    }
    struct str args = slice_of(c->arguments.len ? c->arguments : STR("{}"));
    if (slice_kind(args) != '{' || !utf8_valid(args)) {
        refuse_call(c, STR("The arguments must be a JSON object."), STR(""));
        return;
    }
    tool->plan(c, p, args);
}

void explorer_conclude(struct explorer_call *c)
{
    struct planned_call *p = c->state;
    if (c->failure.len)
        fail_query(c, c->failure);
    else if (c->found)
        p->tool->conclude(c, p);
    else
        fail_call(c, STR("There was no answer."), STR(""));
}
