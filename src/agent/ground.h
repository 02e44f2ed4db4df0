/* ground.h - the text of an answer, made sure to state only what the results
 * show (grounding/grounding.h).
 *
 * What is not grounded goes back to the model once, with a list. What is still
 * not grounded is taken out by code: the sentence, or, when that would leave no
 * answer, the whole text, for one that code writes. The report gets the check
 * `narrative_grounded`. */
#pragma once
#include "agent/tool_loop.h"
#include "analyst/analyst.h"

struct ground_look;

struct answer_ground {
    struct tool_loop *loop;   /* whose model has answered */
    struct ground_look *look; /* of ground.c */
    struct analyst_findings found;
    struct str text; /* in: as the model wrote it; out: as it may be shown */
    struct str note; /* out: what was done, for a caveat; may be empty */
};
/* A subflow; locals are the answer_ground, which the caller fills in. Readers
 * who saw another text get a restart and the new one. Fails as consult_begin
 * does only when the run cannot go on. */
step_fn ground_begin;

/* Adds the check to the report of a stored answer, if the run's kind makes its
 * reports again from the record. A subflow; locals are the run. Does not fail. */
step_fn ground_stored_begin;
