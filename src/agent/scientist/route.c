/* route.c - which phase comes next: a function of what the phases left. */
#include "scientist.h"
#include "base/banned.h"

enum phase should_execute_code(const struct scientist_plan *plan)
{
    return plan->needs_code ? PHASE_SCIENTIST_CODE : PHASE_SCIENTIST_EXPLAIN;
}

enum phase should_retry_code(bool success, int attempts)
{
    if (success)
        return PHASE_SCIENTIST_EVALUATE;
    return attempts < SCIENTIST_ATTEMPTS ? PHASE_SCIENTIST_CODE
                                         : PHASE_SCIENTIST_ERROR;
}

enum phase should_evaluate(const struct scientist_plan *plan)
{
    return plan->needs_evaluation ? PHASE_SCIENTIST_EVALUATE
                                  : PHASE_SCIENTIST_EXPLAIN;
}

static enum phase after_plan(const struct scientist *s)
{
    return should_execute_code(s->plan);
}

static enum phase after_code(const struct scientist *s)
{
    enum phase next = should_retry_code(s->execution != NULL, s->n_attempts);
    return next == PHASE_SCIENTIST_EVALUATE ? should_evaluate(s->plan) : next;
}

static enum phase after_evaluate(const struct scientist *s)
{
    (void)s;
    return PHASE_SCIENTIST_EXPLAIN;
}

static enum phase at_end(const struct scientist *s)
{
    (void)s;
    return PHASE_DONE;
}

enum phase scientist_route(const struct scientist *s, enum phase phase)
{
    static enum phase (*const routes[PHASE_COUNT])(const struct scientist *) = {
        [PHASE_SCIENTIST_PLAN] = after_plan,
        [PHASE_SCIENTIST_CODE] = after_code,
        [PHASE_SCIENTIST_EVALUATE] = after_evaluate,
        [PHASE_SCIENTIST_EXPLAIN] = at_end,
        [PHASE_SCIENTIST_ERROR] = at_end,
    };
    return routes[phase](s);
}

enum phase scientist_first_possible(const struct run *r)
{
    const struct scientist *s = scientist_of(r);
    if (r->output)
        return PHASE_DONE;
    if (!s->plan)
        return PHASE_SCIENTIST_PLAN;
    if (!s->plan->needs_code)
        return PHASE_SCIENTIST_EXPLAIN;
    if (s->execution && r->results)
        return s->evaluation ? PHASE_SCIENTIST_EXPLAIN
                             : should_evaluate(s->plan);
    return should_retry_code(false, s->n_attempts);
}
