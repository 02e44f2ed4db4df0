/* question_key.h - when are two questions the same question?
 *
 *   wording  the words in lower case, with single spaces, without the
 *            punctuation that ends the question, each value replaced by a mark
 *   values   numbers, dates and quoted texts, in their order
 *   period   what the words that depend on the day ("last month", "in March")
 *            mean on some day: "2026-11"
 *
 * Two questions are the same when wording and values are equal. A fixed query
 * may answer one again only in the period in which it was written, unless it
 * takes its dates from the clock or the question names them itself. Words are
 * English. Pure; linear in the length of the question. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* How long the words that depend on the day keep their meaning. */
enum day_words {
    WORDS_ALWAYS, /* there are none */
    WORDS_YEAR,
    WORDS_QUARTER,
    WORDS_MONTH,
    WORDS_WEEK,
    WORDS_DAY,
};

struct question_key {
    struct str wording;
    struct str values; /* a JSON array of strings */
    enum day_words day_words;
    int64_t years[8]; /* that are values: 2025 */
    size_t n_years;
};

/* Reads a question; texts are in the arena. */
void question_key_make(struct arena *arena, struct str question,
                       struct question_key *out);
/* The question cannot be understood without the one before: "and by month?",
 * "what about those?". Some that can are taken for one that cannot. */
bool question_refers_back(const struct question_key *key);
/* The period that the question's words mean on that day (days since
 * 1970-01-01), if `sql` has fixed it: words depend on the day, and the query
 * names a year that the question does not. Else empty. In the arena. */
struct str question_period(struct arena *arena, const struct question_key *key,
                           struct str sql, int64_t day);
