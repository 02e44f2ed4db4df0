/* nearest.h - what a name that is not there may have been meant as. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum { NEAREST_MOST = 8, NEAREST_LONGEST = 64 };

struct nearest {
    struct str wanted;
    struct {
        struct str name;
        unsigned distance;
    } found[NEAREST_MOST]; /* the nearest first, then as offered */
    size_t n;
};

void nearest_begin(struct nearest *nearest, struct str wanted);
/* Takes the name if it is near: an edit distance (with transpositions, without
 * regard to ASCII case) of at most a third of the longer one, or one holds the
 * other as a whole. Names over NEAREST_LONGEST bytes are never near. */
void nearest_offer(struct nearest *nearest, struct str name);
struct str nearest_best(const struct nearest *nearest); /* empty: none */
struct str_list nearest_names(struct arena *arena,
                              const struct nearest *nearest, size_t most);
