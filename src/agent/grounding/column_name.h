/* column_name.h - the words of a column's name: "orders_last_month", "Order
 * Value", "revenue ($)". */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum { COLUMN_NAME_BYTES = 64, COLUMN_NAME_WORDS = 12 };

struct split_name {
    struct str words[COLUMN_NAME_WORDS]; /* in lower case */
    size_t n;
    bool cut; /* the name is longer */
    char lower[COLUMN_NAME_BYTES];
};

/* Splits the name at all but letters and digits. `out` holds the words and must
 * not be copied. */
void column_name_read(struct str name, struct split_name *out);
/* Whether two words in lower case are the same, but for a plural ("city",
 * "cities") or a short form ("temp"), or both say that it is a percentage. */
bool column_word_same(struct str a, struct str b);
/* "Rated", of "rating", "priced", of "price". */
bool column_word_done(struct str own, struct str word);
/* 1: the word says the most, "maximum"; -1: the least; 0: neither. */
int column_word_end(struct str word);
/* Whether the name has the word, in lower case; see column_word_same. */
bool column_name_has(struct str name, struct str word);
/* Whether the name has one of the words of a list. */
bool column_name_among(struct str name, const char *list);
/* Whether the name has another form of the word: "managed", of `manager`. */
bool column_name_resembles(struct str name, struct str word);
