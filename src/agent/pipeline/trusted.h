/* trusted.h - trusted answers in a run of the pipeline.
 *
 * The same question is answered from a trusted answer: code makes the plan, the
 * joins and the queries; from the executor on, the run is like any other. Its
 * query is not repaired or revised by a model. If it fails, the question is
 * planned as if there were no trusted answer.
 *
 * Similar questions are examples for the SQL Builder (agent/trusted_search.h). */
#pragma once
#include "pipeline.h"

/* A subflow; locals are the run. Looks for a trusted answer to the question; if
 * there is one, leaves the plan, the queries and pipeline.trusted. */
step_fn trusted_answer_begin;
/* Makes the join plan of a trusted answer, in a step of f. */
void trusted_joins(struct flow *f, struct run *r);
/* The trusted query did not run. */
bool trusted_failed(const struct run *r);
/* Forgets the trusted answer. Returns the phase to begin with. */
enum phase trusted_drop(struct run *r);
/* After a takeover, when the artifacts were restored. */
void trusted_restored(struct run *r);

/* Python that checks the rows of a trusted answer, for the provider that has no
 * language model. */
struct str trusted_verification(void);
