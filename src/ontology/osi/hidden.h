/* hidden.h - leaves what a text hides out of its model.
 *
 * The text is read once with all its parts. If it hides some, their nodes are
 * removed from the tree, with the relationships and metrics that name them, and
 * the rest is read again: so nothing of them is in the model, not even in the
 * texts of its datasets. */
#pragma once
#include "ontology/model.h"
#include "tree.h"

/* The model has hidden datasets, fields or metrics. */
bool hidden_parts(const struct ontology *all);
/* It has datasets, and all of them are hidden. */
bool hidden_all(const struct ontology *all);
/* Removes their nodes from the tree that `all` was read from. */
void hidden_remove(struct tree *root, const struct ontology *all);
/* Notes in `shown`, which was read from that tree, which columns it may read. */
void hidden_mark(struct arena *arena, const struct ontology *all,
                 struct ontology *shown);

/* The lists of a text: its model (NULL in the short form of datasets alone) and
 * its datasets (a list, or one dataset that is the root). */
struct tree *osi_model_node(struct tree *root);
struct tree *osi_datasets_node(struct tree *root);
