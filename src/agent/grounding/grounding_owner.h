/* grounding_owner.h - what the words around a figure say of the rows that it is
 * of. */
#pragma once
#include "grounding_walk.h"

/* Whether a mention is what something was compared with, in an earlier part of the
 * sentence than a place. */
bool mention_is_compared(const struct grounding_walk *w,
                         const struct row_mention *m, size_t end);
/* Whether the figure is the first of "from 96 to 90". */
bool figure_begins_change(const struct grounding_walk *w, size_t figure);
/* Whether it is what another one is a part of. */
bool figure_is_whole(const struct grounding_walk *w, size_t figure);
/* Whether it is of all rows, although the sentence names one before. */
bool figure_of_all(const struct grounding_walk *w, const struct figure *f);
/* Of two figures in brackets that compare, "three times as much as Oslo (60 vs. 20)":
 * which mentions the first, or the second, is of. Returns how many; 0: it is no such
 * figure. */
size_t figure_pair_owners(const struct grounding_walk *w, size_t figure,
                          bool of[MENTIONS_MOST]);
