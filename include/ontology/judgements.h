/* judgements.h - what was found out about the latest few queries of one ontology.
 *
 * Reading a query costs a third of a millisecond; the SQL Builder asks, the
 * verifier asks again, and the same text comes from run to run. What is found
 * depends on the text and the ontology alone. */
#pragma once
#include "ontology/guardrail.h"

enum {
    JUDGEMENTS_HELD = 32,
    JUDGEMENT_TEXT = 4096,      /* bytes; a longer query is judged each time */
    JUDGEMENT_MOST = 16 * 1024, /* bytes of one, as far as it is kept */
};

/* Zeros hold nothing. */
struct query_judgements {
    struct judgement *held[JUDGEMENTS_HELD]; /* a ring */
    size_t n;                                /* that were ever kept */
    size_t bytes;                            /* of those that are */
};

/* query_examine, or what it found before; copies in `arena`. With NULL nothing
 * is remembered. All of `known` must be of this ontology. */
void query_recall(struct query_judgements *known, struct arena *arena,
                  const struct ontology *o, struct str sql,
                  struct query_findings *findings, struct query_outline *out);
void query_judgements_done(struct query_judgements *known);
