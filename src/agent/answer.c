/* answer.c - see agent/answer.h. */
#include "agent/answer.h"
#include "analyst/analyst.h"
#include "base/clock.h"
#include "joins.h"
#include "base/banned.h"

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
        bool ours =
            str_is(c->name, "joins_follow_model") || str_is(c->name, "fan_out");
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
        caveat(r,
               STR("Several join paths were possible and the question did not "
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
            caveat(r, arena_printf(a,
                                   "Step %lld: only the first %lld rows were "
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

/* ---- the whole ------------------------------------------------------------ */

void run_compose_output(struct run *r, struct str narrative, struct str note)
{
    struct explainer_output *o = r->output =
        arena_new(&r->arena, struct explainer_output);
    size_t steps = r->results ? r->results->n_results : 0;
    size_t checks = r->report ? r->report->n_checks : 0;
    o->narrative = arena_str(&r->arena, narrative);
    o->caveats = arena_new_array(&r->arena, struct str,
                                 6 + JOINS_APART + checks + 3 * steps);
    if (r->results)
        o->data_lineage = r->kind->lineage(r);
    if (note.len)
        caveat(r, note);
    verification_caveats(r);
    guardrail_caveats(r);
    join_caveats(r);
    step_caveats(r);
    take_charts(r);
}

bool run_is_out_of_time(const struct run *r)
{
    return clock_ms() - r->started_ms >=
           agent_settings(r->agent)->run_deadline_ms;
}

bool run_can_explain_by_code(const struct run *r)
{
    return r->results || r->cannot_answer;
}

void run_explain_by_code(struct run *r, enum phase phase, int64_t first_event,
                         struct str why)
{
    const struct analyst_findings found = {.plan = r->plan,
                                           .results = r->results,
                                           .report = r->report,
                                           .cannot = r->cannot_answer};
    struct str text = str_trim(analyst_account(&r->arena, &found));
    if (r->visible.len)
        run_tell_restart(r, phase, first_event);
    run_tell_chunk(r, text);
    run_compose_output(r, text,
                       arena_printf(&r->arena,
                                    "This text was written without "
                                    "the language model: %.*s",
                                    STR_ARG(why)));
}
