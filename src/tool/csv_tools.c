/* csv_tools.c - the table of the CSV analyst's tools, and those that run SQL;
 * see tool/csv_tools.h.
 *
 *   csv_tool_begin -> rows_ready (execute_sql, execute_query_plan)
 *                  -> csv_schema.c, csv_python.c */
#include "csv_result.h"
#include "base/utf8.h"
#include "ontology/example.h"
#include "ontology/query_plan.h"
#include "tool/disclosure.h"
#include "tool/query_guard.h"
#include <string.h>
#include "base/banned.h"

#define DATASET_ID \
    "\"dataset_id\":{\"type\":\"string\",\"description\":\"Id of the dataset\"}"

static const struct tool_info infos[] = {
    {"list_datasets",
     "List the datasets that can be queried, with their ids, names, "
     "descriptions and example questions. Call it first when it is not clear "
     "which dataset is meant.",
     "{\"type\":\"object\",\"properties\":{},\"required\":[],"
     "\"additionalProperties\":false}"},
    {"get_dataset_schema",
     "Get the tables of a dataset: for each its name in SQL, its columns with "
     "their types, and up to 3 rows. Call it before you write a query, so that "
     "you know the exact names and the form of the values.",
     "{\"type\":\"object\",\"properties\":{" DATASET_ID "},"
     "\"required\":[\"dataset_id\"],\"additionalProperties\":false}"},
    {"execute_sql",
     "Run one SQL query on a dataset. It must be a single SELECT or WITH; "
     "anything that changes data or reaches outside the dataset is refused, "
     "and the number of rows has a limit. Name tables as get_dataset_schema "
     "does. After SQL_POLICY_VIOLATION do not send the same query again; after "
     "another error read the message and correct the query.",
     "{\"type\":\"object\",\"properties\":{" DATASET_ID ","
     "\"sql\":{\"type\":\"string\",\"description\":\"One SELECT or WITH\"}},"
     "\"required\":[\"dataset_id\",\"sql\"],\"additionalProperties\":false}"},
    {"execute_query_plan",
     "Run a QueryPlan on a dataset. It becomes SQL in the same way each time, "
     "so use it for precise queries with explicit filters and aggregates: "
     "{\"table\":\"orders\",\"select\":[{\"column\":\"status\"},"
     "{\"function\":\"count\",\"column\":\"*\",\"alias\":\"total\"}],"
     "\"filters\":[{\"column\":\"city\",\"operator\":\"=\",\"value\":"
     "\"Rome\"}],\"group_by\":[\"status\"],\"order_by\":[{\"column\":"
     "\"total\",\"direction\":\"desc\"}],\"limit\":50}. table and select are "
     "needed; the limit is 200 when there is none. Functions: count, count "
     "distinct, sum, avg, min, max, median, stddev, variance. Operators: =, "
     "!=, <, <=, >, >=, in, not in, like, ilike, between, is null, is not "
     "null.",
     "{\"type\":\"object\",\"properties\":{" DATASET_ID ","
     "\"plan\":{\"type\":\"object\",\"description\":\"The QueryPlan\"}},"
     "\"required\":[\"dataset_id\",\"plan\"],\"additionalProperties\":false}"},
    {"execute_python",
     "Run Python with pandas on a dataset in a sandbox. Each table is a "
     "DataFrame of its name, and datasets[name]; a single one is also df. "
     "pandas is pd and numpy is np. Assign a DataFrame or a list to result_df "
     "to return it; the number of rows has a limit. Figures that are left open "
     "are shown to the user. The sandbox has no network, no files but those in "
     "/tmp, and no other processes: modules such as os, socket and subprocess "
     "can be imported but can do nothing.",
     "{\"type\":\"object\",\"properties\":{" DATASET_ID ","
     "\"python_code\":{\"type\":\"string\",\"description\":\"Python that sets "
     "result_df\"}},\"required\":[\"dataset_id\",\"python_code\"],"
     "\"additionalProperties\":false}"},
    {NULL, NULL, NULL}};

bool csv_error_rejects(struct str code)
{
    static const char *const codes[] = {CSV_POLICY_VIOLATION, CSV_PLAN_ERROR,
                                        CSV_FEATURE_DISABLED, CSV_NO_DATASET,
                                        CSV_BAD_ARGUMENTS};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (str_is(code, codes[i]))
            return true;
    return false;
}

/* ---- the ways a call ends ----------------------------------------------- */

struct next csv_succeed(struct flow *f, struct str result, struct str shown)
{
    struct tool_run *t = locals(f, struct tool_run);
    t->result = arena_str(t->memory, result);
    t->shown = arena_str(t->memory, shown);
    return back(f);
}

static struct str error_json(struct flow *f, const char *code,
                             struct str message, struct str more)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_text(&w, "status", "error");
    json_field_text(&w, "error", code);
    json_field_str(&w, "message", utf8_cut(message, CSV_MESSAGE_BYTES));
    buf_str(&out, more);
    json_put_object_end(&w);
    return buf_finish(&out);
}

struct next csv_fail_with(struct flow *f, const char *code, struct str message,
                          struct str shown, struct str more)
{
    struct tool_run *t = locals(f, struct tool_run);
    t->failed = true;
    t->query = NULL;
    t->python = NULL;
    return csv_succeed(
        f, error_json(f, code, message, more),
        error_json(f, code, shown.len ? shown : message, STR("")));
}

struct next csv_fail(struct flow *f, const char *code, struct str message,
                     struct str shown)
{
    return csv_fail_with(f, code, message, shown, STR(""));
}

bool csv_right_dataset(struct flow *f, const json_t *args)
{
    const struct tool_context *c = locals(f, struct tool_run)->context;
    const json_t *given = json_object_get(args, "dataset_id");
    struct str id = json_text(given);
    return !given || str_eq_nocase(id, c->dataset_id) ||
           str_eq_nocase(id, c->ontology_id);
}

struct next csv_wrong_dataset(struct flow *f, const json_t *args)
{
    const struct tool_context *c = locals(f, struct tool_run)->context;
    struct buf out;
    buf_init(&out, flow_here(f));
    buf_text(&out, "There is no dataset \"");
    utf8_put_plain(&out, utf8_first(json_get_text(args, "dataset_id"), 80));
    buf_printf(&out, "\" here. The dataset of this chat is \"%.*s\".",
               STR_ARG(c->dataset_id));
    return csv_fail(f, CSV_NO_DATASET, buf_view(&out), STR(""));
}

/* ---- list_datasets ------------------------------------------------------ */

/* Over a model that hides something, an example is shown only with a query that
 * names nothing of it: what is prose alone cannot be judged. */
static void put_examples(struct flow *f, struct json_writer *w)
{
    enum { EXAMPLES = 3, EXAMPLES_READ = 100 };
    const struct tool_context *c = locals(f, struct tool_run)->context;
    const struct ontology *o = c->ontology->model;
    const struct str_list *all = &o->hints.examples;
    size_t shown = 0;
    json_put_array(w);
    for (size_t i = 0; i < all->n && i < EXAMPLES_READ && shown < EXAMPLES;
         i++) {
        struct str sql = example_sql(all->items[i]);
        if (o->hides &&
            !(sql.len &&
              query_may_be_shown(flow_here(f), c->ontology, c->source, sql)))
            continue;
        json_put_str(w, utf8_first(all->items[i], 300));
        shown++;
    }
    json_put_array_end(w);
}

static struct next list_datasets(struct flow *f, const json_t *args)
{
    (void)args;
    const struct tool_context *c = locals(f, struct tool_run)->context;
    const struct ontology *o = c->ontology->model;
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_writer_init(&w, &out);
    json_put_array(&w);
    json_put_object(&w);
    json_field_str(&w, "id", c->dataset_id);
    json_field_str(&w, "name", o->name);
    json_field_str(&w, "description", utf8_first(o->description, 1000));
    json_put_key(&w, "example_prompts");
    put_examples(f, &w);
    json_put_object_end(&w);
    json_put_array_end(&w);
    return csv_succeed(f, buf_view(&out), STR(""));
}

/* ---- SQL ---------------------------------------------------------------- */

static struct next rows_ready(struct flow *f);

/* The guard's refusals that a corrected text does away with. */
static bool is_about_names(struct str refusal)
{
    return str_is(refusal, "syntax") || str_is(refusal, "newer_syntax") ||
           str_is(refusal, "empty") || str_is(refusal, "relation");
}

static const char *error_code(const struct query_tool *q)
{
    if (q->why == ERR_TIMEOUT)
        return CSV_TIMEOUT;
    if (q->why == ERR_SQL_REFUSED)
        return is_about_names(q->refusal) ? CSV_SQL_ERROR
                                          : CSV_POLICY_VIOLATION;
    return q->why == ERR_SQL_FAILED ? CSV_SQL_ERROR : CSV_UNAVAILABLE;
}

static struct row_arrays arrays_of(struct arena *a, const struct query_tool *q)
{
    struct row_arrays rows;
    size_t n = (size_t)q->n_columns;
    struct str *types = arena_new_array(a, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        types[i] = q->columns[i].type;
    row_arrays_init(&rows, a, q->json_first, types, n);
    return rows;
}

/* Appends ,"rows":[…] with as many as fit. Returns how many. */
static int put_rows(struct flow *f, struct buf *out, const struct query_tool *q,
                    size_t budget)
{
    struct row_arrays rows = arrays_of(flow_here(f), q);
    int n = 0;
    buf_text(out, ",\"rows\":[");
    for (;; n++) {
        size_t before = out->len;
        if (n)
            buf_char(out, ',');
        if (!row_arrays_next(&rows, out) || out->len > budget) {
            out->len = before;
            break;
        }
    }
    buf_char(out, ']');
    return n;
}

/* A result within the budget; without its rows when the reader may not see
 * them. `more` are further members. */
static struct str result_json(struct flow *f, const struct query_tool *q,
                              bool rows, size_t budget, struct str more)
{
    struct buf out;
    int shown = 0;
    buf_init(&out, flow_here(f));
    buf_text(&out, "{\"status\":\"success\",\"columns\":[");
    for (int i = 0; i < q->n_columns && (!i || out.len < budget / 2); i++) {
        buf_text(&out, i ? "," : "");
        json_quote(&out, utf8_cut(q->columns[i].name, budget / 4));
    }
    buf_char(&out, ']');
    size_t end = more.len + 200;
    if (rows)
        shown = put_rows(f, &out, q, budget > end ? budget - end : 0);
    buf_printf(&out, ",\"row_count\":%d,\"exec_time_ms\":%u", q->n_rows,
               q->elapsed_ms);
    if (!rows)
        buf_printf(&out, ",\"rows_not_shown\":\"%.*s\"",
                   STR_ARG(not_disclosed));
    else if (shown < q->n_rows)
        buf_printf(&out, ",\"rows_not_shown\":%d", q->n_rows - shown);
    if (q->more_rows)
        buf_text(&out, ",\"truncated\":true");
    if (out.len + more.len < budget)
        buf_str(&out, more);
    buf_char(&out, '}');
    return buf_finish(&out);
}

/* ,"compiled_sql":"…","plan":{…} of a plan. */
static struct str plan_members(struct flow *f, const struct tool_run *t,
                               struct str sql)
{
    struct buf out;
    json_t *args;
    if (!str_is(t->name, "execute_query_plan"))
        return STR("");
    buf_init(&out, flow_here(f));
    buf_text(&out, ",\"compiled_sql\":");
    json_quote(&out, sql);
    args = json_read_lenient(t->arguments, NULL);
    if (args)
        defer(f, json_drop, args);
    buf_text(&out, ",\"plan\":");
    json_print_into(&out, json_object_get(args, "plan"));
    return buf_view(&out);
}

static struct next run_sql(struct flow *f, struct str sql)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct query_tool *q = arena_new(t->memory, struct query_tool);
    *q = (struct query_tool){.context = t->context,
                             .sql = arena_str(t->memory, sql),
                             .memory = t->memory,
                             .json_memory =
                                 t->json_memory ? t->json_memory : t->memory};
    t->query = q;
    return call(f, query_tool_begin, q, rows_ready);
}

static struct next rows_ready(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    const struct query_tool *q = t->query;
    enum share_rows share = t->context->share_rows;
    struct str more = plan_members(f, t, q->sql);
    if (q->failed)
        return csv_fail_with(f, error_code(q),
                             disclose_error(share, q->error, q->about_text),
                             q->error, more);
    bool rows =
        disclose_rows(share, &(struct sql_result){.aggregated = q->aggregated});
    return csv_succeed(
        f, result_json(f, q, rows, t->context->text_budget + more.len, more),
        result_json(f, q, true, CSV_SHOWN_BYTES, STR("")));
}

static struct next execute_sql(struct flow *f, const json_t *args)
{
    struct str sql = json_get_text(args, "sql");
    if (!csv_right_dataset(f, args))
        return csv_wrong_dataset(f, args);
    if (!str_trim(sql).len)
        return csv_fail(f, CSV_BAD_ARGUMENTS, STR("Give sql: one SELECT."),
                        STR(""));
    return run_sql(f, sql);
}

/* The plan's own dataset_id, if it has one, has to be that of the call. */
static bool plan_is_of_dataset(struct flow *f, const json_t *plan)
{
    const json_t *id = json_object_get(plan, "dataset_id");
    return !id || json_is_null(id) || csv_right_dataset(f, plan);
}

static struct next execute_query_plan(struct flow *f, const json_t *args)
{
    const struct tool_context *c = locals(f, struct tool_run)->context;
    struct query_plan q = {.ontology = c->ontology->model,
                           .plan = json_object_get(args, "plan"),
                           .arena = flow_here(f)};
    if (!csv_right_dataset(f, args))
        return csv_wrong_dataset(f, args);
    if (!q.plan)
        return csv_fail(f, CSV_PLAN_ERROR, STR("plan: It must be an object."),
                        STR(""));
    if (!plan_is_of_dataset(f, q.plan))
        return csv_fail(
            f, CSV_PLAN_ERROR,
            STR("plan.dataset_id: It is not the dataset of the call."),
            STR(""));
    if (!query_plan_compile(&q))
        return csv_fail(f, CSV_PLAN_ERROR, q.problem, STR(""));
    return run_sql(f, q.sql);
}

/* ---- dispatch ----------------------------------------------------------- */

typedef struct next csv_tool_fn(struct flow *f, const json_t *args);

static struct next csv_tool_begin(struct flow *f)
{
    static const struct {
        const char *name;
        csv_tool_fn *run;
    } tools[] = {{"list_datasets", list_datasets},
                 {"get_dataset_schema", csv_get_schema},
                 {"execute_sql", execute_sql},
                 {"execute_query_plan", execute_query_plan},
                 {"execute_python", csv_execute_python}};
    const struct tool_run *t = locals(f, struct tool_run);
    json_t *args =
        json_read_lenient(t->arguments.len ? t->arguments : STR("{}"), NULL);
    if (args)
        defer(f, json_drop, args);
    if (!json_is_object(args))
        return csv_fail(f, CSV_BAD_ARGUMENTS,
                        STR("The arguments must be a JSON object."), STR(""));
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (str_is(t->name, tools[i].name))
            return tools[i].run(f, args);
    return csv_fail(f, CSV_BAD_ARGUMENTS, STR("There is no such tool."),
                    STR(""));
}

const struct tool_set csv_tools = {infos, csv_tool_begin, "csv_tool_begin"};
