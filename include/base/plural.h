/* plural.h - the singular of an English plural.
 *
 * Rules for endings, and a short list of irregular plurals. They serve names
 * of tables and columns, so a singular must be a word that people can read
 * ("categories" gives "category", where a stemmer gives "categori"), and two
 * words must not become one ("customer" is not "custom"). What looks like a
 * plural and is none ("gas") loses its s; that is harmless where both sides of
 * a comparison go through here. "movie" becomes "movy", because "movies"
 * does: show people the original word where it is not a plural.
 *
 * Words are in lower case. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* How to make the singular: keep `keep` bytes of the word, append `ending`. */
struct singular_form {
    size_t keep;
    const char *ending; /* at most 9 bytes; often empty */
};

/* The singular form of a word, without memory. A word that is no plural keeps
 * all of its bytes. */
struct singular_form plural_form(struct str word);

/* The singular of a word: the word itself, a part of it, or a copy in `arena`.
 * It lives as long as both. */
struct str plural_to_singular(struct arena *arena, struct str word);
