/* why.h - "Why is Houston underperforming?", answered by a fixed set of queries.
 *
 *   side    the value asked about, compared with all others; there may be none
 *   now     the period asked about, by default the last six months of the data
 *   before  the same period a year before
 *   gap     a group's figure minus what it would be, had the group changed like
 *           the same group of all others
 *
 * Step 1 is the main metric by month for both sides. Step 2 is every metric for
 * both sides, now and before. The next steps are the main metric by a few
 * dimensions, and the last draws a chart. The answer shows where a difference lies
 * and which metrics changed with it, and says that this is not yet a cause. */
#pragma once
#include "analysis.h"

enum { WHY_PARTS = 3 };

struct why {
    bool sided;
    struct str value;                     /* the name of the side */
    struct bound_query *series;           /* month, side */
    struct bound_query *metrics;          /* period, side */
    struct bound_query *parts[WHY_PARTS]; /* a dimension, period, side */
    size_t n_parts;
};

/* From a question that asks why, not yet bound; it is changed. NULL with
 * *problem. */
struct why *why_make(struct bound_query *plain, struct str *problem);

/* The steps of the plan, and the query of each. */
void why_plan(struct arena *arena, struct why *why, struct plan *plan);
void why_queries(struct arena *arena, struct why *why, const struct plan *plan,
                 struct query_specs *specs);
/* The id of the step that draws the chart. */
int64_t why_chart_step(const struct why *why);
/* The id of the step that tells the days of the period; 0: there is none. */
int64_t why_periods_step(const struct why *why);

/* tell/why_figures.c: writes the figures in words to `out`. */
void why_tell(struct arena *arena, struct why *why,
              const struct analyst_findings *findings, struct buf *out);
