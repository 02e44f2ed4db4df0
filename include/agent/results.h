/* results.h - what tools brought, as artifacts of the run: results of steps, and
 * the checkpoints that hold them. All lives in the run's arena. */
#pragma once
#include "agent/run.h"

/* The first rows of a query that ran, which has them as JSON in r->rows. */
struct sql_result *run_sql_result(struct run *r, const struct query_tool *q,
                                  struct str sql);
struct python_result *run_python_result(struct run *r,
                                        const struct python_tool *p);
/* DataFrames for Python: step_N_data of every result, and current_data of
 * `current` when it is not NULL. */
struct python_data *run_frames_of_results(struct arena *arena, struct run *r,
                                          const struct step_result *current,
                                          size_t *n);

/* ---- checkpoints --------------------------------------------------------- */

/* Tells an artifact of the phase to streams and keeps it for a takeover. */
void run_leave_artifact(struct run *r, const char *kind,
                        const struct artifact_type *type, const void *artifact);
/* Keeps it without telling it. */
void run_keep_artifact(struct run *r, const char *kind,
                       const struct artifact_type *type, const void *artifact);
/* Tokens, discovery and tool calls so far. */
void run_leave_progress(struct run *r);
