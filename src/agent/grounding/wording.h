/* wording.h - a text as sentences and words, for the checks of a narrative.
 *
 * A sentence is what is kept or removed as a whole: a sentence of prose, a line
 * of a list, a row of a table, a heading, or a line of code. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

enum sentence_kind {
    SENTENCE_PROSE,
    SENTENCE_ITEM,      /* it begins a line of a list */
    SENTENCE_ROW,       /* of a table */
    SENTENCE_TABLE_TOP, /* the names of a table's columns */
    SENTENCE_HEADING,
    SENTENCE_CODE,
};

struct wording_word {
    size_t from, to;  /* in the text */
    struct str lower; /* ASCII letters in lower case */
    uint32_t says;    /* its roles; see prose.h */
    bool capital;     /* it begins with a capital letter */
    bool bold;        /* emphasis begins at it */
    bool first;       /* of its sentence, in bold type, or after a colon */
};

struct wording_sentence {
    size_t from, to; /* in the text, without white space around */
    enum sentence_kind kind;
    size_t word, n_words;
    size_t top; /* of a row: the sentence of its table's names; else 0 */
};

struct wording {
    struct str text;
    struct wording_word *words;
    size_t n_words, words_cap;
    struct wording_sentence *sentences;
    size_t n_sentences, sentences_cap;
};

/* Splits the text, which must outlive the wording; all else is in the arena. */
void wording_read(struct arena *arena, struct str text, struct wording *out);
/* The next run of letters and digits from *from on; *to is its end. False:
 * there is none. */
bool wording_next(struct str text, size_t *from, size_t *to);
/* Writes the bytes with ASCII letters in lower case. */
void wording_lower(char *out, struct str s);
/* Whether the word is in a list of words with a space before and after each. */
bool wording_among(struct str word, const char *list);
/* What forms of a word in lower case share: "return" of "returned" and
 * "returns", "cancel" of "cancelled". */
struct str wording_stem(struct str word);
/* Bytes of the character at the start of s: 1 to 4, never more than s.len. */
static inline size_t wording_char(struct str s)
{
    unsigned char c = (unsigned char)s.ptr[0];
    size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return n < s.len ? n : s.len;
}

/* As below, beyond ASCII. */
bool wording_letter_beyond(struct str s);
/* Whether the character at the start of s belongs to words. */
static inline bool wording_letter(struct str s)
{
    return (unsigned char)s.ptr[0] < 0x80 ? str_is_alnum(s.ptr[0])
                                          : wording_letter_beyond(s);
}
