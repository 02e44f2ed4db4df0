/* edit_distance.h - how many edits part two names: for "did you mean". */
#pragma once
#include "base/str.h"

enum { EDIT_DISTANCE_LONGEST = 64 };

/* The least number of insertions, deletions, replacements and swaps of two
 * neighbours that make `b` of `a` (optimal string alignment), without regard
 * to ASCII case. SIZE_MAX when one has more than EDIT_DISTANCE_LONGEST bytes:
 * such names are never typing mistakes. */
size_t edit_distance(struct str a, struct str b);
