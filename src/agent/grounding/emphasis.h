/* emphasis.h - a text in Markdown without its marks of emphasis, so that "from **5**
 * to **7**" is read as "from 5 to 7", and the places in the text where they were. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

struct emphasis_mark {
    size_t at;    /* in the plain text */
    size_t bytes; /* of this mark and all before it */
    bool opens;
};

struct emphasis {
    struct str plain;
    struct emphasis_mark *marks; /* in their order */
    size_t n_marks;
};

/* Takes the marks out of the text, but for those in code. All is in the arena. */
void emphasis_read(struct arena *arena, struct str text, struct emphasis *out);
/* The place in the text of a place in the plain text: after marks that close there, and
 * before those that open. */
size_t emphasis_place(const struct emphasis *e, size_t at);
/* Whether a mark opens at a place in the plain text. */
bool emphasis_opens(const struct emphasis *e, size_t at);
