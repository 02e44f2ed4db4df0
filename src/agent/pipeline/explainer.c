/* explainer.c - the answer. The model writes Markdown only, streamed; lineage,
 * caveats and charts are put together by code. Where the model fails what was
 * found is not lost: code writes the text too, and a caveat says so. */
#include "../context.h"
#include "../joins.h"
#include "agent/consult.h"
#include "analyst/analyst.h"
#include "base/clock.h"
#include "ontology/text.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum { RESULT_ROWS = 50 };

static struct next answer_heard(struct flow *f), model_failed(struct flow *f);

static struct str verification_text(struct arena *a, struct run *r)
{
    if (!r->report)
        return STR("");
    return disclose_report(a, r->tools.share_rows, r->report, r->results);
}

static struct str refusal_text(struct arena *a, struct run *r)
{
    if (!r->cannot_answer)
        return STR("");
    return artifact_json(a, &cannot_answer_type, r->cannot_answer);
}

/* Only a question that reads no data needs to see what there is. */
static struct str dataset_names(struct arena *a, struct run *r)
{
    struct buf out;
    if (r->results)
        return STR("");
    buf_init(&out, a);
    dataset_list_markdown(r->ontology->model, &out);
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
        {NULL, STR(""), 0}};
    return prompt_fill(a, "explainer", holes);
}

struct next explainer_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult = here(f, struct consult);
    struct phase_inputs *inputs = here(f, struct phase_inputs);
    *inputs = (struct phase_inputs){.task = TASK_EXPLAIN, .run = r};
    buf_clear(&r->visible);
    *t = (struct consult){.run = r, .phase = PHASE_EXPLAINER,
                       .purpose = STR("narrative"), .compose = compose,
                       .visible = true, .keeps_cut = true, .inputs = inputs};
    return attempt(f, consult_begin, t, answer_heard, model_failed);
}

/* ---- what code adds ----------------------------------------------------- */

static void caveat(struct run *r, struct str text)
{
    struct explainer_output *o = r->output;
    o->caveats[o->n_caveats++] = text;
}

/* What the guardrails found and no check fails for. */
static void guardrail_caveats(struct run *r)
{
    const struct verification_report *report = r->report;
    for (size_t i = 0; report && i < report->n_checks; i++) {
        const struct verification_check *c = &report->checks[i];
        bool ours = str_is(c->name, "joins_follow_model") ||
                    str_is(c->name, "fan_out");
        if (ours && !c->passed && c->severity == CHECK_WARN)
            caveat(r, c->message);
    }
}

/* What could not be joined, and what was left to choose. */
static void join_caveats(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    struct join_tree tree;
    if (!r->join_plan || r->cannot_answer)
        return;
    joins_of_plan(&r->scratch, r, &tree);
    for (size_t i = 0; i < tree.n_apart; i++)
        caveat(r, joins_apart(&r->arena, o, &tree.apart[i]));
    if (r->join_plan->n_join_paths > 1)
        caveat(r, STR("Several join paths were possible and the question did not "
                      "say which; the SQL shows the one that was taken."));
}

static void verification_caveats(struct run *r)
{
    const struct verification_report *report = r->report;
    struct arena *a = &r->arena;
    if (!report || report->status == CHECKS_PASSED)
        return;
    if (report->status == CHECKS_SKIPPED) {
        caveat(r, arena_printf(a, "Not verified. %.*s",
                               STR_ARG(report->diagnosis)));
        return;
    }
    caveat(r, arena_printf(a, "Verification failed: %.*s",
                           STR_ARG(report->diagnosis)));
    if (r->revision >= REVISIONS_MOST)
        caveat(r, STR("Maximum revision attempts reached."));
}

static void step_caveats(struct run *r)
{
    struct arena *a = &r->arena;
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct step_result *s = &r->results->results[i];
        if (s->error.len)
            caveat(r, arena_printf(a, "Step %lld: %.*s", (long long)s->step_id,
                                   STR_ARG(s->error)));
        if (s->sql_result && s->sql_result->truncated)
            caveat(r, arena_printf(a, "Step %lld: only the first %lld rows were "
                                      "read; there are more.",
                                   (long long)s->step_id,
                                   (long long)s->sql_result->row_count));
        if (s->sql_result && s->sql_result->values_cut)
            caveat(r, arena_printf(a, "Step %lld: long values were cut.",
                                   (long long)s->step_id));
    }
}

static void take_charts(struct run *r)
{
    struct explainer_output *o = r->output;
    size_t n = 0;
    for (size_t i = 0; r->results && i < r->results->n_results; i++)
        if (r->results->results[i].python_result)
            n += r->results->results[i].python_result->n_charts;
    o->charts = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; n && i < r->results->n_results; i++) {
        const struct python_result *p = r->results->results[i].python_result;
        for (size_t c = 0; p && c < p->n_charts; c++)
            o->charts[o->n_charts++] = p->charts[c];
    }
}

/* `note`: what is to be said of how the text came to be; may be empty. */
static struct next put_together(struct flow *f, struct str narrative,
                                struct str note)
{
    struct run *r = locals(f, struct run);
    struct explainer_output *o = r->output =
        arena_new(&r->arena, struct explainer_output);
    size_t steps = r->results ? r->results->n_results : 0;
    size_t checks = r->report ? r->report->n_checks : 0;
    o->narrative = narrative;
    o->caveats =
        arena_new_array(&r->arena, struct str, 6 + JOINS_APART + checks + 3 * steps);
    if (r->results)
        o->data_lineage = run_lineage(r);
    if (note.len)
        caveat(r, note);
    verification_caveats(r);
    guardrail_caveats(r);
    join_caveats(r);
    step_caveats(r);
    take_charts(r);
    return back(f);
}

/* ---- the text ------------------------------------------------------------ */

static struct next explain_by_code(struct flow *f, struct str why)
{
    struct run *r = locals(f, struct run);
    const struct analyst_findings found = {
        .plan = r->plan, .results = r->results, .report = r->report,
        .cannot = r->cannot_answer};
    struct str text = str_trim(analyst_account(&r->arena, &found));
    if (r->visible.len)
        run_tell_restart(r, PHASE_EXPLAINER, r->consult->first_event);
    run_tell_chunk(r, text);
    return put_together(f, text,
                        arena_printf(&r->arena, "This text was written without "
                                                "the language model: %.*s",
                                     STR_ARG(why)));
}

/* Is there something to tell without the model? A conversation has nothing. */
static bool can_do_without(const struct run *r)
{
    return r->results || r->cannot_answer;
}

static bool is_out_of_time(const struct run *r)
{
    return clock_ms() - r->started_ms >=
           agent_settings(r->agent)->run_deadline_ms;
}

/* A cancelled run and one past its deadline never come here, but the model's time
 * may end in the moment in which the run's does. */
static struct next model_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    enum err why = failure(f);
    struct str text = failure_text(f);
    bool ours = why == ERR_NO_MEMORY || why == ERR_CONFLICTING_WRITE;
    if (ours || is_out_of_time(r) || !can_do_without(r))
        return fail_with(f, why, text);
    return explain_by_code(f, text.len ? text : str_of(err_sentence(why)));
}

static struct next answer_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct str text = str_trim(r->consult->llm.content);
    struct str note = STR("");
    if (!text.len && can_do_without(r))
        return explain_by_code(f, STR("its reply had no text."));
    if (!text.len)
        return fail_because(f, ERR_BAD_REPLY,
                            "The language model's reply had no text.");
    if (consult_was_cut(r->consult))
        note = STR("The text was cut off at the language model's size limit.");
    return put_together(f, arena_str(&r->arena, text), note);
}
