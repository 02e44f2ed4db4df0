/* builtin.c - the provider that needs no model: the analyst answers.
 *
 * The analyst gives plans and queries as structs, which go to the phase as they
 * are (consult_answer). The rest of a reply is what the run needs of any model:
 * Python code and Markdown as text, and calls of tools, whose arguments are JSON
 * because the tool loop records and runs those of all models. */
#include "agent/consult.h"
#include "agent/tool_loop.h"
#include "analyst/analyst.h"
#include "builtin.h"
#include "clarify.h"
#include "explorer/explorer.h"
#include "pipeline/pipeline.h"
#include "pipeline/trusted.h"
#include "react/react.h"
#include "today.h"
#include "base/banned.h"

static struct analyst_context context_of(struct run *r, struct arena *a)
{
    const struct run_load *l = &r->load;
    struct str *earlier = arena_new_array(a, struct str, l->turns.n + 1);
    struct analyst_context c = {.ontology = r->ontology->model,
                                .earlier = earlier,
                                .today = run_today(r)};
    const struct run_turn *turns = turns_read(&l->turns, a);
    for (size_t i = 0; i < l->turns.n; i++)
        if (turns[i].from_user)
            earlier[c.n_earlier++] = turns[i].content;
    c.question = clarify_listed(
        a, r->asked, r->n_asked,
        c.n_earlier ? earlier[c.n_earlier - 1] : STR(""), l->question);
    return c;
}

/* ---- tool calls ----------------------------------------------------------- */

static void add_call(struct llm_call *c, struct arena *a, const char *tool,
                     struct buf *arguments)
{
    struct llm_tool_call *t = &c->tool_calls[c->n_tool_calls++];
    *t = (struct llm_tool_call){
        .id = arena_printf(a, "call_%zu", c->n_tool_calls),
        .name = str_of(tool),
        .arguments = buf_view(arguments)};
    c->finish = LLM_TOOL_CALLS;
}

/* A call whose only argument is `key`: {"key": "text"}. */
static void add_text_call(struct llm_call *c, struct arena *a, const char *tool,
                          const char *key, struct str text)
{
    struct buf arguments;
    struct json_writer w;
    buf_init(&arguments, a);
    json_writer_init(&w, &arguments);
    json_put_object(&w);
    json_field_str(&w, key, text);
    json_put_object_end(&w);
    add_call(c, a, tool, &arguments);
}

static void add_details_call(struct llm_call *c, struct run *r, struct arena *a)
{
    struct buf arguments;
    struct json_writer w;
    size_t *datasets, n = pipeline_plan_datasets(r, &datasets);
    buf_init(&arguments, a);
    json_writer_init(&w, &arguments);
    json_put_object(&w);
    json_field_array(&w, "datasetNames");
    for (size_t i = 0; i < n; i++)
        json_put_str(&w, r->ontology->model->datasets[datasets[i]].name);
    json_put_array_end(&w);
    json_put_object_end(&w);
    add_call(c, a, "get_dataset_details", &arguments);
}

/* The navigator's first round reads the relationships and the datasets. */
static void navigate(struct llm_call *c, const struct phase_inputs *in,
                     struct arena *a)
{
    if (in->loop->n_rounds > 0) {
        c->content = STR("The joins follow the ontology's relationships.");
        return;
    }
    c->tool_calls = arena_new_array(a, struct llm_tool_call, 2);
    struct buf none;
    buf_init(&none, a);
    buf_text(&none, "{}");
    add_call(c, a, "get_relationships", &none);
    add_details_call(c, in->run, a);
}

/* ---- results -------------------------------------------------------------- */

/* The run's results with all rows that were fetched, where the artifact has the
 * first hundred: the lowest of 500 groups is rarely among them. NULL: none. */
static struct step_results *whole_results(struct arena *a, const struct run *r)
{
    size_t n = r->results ? r->results->n_results : 0;
    struct step_results *out = arena_new(a, struct step_results);
    if (!r->results)
        return NULL;
    out->results = arena_new_array(a, struct step_result, n + 1);
    out->n_results = n;
    for (size_t i = 0; i < n; i++) {
        struct step_result *s = &out->results[i];
        *s = r->results->results[i];
        if (!s->sql_result || !r->full_data || !r->full_data[i].len)
            continue;
        struct sql_result *sql = arena_new(a, struct sql_result);
        *sql = *s->sql_result;
        sql->data = r->full_data[i];
        s->sql_result = sql;
    }
    return out;
}

/* The same with the ids of the plan's steps: a ReAct agent's queries ran in the
 * order of the plan. */
static struct step_results *results_of_plan(struct arena *a,
                                            const struct run *r,
                                            const struct query_specs *specs)
{
    struct step_results *out = whole_results(a, r);
    size_t query = 0;
    for (size_t i = 0; out && i < out->n_results; i++)
        if (out->results[i].sql_result && query < specs->n_queries)
            out->results[i].step_id = specs->queries[query++].step_id;
    return out;
}

/* ---- the ReAct agent ---------------------------------------------------- */

static struct str clarification_text(struct arena *a, const struct plan *plan)
{
    struct buf out;
    buf_init(&out, a);
    buf_text(&out, "To answer well I need to know:\n");
    for (size_t i = 0; i < plan->n_clarification_questions; i++)
        buf_printf(&out, "\n%zu. %.*s", i + 1,
                   STR_ARG(plan->clarification_questions[i].question));
    return buf_view(&out);
}

/* ReAct's tools, or those of the CSV analyst. */
static void add_tool_call(struct llm_call *c, struct arena *a,
                          const struct phase_inputs *in, const char *of_react,
                          const char *of_csv, const char *key, struct str text)
{
    struct buf arguments;
    struct json_writer w;
    if (in->task == TASK_REACT) {
        add_text_call(c, a, of_react, key, text);
        return;
    }
    buf_init(&arguments, a);
    json_writer_init(&w, &arguments);
    json_put_object(&w);
    json_field_str(&w, "dataset_id", in->run->tools.dataset_id);
    json_field_str(&w, str_is(str_of(key), "code") ? "python_code" : key, text);
    json_put_object_end(&w);
    add_call(c, a, of_csv, &arguments);
}

static void call_queries(struct llm_call *c, struct arena *a,
                         const struct phase_inputs *in,
                         const struct query_specs *specs)
{
    c->tool_calls = arena_new_array(a, struct llm_tool_call, specs->n_queries);
    for (size_t i = 0; i < specs->n_queries; i++)
        add_tool_call(c, a, in, "query_database", "execute_sql", "sql",
                      specs->queries[i].full_sql);
}

/* False: the plan draws nothing. */
static bool call_python(struct llm_call *c, struct arena *a,
                        const struct phase_inputs *in,
                        const struct analyst_context *context,
                        const struct plan *plan)
{
    c->tool_calls = arena_new_array(a, struct llm_tool_call, plan->n_steps + 1);
    for (size_t i = 0; i < plan->n_steps; i++) {
        struct str code = analyst_python(a, context, plan, &plan->steps[i]);
        if (code.len)
            add_tool_call(c, a, in, "run_python", "execute_python", "code",
                          code);
    }
    return c->n_tool_calls > 0;
}

/* The first round runs the queries, the second draws if a chart is wanted, the
 * last one answers. */
static void react(struct llm_call *c, const struct phase_inputs *in,
                  const struct analyst_context *context, struct arena *a)
{
    struct run *r = in->run;
    if (react_is_trusted(r)) { /* its query is not the analyst's */
        const struct analyst_findings f = {.report = r->report,
                                           .results = r->results};
        c->content = analyst_results_narrative(a, &f);
        return;
    }
    struct plan *plan = arena_new(a, struct plan);
    struct query_specs *specs = arena_new(a, struct query_specs);
    bool computes = analyst_plan(a, context, plan);
    if (plan->should_clarify) {
        c->content = clarification_text(a, plan);
        return;
    }
    if (computes)
        analyst_queries(a, context, plan, specs);
    if (in->loop->n_rounds == 0 && specs->n_queries) {
        call_queries(c, a, in, specs);
        return;
    }
    if (in->loop->n_rounds == 1 && r->results &&
        call_python(c, a, in, context, plan))
        return;
    struct analyst_findings f = {.plan = plan,
                                 .report = r->report,
                                 .results = results_of_plan(a, r, specs)};
    c->content = analyst_narrative(a, context, &f);
}

/* ---- the pipeline ---------------------------------------------------------- */

static void plan_question(struct llm_call *c,
                          const struct analyst_context *context,
                          struct arena *a)
{
    struct plan *plan = arena_new(a, struct plan);
    analyst_plan(a, context, plan);
    consult_answer(c->who, plan);
}

static void write_queries(struct llm_call *c, struct run *r,
                          const struct analyst_context *context,
                          struct arena *a)
{
    struct query_specs *specs = arena_new(a, struct query_specs);
    analyst_queries(a, context, pipeline_of(r)->plan, specs);
    consult_answer(c->who, specs);
}

/* Rows of the lookup may show that there is no answer. */
static void settle_cannot(struct run *r, const struct analyst_context *context,
                          struct arena *a)
{
    struct pipeline *p = pipeline_of(r);
    struct cannot_answer found;
    if (p->cannot_answer || !r->results ||
        !analyst_cannot(a, context, r->results, &found))
        return;
    struct cannot_answer *kept = arena_new(&r->arena, struct cannot_answer);
    kept->reason = arena_str(&r->arena, found.reason);
    p->cannot_answer = kept;
}

static struct str
narrative(struct run *r, const struct analyst_context *context, struct arena *a)
{
    struct analyst_findings f = {.plan = pipeline_of(r)->plan,
                                 .results = whole_results(a, r),
                                 .report = r->report,
                                 .cannot = pipeline_of(r)->cannot_answer};
    if (pipeline_of(r)->trusted) /* its query is not the analyst's */
        return analyst_results_narrative(a, &f);
    return analyst_narrative(a, context, &f);
}

/* The text streams line by line, as fast as it can be sent. */
static void stream_lines(const struct llm_call *c)
{
    struct str rest = c->content;
    while (c->on_text && rest.len) {
        ptrdiff_t end = str_find_char(rest, '\n');
        size_t n = end < 0 ? rest.len : (size_t)end + 1;
        c->on_text(c->who, str_cut(rest, 0, n));
        rest = str_from(rest, n);
    }
}

/* c->who is the consultation that asks (agent/consult.c sets it). */
static enum err answer(struct llm_call *c, struct arena *a)
{
    const struct phase_inputs *in = c->inputs;
    struct run *r = in->run;
    if (in->task == TASK_EXPLORER) {
        explorer_builtin(c, a);
        return OK;
    }
    struct analyst_context context = context_of(r, a);
    switch (in->task) {
    case TASK_PLAN:
        plan_question(c, &context, a);
        break;
    case TASK_NAVIGATE:
        navigate(c, in, a);
        break;
    case TASK_QUERIES:
        write_queries(c, r, &context, a);
        break;
    case TASK_REPAIR: /* it would write the same query again */
        c->content = STR("");
        break;
    case TASK_PYTHON:
        c->content =
            analyst_python(a, &context, pipeline_of(r)->plan, in->step);
        break;
    case TASK_VERIFY:
        c->content = pipeline_of(r)->trusted
                         ? trusted_verification()
                         : analyst_verification(
                               a, &context, pipeline_of(r)->plan, r->results);
        break;
    case TASK_EXPLAIN:
        settle_cannot(r, &context, a);
        c->content = narrative(r, &context, a);
        stream_lines(c);
        break;
    case TASK_CSV:
    case TASK_REACT:
        react(c, in, &context, a);
        stream_lines(c);
        break;
    case TASK_EXPLORER:
        break;
    }
    return OK;
}

bool builtin_plan(struct arena *a, struct run *r, struct plan *plan)
{
    struct analyst_context context = context_of(r, a);
    return analyst_plan(a, &context, plan);
}

bool builtin_counts(struct arena *a, struct run *r, struct analyst_count *count)
{
    struct analyst_context context = context_of(r, a);
    return analyst_counts(a, &context, count);
}

struct str builtin_narrative(struct arena *a, struct run *r,
                             const struct analyst_findings *found)
{
    struct analyst_context context = context_of(r, a);
    struct analyst_findings whole = *found;
    whole.results = whole_results(a, r);
    return analyst_narrative(a, &context, &whole);
}

void agent_register_builtin(void)
{
    static const struct llm_local builtin = {.id = "builtin", .answer = answer};
    llm_register_local(&builtin);
}
