/* trusted_search.h - trusted answers that a run can use: the one to its question,
 * and similar ones as examples. Every agent uses them in its own way. */
#pragma once
#include "agent/run.h"
#include "ontology/question_key.h"
#include "ontology/similarity.h"
#include "store/trusted_answers.h"

enum { TRUSTED_CANDIDATES = 8 /* of which some may no longer fit the model */ };

struct trusted_search {
    struct run *run;
    /* Out: `match` is of this question, means its days, and its query passes
     * the model as it is now */
    bool usable;
    struct trusted_match match;
    struct question_key key;
};
/* A subflow; locals are the search. A question that refers to earlier ones has
 * no trusted answer. Trusted answers that cannot be read are none. */
step_fn trusted_search_begin;
/* The mark of a search that is usable, in the run's arena; it is recorded. */
struct trusted_mark *trusted_search_mark(const struct trusted_search *x);
/* Records which trusted answer the run uses; NULL: none, for a run whose earlier
 * attempt may have recorded one. */
void trusted_mark_record(struct run *r, const struct trusted_mark *mark);

struct trusted_similar {
    const struct trusted_example *example;
    float score;
};

struct trusted_comparison {
    struct run *run;
    struct arena *out;
    struct str examples; /* out: as text for a prompt, in `out`; may be empty */
    /* private */
    struct trusted_pool pool;
    struct arena memory;
    float wanted[LEXICAL_DIMENSIONS];
    size_t at;
    uint64_t since_ms;
    struct pause pause;
    struct trusted_similar best[TRUSTED_CANDIDATES];
    size_t n_best;
};
/* A subflow; locals are the comparison. Trusted answers that cannot be read are
 * none. */
step_fn trusted_examples_begin;
