/* tool.c - runs tools by name. The arguments come from a model, so each one is
 * checked; errors in them go to the model, not to the log. */
#include "tool/tool.h"
#include "ontology/brief.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include "ontology/text.h"
#include "sample.h"
#include "tool/disclosure.h"
#include <string.h>
#include "base/banned.h"

const struct tool_info tool_infos[] = {
#define TOOL(name, description, parameters) {#name, description, parameters},
#include "tool/tools.def"
#undef TOOL
    {NULL, NULL, NULL}};

const struct tool_info *tool_info_of(struct str name)
{
    for (const struct tool_info *t = tool_infos; t->name; t++)
        if (str_is(name, t->name))
            return t;
    return NULL;
}

/* ---- results ------------------------------------------------------------ */

static struct next tool_succeed(struct flow *f, struct str text)
{
    struct tool_run *t = locals(f, struct tool_run);
    t->result = arena_str(t->memory, text);
    return back(f);
}

static struct next tool_fail(struct flow *f, struct str text)
{
    locals(f, struct tool_run)->failed = true;
    return tool_succeed(f, text);
}

/* ---- the ontology ------------------------------------------------------- */

static struct next list_datasets(struct flow *f, const json_t *args)
{
    (void)args;
    struct buf out;
    buf_init(&out, flow_here(f));
    dataset_list_markdown(locals(f, struct tool_run)->context->ontology->model,
                          &out);
    return tool_succeed(f, buf_view(&out));
}

static struct next get_relationships(struct flow *f, const json_t *args)
{
    (void)args;
    struct buf out;
    buf_init(&out, flow_here(f));
    brief_put_relationships(
        locals(f, struct tool_run)->context->ontology->model, NULL, 0, &out);
    return tool_succeed(f, out.len ? buf_view(&out)
                                   : STR("There are no relationships."));
}

static struct str no_such_dataset(struct flow *f, struct str name)
{
    const struct ontology *o =
        locals(f, struct tool_run)->context->ontology->model;
    struct str_list near = ontology_nearest_datasets(flow_here(f), o, name, 3);
    struct buf out;
    buf_init(&out, flow_here(f));
    buf_printf(&out, "There is no dataset \"%.*s\".", STR_ARG(name));
    for (size_t i = 0; i < near.n; i++)
        buf_printf(&out, "%s%.*s%s",
                   i ? ", " : " Did you mean: ", STR_ARG(near.items[i]),
                   i + 1 == near.n ? "?" : "");
    return buf_view(&out);
}

/* `datasetNames` or `datasetName`, as a list or as one string. */
static size_t named_datasets(struct flow *f, const json_t *args,
                             struct str **names)
{
    const json_t *v = json_object_get(args, "datasetNames");
    if (!v)
        v = json_object_get(args, "datasetName");
    size_t n = json_is_array(v) ? json_array_size(v) : 1, count = 0;
    *names = arena_new_array(flow_here(f), struct str, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct str name =
            json_text(json_is_array(v) ? json_array_get(v, i) : v);
        if (name.len)
            (*names)[count++] = name;
    }
    return count;
}

static struct next get_dataset_details(struct flow *f, const json_t *args)
{
    struct tool_run *t = locals(f, struct tool_run);
    const struct ontology *o = t->context->ontology->model;
    struct str *names;
    size_t n = named_datasets(f, args, &names), found = 0;
    size_t *datasets = arena_new_array(flow_here(f), size_t, n + 1);
    struct buf missing, out;
    buf_init(&missing, flow_here(f));
    buf_init(&out, flow_here(f));
    for (size_t i = 0; i < n; i++) {
        const struct dataset *d = ontology_dataset(o, names[i]);
        if (d)
            datasets[found++] = dataset_index(o, d);
        else
            buf_printf(&missing, "%s%.*s", missing.len ? "\n" : "",
                       STR_ARG(no_such_dataset(f, names[i])));
    }
    if (found && t->context->share_rows == SHARE_ALL)
        datasets_yaml(o, datasets, found, t->context->text_budget, &out);
    else if (found) /* without examples of values, which the YAML may have */
        brief_put_datasets(o, datasets, found, t->context->text_budget, &out,
                           NULL);
    if (found && missing.len)
        buf_text(&out, "\n\n");
    buf_str(&out, buf_view(&missing));
    if (n == 0)
        return tool_fail(f, STR("Give datasetNames: a list of dataset names."));
    return found ? tool_succeed(f, buf_view(&out))
                 : tool_fail(f, buf_view(&out));
}

/* ---- the database ------------------------------------------------------- */

enum { SHOWN_BYTES = 2000 }; /* of a table in `shown` */

static struct next rows_ready(struct flow *f);

static struct next run_query(struct flow *f, struct str sql, int max_rows,
                             struct arena *json_memory)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct query_tool *q = arena_new(t->memory, struct query_tool);
    *q = (struct query_tool){.context = t->context,
                             .sql = arena_str(t->memory, sql),
                             .max_rows = max_rows,
                             .memory = t->memory,
                             .json_memory = json_memory};
    t->query = q;
    return call(f, query_tool_begin, q, rows_ready);
}

static struct next query_failed(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    const struct query_tool *q = t->query;
    t->shown = q->error;
    t->query = NULL;
    return tool_fail(
        f, disclose_error(t->context->share_rows, q->error, q->about_text));
}

static struct next rows_ready(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    const struct query_tool *q = t->query;
    enum share_rows share = t->context->share_rows;
    if (q->failed)
        return query_failed(f);
    if (t->sample_rows)
        q = t->query = sample_choose(t->memory, q, t->sample_rows);
    if (disclose_rows(share, &(struct sql_result){.aggregated = q->aggregated}))
        return tool_succeed(
            f, query_markdown(flow_here(f), q, t->context->text_budget));
    t->shown = query_markdown(t->memory, q, SHOWN_BYTES);
    return tool_succeed(f, query_outline(flow_here(f), q));
}

static struct next query_database(struct flow *f, const json_t *args)
{
    struct str sql = json_get_text(args, "sql");
    if (!sql.len)
        return tool_fail(f, STR("Give sql: one SELECT."));
    return run_query(f, sql, 0, locals(f, struct tool_run)->json_memory);
}

/* More rows than wanted are read, so their bytes have a bound of their own. */
static struct next read_sample(struct flow *f, const struct dataset *d,
                               int wanted)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct tool_context *context = arena_new(t->memory, struct tool_context);
    struct query_tool *q = arena_new(t->memory, struct query_tool);
    *context = *t->context;
    if (context->sql_max_bytes > SAMPLE_BYTES)
        context->sql_max_bytes = SAMPLE_BYTES;
    t->sample_rows = wanted;
    t->query = q;
    *q = (struct query_tool){
        .context = context,
        .sql = sample_sql(t->memory, source_dialect(t->context->source),
                          dataset_relation(flow_here(f), d), wanted),
        .max_rows = sample_window(wanted),
        .memory = t->memory};
    return call(f, query_tool_begin, q, rows_ready);
}

static struct next get_sample_data(struct flow *f, const json_t *args)
{
    const struct ontology *o =
        locals(f, struct tool_run)->context->ontology->model;
    struct str name = json_get_text(args, "datasetName");
    int64_t limit = json_get_int(args, "limit", 10);
    const struct dataset *d = ontology_dataset(o, name);
    if (!d)
        return tool_fail(f, no_such_dataset(f, name));
    limit = limit < 1 ? 1 : limit > 100 ? 100 : limit;
    return read_sample(f, d, (int)limit);
}

/* ---- python ------------------------------------------------------------- */

/* The result as text; `printed`: including what the code printed. */
static struct str python_text(struct arena *a, const struct python_tool *p,
                              bool printed)
{
    struct buf out;
    buf_init(&out, a);
    if (p->out.len)
        buf_printf(&out, "**Output:**\n```\n%.*s\n```\n\n",
                   STR_ARG(printed ? p->out : not_disclosed));
    if (p->err.len)
        buf_printf(&out, "**Errors:**\n```\n%.*s\n```\n\n",
                   STR_ARG(printed ? p->err : not_disclosed));
    if (p->n_charts)
        buf_printf(&out,
                   "**Charts:** %zu, shown to the user with the "
                   "answer.\n\n",
                   p->n_charts);
    buf_printf(&out, "(Executed in %lldms)", (long long)p->elapsed_ms);
    return buf_view(&out);
}

static struct next python_ran(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    const struct python_tool *p = t->python;
    bool printed = disclose_derived(t->context->share_rows, t->made_of);
    struct str text = python_text(flow_here(f), p, printed);
    if (p->unavailable || p->failed)
        t->python = NULL;
    if (p->unavailable)
        return tool_fail(f, p->error);
    if (!printed)
        t->shown = python_text(t->memory, p, true);
    return p->failed ? tool_fail(f, text) : tool_succeed(f, text);
}

static struct next run_python(struct flow *f, const json_t *args)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct str code = json_get_text(args, "code");
    if (!code.len)
        return tool_fail(f, STR("Give code: Python."));
    struct python_tool *p = arena_new(t->memory, struct python_tool);
    *p = (struct python_tool){.context = t->context,
                              .code = arena_str(t->memory, code),
                              .data = t->data,
                              .n_data = t->n_data,
                              .memory = t->memory};
    t->python = p;
    return call(f, python_tool_begin, p, python_ran);
}

/* ---- dispatch ----------------------------------------------------------- */

typedef struct next tool_fn(struct flow *f, const json_t *args);

struct next tool_begin(struct flow *f)
{
    static const struct {
        const char *name;
        tool_fn *run;
    } tools[] = {
#define TOOL(name, description, parameters) {#name, name},
#include "tool/tools.def"
#undef TOOL
    };
    struct tool_run *t = locals(f, struct tool_run);
    json_t *args =
        json_read_lenient(t->arguments.len ? t->arguments : STR("{}"), NULL);
    if (args)
        defer(f, json_drop, args);
    if (!json_is_object(args))
        return tool_fail(f, STR("The arguments must be a JSON object."));
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (str_is(t->name, tools[i].name))
            return tools[i].run(f, args);
    return tool_fail(f, arena_printf(flow_here(f), "There is no tool \"%.*s\".",
                                     STR_ARG(t->name)));
}
