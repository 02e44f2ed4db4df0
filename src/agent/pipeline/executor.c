/* executor.c - runs the steps of the plan in waves: the steps whose
 * dependencies are done run concurrently, each in a child flow (step.c), so
 * that a failure of one does not fail the others.
 *
 *   executor_begin -> wave_begin <-> wave_over
 *                         \ no step left -> executed -> rows_recorded */
#include "../kept_rows.h"
#include "pipeline.h"
#include "step.h"
#include "base/banned.h"

static struct next wave_begin(struct flow *f), wave_over(struct flow *f),
    executed(struct flow *f), rows_recorded(struct flow *f);

enum { STEP_MEMORY = 64 * 1024 * 1024 };

struct next executor_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct pipeline *p = pipeline_of(r);
    size_t n = p->plan->n_steps;
    struct executing *x = here(f, struct executing);
    r->results = NULL;
    arena_done(&r->rows);
    x->run = r;
    x->order = plan_order(flow_here(f), p->plan);
    x->steps = arena_new_array(flow_here(f), struct executing_step, n + 1);
    r->results = arena_new(&r->arena, struct step_results);
    r->results->results = arena_new_array(&r->arena, struct step_result, n + 1);
    r->results->n_results = n;
    r->full_data = arena_new_array(&r->arena, struct str, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct plan_step *step = &p->plan->steps[x->order[i]];
        x->steps[i] = (struct executing_step){.all = x,
                                              .step = step,
                                              .result = &r->results->results[i],
                                              .full_data = &r->full_data[i]};
        r->results->results[i] =
            (struct step_result){.step_id = step->id,
                                 .description = step->description,
                                 .strategy = step->strategy};
    }
    return call(f, wave_begin, x, executed);
}

static struct executing_step *step_of(struct executing *x, int64_t id)
{
    for (size_t i = 0; i < pipeline_of(x->run)->plan->n_steps; i++)
        if (x->steps[i].step->id == id)
            return &x->steps[i];
    return NULL;
}

static bool is_ready(struct executing *x, const struct executing_step *s)
{
    for (size_t d = 0; d < s->step->n_depends_on; d++)
        if (!step_of(x, s->step->depends_on[d])->over)
            return false;
    return !s->over;
}

/* A step that failed and has no rows fails the steps that depend on it. */
static void skip_if_need_failed(struct executing *x, struct executing_step *s)
{
    for (size_t d = 0; d < s->step->n_depends_on; d++) {
        const struct executing_step *need = step_of(x, s->step->depends_on[d]);
        if (need->result->error.len && !need->result->sql_result)
            s->skipped_for = need->step->id;
    }
}

static struct next wave_begin(struct flow *f)
{
    struct executing *x = locals(f, struct executing);
    size_t started = 0;
    for (size_t i = 0; i < pipeline_of(x->run)->plan->n_steps; i++) {
        struct executing_step *s = &x->steps[i];
        if (!is_ready(x, s))
            continue;
        skip_if_need_failed(x, s);
        s->started = true;
        started++;
    }
    if (started == 0)
        return back(f);
    for (size_t i = 0; i < pipeline_of(x->run)->plan->n_steps; i++) {
        struct executing_step *s = &x->steps[i];
        if (!s->started || s->over)
            continue;
        child_begin(f, &s->child, step_begin, s, "step", STEP_MEMORY);
        op_tolerate(&s->child.op);
    }
    return await(f, wave_over);
}

/* A step handles its own failures, except when memory runs out. */
static struct next wave_over(struct flow *f)
{
    struct executing *x = locals(f, struct executing);
    for (size_t i = 0; i < pipeline_of(x->run)->plan->n_steps; i++) {
        struct executing_step *s = &x->steps[i];
        if (!s->started || s->over)
            continue;
        s->over = true;
        if (s->child.op.status != OK) {
            s->result->error = str_of(err_sentence(s->child.op.status));
            step_emit_end(x->run, s->step, s->result->error);
        }
    }
    return go(f, wave_begin);
}

static struct next executed(struct flow *f)
{
    struct kept_rows *k = here(f, struct kept_rows);
    *k = (struct kept_rows){.run = locals(f, struct run)};
    return call(f, kept_rows_begin, k, rows_recorded);
}

static struct next rows_recorded(struct flow *f)
{
    return back(f);
}
