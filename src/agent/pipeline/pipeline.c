/* pipeline.c - the phases in their order, with what all of them have in common:
 * events, the artifact on record before the next begins, routing.
 *
 *   pipeline_begin -> phase_due -> (the phase) -> phase_over -> phase_saved
 *                        \______________ run_route ______________/          */
#include "../kept_rows.h"
#include "agent/results.h"
#include "base/clock.h"
#include "pipeline.h"
#include "base/banned.h"

static struct next phase_due(struct flow *f), phase_over(struct flow *f),
    phase_saved(struct flow *f);

static const struct {
    step_fn *begin;
    const char *name;
} phases[PHASE_COUNT] = {
#define BEGINS(step) {step, #step}
    [PHASE_PLANNER] = BEGINS(planner_begin),
    [PHASE_NAVIGATOR] = BEGINS(navigator_begin),
    [PHASE_SQL_BUILDER] = BEGINS(sql_builder_begin),
    [PHASE_EXECUTOR] = BEGINS(executor_begin),
    [PHASE_VERIFIER] = BEGINS(verifier_begin),
    [PHASE_EXPLAINER] = BEGINS(explainer_begin),
};

struct next pipeline_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->discovery.matched)
        return go(f, phase_due);
    return call(f, discovery_begin, r, phase_due);
}

static struct next phase_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    r->phase_tokens = (struct llm_usage){0};
    r->phase_entered_ms = clock_ms();
    journal_phase(r->log, r->phase, r->revision);
    run_tell_phase(r, EVENT_PHASE_START, r->phase);
    return flow_call(f, phases[r->phase].begin, phases[r->phase].name, r,
                     phase_over, "phase_over", NULL, NULL);
}

/* ---- artifacts ---------------------------------------------------------- */

/* All fetched rows, or where they are kept. */
static void leave_rows(struct run *r)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, NULL);
    json_write_to(&w, &out);
    json_put_array(&w);
    for (size_t i = 0; i < r->results->n_results; i++)
        json_put_str(&w, kept_rows_mark(&r->scratch, r->full_data[i]));
    json_put_array_end(&w);
    journal_artifact(r->log, "rows", buf_view(&out));
    buf_done(&out);
}

static void leave_artifact(struct run *r)
{
    switch (r->phase) {
    case PHASE_PLANNER:
        run_leave_artifact(r, "plan", &plan_type, r->plan);
        break;
    case PHASE_NAVIGATOR:
        if (r->cannot_answer)
            run_leave_artifact(r, "cannot_answer", &cannot_answer_type,
                               r->cannot_answer);
        else
            run_leave_artifact(r, "join_plan", &join_plan_type, r->join_plan);
        break;
    case PHASE_SQL_BUILDER:
        run_leave_artifact(r, "queries", &query_specs_type, r->queries);
        break;
    case PHASE_EXECUTOR:
        run_leave_artifact(r, "results", &step_results_type, r->results);
        leave_rows(r);
        break;
    case PHASE_VERIFIER:
        run_leave_artifact(r, "report", &verification_report_type, r->report);
        break;
    default:
        run_leave_artifact(r, "output", &explainer_output_type, r->output);
    }
}

static struct next phase_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    leave_artifact(r);
    run_leave_progress(r);
    arena_done(&r->scratch);
    run_tell_tokens(r, r->phase);
    run_tell_phase(r, EVENT_PHASE_COMPLETE, r->phase);
    agent_count_phase(r->agent, r);
    r->phase = run_route(r);
    journal_phase(r->log, r->phase, r->revision);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, phase_saved);
}

static struct next phase_saved(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return r->phase == PHASE_DONE ? back(f) : go(f, phase_due);
}

const struct agent_kind pipeline_kind = {
    .id = AGENT_PIPELINE,
    .begin = pipeline_begin,
    .begin_name = "pipeline_begin",
    .tells_phases = true,
    .resume = pipeline_resume,
    .digest = pipeline_digest,
    .datasets = pipeline_datasets,
    .lineage = run_lineage,
};
