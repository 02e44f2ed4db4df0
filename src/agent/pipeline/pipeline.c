/* pipeline.c - walks the six phases: events, records, routing.
 *
 *   pipeline_begin -> phase_due -> (the phase) -> phase_over -> phase_saved
 *                        \____________ pipeline_route ____________/   |
 *                                                                  v DONE
 *                                                     (capture) <- phases_over
 *
 * Each phase's artifact is on record before the next phase begins. */
#include "agent/results.h"
#include "base/clock.h"
#include "pipeline.h"
#include "base/banned.h"

static struct next pipeline_begin(struct flow *f), phase_due(struct flow *f),
    phase_over(struct flow *f), phase_saved(struct flow *f),
    phases_over(struct flow *f);

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

static struct next pipeline_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return go(f, phases_over);
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
    run_emit_phase(r, EVENT_PHASE_START, r->phase);
    return flow_call(f, phases[r->phase].begin, phases[r->phase].name, r,
                     phase_over, "phase_over", NULL, NULL);
}

static struct next phase_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    kind_record(r, r->phase, true);
    if (r->phase == PHASE_EXECUTOR)
        pipeline_record_rows(r);
    run_record_progress(r);
    arena_done(&r->scratch);
    run_emit_tokens(r, r->phase);
    run_emit_phase(r, EVENT_PHASE_COMPLETE, r->phase);
    agent_count_phase(r->agent, r);
    r->phase = pipeline_route(r);
    journal_phase(r->log, r->phase, r->revision);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, phase_saved);
}

static struct next phase_saved(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return r->phase == PHASE_DONE ? go(f, phases_over) : go(f, phase_due);
}

static struct next phases_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct plan *plan = pipeline_of(r)->plan;
    if (!r->output && plan->should_clarify) {
        r->questions = plan->clarification_questions;
        r->n_questions = plan->n_clarification_questions;
    }
    return go(f, capture_begin);
}

/* ---- the kind ----------------------------------------------------------- */

static const struct kind_artifact artifacts[] = {
#define OWN(field, phase, type, key) \
    STATE_ARTIFACT(pipeline, field, PHASE_##phase, type, key),
#define SHARED(field, phase, type, key) \
    RUN_ARTIFACT(field, PHASE_##phase, type, key),
#include "artifacts.def"
    {0}};

const struct agent_kind pipeline_kind = {
    .begin = pipeline_begin,
    .begin_name = "pipeline_begin",
    .state_size = sizeof(struct pipeline),
    .artifacts = artifacts,
    .names_phases = true,
    .data_phase = PHASE_EXECUTOR,
    .max_revisions = REVISIONS_MOST,
    .restore = pipeline_restore,
    .resume = pipeline_resume,
    .digest = pipeline_digest,
    .datasets = pipeline_datasets,
    .lineage = pipeline_lineage,
    .add_caveats = pipeline_add_caveats,
};
