/* words.h - names of tables and columns as words: "customerID", "CUSTOMER_ID"
 * and "customer id" are customer, id. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

enum { NAME_WORDS = 8 };

struct name_words {
    struct str items[NAME_WORDS]; /* in lower case */
    struct str one[NAME_WORDS];   /* their singulars: "orders" is order */
    size_t n;                     /* a longer name keeps its last words */
};

/* Splits a name; the words are in `arena`. */
struct name_words name_words(struct arena *arena, struct str name);
/* The singulars of the words from `from` to before `to`, without a gap:
 * "orderline". In `arena`. */
struct str name_joined(struct arena *arena, const struct name_words *w,
                       size_t from, size_t to);
/* id, key, code, no …: the word marks a value that identifies something. */
bool word_refers(struct str word);
/* to, by, of …: the second word of "reports_to". */
bool word_is_preposition(struct str word);
/* The list, which ends with NULL, contains the word. */
bool word_among(struct str word, const char *const *list);
/* Likewise, whatever case the word has. */
bool word_among_nocase(struct str word, const char *const *list);
