/* joins.h - how the datasets of a plan hang together, in words and as a plan.
 *
 *   choice   several paths that are equally good; which one is meant the model of
 *            the data does not tell, so the Navigator is asked, and what it does
 *            not decide stays open: all of the paths go into the join plan */
#pragma once
#include "agent/run.h"
#include "ontology/graph.h"

enum { JOINS_APART = 5 };

/* The tree of the plan's datasets; empty when it names none that there are. Its
 * `apart` are pairs that one step needs, JOINS_APART at most. */
void joins_of_plan(struct arena *arena, struct run *r, struct join_tree *tree);
/* Choices and what cannot be joined, a line each; empty when all is clear. */
struct str joins_report(struct arena *arena, const struct ontology *o,
                        const struct join_tree *tree);
/* "No join path connects a and b. a can be joined with c, d; b with nothing." */
struct str joins_apart(struct arena *arena, const struct ontology *o,
                       const struct dataset_pair *pair);
/* Takes the path of each choice whose relationships alone `notes` name. Answers
 * how many choices are left open; those stand first in tree->choices. */
size_t joins_decide(const struct ontology *o, struct join_tree *tree,
                    struct str notes);
/* Every step that reads datasets needs some that cannot be joined. */
bool joins_leave_no_step(struct run *r, const struct join_tree *tree);

/* Datasets and paths: the tree's, then those of the open choices. */
void joins_put(struct run *r, struct join_plan *plan,
               const struct join_tree *tree, size_t n_open);
