/* clarify.h - clarifying questions and their answers. Pure.
 *
 *   asked    the questions that the previous message asked the user; each has
 *            a key, by which its answer is remembered
 *   reply    "<question>\n\nClarifications:\n- <asked>: <answer>": the answers
 *            are the user's words, or the assumptions if they chose to proceed
 *   learned  an answer worth remembering
 *
 * Code reads the answers in a reply of that form. For any other reply the
 * Planner says which keys it answers; keys that were not asked are ignored. */
#pragma once
#include "artifact/artifact.h"

/* Makes keys snake_case and unique, and removes questions unless the plan
 * asks. */
void clarify_settle(struct arena *a, struct plan *plan);

/* Reads the questions from the metadata of the message that asked them; v is an
 * array or NULL. Copies them to *asked and returns how many. */
size_t clarify_read(struct arena *a, const json_t *v,
                    struct plan_clarification **asked);

/* Turns a reply of a few words to a single question into the form above;
 * returns any other reply as it is. For the built-in analyst, which reads no
 * other. */
struct str clarify_listed(struct arena *a,
                          const struct plan_clarification *asked,
                          size_t n_asked, struct str question,
                          struct str reply);

struct learned {
    struct str key, value, question;
    bool given; /* the user said it; else an assumption that they accepted */
};
/* What a reply teaches, in the arena; returns how many. */
size_t clarify_learn(struct arena *a, const struct plan_clarification *asked,
                     size_t n_asked, struct str reply, const struct plan *plan,
                     struct learned **out);
