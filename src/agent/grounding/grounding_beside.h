/* grounding_beside.h - figures of the row before or after the named one, and marks that
 * rows reach. */
#pragma once
#include "grounding_walk.h"

/* Whether the words after the figure say that it is of the row before or after the only
 * period of the sentence, and that row shows it: "fell to 430 from 446 in the quarter
 * before". */
bool is_of_beside(struct grounding_walk *w, size_t figure);
/* Whether the figure is a mark, and the rows are above or below it as the sentence says:
 * "crossed the 200,000 mark in May", "Oslo did not reach 10,000", "the only two to reach
 * 6,000". */
bool is_mark(struct grounding_walk *w, const struct figure *f);
