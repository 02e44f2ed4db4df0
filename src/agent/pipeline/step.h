/* step.h - one step of the plan under execution. */
#pragma once
#include "agent/run.h"
#include "agent/consult.h"

struct executing;

struct executing_step {
    struct executing *all;
    const struct plan_step *step;
    struct step_result *result;
    struct str *full_data; /* all fetched rows as JSON */
    struct child child;
    bool started, over;
    int64_t skipped_for; /* id of the failed step it needs; 0: none */
    /* private to step.c */
    struct str sql;
    bool repaired;
    struct query_tool query;
    struct python_tool python;
    struct consult consult;
    struct phase_inputs inputs;
    struct gather gather;
    struct str data;           /* what Python has: text for its prompt */
    struct tracked_call *call; /* under way; else NULL */
};

struct executing {
    struct run *run;
    size_t *order;
    struct executing_step *steps; /* in that order */
};

/* A child flow; locals are the step. It ends OK, with its result filled in. */
step_fn step_begin;
