/* outcome.h - what the scientist's code left in the sandbox, as artifacts of
 * the run. All of it is hostile: sizes, nesting, names, figures. */
#pragma once
#include "agent/run.h"
#include "scientist.h"

enum {
    OUTCOME_RESULT_BYTES = 512 * 1024,
    OUTCOME_ROWS = 1000,
    OUTCOME_COLUMNS = 101, /* with the key of the rows */
    OUTCOME_NAME = 400,    /* bytes of a column's name */
    OUTCOME_CELL = 8000,   /* bytes */
    OUTCOME_TEXT = 20000,  /* bytes of result_str */
    OUTCOME_PRINTED = 64 * 1024,
};

/* The files that the code's epilogue writes: SCIENTIST_FIGURES figures, and the
 * result. */
enum { OUTCOME_FILES = SCIENTIST_FIGURES + 1 };
extern const struct str outcome_files[OUTCOME_FILES];

/* Takes what an attempt left that ran without an error: sets
 * scientist.execution and r->results. `note` is about its tables, in the run's
 * arena; it may be empty. In a step of f. */
void outcome_take(struct flow *f, struct run *r, const struct python_tool *p,
                  struct str note);
