/* period_told.h - the period of an answer, as its first and its last day: that
 * of the plan, else what the date literals of the queries say. */
#pragma once
#include "agent/run.h"

/* "2026-10-01 to 2026-10-31 (order_date)", in `arena`; several periods are joined by "; ".
 * Empty: the queries name no period. */
struct str period_of_results(struct arena *arena,
                             const struct step_results *results);
/* Does the SQL name the period, by a day at one of its ends or by its month or
 * year? A query that counts from now() names one that has not moved. */
bool period_is_named(struct arena *arena, struct str sql,
                     const struct plan_period *period);
/* The answer's text with a line that has the period, unless the text has both
 * of its days. Readers get the line as a chunk. In the run's arena. */
struct str period_add(struct run *r, struct str text, struct str period);
