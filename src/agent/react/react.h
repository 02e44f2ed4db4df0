/* react.h - the ReAct agent's part of struct agent_kind (record.c). */
#pragma once
#include "agent/tool_loop.h"

/* Name of the artifact that holds a round, counted from 0: "round_3". */
const char *react_round_name(int round);

/* What a round brought becomes results of the run, in the order of its calls,
 * and part of the round. */
void react_take_results(struct tool_loop *x, struct loop_round *round);
/* Checks by code of the latest query's result become the run's report. */
void react_check(struct run *r);

bool react_resume(struct flow *f, struct run *r,
                  const struct run_artifacts *stored);
struct str react_digest(struct run *r);
size_t react_datasets(struct run *r, struct str **names);
struct data_lineage *react_lineage(struct run *r);
