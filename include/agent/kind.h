/* kind.h - what tells one agent from another.
 *
 * Every kind of agent runs on the same machinery: a claimed run with its lease,
 * journal, budget and one end (agent/run.h). A kind says which phases there are,
 * how they are walked, and how a later process resumes them. To add one: a line in
 * artifact/agents.def, its phases in artifact/phases.def, a struct agent_kind in
 * a folder of its own, and its line in kinds.c. */
#pragma once
#include "artifact/vocabulary.h"
#include "loop/flow.h"

struct run;
struct run_artifacts;

struct agent_kind {
    enum agent_kind_id id;
    /* Walks from run->phase to the end; locals are the run. Leaves run->output,
     * or a plan that asks back. */
    step_fn *begin;
    const char *begin_name; /* for traces */
    /* Events name their phase, as seed 000 has it; else they are a loop's, as
     * seed 001 has them. */
    bool tells_phases;
    /* Where a run resumes whose record is in the run already. False: the record
     * is damaged. */
    bool (*resume)(struct flow *f, struct run *r,
                   const struct run_artifacts *stored);
    /* For later questions of the chat: what was done, DIGEST_BORDER, what tools
     * answered. */
    struct str (*digest)(struct run *r);
    /* Names of the datasets that the answer used; in the run's arena. */
    size_t (*datasets)(struct run *r, struct str **names);
    /* What the answer rests on; in the run's arena. Called when there are
     * results. */
    struct data_lineage *(*lineage)(struct run *r);
};

extern const struct agent_kind pipeline_kind, react_kind;

const struct agent_kind *agent_kind_of(enum agent_kind_id id);
