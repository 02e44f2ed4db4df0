/* grounding_above.h - what the name at the top of a column of a text's table, see
 * walk_name_above, says of the figures below it. */
#pragma once
#include "grounding_walk.h"

/* "Change", "vs. 2024": they are changes, or differences. */
bool above_says_change(struct str name);
/* "Revenue per order": of one thing per another. */
bool above_says_rate(struct str name);
bool above_says_percent(struct str name);
