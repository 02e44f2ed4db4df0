/* asking.h - questions back: where the model holds several things that a question
 * may mean as well, and nothing tells them apart.
 *
 *   option  one of them: a way to join, a field, a dataset, a metric
 *   reply   "<question>\n\nClarifications:\n- <asked>: <answer>"
 *   pick    the option that the answer's words fit, and no other's
 *
 * What was picked goes into the question, which is then bound anew. */
#pragma once
#include "question.h"

enum { ASK_OPTIONS = 6 };

struct clarification {
    struct str key, question;
    struct term options[ASK_OPTIONS];
    struct str labels[ASK_OPTIONS]; /* the first is what is assumed */
    size_t n;
    struct str year_of; /* words that want a year behind them; n is 1 */
};

/* `question` and `:` and the options, as one sentence; `about` makes its key. */
struct clarification *clarification_new(struct arena *arena,
                                        struct str question, struct str about);
void clarification_offer(struct clarification *ask, struct term option,
                         struct str label);
struct str clarification_sentence(struct arena *arena,
                                  const struct clarification *ask);

struct clarification_reply {
    struct str question;
    struct str answers[4];
    size_t n;    /* 0: it is no reply */
    bool strict; /* answers pick, or nothing is understood */
};
/* A text of that form, taken apart; of any other it is the question. */
struct clarification_reply clarification_reply_read(struct str text);
/* All of it as one sentence, with each year behind the words that want it. */
struct str clarification_reply_sentence(struct arena *arena,
                                        const struct clarification_reply *reply,
                                        struct str year_of);

/* The option that an answer fits; NULL: none, or more than one. */
const struct term *clarification_pick(struct arena *arena,
                                      const struct clarification *ask,
                                      const struct clarification_reply *reply);
