/* answer.h - an answer as it is stored: a text, and what code adds to it. */
#pragma once
#include "agent/run.h"

/* run->output from the narrative (copied), with lineage, caveats and charts.
 * `note`: how the text came to be, as the first caveat; may be empty. */
void run_compose_output(struct run *r, struct str narrative, struct str note);

/* The time of the run has ended, or does in this moment. */
bool run_is_out_of_time(const struct run *r);
/* Is there something to tell without a model? A conversation has nothing. */
bool run_can_explain_by_code(const struct run *r);
/* run->output with a text by code, because the model gave none: `why` goes into
 * a caveat. Text that was streamed since `first_event` is void. */
void run_explain_by_code(struct run *r, enum phase phase, int64_t first_event,
                         struct str why);
