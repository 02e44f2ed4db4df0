/* route.c - which phase comes next: a function of the artifacts. */
#include "llm/provider.h"
#include "pipeline.h"
#include "trusted.h"
#include "base/banned.h"

enum phase route_after_planner(const struct plan *plan)
{
    if (plan->should_clarify && plan->n_clarification_questions)
        return PHASE_DONE;
    return plan->complexity == PLAN_CONVERSATIONAL ? PHASE_EXPLAINER
                                                   : PHASE_NAVIGATOR;
}

enum phase route_after_navigator(const struct cannot_answer *cannot)
{
    return cannot ? PHASE_EXPLAINER : PHASE_SQL_BUILDER;
}

enum phase route_after_verifier(const struct verification_report *report,
                                int revisions)
{
    if (!report || report->status != CHECKS_FAILED ||
        revisions >= REVISIONS_MOST)
        return PHASE_EXPLAINER;
    return str_is(report->recommended_target, "navigator") ? PHASE_NAVIGATOR
                                                           : PHASE_SQL_BUILDER;
}

/* A provider in this process would give the same answer again. */
static bool revision_is_useless(const struct run *r)
{
    return r->provider && r->provider->model.provider->local;
}

static enum phase revise(struct run *r, enum phase to)
{
    if (to == PHASE_EXPLAINER || revision_is_useless(r) ||
        pipeline_of(r)->trusted)
        return PHASE_EXPLAINER;
    r->revision++;
    pipeline_of(r)->diagnosis = r->report->diagnosis;
    return to;
}

enum phase pipeline_route(struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    switch (r->phase) {
    case PHASE_PLANNER:
        return route_after_planner(p->plan);
    case PHASE_NAVIGATOR:
        return route_after_navigator(p->cannot_answer);
    case PHASE_EXECUTOR:
        return trusted_failed(r) ? trusted_drop(r) : PHASE_VERIFIER;
    case PHASE_VERIFIER:
        return revise(r, route_after_verifier(r->report, r->revision));
    case PHASE_EXPLAINER:
        return PHASE_DONE;
    default:
        return (enum phase)(r->phase + 1);
    }
}
