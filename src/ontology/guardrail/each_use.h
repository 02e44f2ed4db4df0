/* each_use.h - values that each use of a row has again: the price of a plan with
 * each of its subscriptions. Their sum over the uses is no fan-out. */
#pragma once
#include "rule.h"

enum use {
    USE_NONE,     /* the sum is over repeated rows */
    USE_PERHAPS,  /* the rows of one table have it each, or share it */
    USE_PREPARED, /* surely: the query itself has aggregated to these rows, or
                     weighs them by it */
};

/* What a sum over repeated rows means, which `m` describes. *by becomes the
 * source whose rows are the uses. */
enum use use_of(struct guardrail_check *j, const struct grain *g,
                const struct shape_value *call, const struct measure_grain *m,
                const struct shape_source **by);
