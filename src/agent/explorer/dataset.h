/* dataset.h - the explorer over an uploaded dataset: an ordinary run, stored and
 * taken over like any other.
 *
 *   dataset.c        the kind: its table, its loop, its records, its result
 *   dataset_place.c  where the queries run: the dataset's source */
#pragma once
#include "../react/react.h"
#include "explorer.h"

/* run->state of a run of this kind. */
struct dataset_explorer {
    struct react_state react; /* first */
    struct explorer explorer;
    const struct dataset *dataset; /* whose table is t_parsed */
    int rounds;
    /* What earlier rounds have recorded. */
    size_t queries, charts, insights;
};

static inline struct dataset_explorer *dataset_explorer_of(const struct run *r)
{
    return r->state;
}

/* The place of this kind (explorer.h): runs the queries of a call one after the
 * other, in EXPLORER_QUERY_MS altogether. What the connection does not share
 * with models is withheld. */
step_fn dataset_place_begin;
