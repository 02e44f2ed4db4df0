/* grounding.h - whether the text of an answer states only what its results
 * show.
 *
 * Grounded is a number that is a cell of a result, its rounding, a sum, mean,
 * difference, ratio or share of cells that belong together, or a count of
 * rows; a number, date or name of the question; and a number that limits what
 * was asked (a period, a filter) where the text says so. Cells that belong
 * together are those of one column, or of one row: with all pairs of a large
 * result nearly every number would be "derived". A sentence that names a row
 * must give that row's numbers, and one that names a column of it that
 * column's. Comparisons ("highest", "grew", "second") must hold in the rows that
 * they name.
 *
 * Text in cells is never a statement: a cell that reads "revenue is 5" grounds
 * no 5. Names and comparisons are checked in English texts only, figures in
 * all.
 *
 * The work is bounded: a text with more to check than a narrative is worth counts
 * as ungrounded. It is done in parts, one in each turn of the loop. */
#pragma once
#include "artifact/artifact.h"

enum {
    GROUNDING_TEXT_MOST = 64 * 1024, /* bytes; longer texts are not read */
    GROUNDING_CLAIMS_MOST = 40,      /* that are reported */
};

struct grounding_of {
    const struct step_results *results; /* NULL: none */
    const struct str *full_data;        /* rows of each result, as JSON */
    const struct plan *plan;            /* NULL: none */
    struct str question;
    const struct str *names; /* texts whose words may be used in names */
    size_t n_names;
    const struct str *said; /* texts whose figures may be repeated */
    size_t n_said;
    int64_t today; /* days since 1970 */
    /* There is no finding to tell: figures of the question are grounded only in
     * a sentence that says what cannot be answered, or asks. */
    bool no_finding;
};

/* A part of the text that nothing shows. */
struct grounding_claim {
    size_t from, to;                   /* in the text */
    size_t sentence_from, sentence_to; /* the sentence that it is in */
    const char *why;                   /* "is not in the results" */
};

struct grounding {
    struct grounding_claim *claims; /* in the order of the text */
    size_t n_claims;
    size_t n_sentences, n_bad; /* sentences, and those with a claim */
    size_t n_figures;          /* that were checked */
    bool first_bad;            /* the first sentence, which answers, has one */
    bool whole;                /* false: it was too much to check all of it */
};

struct grounding_walk;
/* Begins a check of the text. `of`, what it points to, and the text outlive the
 * check; its memory, and that of `out`, is in the arena, in which nothing else
 * may be allocated until it is over. */
struct grounding_walk *grounding_begin(struct arena *arena,
                                       const struct grounding_of *of,
                                       struct str text, struct grounding *out);
/* Checks for some milliseconds. False: the check is over, and `out` is whole. */
bool grounding_go_on(struct grounding_walk *walk);
/* The claims for the model that made them, a line each. */
struct str grounding_list(struct arena *arena, struct str text,
                          const struct grounding *found);
/* The text without the sentences that have a claim; empty: what is left would
 * not be an answer, because the first sentence or most of them went, or not
 * all was checked. */
struct str grounding_cut(struct arena *arena, struct str text,
                         const struct grounding *found);
