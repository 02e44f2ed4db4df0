/* call.h - a function call as call.c hands it to call_estimate.c and cost.c. */
#pragma once
#include "function.h"
#include "walk.h"

enum { MAX_ARGS = 4 }; /* arguments that a growth can name */

struct call {
    struct str name;
    const json_t *node, *args;
    int location;
    size_t n; /* how many of `arg` are set */
    struct estimate arg[MAX_ARGS], worst, sum;
};

/* cost.c: the rows of one group that an aggregate sees. */
double call_rows(const struct walk *walk, const struct call *call);
/* cost.c: refuses a call that would take too long, or an aggregate that would
 * sort too many rows. A time limit cannot interrupt either. */
void cost_check_call(struct walk *walk, const struct call *call,
                     enum growth growth);

/* The estimate of the answer. Refuses a call whose answer would be too large.
 * The arguments have been estimated already. */
struct estimate call_estimate(struct walk *walk, const struct call *call,
                              enum growth growth);
