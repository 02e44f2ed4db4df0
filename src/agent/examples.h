/* examples.h - questions like the one asked, each with the SQL that answers it,
 * for the prompts of those who write SQL.
 *
 * They are the semantic model's own (ontology/example.h). Those that the guard
 * refuses are left out. */
#pragma once
#include "agent/run.h"

enum {
    EXAMPLES_MOST = 3,
    EXAMPLES_READ = 200 /* of one ontology; the others are not looked at */
};

struct example {
    struct str question, sql;
    float likeness; /* of the question to the one asked, 0 … 1 */
};

/* The examples that are most like the run's question, EXAMPLES_MOST at most;
 * their texts are in `a` or in the ontology. Returns how many. */
size_t examples_like(struct arena *a, const struct run *r,
                     struct example found[EXAMPLES_MOST]);
