/* plan.c - checks of a plan that its field table cannot express, and the order
 * of its steps. */
#include "artifact/artifact.h"
#include <stdio.h>
#include "base/banned.h"

static bool step_problem(struct artifact_problem *p, size_t step,
                         const char *what, int64_t id)
{
    snprintf(p->text, sizeof p->text, "steps[%zu]%s %lld", step, what,
             (long long)id);
    return false;
}

static ptrdiff_t index_of(const struct plan *plan, int64_t id)
{
    for (size_t i = 0; i < plan->n_steps; i++)
        if (plan->steps[i].id == id)
            return (ptrdiff_t)i;
    return -1;
}

const struct plan_step *plan_find_step(const struct plan *plan, int64_t id)
{
    ptrdiff_t i = index_of(plan, id);
    return i < 0 ? NULL : &plan->steps[i];
}

/* Appends steps whose dependencies are in `order` until no step is left;
 * returns how many there are, fewer than all when dependencies form a cycle. */
static size_t sort_steps(const struct plan *plan, size_t *order)
{
    bool done[64] = {false};
    size_t count = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < plan->n_steps; i++) {
            const struct plan_step *step = &plan->steps[i];
            bool ready = !done[i];
            for (size_t d = 0; ready && d < step->n_depends_on; d++)
                ready = done[index_of(plan, step->depends_on[d])];
            if (!ready)
                continue;
            done[i] = moved = true;
            order[count++] = i;
        }
    }
    return count;
}

static bool check_ids(const struct plan *plan, struct artifact_problem *p)
{
    for (size_t i = 0; i < plan->n_steps; i++) {
        const struct plan_step *step = &plan->steps[i];
        if (step->id <= 0)
            return step_problem(p, i, ".id: must be positive, not", step->id);
        if (index_of(plan, step->id) != (ptrdiff_t)i)
            return step_problem(p, i, ".id: is used twice:", step->id);
        for (size_t d = 0; d < step->n_depends_on; d++)
            if (index_of(plan, step->depends_on[d]) < 0)
                return step_problem(p, i, ".dependsOn: no step has the id",
                                    step->depends_on[d]);
    }
    return true;
}

bool plan_check(const struct plan *plan, struct artifact_problem *problem)
{
    bool asks = plan->should_clarify && plan->n_clarification_questions;
    if (plan->n_steps == 0 && plan->complexity != PLAN_CONVERSATIONAL &&
        !asks) {
        snprintf(problem->text, sizeof problem->text,
                 "steps: at least one is needed to answer from data");
        return false;
    }
    if (!check_ids(plan, problem))
        return false;
    size_t order[64];
    if (sort_steps(plan, order) != plan->n_steps) {
        snprintf(problem->text, sizeof problem->text,
                 "steps: dependsOn has a cycle");
        return false;
    }
    return true;
}

size_t *plan_order(struct arena *arena, const struct plan *plan)
{
    size_t *order = arena_new_array(arena, size_t, plan->n_steps + 1);
    sort_steps(plan, order);
    return order;
}

const struct query_spec *query_spec_of(const struct query_specs *specs,
                                       int64_t step_id)
{
    for (size_t i = 0; specs && i < specs->n_queries; i++)
        if (specs->queries[i].step_id == step_id)
            return &specs->queries[i];
    return NULL;
}
