/* joins.h - how the datasets of a plan are joined, as text and as a join plan.
 *
 *   choice  several paths that are equally good. The ontology does not say
 *           which is meant, so the model of the Navigator is asked; a choice
 *           that it does not decide stays open: all of its paths go into the
 *           join plan
 *   perhaps   columns over which datasets that the model does not relate are
 *           joined, because a step needs them together. The built-in analyst
 *           does not guess */
#pragma once
#include "agent/run.h"
#include "ontology/graph.h"
#include "ontology/perhaps.h"

enum { JOINS_APART = 5 };
/* Fields that the guesses of one plan compare, some milliseconds; datasets that
 * are left over stay apart. */
enum { GUESS_FIELDS = 20000 };
/* The name of a guessed join where a relationship has its own. */
#define JOIN_PERHAPS "perhaps"

struct joins_perhaps {
    struct perhaps_join items[JOINS_APART];
    size_t n;
    size_t looked; /* fields that were compared */
};

/* Connects the plan's datasets; the tree is empty when none of them exists. Its
 * `apart` has pairs that a step needs and neither a path nor a guess connects,
 * JOINS_APART at most. */
void joins_of_plan(struct arena *arena, struct run *r, struct join_tree *tree);
/* The joins that a step of the plan needs and the model does not have, for a
 * tree of joins_of_plan. */
void joins_guess(struct arena *arena, struct run *r,
                 const struct join_tree *tree, struct joins_perhaps *out);
/* "The model does not relate a and b; perhaps a.x = b.x joins them." */
struct str joins_perhaps_text(struct arena *arena, const struct ontology *o,
                              const struct perhaps_join *join);
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
 * choices, then guesses, each a path by the name "perhaps". */
void joins_put(struct run *r, struct join_plan *plan,
               const struct join_tree *tree, size_t n_open);
