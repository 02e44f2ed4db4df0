/* nearest.h - "did you mean": the known names that are most like a wanted one.
 *
 * nearest_begin, nearest_offer for each known name, then nearest_best or
 * nearest_names. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum { NEAREST_MOST = 8 };

struct nearest {
    struct str wanted;
    struct {
        struct str name;
        size_t distance;
    } found[NEAREST_MOST]; /* by distance, then in the order of the offers */
    size_t n;
};

/* Starts a search for names like `wanted`, which must outlive it. */
void nearest_begin(struct nearest *nearest, struct str wanted);
/* Considers one known name. It counts as near if its edit distance is at
 * most a third of the longer of both, or if one of them contains the other
 * (which then has 3 bytes or more). Names over EDIT_DISTANCE_LONGEST bytes
 * are never near. */
void nearest_offer(struct nearest *nearest, struct str name);
/* The most similar name; empty when none is near. */
struct str nearest_best(const struct nearest *nearest);
/* Up to `most` names, the most similar first; the list is in `arena`. */
struct str_list nearest_names(struct arena *arena,
                              const struct nearest *nearest, size_t most);
