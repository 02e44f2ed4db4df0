/* csv.h - the CSV analyst: its state, and its part of struct agent_kind
 * (capsule.c). */
#pragma once
#include "../react/react.h"
#include "tool/csv_tools.h"

/* The latest call that executed something, of which the capsule tells. */
struct csv_call {
    struct str name;      /* empty: there was none */
    struct str arguments; /* valid JSON text */
    struct str result;    /* what the tool answered */
    bool failed;
    size_t result_at; /* of its rows in r->results; SIZE_MAX: none */
};

/* run->state of a run of this kind. */
struct csv_state {
    struct react_state react; /* first */
    struct csv_call last;
    struct str rows; /* of that call: a JSON array of arrays, in r->rows */
    bool rows_cut;   /* there are more than these */
    struct row_arrays arrays; /* while they are made */
    struct buf out;
};

static inline struct csv_state *csv_of(const struct run *r)
{
    return r->state;
}

/* Notes the round's latest call that executed something. */
void csv_round_kept(struct run *r, const struct loop_round *round,
                    size_t first);
/* Makes the rows of the capsule, in several turns when there are many. A
 * subflow; its locals are the run. */
step_fn csv_rows_begin;
/* The capsule of the run, see agent_kind.capsule. */
struct str csv_capsule(struct run *r);
/* The answer to a query or a program that the user wrote, in words. */
struct str csv_direct_text(struct run *r);
