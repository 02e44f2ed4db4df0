/* results.h - results of tools as artifacts of the run. All is in the run's
 * arena, except for the rows' JSON, which is in r->rows. */
#pragma once
#include "agent/run.h"

/* The result of a query that ran: its columns and its first rows. */
struct sql_result *run_sql_result(struct run *r, const struct query_tool *q,
                                  struct str sql);
/* The result of a Python execution, also of one that failed. */
struct python_result *run_python_result(struct run *r,
                                        const struct python_tool *p);
/* The number of charts of all steps that have run so far. */
size_t run_count_charts(const struct run *r);

/* DataFrames for Python: step_N_data for every result of a query, and
 * current_data for `current`, which may be NULL. */
struct python_data *run_frames_of_results(struct arena *arena, struct run *r,
                                          const struct step_result *current,
                                          size_t *n);

/* Writes the artifact to the run's record, which a takeover restores. `emit`:
 * streams get it, too. */
void run_record_artifact(struct run *r, const char *name,
                         const struct artifact_type *type, const void *artifact,
                         bool emit);
