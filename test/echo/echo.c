/* echo.c - the smallest agent: it answers with the words of the question. */
#include "agent/answer.h"
#include "base/clock.h"
#include "base/banned.h"

static struct next echo_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return back(f);
    r->phase_entered_ms = clock_ms();
    journal_phase(r->log, r->phase, 0);
    run_emit_chunk(r, r->load.question);
    run_compose_output(r, r->load.question, STR(""));
    return go(f, run_save_answer_begin);
}

static const struct kind_artifact artifacts[] = {
    RUN_ARTIFACT(output, PHASE_ECHO, explainer_output, "explainerOutput"), {0}};

const struct agent_kind echo_kind = {
    .begin = echo_begin,
    .begin_name = "echo_begin",
    .artifacts = artifacts,
};
