/* builtin.h - the plan of the built-in analyst, for those who have no model to
 * ask for one. */
#pragma once
#include "agent/run.h"
#include "analyst/analyst.h"

/* Fills `plan` for the run's question, in the arena. False: the analyst did not
 * understand it, and the plan has no steps. */
bool builtin_plan(struct arena *a, struct run *r, struct plan *plan);
/* Whether the run's question only asks for numbers of rows; see
 * analyst_counts. */
bool builtin_counts(struct arena *a, struct run *r,
                    struct analyst_count *count);
/* What the analyst says of these results of the run's question. In the arena. */
struct str builtin_narrative(struct arena *a, struct run *r,
                             const struct analyst_findings *found);
