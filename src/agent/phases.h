/* phases.h - walks the phases of a run, for kinds that have several.
 *
 * Each phase's artifact is on record before the next phase begins. */
#pragma once
#include "artifact/artifact.h"
#include "loop/flow.h"

struct run;

/* An entry of `steps`. */
#define PHASE_BEGINS(step) {step, #step}

struct phase_walk {
    /* The subflow of each phase; its locals are the run. */
    struct {
        step_fn *begin;
        const char *name;
    } steps[PHASE_COUNT];
    /* The phase after run->phase, whose work is done. */
    enum phase (*route)(struct run *r);
    /* Called when the artifact of run->phase is recorded; may be NULL. */
    void (*on_record)(struct run *r);
};

/* A subflow: the phases from run->phase to PHASE_DONE. Fails as they do. */
struct phases {
    struct run *run;
    const struct phase_walk *walk;
};
struct next phases_begin(struct flow *f);
