/* verifier.c - checks all results before the answer is written.
 *
 *   verifier_begin -> (the model) -> code_heard -> (Python) -> checks_run
 *
 * The model writes checks in Python; code adds its own (checks.h), also when
 * the model or the sandbox has failed. The report is "skipped" when the Python
 * could not run or no step has data: that costs no revision and is never shown
 * as passed. The report fails only when a check of severity "fail" does. */
#include "../checks.h"
#include "../context.h"
#include "agent/consult.h"
#include "agent/results.h"
#include "pipeline.h"
#include <string.h>
#include "base/banned.h"

static struct next code_heard(struct flow *f), code_failed(struct flow *f),
    checks_run(struct flow *f), checks_failed(struct flow *f);

static struct llm_message *compose(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"question", r->load.question, 0},
        {"plan", context_plan(a, r), budget / 2},
        {"data", context_results(a, r, 5), budget},
        {"queries", context_queries(a, r), budget / 2},
        {"joins", context_joins(a, r), budget / 4},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "verifier", holes);
}

struct next verifier_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult = here(f, struct consult);
    struct phase_inputs *inputs = here(f, struct phase_inputs);
    *inputs = (struct phase_inputs){.task = TASK_VERIFY, .run = r};
    *t = (struct consult){.run = r,
                          .phase = PHASE_VERIFIER,
                          .purpose = STR("verification_code"),
                          .compose = compose,
                          .inputs = inputs};
    return attempt(f, consult_begin, t, code_heard, code_failed);
}

/* ---- the report --------------------------------------------------------- */

static void add_checks(struct flow *f, struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct verification_report *report = r->report;
    struct verification_check ours[CHECKS_BY_CODE];
    const struct checks_of of = {.ontology = r->ontology->model,
                                 .judged = &r->ontology->judged,
                                 .plan = p->plan,
                                 .question = r->load.question,
                                 .queries = p->queries,
                                 .results = r->results,
                                 .full_data = r->full_data};
    struct verification_check *all =
        arena_new_array(&r->arena, struct verification_check,
                        report->n_checks + CHECKS_BY_CODE);
    if (report->n_checks)
        memcpy(all, report->checks, report->n_checks * sizeof *all);
    size_t n = checks_by_code(flow_here(f), &of, ours);
    /* The report counts no check that it does not hold: memory may run out here. */
    for (size_t i = 0; i < n; i++) {
        ours[i].message = arena_str(&r->arena, ours[i].message);
        all[report->n_checks + i] = ours[i];
    }
    report->checks = all;
    report->n_checks += n;
}

/* The model's words, if its own checks failed or could not run, and the
 * messages of our checks. */
static struct str diagnosis_of(struct run *r, struct str theirs, struct str all,
                               bool report_skipped)
{
    struct str said = str_trim(r->report->diagnosis);
    if (report_skipped)
        return arena_printf(&r->arena, "%.*s. %.*s", STR_ARG(all),
                            STR_ARG(said));
    if (!said.len || !theirs.len)
        return all;
    return arena_printf(&r->arena, "%.*s%.*s", STR_ARG(said),
                        STR_ARG(str_from(all, theirs.len)));
}

/* Completes the report. `ran`: the Python did. */
static struct next report_done(struct flow *f, bool ran)
{
    struct run *r = locals(f, struct run);
    struct verification_report *report = r->report;
    bool navigator = str_is(report->recommended_target, "navigator");
    struct str theirs = checks_failures(&r->arena, report);
    add_checks(f, r);
    struct str all = checks_failures(&r->arena, report);
    checks_decide(report, r->results, ran);
    report->recommended_target = (struct str){NULL, 0};
    if (report->status != CHECKS_FAILED)
        return back(f);
    report->diagnosis = diagnosis_of(r, theirs, all, !ran);
    report->recommended_target =
        navigator ? STR("navigator") : STR("sql_builder");
    return back(f);
}

static struct next report_skipped(struct flow *f, struct str why)
{
    struct run *r = locals(f, struct run);
    r->report = arena_new(&r->arena, struct verification_report);
    *r->report = (struct verification_report){
        .diagnosis = arena_printf(&r->arena, "Verification could not run: %.*s",
                                  STR_ARG(why))};
    return report_done(f, false);
}

/* ---- Python ------------------------------------------------------------- */

static struct next code_failed(struct flow *f)
{
    if (failure(f) == ERR_BUDGET)
        return fail_with(f, ERR_BUDGET, failure_text(f));
    struct str why = failure_text(f);
    return report_skipped(f, why.len ? why : str_of(err_sentence(failure(f))));
}

static struct next code_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct pipeline *pipe = pipeline_of(r);
    struct python_tool *p = pipe->python = here(f, struct python_tool);
    *p = (struct python_tool){
        .context = &r->tools,
        .memory = &r->arena,
        .code = consult_code(&r->scratch, r->consult->llm.content)};
    p->data = run_frames_of_results(&r->arena, r, NULL, &p->n_data);
    pipe->python_call =
        run_tool_started(r, PHASE_VERIFIER, 0, STR(""), STR("run_python"),
                         tool_arguments(flow_here(f), "code", p->code));
    return attempt(f, python_tool_begin, p, checks_run, checks_failed);
}

/* The results are too large for the sandbox. */
static struct next checks_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct str why = str_of(err_sentence(failure(f)));
    run_tool_ended(r, pipeline_of(r)->python_call, why, true);
    return report_skipped(f, why);
}

/* The last line that is a JSON object with checks; NULL: there is none. */
static json_t *report_of(struct str out)
{
    json_t *last = NULL;
    struct str line;
    while (str_split(&out, '\n', &line)) {
        line = str_trim(line);
        if (!str_starts(line, STR("{")))
            continue;
        json_t *v = json_read_lenient(line, NULL);
        if (!json_is_object(v) || !json_object_get(v, "checks")) {
            json_decref(v);
            continue;
        }
        json_decref(last);
        last = v;
    }
    return last;
}

static struct next checks_run(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct pipeline *pipe = pipeline_of(r);
    const struct python_tool *p = pipe->python;
    run_tool_ended(r, pipe->python_call, p->failed ? p->error : p->out,
                   p->failed);
    if (p->failed)
        return report_skipped(f, p->error);
    json_t *v = report_of(p->out);
    if (!v)
        return report_skipped(f, STR("the checks printed no report."));
    defer(f, json_drop, v);
    struct artifact_problem problem;
    r->report = arena_new(&r->arena, struct verification_report);
    if (!artifact_decode(&r->arena, &verification_report_type, v, r->report,
                         &problem))
        return report_skipped(f, arena_printf(flow_here(f),
                                              "the report of the checks "
                                              "does not fit: %s",
                                              problem.text));
    return report_done(f, true);
}
