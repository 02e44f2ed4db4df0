/* phases.c - see phases.h.
 *
 *   phases_begin -> (the phase) -> phase_over -> phase_saved -> PHASE_DONE
 *         \________________ route _________________/ */
#include "phases.h"
#include "agent/run.h"
#include "base/clock.h"
#include "base/banned.h"

static struct next phase_over(struct flow *f), phase_saved(struct flow *f);

struct next phases_begin(struct flow *f)
{
    const struct phases *p = locals(f, struct phases);
    const struct phase_walk *walk = p->walk;
    struct run *r = p->run;
    r->phase_tokens = (struct llm_usage){0};
    run_phase_entered(r);
    journal_phase(r->log, r->phase, r->revision);
    run_emit_phase(r, EVENT_PHASE_START, r->phase);
    return flow_call(f, walk->steps[r->phase].begin, walk->steps[r->phase].name,
                     r, phase_over, "phase_over", NULL, NULL);
}

static struct next phase_over(struct flow *f)
{
    const struct phases *p = locals(f, struct phases);
    const struct phase_walk *walk = p->walk;
    struct run *r = p->run;
    kind_record(r, r->phase, true);
    if (walk->on_record)
        walk->on_record(r);
    run_record_progress(r);
    arena_done(&r->scratch);
    run_emit_tokens(r, r->phase);
    run_emit_phase(r, EVENT_PHASE_COMPLETE, r->phase);
    agent_count_phase(r->agent, r);
    r->phase = walk->route(r);
    journal_phase(r->log, r->phase, r->revision);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, phase_saved);
}

static struct next phase_saved(struct flow *f)
{
    const struct run *r = locals(f, struct phases)->run;
    return r->phase == PHASE_DONE ? back(f) : go(f, phases_begin);
}
