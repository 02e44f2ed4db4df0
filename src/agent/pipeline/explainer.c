/* explainer.c - the answer. The model writes Markdown, which is streamed; code
 * adds lineage, caveats and charts. Before it writes, the model may call
 * run_python once to draw a summary chart of all results.
 *
 *   explainer_begin -> (agent/tool_loop.c) -> answer_heard
 *                          | after the chart     | the model failed
 *                          v                     v
 *                      chart_drawn            model_failed
 *
 * answer_heard -> (agent/ground.c) -> text_grounded
 *
 * When the model fails, code writes the text, and a caveat says so. */
#include "../context.h"
#include "../ground.h"
#include "../period_told.h"
#include "../value_lookup.h"
#include "agent/answer.h"
#include "agent/results.h"
#include "agent/tool_loop.h"
#include "analyst/analyst.h"
#include "llm/provider.h"
#include "ontology/text.h"
#include "pipeline.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum { RESULT_ROWS = 50 };

static struct next answer_heard(struct flow *f), model_failed(struct flow *f),
    chart_drawn(struct flow *f), text_grounded(struct flow *f);

struct explanation {
    struct tool_loop loop;
    struct answer_ground ground;
    struct phase_inputs inputs;
};

/* ---- the prompt --------------------------------------------------------- */

static struct str verification_text(struct arena *a, struct run *r)
{
    if (!r->report)
        return STR("");
    return context_lines(
        a, disclose_report(a, r->tools.share_rows, r->report, r->results));
}

static struct str refusal_text(struct arena *a, struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    if (!p->cannot_answer)
        return STR("");
    return artifact_json(a, &cannot_answer_type, p->cannot_answer);
}

/* For a question that reads no data: what it could ask about. */
static struct str dataset_names(struct arena *a, struct run *r)
{
    struct buf out;
    if (r->results)
        return STR("");
    buf_init(&out, a);
    dataset_list_markdown(r->ontology->model, &out);
    return buf_view(&out);
}

/* The DataFrames that a chart can be drawn from; empty: there are none, or no
 * sandbox. */
static struct str frame_names(struct arena *a, struct run *r)
{
    const struct sandbox *sandbox = r->tools.sandbox;
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0;
         sandbox && !sandbox->off && r->results && i < r->results->n_results;
         i++)
        if (r->results->results[i].sql_result)
            buf_printf(&out, "%sstep_%lld_data", out.len ? ", " : "",
                       (long long)r->results->results[i].step_id);
    return buf_view(&out);
}

static struct llm_message *compose(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"question", r->load.question, 0},
        {"plan", context_plan(a, r), budget / 2},
        {"results", context_results(a, r, RESULT_ROWS), 2 * budget},
        {"verification", verification_text(a, r), budget / 4},
        {"refusal", refusal_text(a, r), budget / 4},
        {"preferences", context_preferences(a, r), budget / 4},
        {"conversation", context_conversation(a, r), budget / 2},
        {"datasets", dataset_names(a, r), budget / 2},
        {"frames", frame_names(a, r), 1000},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "explainer", holes);
}

/* ---- the summary chart -------------------------------------------------- */

static const char *const chart_tools[] = {"run_python", NULL};
static const char *const no_tools[] = {NULL};

static struct python_data *frames(struct tool_loop *x, struct arena *memory,
                                  size_t *n)
{
    return run_frames_of_results(memory, x->run, NULL, n);
}

/* An earlier attempt may have drawn one: it is no step of the plan. */
static void drop_summary(struct run *r)
{
    struct step_results *all = r->results;
    if (all && all->n_results &&
        !plan_find_step(pipeline_of(r)->plan,
                        all->results[all->n_results - 1].step_id))
        all->n_results--;
}

/* Adds the chart to the results, as a step after those of the plan. */
static void add_summary(struct run *r, const struct python_tool *python)
{
    const struct step_results *old = r->results;
    size_t n = old->n_results;
    int64_t id = 0;
    struct step_results *all = arena_new(&r->arena, struct step_results);
    struct str *rows = arena_new_array(&r->arena, struct str, n + 1);
    all->results = arena_new_array(&r->arena, struct step_result, n + 1);
    for (size_t i = 0; i < n; i++) {
        all->results[i] = old->results[i];
        rows[i] = r->full_data[i];
        id = old->results[i].step_id > id ? old->results[i].step_id : id;
    }
    rows[n] = STR("[]");
    all->results[n] =
        (struct step_result){.step_id = id + 1,
                             .description = STR("Summary chart"),
                             .strategy = STEP_PYTHON,
                             .python_result = run_python_result(r, python)};
    all->n_results = n + 1;
    r->results = all;
    r->full_data = rows;
    run_record_artifact(r, "results", &step_results_type, all, false);
    pipeline_record_rows(r);
}

/* Text that came with the call is not part of the answer. */
static struct next chart_drawn(struct flow *f)
{
    const struct tool_loop *x = locals(f, struct tool_loop);
    struct run *r = x->run;
    for (size_t i = 0; i < x->n_calls; i++) {
        const struct python_tool *p = x->calls[i].tool.python;
        if (p && !p->failed && p->n_charts)
            add_summary(r, p);
    }
    if (r->visible.len)
        run_emit_restart(r, PHASE_EXPLAINER, x->consult.first_event);
    return back(f);
}

/* Where the data have no such value there is nothing for a model to explain. */
static struct next tell_missing(struct flow *f, struct str missing)
{
    struct run *r = locals(f, struct run);
    struct str text = value_lookup_markdown(&r->scratch, missing);
    buf_clear(&r->visible);
    run_emit_chunk(r, text);
    run_compose_output(r, text, STR(""));
    return back(f);
}

struct next explainer_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct explanation *x = here(f, struct explanation);
    drop_summary(r);
    struct str missing = value_lookup_answer(&r->scratch, r->results);
    if (missing.len && !r->provider->model.provider->local)
        return tell_missing(f, missing);
    bool draws = frame_names(flow_here(f), r).len > 0;
    x->inputs = (struct phase_inputs){.task = TASK_EXPLAIN, .run = r};
    x->loop = (struct tool_loop){.run = r,
                                 .purpose = "narrative",
                                 .one_purpose = true,
                                 .tools = draws ? chart_tools : no_tools,
                                 .memory = &r->scratch,
                                 .max_rounds = 1,
                                 .max_calls = 1,
                                 .sums_up = true,
                                 .frames = frames,
                                 .round_over = chart_drawn,
                                 .round_over_name = "chart_drawn",
                                 .consult = {.run = r,
                                             .phase = PHASE_EXPLAINER,
                                             .compose = compose,
                                             .visible = true,
                                             .keeps_cut = true,
                                             .inputs = &x->inputs}};
    buf_clear(&r->visible);
    r->consult = &x->loop.consult;
    return attempt(f, tool_loop_begin, &x->loop, answer_heard, model_failed);
}

/* ---- the text ----------------------------------------------------------- */

/* Code can write about results, or about why there are none. */
static bool can_explain_by_code(const struct run *r)
{
    return r->results || pipeline_of(r)->cannot_answer;
}

static struct analyst_findings findings_of(const struct run *r)
{
    return (struct analyst_findings){.plan = pipeline_of(r)->plan,
                                     .results = r->results,
                                     .report = r->report,
                                     .cannot = pipeline_of(r)->cannot_answer};
}

static struct next explain_by_code(struct flow *f, struct str why)
{
    struct run *r = locals(f, struct run);
    const struct analyst_findings found = findings_of(r);
    run_explain_by_code(r, r->consult->first_event, &found, why);
    return back(f);
}

/* A cancelled run does not come here, nor does one past its deadline; but the
 * time of the model call may end in the same moment as that of the run. */
static struct next model_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    enum err why = failure(f);
    struct str text = failure_text(f);
    bool ours = why == ERR_NO_MEMORY || why == ERR_CONFLICTING_WRITE;
    if (ours || run_is_out_of_time(r) || !can_explain_by_code(r))
        return fail_with(f, why, text);
    return explain_by_code(f, text.len ? text : str_of(err_sentence(why)));
}

/* The analyst tells its periods itself. */
static struct str period_of_plan(struct run *r)
{
    const struct plan *plan = pipeline_of(r)->plan;
    if (!r->results || r->provider->model.provider->local)
        return STR("");
    return plan->period ? plan->time_window
                        : period_of_results(&r->scratch, r->results);
}

static struct next answer_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct str text = str_trim(r->consult->llm.content);
    if (!text.len && can_explain_by_code(r))
        return explain_by_code(f, STR("its reply had no text."));
    if (!text.len)
        return fail_because(f, ERR_BAD_REPLY,
                            "The language model's reply had no text.");
    struct explanation *x =
        container_of(r->consult, struct explanation, loop.consult);
    x->ground = (struct answer_ground){
        .loop = &x->loop, .found = findings_of(r), .text = text};
    return call(f, ground_begin, &x->ground, text_grounded);
}

static struct next text_grounded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct answer_ground *g =
        &container_of(r->consult, struct explanation, loop.consult)->ground;
    struct str note = g->note;
    if (!note.len && consult_was_cut(r->consult))
        note = STR("The text was cut off at the language model's size limit.");
    struct arena_mark mark = arena_mark(&r->scratch);
    struct str text = period_add(r, g->text, period_of_plan(r));
    arena_reset(&r->scratch, mark); /* the queries were parsed in it */
    run_compose_output(r, text, note);
    return back(f);
}
