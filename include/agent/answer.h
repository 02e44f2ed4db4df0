/* answer.h - the answer of a run: a text by the model, and the lineage, caveats
 * and charts that code adds. */
#pragma once
#include "agent/run.h"

struct analyst_findings;

enum { CAVEATS_OF_KIND = 12 };

/* Makes run->output from the narrative, which is copied. `note` says how the
 * text was made and becomes the first caveat; it may be empty. */
void run_compose_output(struct run *r, struct str narrative, struct str note);
/* Only for agent_kind.add_caveats; `text` must live as long as the run. */
void run_add_caveat(struct run *r, struct str text);

/* The run's deadline has passed. */
bool run_is_out_of_time(const struct run *r);
/* Makes run->output with a text written by code from what was found, because
 * the model gave none; a caveat says `why`. Readers drop the text that was
 * streamed since `first_event`. */
void run_explain_by_code(struct run *r, int64_t first_event,
                         const struct analyst_findings *found, struct str why);

/* The last step of a kind with one phase: records run->output, waits until it
 * is stored, and returns. Locals are the run. */
step_fn run_save_answer_begin;
