/* words.h - names of tables and columns as words: "customerID", "CUSTOMER_ID"
 * and "customer id" are customer, id. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

enum { NAME_WORDS = 8 };

struct name_words {
    struct str items[NAME_WORDS]; /* lower case, as they are */
    struct str one[NAME_WORDS];   /* and of one thing: "orders" is order */
    size_t n;                     /* of a longer name the last ones */
};

struct name_words name_words(struct arena *arena, struct str name);
/* Words from `from` up to `to` as one: "orderline", each of one thing. */
struct str name_joined(struct arena *arena, const struct name_words *w,
                       size_t from, size_t to);
/* id, key, code, no …: words that say that a value names something. */
bool word_refers(struct str word);
/* to, by, of …: "reports_to" */
bool word_is_preposition(struct str word);
bool word_among(struct str word, const char *const *list);
