/* baseline.h - the JSON report of an earlier run, and how this run differs.
 *
 * Questions are compared when both their id and their text are the same in both
 * runs. A run is worse than its baseline when a category has fewer right
 * answers among the compared questions, or when any answer is wrong and carries
 * the badge "Verified" that was not so before. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"
#include <stdbool.h>

struct eval;

enum { EVAL_MOST_BASELINE_BYTES = 64 * 1024 * 1024 };

struct eval_past_case {
    struct str id, question;
    bool right, confident; /* confident: wrong with the badge */
};

struct eval_baseline {
    struct eval_past_case *cases;
    size_t n;
    struct map by_id; /* of struct eval_past_case */
};

struct eval_category_change {
    struct str category;
    size_t before, now; /* right answers among the compared questions */
};

struct eval_changes {
    struct str *right, *wrong, *confident; /* ids of what has become so */
    size_t n_right, n_wrong, n_confident;
    struct eval_category_change *fewer; /* categories with fewer right */
    size_t n_fewer;
    size_t compared;
    size_t added;   /* asked now, not in the baseline, or with another text */
    size_t missing; /* in the baseline, not asked now */
    bool worse;
};

/* Reads a report of the set with this name; texts are copied into the arena.
 * Returns false with one sentence in `problem` if it is not one. */
bool eval_baseline_read(struct arena *arena, struct str text, struct str set,
                        struct eval_baseline *baseline, struct buf *problem);
/* Whether a question of this run, judged or not, is in the baseline. */
bool eval_comparable(const struct eval *e,
                     const struct eval_baseline *baseline);
/* Compares a run whose cases are judged. Lists are in the arena; ids are
 * borrowed from the set. */
void eval_compare(struct arena *arena, const struct eval *e,
                  const struct eval_baseline *baseline,
                  struct eval_changes *changes);
/* Appends the changes as lines of text. */
void eval_changes_table(const struct eval_changes *changes, struct buf *out);
/* Writes the changes as one JSON object. */
void eval_changes_json(const struct eval_changes *changes,
                       struct json_writer *w);
