/* joins.h - how the datasets of a plan are joined, as text and as a join plan.
 *
 *   choice  several paths that are equally good. The ontology does not say
 *           which is meant, so the model of the Navigator is asked; a choice
 *           that it does not decide stays open: all of its paths go into the
 *           join plan */
#pragma once
#include "agent/run.h"
#include "ontology/graph.h"

enum { JOINS_APART = 5 };

/* Connects the plan's datasets; the tree is empty when none of them exists. Its
 * `apart` has pairs that a step needs and no path connects, JOINS_APART at
 * most. */
void joins_of_plan(struct arena *arena, struct run *r, struct join_tree *tree);
/* Text with a line for each choice and each pair that cannot be joined; empty:
 * there are none. */
struct str joins_report(struct arena *arena, const struct ontology *o,
                        const struct join_tree *tree);
/* "No join path connects a and b. a can be joined with c, d; b with
 * nothing." */
struct str joins_apart(struct arena *arena, const struct ontology *o,
                       const struct dataset_pair *pair);
/* Decides each choice of which `notes` name the relationships of one path only.
 * Returns how many stay open; these come first in tree->choices. */
size_t joins_decide(const struct ontology *o, struct join_tree *tree,
                    struct str notes);
/* Every step that reads datasets needs a pair that cannot be joined. */
bool joins_leave_no_step(struct run *r, const struct join_tree *tree);

/* Fills the join plan: the tree's datasets and path, then those of open
 * choices. */
void joins_put(struct run *r, struct join_plan *plan,
               const struct join_tree *tree, size_t n_open);
