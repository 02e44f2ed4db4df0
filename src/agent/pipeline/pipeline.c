/* pipeline.c - the kind of run with six phases: discovery, the phases, and
 * what is captured at the end.
 *
 *   pipeline_begin -> (discovery) -> datasets_found -> (phases) -> phases_over
 *   phases_over -> (capture) */
#include "agent/results.h"
#include "../phases.h"
#include "pipeline.h"
#include "base/banned.h"

static struct next pipeline_begin(struct flow *f),
    datasets_found(struct flow *f), phases_over(struct flow *f);

static void on_record(struct run *r)
{
    if (r->phase == PHASE_EXECUTOR)
        pipeline_record_rows(r);
}

static const struct phase_walk walk = {
    .steps =
        {
            [PHASE_PLANNER] = PHASE_BEGINS(planner_begin),
            [PHASE_NAVIGATOR] = PHASE_BEGINS(navigator_begin),
            [PHASE_SQL_BUILDER] = PHASE_BEGINS(sql_builder_begin),
            [PHASE_EXECUTOR] = PHASE_BEGINS(executor_begin),
            [PHASE_VERIFIER] = PHASE_BEGINS(verifier_begin),
            [PHASE_EXPLAINER] = PHASE_BEGINS(explainer_begin),
        },
    .route = pipeline_route,
    .on_record = on_record,
};

static struct next pipeline_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return go(f, phases_over);
    if (r->discovery.matched)
        return go(f, datasets_found);
    return call(f, discovery_begin, r, datasets_found);
}

static struct next datasets_found(struct flow *f)
{
    struct phases *p = here(f, struct phases);
    *p = (struct phases){locals(f, struct run), &walk};
    return call(f, phases_begin, p, phases_over);
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
