/* grounding_share.h - of what a share is: "accounts for 34 % of revenue". */
#pragma once
#include "grounding_walk.h"

/* Whether the figure is said to be a share of a column, or of all, and it is
 * none: the share of another column, or a ratio. */
bool share_contradicts(struct grounding_walk *w, size_t figure,
                       const struct grounding_scope *scope);
