/* answer.c - puts the answer of a run together; see agent/answer.h.
 *
 *   run_save_answer_begin -> answer_saved */
#include "agent/answer.h"
#include "agent/results.h"
#include "analyst/analyst.h"
#include "ontology/rules.h"
#include "base/clock.h"
#include "base/banned.h"

/* ---- what code adds ----------------------------------------------------- */

void run_add_caveat(struct run *r, struct str text)
{
    struct explainer_output *o = r->output;
    o->caveats[o->n_caveats++] = text;
}

/* Findings of the guardrails that are only warnings. */
static void guardrail_caveats(struct run *r)
{
    const struct verification_report *report = r->report;
    for (size_t i = 0; report && i < report->n_checks; i++) {
        const struct verification_check *c = &report->checks[i];
        bool ours = str_is(c->name, "joins_follow_model") ||
                    str_is(c->name, "fan_out") || query_rule_named(c->name);
        if (ours && !c->passed && c->severity == CHECK_WARN)
            run_add_caveat(r, c->message);
    }
}

static void verification_caveats(struct run *r)
{
    const struct verification_report *report = r->report;
    struct arena *a = &r->arena;
    if (!report || report->status == CHECKS_PASSED)
        return;
    if (report->status == CHECKS_SKIPPED) {
        run_add_caveat(r, arena_printf(a, "Not verified. %.*s",
                                       STR_ARG(report->diagnosis)));
        return;
    }
    run_add_caveat(r, arena_printf(a, "Verification failed: %.*s",
                                   STR_ARG(report->diagnosis)));
    if (r->kind->max_revisions && r->revision >= r->kind->max_revisions)
        run_add_caveat(r, STR("Maximum revision attempts reached."));
}

static void step_caveats(struct run *r)
{
    struct arena *a = &r->arena;
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct step_result *s = &r->results->results[i];
        if (s->error.len)
            run_add_caveat(r, arena_printf(a, "Step %lld: %.*s",
                                           (long long)s->step_id,
                                           STR_ARG(s->error)));
        if (s->sql_result && s->sql_result->truncated)
            run_add_caveat(
                r, arena_printf(a,
                                "Step %lld: only the first %lld rows were "
                                "read; there are more.",
                                (long long)s->step_id,
                                (long long)s->sql_result->row_count));
        if (s->sql_result && s->sql_result->no_rows.len)
            run_add_caveat(r, s->sql_result->no_rows);
        if (s->sql_result && s->sql_result->corrected.len)
            run_add_caveat(
                r, arena_printf(a,
                                "The first query of step %lld found nothing. "
                                "%.*s It was corrected.",
                                (long long)s->step_id,
                                STR_ARG(s->sql_result->corrected)));
        if (s->sql_result && s->sql_result->values_cut)
            run_add_caveat(r,
                           arena_printf(a, "Step %lld: long values were cut.",
                                        (long long)s->step_id));
    }
}

static void collect_charts(struct run *r)
{
    struct explainer_output *o = r->output;
    size_t n = run_count_charts(r);
    o->charts = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; n && i < r->results->n_results; i++) {
        const struct python_result *p = r->results->results[i].python_result;
        for (size_t c = 0; p && c < p->n_charts; c++)
            o->charts[o->n_charts++] = p->charts[c];
    }
}

/* ---- the whole ---------------------------------------------------------- */

void run_compose_output(struct run *r, struct str narrative, struct str note)
{
    struct explainer_output *o = r->output =
        arena_new(&r->arena, struct explainer_output);
    size_t steps = r->results ? r->results->n_results : 0;
    size_t checks = r->report ? r->report->n_checks : 0;
    o->narrative = arena_str(&r->arena, narrative);
    o->caveats = arena_new_array(&r->arena, struct str,
                                 4 + CAVEATS_OF_KIND + checks + 5 * steps);
    if (r->results && r->kind->lineage)
        o->data_lineage = r->kind->lineage(r);
    if (note.len)
        run_add_caveat(r, note);
    verification_caveats(r);
    guardrail_caveats(r);
    if (r->kind->add_caveats)
        r->kind->add_caveats(r);
    step_caveats(r);
    collect_charts(r);
}

bool run_is_out_of_time(const struct run *r)
{
    return clock_ms() - r->started_ms >=
           agent_settings(r->agent)->run_deadline_ms;
}

void run_explain_by_code(struct run *r, int64_t first_event,
                         const struct analyst_findings *found, struct str why)
{
    struct str text = str_trim(analyst_results_narrative(&r->arena, found));
    if (r->visible.len)
        run_emit_restart(r, r->phase, first_event);
    run_emit_chunk(r, text);
    run_compose_output(r, text,
                       arena_printf(&r->arena,
                                    "This text was written without "
                                    "the language model: %.*s",
                                    STR_ARG(why)));
}

/* ---- on record ---------------------------------------------------------- */

static struct next answer_saved(struct flow *f);

struct next run_save_answer_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    run_record_progress(r);
    kind_record(r, r->phase, r->kind->names_phases);
    run_emit_tokens(r, r->phase);
    agent_count_phase(r->agent, r);
    r->phase = PHASE_DONE;
    journal_phase(r->log, r->phase, r->revision);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    arena_done(&r->scratch);
    return await(f, answer_saved);
}

static struct next answer_saved(struct flow *f)
{
    return back(f);
}
