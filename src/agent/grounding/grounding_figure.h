/* grounding_figure.h - the figures of a sentence. */
#pragma once
#include "grounding_walk.h"

/* Whether rows show the figure of the sentence; *elsewhere: they show it in another
 * column than the sentence says. */
bool walk_shows(struct grounding_walk *w, size_t at, bool *elsewhere);
