/* compare.h - comparisons in words: "highest", "second", "grew", "more than
 * Houston". A comparison that names no row, or rows that say nothing about it,
 * is left alone, except for a change over time that no rows could show. */
#pragma once
#include "wording.h"
#include "scope.h"

enum { SUBJECTS_MOST = 16 /* of a sentence */ };

/* A part of a sentence that names rows: by a text, or by a period. */
struct row_mention {
    size_t from, to;                /* in the text */
    const struct fact_place *place; /* NULL: a period */
    /* A text of another column that is named with it, "Retail in the North":
     * the rows have both. NULL: none. */
    const struct fact_place *also;
    struct figure period;
};

struct grounding_sentence {
    struct facts *facts;
    const struct wording *wording;
    const struct wording_sentence *sentence;
    const struct row_mention *mentions; /* in the order of the text */
    size_t n_mentions;
    /* The mentions, where texts that name rows together are one. */
    const struct row_mention *subjects;
    size_t n_subjects;
    const struct figure *figures;
    size_t n_figures;
};

struct compare_finding {
    size_t from, to;
    const char *why; /* NULL: nothing is wrong */
};

/* Where a walk over the words of a sentence is. */
struct compare_walk {
    size_t clause, end, word;
};
/* Joins the mentions of the sentence that name rows together; `out` has room
 * for all of them. Returns how many are left. */
size_t compare_subjects(const struct grounding_sentence *s,
                        struct row_mention *out);
/* Whether the figure is in a statement of how many rows do something, such as
 * "three cities exceed 800", and the rows show it. */
bool compare_counts(const struct grounding_sentence *s, const struct figure *f);
/* Whether the figure says how many periods one after the other went up, or down: "three
 * straight months", "two quarters in a row". */
bool sentence_counts_run(const struct grounding_sentence *s,
                         const struct figure *f);
enum run_verdict { RUN_UNREAD, RUN_RIGHT, RUN_WRONG };
/* Whether a column has such a run; RUN_UNREAD: no rows are in the order of time. */
enum run_verdict sentence_run(const struct grounding_sentence *s,
                              const struct figure *f);
/* The start of the sentence. */
struct compare_walk compare_begin(const struct grounding_sentence *s);
/* Checks the next word. False: there is none, or `found` has the first
 * comparison of the sentence that its rows contradict. */
bool compare_word(const struct grounding_sentence *s, struct compare_walk *at,
                  struct compare_finding *found);
