/* clarification.h - questions back, where a question fits several things of the
 * ontology equally well.
 *
 *   option  one of them: a way to join, a field, a dataset, a metric
 *   reply   "<question>\n\nClarifications:\n- <asked>: <answer>"
 *   pick    the only option whose words the answer fits
 *
 * The picked option is added to the question, which is then bound again. */
#pragma once
#include "question.h"

enum { ASK_OPTIONS = 6 };

struct clarification {
    struct str key, question;
    struct term options[ASK_OPTIONS];
    struct str labels[ASK_OPTIONS]; /* the first is what is assumed */
    size_t n;
    struct str year_of; /* the words that lack a year; n is 1 then */
};

/* `question` is without its question mark; `about` is the key under which an
 * answer can be remembered. */
struct clarification *clarification_new(struct arena *arena,
                                        struct str question, struct str about);
/* Adds an option, unless there are ASK_OPTIONS or one with that label. */
void clarification_offer(struct clarification *ask, struct term option,
                         struct str label);
/* The question with its options. */
struct str clarification_sentence(struct arena *arena,
                                  const struct clarification *ask);

struct clarification_reply {
    struct str question;
    struct str answers[4];
    size_t n;    /* 0: it is not a reply */
    bool strict; /* an answer must pick an option */
};
/* Takes a reply apart; any other text is all question. */
struct clarification_reply clarification_reply_read(struct str text);
/* The question with its answers as one sentence; a year goes after the words
 * `year_of`, which lack it. */
struct str clarification_reply_sentence(struct arena *arena,
                                        const struct clarification_reply *reply,
                                        struct str year_of);

/* The option that an answer fits; NULL: none, or more than one. */
const struct term *clarification_pick(struct arena *arena,
                                      const struct clarification *ask,
                                      const struct clarification_reply *reply);
