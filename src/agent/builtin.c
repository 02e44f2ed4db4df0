/* builtin.c - the provider that needs no model: phases' inputs to the analyst.
 *
 * It speaks in the same replies as a model would: JSON for plans and queries,
 * fenced code for Python, Markdown for the answer, tool calls for the navigator,
 * so that every phase takes the same road. */
#include "agent/tool_loop.h"
#include "analyst/analyst.h"
#include "base/clock.h"
#include "clarify.h"
#include "base/banned.h"

enum { MS_A_DAY = 86400000 };

static struct analyst_context context_of(struct run *r, struct arena *a)
{
    const struct run_load *l = &r->load;
    struct str *earlier = arena_new_array(a, struct str, l->turns.n + 1);
    struct analyst_context c = {.ontology = r->ontology->model,
                                .earlier = earlier,
                                .today = clock_wall_ms() / MS_A_DAY};
    const struct run_turn *turns = turns_read(&l->turns, a);
    for (size_t i = 0; i < l->turns.n; i++)
        if (turns[i].from_user)
            earlier[c.n_earlier++] = turns[i].content;
    c.question = clarify_listed(
        a, r->asked, r->n_asked,
        c.n_earlier ? earlier[c.n_earlier - 1] : STR(""), l->question);
    return c;
}

static struct str plan_reply(const struct analyst_context *c, struct arena *a)
{
    struct plan *plan = arena_new(a, struct plan);
    analyst_plan(a, c, plan);
    return artifact_json(a, &plan_type, plan);
}

static struct str queries_reply(const struct analyst_context *c, struct run *r,
                                struct arena *a)
{
    struct query_specs *specs = arena_new(a, struct query_specs);
    analyst_queries(a, c, r->plan, specs);
    return artifact_json(a, &query_specs_type, specs);
}

static struct str fenced(struct arena *a, struct str code)
{
    return arena_printf(a, "```python\n%.*s\n```", STR_ARG(code));
}

static struct str narrative(const struct analyst_context *c, struct run *r,
                            struct arena *a)
{
    struct analyst_findings f = {.plan = r->plan,
                                 .results = r->results,
                                 .report = r->report,
                                 .cannot = r->cannot_answer};
    return analyst_narrative(a, c, &f);
}

static void add_call(struct llm_call *c, struct arena *a, const char *name,
                     struct str arguments)
{
    struct llm_tool_call *t = &c->tool_calls[c->n_tool_calls++];
    *t = (struct llm_tool_call){
        .id = arena_printf(a, "call_%zu", c->n_tool_calls),
        .name = str_of(name),
        .arguments = arguments};
}

static struct str details_arguments(struct run *r, struct arena *a)
{
    struct buf out;
    struct json_writer w;
    size_t *datasets, n = run_plan_datasets(r, &datasets);
    buf_init(&out, a);
    json_write_to(&w, &out);
    json_put_object(&w);
    json_put_key(&w, "datasetNames");
    json_put_array(&w);
    for (size_t i = 0; i < n; i++)
        json_put_str(&w, r->ontology->model->datasets[datasets[i]].name);
    json_put_array_end(&w);
    json_put_object_end(&w);
    return buf_view(&out);
}

/* One look at the relationships and the datasets, then no more to say. */
static void explore(struct llm_call *c, const struct phase_inputs *in,
                    struct arena *a)
{
    if (in->loop->n_rounds > 0) {
        c->content = STR("The joins follow the ontology's relationships.");
        return;
    }
    c->tool_calls = arena_new_array(a, struct llm_tool_call, 2);
    add_call(c, a, "get_relationships", STR("{}"));
    add_call(c, a, "get_dataset_details", details_arguments(in->run, a));
    c->finish = LLM_TOOL_CALLS;
}

/* ---- the ReAct agent ------------------------------------------------------- */

static struct str sql_arguments(struct arena *a, const char *key,
                                struct str text)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, a);
    json_write_to(&w, &out);
    json_put_object(&w);
    json_field_str(&w, key, text);
    json_put_object_end(&w);
    return buf_view(&out);
}

/* The run's results by the plan's steps: queries ran in the plan's order. */
static struct step_results *results_by_plan(struct arena *a, struct run *r,
                                            const struct query_specs *specs)
{
    struct step_results *out = arena_new(a, struct step_results);
    size_t n = r->results ? r->results->n_results : 0, query = 0;
    out->results = arena_new_array(a, struct step_result, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct step_result s = r->results->results[i];
        if (s.sql_result && query < specs->n_queries)
            s.step_id = specs->queries[query++].step_id;
        out->results[out->n_results++] = s;
    }
    return out;
}

static struct str questions_back(struct arena *a, const struct plan *plan)
{
    struct buf out;
    buf_init(&out, a);
    buf_text(&out, "To answer well I need to know:\n");
    for (size_t i = 0; i < plan->n_clarification_questions; i++)
        buf_printf(&out, "\n%zu. %.*s", i + 1,
                   STR_ARG(plan->clarification_questions[i].question));
    return buf_view(&out);
}

static void call_queries(struct llm_call *c, struct arena *a,
                         const struct query_specs *specs)
{
    c->tool_calls = arena_new_array(a, struct llm_tool_call, specs->n_queries);
    for (size_t i = 0; i < specs->n_queries; i++)
        add_call(c, a, "query_database",
                 sql_arguments(a, "sql", specs->queries[i].full_sql));
    c->finish = LLM_TOOL_CALLS;
}

/* A chart of the first query's rows. False: the plan draws none. */
static bool call_python(struct llm_call *c, struct arena *a,
                        const struct analyst_context *x,
                        const struct plan *plan)
{
    c->tool_calls = arena_new_array(a, struct llm_tool_call, plan->n_steps + 1);
    for (size_t i = 0; i < plan->n_steps; i++) {
        struct str code = analyst_python(a, x, plan, &plan->steps[i]);
        if (code.len)
            add_call(c, a, "run_python", sql_arguments(a, "code", code));
    }
    c->finish = c->n_tool_calls ? LLM_TOOL_CALLS : LLM_STOP;
    return c->n_tool_calls > 0;
}

/* Queries, then a chart if one is wanted, then the answer. */
static void react(struct llm_call *c, const struct phase_inputs *in,
                  const struct analyst_context *x, struct arena *a)
{
    struct plan *plan = arena_new(a, struct plan);
    struct query_specs *specs = arena_new(a, struct query_specs);
    bool computes = analyst_plan(a, x, plan) && !plan->should_clarify;
    if (computes)
        analyst_queries(a, x, plan, specs);
    if (plan->should_clarify) {
        c->content = questions_back(a, plan);
        return;
    }
    if (in->loop->n_rounds == 0 && specs->n_queries) {
        call_queries(c, a, specs);
        return;
    }
    if (in->loop->n_rounds == 1 && in->run->results &&
        call_python(c, a, x, plan))
        return;
    struct analyst_findings f = {
        .plan = plan,
        .report = in->run->report,
        .results =
            in->run->results ? results_by_plan(a, in->run, specs) : NULL};
    c->content = analyst_narrative(a, x, &f);
}

/* A word at a time would be theatre; a line at a time reads well. */
static void tell_lines(const struct llm_call *c)
{
    struct str rest = c->content;
    while (c->on_text && rest.len) {
        ptrdiff_t end = str_find_char(rest, '\n');
        size_t n = end < 0 ? rest.len : (size_t)end + 1;
        c->on_text(c->who, str_cut(rest, 0, n));
        rest = str_from(rest, n);
    }
}

static enum err answer(struct llm_call *c, struct arena *a)
{
    const struct phase_inputs *in = c->inputs;
    struct run *r = in->run;
    struct analyst_context x = context_of(r, a);
    c->finish = LLM_STOP;
    switch (in->task) {
    case TASK_PLAN:
        c->content = plan_reply(&x, a);
        break;
    case TASK_NAVIGATE:
        explore(c, in, a);
        break;
    case TASK_QUERIES:
        c->content = queries_reply(&x, r, a);
        break;
    case TASK_REPAIR:
        c->content = STR("");
        break;
    case TASK_PYTHON:
        c->content = fenced(a, analyst_python(a, &x, r->plan, in->step));
        break;
    case TASK_VERIFY:
        c->content =
            fenced(a, analyst_verification(a, &x, r->plan, r->results));
        break;
    case TASK_EXPLAIN:
        c->content = narrative(&x, r, a);
        tell_lines(c);
        break;
    case TASK_REACT:
        react(c, in, &x, a);
        tell_lines(c);
    }
    return OK;
}

void agent_register_builtin(void)
{
    static const struct llm_local builtin = {.id = "builtin", .answer = answer};
    llm_register_local(&builtin);
}
