/* scientist.c - the kind of run that writes Python: what is known of the data,
 * then the phases.
 *
 *   scientist_begin -> (discovery) -> tables_found -> (summary) -> data_known
 *   data_known -> (phases) -> scientist_over */
#include "scientist.h"
#include "../phases.h"
#include "count.h"
#include "llm/provider.h"
#include "summary.h"
#include "base/banned.h"

static struct next scientist_begin(struct flow *f),
    tables_found(struct flow *f), data_known(struct flow *f),
    scientist_over(struct flow *f);

static enum phase route(struct run *r)
{
    return scientist_route(scientist_of(r), r->phase);
}

static const struct phase_walk walk = {
    .steps =
        {
            [PHASE_SCIENTIST_PLAN] = PHASE_BEGINS(scientist_plan_begin),
            [PHASE_SCIENTIST_CODE] = PHASE_BEGINS(scientist_code_begin),
            [PHASE_SCIENTIST_EVALUATE] = PHASE_BEGINS(scientist_evaluate_begin),
            [PHASE_SCIENTIST_EXPLAIN] = PHASE_BEGINS(scientist_explain_begin),
            [PHASE_SCIENTIST_ERROR] = PHASE_BEGINS(scientist_error_begin),
        },
    .route = route,
};

static struct next scientist_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return back(f);
    if (r->discovery.matched)
        return go(f, tables_found);
    return call(f, discovery_begin, r, tables_found);
}

static struct next tables_found(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct scientist *s = scientist_of(r);
    s->summary = arena_new(&r->arena, struct data_summary);
    s->summary->run = r;
    return call(f, summary_begin, s->summary, data_known);
}

/* Without a language model there is nothing to plan: rows are counted, or the
 * data is described. */
static void plan_without_model(struct run *r)
{
    struct scientist *s = scientist_of(r);
    s->count_code = scientist_count_code(&r->arena, r);
    r->phase = PHASE_SCIENTIST_EXPLAIN;
    if (!s->count_code.len)
        return;
    s->plan = arena_new(&r->arena, struct scientist_plan);
    *s->plan = (struct scientist_plan){
        .needs_code = true,
        .needs_explanation = true,
        .reasoning = STR("The question asks for numbers of rows.")};
    r->phase = scientist_first_possible(r);
}

static struct next data_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->provider->model.provider->local)
        plan_without_model(r);
    struct phases *p = here(f, struct phases);
    *p = (struct phases){r, &walk};
    return call(f, phases_begin, p, scientist_over);
}

static struct next scientist_over(struct flow *f)
{
    return back(f);
}

/* ---- the kind ----------------------------------------------------------- */

/* Its own artifacts are in the metadata as one member (record.c). */
static const struct kind_artifact artifacts[] = {
    STATE_ARTIFACT(scientist, plan, PHASE_SCIENTIST_PLAN, scientist_plan, NULL),
    STATE_ARTIFACT(scientist, execution, PHASE_DONE, code_execution, NULL),
    STATE_ARTIFACT(scientist, evaluation, PHASE_SCIENTIST_EVALUATE,
                   code_evaluation, NULL),
    RUN_ARTIFACT(results, PHASE_DONE, step_results, "stepResults"),
    RUN_ARTIFACT(report, PHASE_DONE, verification_report, "verificationReport"),
    RUN_ARTIFACT(output, PHASE_SCIENTIST_EXPLAIN, explainer_output,
                 "explainerOutput"),
    RUN_ARTIFACT(output, PHASE_SCIENTIST_ERROR, explainer_output, NULL),
    {0}};

const struct agent_kind scientist_kind = {
    .begin = scientist_begin,
    .begin_name = "scientist_begin",
    .state_size = sizeof(struct scientist),
    .artifacts = artifacts,
    .names_phases = true,
    .data_phase = PHASE_SCIENTIST_CODE,
    .restore = scientist_restore,
    .resume = scientist_resume,
    .digest = scientist_digest,
    .datasets = scientist_datasets,
    .lineage = scientist_lineage,
    .add_caveats = scientist_add_caveats,
    .put_metadata = scientist_put_metadata,
    .capsule = scientist_capsule,
};
