/* asked.h - the words of a question, shared by the files that read them. */
#pragma once
#include "rule.h"

struct asked_words {
    struct str *items; /* in lower case */
    size_t n;
};

/* One of the words is in the list, which ends with NULL. */
bool asked_any(const struct asked_words *q, const char *const *list);
/* The word at `i` begins this phrase of words separated by blanks; "*" is for up
 * to five words. */
bool asked_says(const struct asked_words *q, size_t i, struct str phrase);
/* The question says one of the phrases, separated by '|'. */
bool asked_phrase(const struct asked_words *q, struct str phrases);
/* The words from `i` on are one of the names, separated by '|', the last one
 * perhaps in the plural; it must be if `several`. */
bool asked_names_at(struct arena *arena, const struct asked_words *q, size_t i,
                    struct str names, bool several);

/* ---- ends of an order (asked_ends.c) --------------------------------------- */

/* The question asks for the most, or the least, of what has this name. */
bool asked_end(struct arena *arena, const struct asked_words *q, bool most,
               struct str name);
/* It asks for the earliest or the latest of this column. */
bool asked_time_end(struct arena *arena, const struct asked_words *q,
                    bool latest, struct str column);

/* ---- shares (asked_shares.c) ----------------------------------------------- */

/* What a share is taken of is restricted to this value of what has one of these
 * names. */
bool asked_whole_of(struct arena *arena, const struct asked_words *q,
                    struct str names, struct str value);
/* A share within each of these. */
bool asked_within_each(struct arena *arena, const struct asked_words *q,
                       struct str names);
/* These are what the rows of the answer are, and named in no other way. */
bool asked_rows(struct arena *arena, const struct asked_words *q,
                struct str names);
