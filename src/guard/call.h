/* call.h - between call.c and call_estimate.c. */
#pragma once
#include "function.h"
#include "walk.h"

enum { MAX_ARGS = 4 }; /* that a growth looks at one by one */

struct call {
    struct str name;
    const json_t *node, *args;
    int location;
    size_t n; /* of the arguments estimated one by one */
    struct estimate arg[MAX_ARGS], worst, sum;
};

/* cost.c: refuses a call that takes too long at once, or an aggregate that would
 * keep too many rows. */
/* The rows that an aggregate sees, of one group. */
double call_rows(const struct walk *walk, const struct call *call);
void cost_check_call(struct walk *walk, const struct call *call,
                     enum growth growth);

/* How large its answer may get; refuses what makes too much. Its arguments are
 * estimated already. */
struct estimate call_estimate(struct walk *walk, const struct call *call,
                              enum growth growth);
