/* grounding_walk.h - one walk over the sentences of a narrative. */
#pragma once
#include "compare.h"
#include "grounding.h"

enum { MENTIONS_MOST = 16 /* of a sentence */ };

struct grounding_walk {
    struct arena *arena;
    struct facts facts;
    struct wording wording;
    struct figure *figures;
    size_t n_figures;
    bool english;
    struct grounding *out;
    struct grounding_sentence now;
    struct row_mention mentions[MENTIONS_MOST];
};

/* The words of the sentence that is being read. */
const struct wording_word *walk_words(const struct grounding_walk *w);
/* Whether it has a word of the list before a place in the text. */
bool walk_has(const struct grounding_walk *w, const char *list, size_t before);
/* Whether a part of the text is inside a text of rows that is named. */
bool walk_in_mention(const struct grounding_walk *w, size_t from, size_t to);
/* The word before (step -1) or after (step 1) a place; empty: none. */
struct str walk_word_beside(const struct grounding_walk *w, size_t place,
                            int step);
/* The name of the column of a table's row that the place is in; empty: the
 * sentence is no row. */
struct str walk_name_above(const struct grounding_walk *w, size_t place);
/* Describes what a figure of the sentence is about. */
void walk_scope(struct grounding_walk *w, size_t figure,
                struct grounding_scope *scope);
