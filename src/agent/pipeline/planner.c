/* planner.c - makes a plan of the question, or clarifying questions for the
 * user.
 *
 *   planner_begin -> (trusted_answer) -> plan_due -> (survey_begin) -> surveyed
 *                                          |       -> (the model) -> plan_heard
 *                                          v                -> period_settled
 *                       the question has a trusted answer */
#include "../clarify.h"
#include "../context.h"
#include "../dialect.h"
#include "../survey_read.h"
#include "../today.h"
#include "agent/consult.h"
#include "pipeline.h"
#include "plan_period.h"
#include "trusted.h"
#include "base/banned.h"

static struct next plan_due(struct flow *f), survey_begin(struct flow *f),
    survey_over(struct flow *f), surveyed(struct flow *f),
    plan_heard(struct flow *f), period_settled(struct flow *f);

static bool check(const void *artifact, struct artifact_problem *problem)
{
    return plan_check(artifact, problem) &&
           plan_period_check(artifact, problem);
}

/* A user who has just answered is not asked again: the plan must have steps. */
static bool check_answered(const void *artifact,
                           struct artifact_problem *problem)
{
    struct plan plan = *(const struct plan *)artifact;
    plan.should_clarify = false;
    return plan_check(&plan, problem) && plan_period_check(&plan, problem);
}

struct llm_message *planner_prompt(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct pipeline_known *known = &pipeline_of(r)->known;
    size_t budget = agent_settings(r->agent)->prompt_budget;
    size_t *found, n = context_found(a, r, &found);
    const struct prompt_hole holes[] = {
        {"engine", dialect_of(r->tools.source)->engine, 0},
        {"owner", context_owner(a, r), budget / 4},
        {"datasets", context_datasets(a, r, NULL, 0, budget), budget},
        {"relationships", context_relationships(a, r, found, n), budget / 4},
        {"metrics", context_metrics(a, r, found, n), budget / 4},
        {"dates", known->dates, budget / 8},
        {"values", known->values, budget / 8},
        {"conversation", context_conversation(a, r), budget / 2},
        {"preferences", context_preferences(a, r), budget / 4},
        {"asked", context_asked(a, r), budget / 4},
        {"calendar", run_calendar(a, r), 0},
        {"question", r->load.question, 0},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "planner", holes);
}

struct next planner_begin(struct flow *f)
{
    return call(f, trusted_answer_begin, locals(f, struct run), plan_due);
}

static struct next plan_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (pipeline_of(r)->trusted)
        return back(f);
    return call(f, survey_begin, r, surveyed);
}

static struct next survey_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct survey_read *s = pipeline_of(r)->survey =
        here(f, struct survey_read);
    size_t *datasets;
    *s = (struct survey_read){
        .run = r, .memory = &r->scratch, .widens = !r->discovery.fell_back};
    s->n_datasets = context_found(&r->scratch, r, &datasets);
    s->datasets = datasets;
    return call(f, survey_read_begin, s, survey_over);
}

static struct next survey_over(struct flow *f)
{
    struct pipeline *p = pipeline_of(locals(f, struct run));
    p->known = (struct pipeline_known){.dates = p->survey->dates,
                                       .values = p->survey->values};
    return back(f);
}

static struct next surveyed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult = here(f, struct consult);
    struct phase_inputs *inputs = here(f, struct phase_inputs);
    *inputs = (struct phase_inputs){.task = TASK_PLAN, .run = r};
    *t = (struct consult){.run = r,
                          .phase = PHASE_PLANNER,
                          .purpose = STR("plan_generation"),
                          .compose = planner_prompt,
                          .type = &plan_type,
                          .schema_name = "generate_plan",
                          .check = r->load.clarified ? check_answered : check,
                          .artifact = arena_new(&r->arena, struct plan),
                          .inputs = inputs};
    return call(f, consult_begin, t, plan_heard);
}

/* Never two rounds of questions in a row, whatever the model says. */
static struct next plan_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct plan *plan = r->consult->artifact;
    if (r->load.clarified)
        plan->should_clarify = false;
    clarify_settle(&r->arena, plan);
    pipeline_of(r)->plan = plan;
    struct plan_period_settle *s = here(f, struct plan_period_settle);
    *s = (struct plan_period_settle){.run = r, .plan = plan};
    return call(f, plan_period_settle_begin, s, period_settled);
}

static struct next period_settled(struct flow *f)
{
    return back(f);
}
