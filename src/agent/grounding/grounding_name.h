/* grounding_name.h - names in a sentence that are not in the data. */
#pragma once
#include "grounding_walk.h"

/* "German", where a text has "Germany": that word; empty: none. */
struct str walk_resembled(struct grounding_walk *w, struct str word);
/* The first word of the sentence that is a name and in no text; NULL: none. */
const struct wording_word *walk_unknown_name(struct grounding_walk *w);
