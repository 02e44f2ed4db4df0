/* why.h - "Why is Houston underperforming?": one fixed way to look.
 *
 *   side    the value asked about, beside all others; there may be none
 *   now     the period asked about, else the last six months of the data
 *   before  the same a year before
 *   gap     what a group falls short of, had it moved like that of all others
 *
 * Step 1 is the main metric by month for both sides, step 2 every metric of the
 * model for both sides now and before, the next ones the main metric by a few
 * dimensions, the last draws. It shows where a difference lies and which metrics
 * moved with it, and says that this is not yet a cause. */
#pragma once
#include "analysis.h"

enum { WHY_PARTS = 3 };

struct why {
    bool sided;
    struct str value;                     /* what the side is called */
    struct bound_query *series;           /* month, side */
    struct bound_query *metrics;          /* period, side */
    struct bound_query *parts[WHY_PARTS]; /* a dimension, period, side */
    size_t n_parts;
};

/* From a question that asks why, not yet bound. NULL with *problem. */
struct why *why_make(struct bound_query *plain, struct str *problem);

void why_plan(struct arena *arena, struct why *why, struct plan *plan);
void why_queries(struct arena *arena, struct why *why, const struct plan *plan,
                 struct query_specs *specs);
/* The id of the step that draws. */
int64_t why_chart_step(const struct why *why);

/* why_story.c: the figures in words. */
void why_tell(struct arena *arena, struct why *why,
              const struct analyst_findings *findings, struct buf *out);
