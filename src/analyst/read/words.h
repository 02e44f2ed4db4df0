/* words.h - a question as words.
 *
 *   plain   letters and digits; hyphens and underscores separate words, and "don't"
 *           are two, do and not
 *   number  1,000 or 10k or 2.5 million, also as SQL writes it
 *   date    2025-03-01 or 2025-03
 *   quoted  the text between quotes, unchanged
 *   mark    one character of punctuation; >= and the like are one mark, and so is
 *           a hyphen that joins no words
 *
 * Forms of a word share a stem: "Cities" and "city" are both "city". The key of a
 * phrase is its stems without spaces, so that "order count", "order_count" and
 * "orderCount" are the same. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum { WORDS_MOST = 250 };

enum word_kind { WORD_PLAIN, WORD_NUMBER, WORD_DATE, WORD_QUOTED, WORD_MARK };

struct question_word {
    enum word_kind kind;
    struct str text;   /* as written; without quotes */
    struct str lower;  /* ASCII lower case, without 's */
    struct str stem;   /* of a plain word or a number */
    struct str number; /* of a number: "1000000" */
    size_t from, to;   /* bytes of the question */
    bool capital;      /* begins with a capital letter */
    bool owner;        /* had 's */
};

struct question_words {
    struct str text;
    struct question_word *items;
    size_t n;
    bool too_many;
};

/* At most WORDS_MOST words. */
struct question_words words_read(struct arena *arena, struct str text);

/* "Category" and "categories" give "category". */
struct str word_stem(struct arena *arena, struct str lower);

/* The key of a phrase or of a name in code: stems without a gap. Empty when
 * there is no letter or digit in it. */
struct str words_key(struct arena *arena, struct str phrase);

/* The parts of a name, lower case: "OrderDate", "order_date": order, date. */
size_t name_parts(struct arena *arena, struct str name, struct str *parts,
                  size_t most);

/* The word that a part of a name is short for, "name" of "nm" and "first name" of
 * "fname"; else the part. */
struct str word_in_full(struct str part);
/* The parts in full words: "hired_dt": hired, date. */
size_t full_words(struct arena *arena, struct str name, struct str *words,
                  size_t most);

/* A year and the next one, as seasons are called: 2023/24, 2023/2024. With `sure`
 * it is not a month as well, as 2011-12 is. */
bool is_season(struct str text, bool sure);

/* The text of the words from `from` to before `to`. */
struct str words_span(const struct question_words *words, size_t from,
                      size_t to);

/* A word list is one string, "by per each": lower case, one space between words.
 * Whether it has this word, in upper or lower case. */
bool list_has(const char *list, struct str word);
/* The word ends with one of the list, in upper or lower case. */
bool list_ends(const char *list, struct str word);
/* The question's word is in the list; a quoted one never is. */
bool word_in(const struct question_word *word, const char *list);
bool word_is(const struct question_word *word, const char *lower);

/* The word is a plural: "stores", not "class". */
bool word_is_plural(const struct question_word *word);

/* "Sold", "closed": a form in which things are when it has been done to them. */
bool is_participle(struct str lower);

/* 1 … 20 for "3" and "three"; 0 when it is neither. */
size_t word_count(const struct question_word *word);

struct str lower_case(struct arena *arena, struct str s); /* ASCII, a copy */
