/* plan_period.h - the period of a plan: its days, and what is said of them.
 *
 * The planner reads the calendar and names the first and the last day. Code
 * checks them and, for a period that counts from today, looks up the latest date
 * up to today in the data: when the data end clearly earlier, their last
 * complete period takes its place (analyst/period.h), and the plan says so. */
#pragma once
#include "pipeline.h"

/* False, with the field that is wrong, when the plan's period is none. */
bool plan_period_check(const struct plan *plan,
                       struct artifact_problem *problem);

struct plan_period_settle {
    struct run *run;
    struct plan *plan;
    /* private */
    struct str field; /* "orders.order_date" */
    struct tool_context context;
    struct query_tool query;
};
/* Subflow; locals are the settle. Writes the days into the plan's time window,
 * too. Fails only if the run must end. */
step_fn plan_period_settle_begin;
