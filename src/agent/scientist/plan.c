/* plan.c - the scientist decides which steps a question needs.
 *
 *   scientist_plan_begin -> (the model) -> plan_heard */
#include "../context.h"
#include "scientist.h"
#include "summary.h"
#include "base/banned.h"

static struct next plan_heard(struct flow *f);

static struct llm_message *compose(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct scientist *s = scientist_of(r);
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"data", summary_text(a, s->summary, r->tools.share_rows), 2 * budget},
        {"conversation", context_conversation(a, r), budget / 2},
        {"question", r->load.question, 0},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "scientist_plan", holes);
}

void scientist_settle_plan(struct scientist_plan *plan)
{
    plan->needs_evaluation = plan->needs_evaluation && plan->needs_code;
    plan->needs_explanation = plan->needs_explanation || !plan->needs_code;
}

struct next scientist_plan_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult = here(f, struct consult);
    *t = (struct consult){.run = r,
                          .phase = PHASE_SCIENTIST_PLAN,
                          .purpose = STR("plan_generation"),
                          .compose = compose,
                          .type = &scientist_plan_type,
                          .schema_name = "create_execution_plan",
                          .artifact =
                              arena_new(&r->arena, struct scientist_plan)};
    return call(f, consult_begin, t, plan_heard);
}

static struct next plan_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct scientist *s = scientist_of(r);
    s->plan = r->consult->artifact;
    scientist_settle_plan(s->plan);
    return back(f);
}
