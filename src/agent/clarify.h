/* clarify.h - clarifying questions, and what was answered to them.
 *
 *   asked    questions that the message before put to the user; each has a key,
 *            by which its answer is remembered
 *   reply    "<question>\n\nClarifications:\n- <asked>: <answer>"; the answers
 *            are the user's own words, the assumptions when he chose to proceed
 *   learned  an answer worth remembering
 *
 * In a reply of that form the answers are read by code. Of any other the Planner
 * says what it answers, and is believed for keys that were asked. Pure. */
#pragma once
#include "artifact/artifact.h"

/* Keys in snake_case, each once; no questions unless the plan clarifies. */
void clarify_settle(struct arena *a, struct plan *plan);

/* Questions from the metadata of the message that asked them: an array, or NULL.
 * Everything is copied. */
size_t clarify_read(struct arena *a, const json_t *v,
                    struct plan_clarification **asked);

/* A reply of a few words to the one question that was asked about `question`, as
 * if it were of that form; any other as it is. For who reads nothing else. */
struct str clarify_listed(struct arena *a,
                          const struct plan_clarification *asked,
                          size_t n_asked, struct str question,
                          struct str reply);

struct learned {
    struct str key, value, question;
    bool given; /* the user said it; else an assumption he took */
};
size_t clarify_learn(struct arena *a, const struct plan_clarification *asked,
                     size_t n_asked, struct str reply, const struct plan *plan,
                     struct learned **out);
