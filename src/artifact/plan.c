/* plan.c - what a plan has to be beyond its fields. */
#include "artifact/artifact.h"
#include <stdio.h>
#include "base/banned.h"

static bool wrong(struct artifact_problem *p, size_t step, const char *what,
                  int64_t id)
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

/* Places steps whose needs are placed, again and again, in the order of the
 * list; answers how many found a place. */
static size_t place(const struct plan *plan, size_t *order)
{
    bool placed[64] = {false};
    size_t count = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < plan->n_steps; i++) {
            const struct plan_step *step = &plan->steps[i];
            bool ready = !placed[i];
            for (size_t d = 0; ready && d < step->n_depends_on; d++)
                ready = placed[index_of(plan, step->depends_on[d])];
            if (!ready)
                continue;
            placed[i] = moved = true;
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
            return wrong(p, i, ".id: must be positive, not", step->id);
        if (index_of(plan, step->id) != (ptrdiff_t)i)
            return wrong(p, i, ".id: stands twice:", step->id);
        for (size_t d = 0; d < step->n_depends_on; d++)
            if (index_of(plan, step->depends_on[d]) < 0)
                return wrong(p, i, ".dependsOn: no step has the id",
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
    if (place(plan, order) != plan->n_steps) {
        snprintf(problem->text, sizeof problem->text,
                 "steps: dependsOn goes in a circle");
        return false;
    }
    return true;
}

size_t *plan_order(struct arena *arena, const struct plan *plan)
{
    size_t *order = arena_new_array(arena, size_t, plan->n_steps + 1);
    place(plan, order);
    return order;
}
