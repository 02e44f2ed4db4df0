/* builtin.h - the plan of the built-in analyst, for those who have no model to
 * ask for one. */
#pragma once
#include "agent/run.h"

/* Fills `plan` for the run's question, in the arena. False: the analyst did not
 * understand it, and the plan has no steps. */
bool builtin_plan(struct arena *a, struct run *r, struct plan *plan);
