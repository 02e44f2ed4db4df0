/* sql_plan.h - the plan of a query, as an engine explains it, in one form for
 * all engines. Pure.
 *
 *   node   {operation, relation, alias, rows, startupCost, cost, width,
 *           details: [{name, value}], children: [node]}; what an engine does
 *           not say is null
 *
 * A plan may name what the query does not: the tables that a view reads, and
 * its conditions. So a relation that the policy does not list has no name, and
 * a plan with one has no details. Nor has one over a model that hides fields:
 * conditions of views, policies of rows and indexes name columns. */
#pragma once
#include "base/json.h"
#include "db/source.h"
#include "guard/guard.h"

/* Writes the node of the JSON that a read with `explain` has as its only cell
 * (NULL: it was no JSON). It stays the caller's, because the writer may run out
 * of memory meanwhile. False, with nothing written: it is not such a plan, or it
 * is too deep. */
bool sql_plan_write(struct json_writer *w, enum source_dialect dialect,
                    const json_t *plan, const struct guard_policy *policy,
                    bool hides);
