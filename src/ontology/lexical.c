/* lexical.c - turns text into a vector without a language model.
 *
 * Words are runs of letters and digits; an identifier is split at '_' and
 * where its case changes. Endings are cut so that forms of one word become
 * equal ("categories", "category": categori; "sale", "sales": sal); the
 * result need not be an English word. Each word and each of its trigrams
 * adds its weight to two dimensions, with a sign, all chosen by its hash. At
 * the end the sum of each dimension is replaced by its square root, so that
 * the tenth "order" counts less than the first. */
#include "ontology/similarity.h"
#include "base/plural.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { WORD_LONGEST = 48, TRIGRAMS_FROM = 4 };

static const float TRIGRAM_WEIGHT = 0.12f;
static const float WEAK_WEIGHT = 0.2f;

struct lexical_word {
    char text[WORD_LONGEST + 1];
    size_t len;
};

struct lexical {
    float *words; /* becomes the result */
    float trigrams[LEXICAL_DIMENSIONS];
};

/* Words of questions that say nothing about the data. */
static const char stop_words[] =
    " a about all also am an and any are as at be been both but by can could "
    "did do does each either every far for from get give got had has have her "
    "here his how i if in into is it its just let list many may me more most "
    "much must my need no not of off on one only or our out over per please "
    "see shall she should show so some such tell than that the their them then "
    "there these they this those to under until up us was we were what when "
    "where which while who whom whose why will with within without would you "
    "your ";

/* Words of every schema and every question: they get little weight. */
static const char weak_words[] =
    " amount average avg best code column count data dataset date day "
    "description dimension display e eg fact field find first flag foreign g "
    "group highest id identifier info information key last least lowest max "
    "min name new number old overall percent primary record reference "
    "row sk sum surrogate table time top total type unique value ";

static bool word_listed(const char *list, const struct lexical_word *word)
{
    char wanted[WORD_LONGEST + 3] = " ";
    memcpy(wanted + 1, word->text, word->len);
    wanted[word->len + 1] = ' ';
    return memmem(list, strlen(list), wanted, word->len + 2) != NULL;
}

static uint64_t hash_feature(const char *bytes, size_t len, unsigned char kind)
{
    uint64_t h = (14695981039346656037u ^ kind) * 1099511628211u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdu;
    return h ^ h >> 33;
}

static void add_feature(float *out, const char *bytes, size_t len,
                        unsigned char kind, float weight)
{
    uint64_t h = hash_feature(bytes, len, kind);
    out[h % LEXICAL_DIMENSIONS] += h >> 63 ? -weight : weight;
    h >>= 16; /* two dimensions: two words seldom share both */
    out[h % LEXICAL_DIMENSIONS] += h >> 46 & 1 ? -weight : weight;
}

static bool is_vowel(char c)
{
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

static bool ends_with(const struct lexical_word *word, const char *suffix)
{
    size_t len = strlen(suffix);
    return word->len > len &&
           !memcmp(word->text + word->len - len, suffix, len);
}

static void cut_ending(struct lexical_word *word, size_t n)
{
    word->len -= n;
    word->text[word->len] = '\0';
}

static bool has_vowel(const struct lexical_word *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (is_vowel(word->text[i]))
            return true;
    return false;
}

static void cut_plural(struct lexical_word *word)
{
    struct singular_form form =
        plural_form((struct str){word->text, word->len});
    size_t more = strlen(form.ending);
    if (form.keep + more > WORD_LONGEST)
        return;
    memcpy(word->text + form.keep, form.ending, more);
    word->len = form.keep + more;
    word->text[word->len] = '\0';
}

static void cut_verb(struct lexical_word *word)
{
    size_t n = ends_with(word, "ing") ? 3 : ends_with(word, "ed") ? 2 : 0;
    if (!n || word->len < n + 3 || !has_vowel(word, word->len - n))
        return;
    cut_ending(word, n);
    char last = word->text[word->len - 1];
    bool doubled = word->len > 3 && word->text[word->len - 2] == last;
    if (doubled && !is_vowel(last) && !strchr("lsz", last))
        cut_ending(word, 1);
}

static void stem_word(struct lexical_word *word)
{
    if (word->len < 4 || (unsigned char)word->text[0] >= 0x80)
        return;
    cut_plural(word);
    cut_verb(word);
    char *last = &word->text[word->len - 1];
    if (word->len > 3 && *last == 'e')
        cut_ending(word, 1);
    else if (word->len > 3 && *last == 'y' && !is_vowel(last[-1]))
        *last = 'i';
}

static bool is_number(const struct lexical_word *word)
{
    for (size_t i = 0; i < word->len; i++)
        if (word->text[i] < '0' || word->text[i] > '9')
            return false;
    return true;
}

/* Letter triples of the word with its edges: "^or", "ord", … "er$". */
static void add_trigrams(struct lexical *lexical,
                         const struct lexical_word *word, float weight)
{
    char edged[WORD_LONGEST + 2] = "^";
    memcpy(edged + 1, word->text, word->len);
    edged[word->len + 1] = '$';
    for (size_t i = 0; i + 3 <= word->len + 2; i++)
        add_feature(lexical->trigrams, edged + i, 3, 3, weight);
}

static void add_word(struct lexical *lexical, struct lexical_word *word)
{
    if (word->len < 2 || word_listed(stop_words, word))
        return;
    bool number = is_number(word);
    bool weak = number || word_listed(weak_words, word);
    if (!number)
        stem_word(word);
    weak = weak || word_listed(weak_words, word);
    float weight = weak ? WEAK_WEIGHT : 1.0f;
    add_feature(lexical->words, word->text, word->len, 1, weight);
    if (word->len >= TRIGRAMS_FROM && !weak)
        add_trigrams(lexical, word, TRIGRAM_WEIGHT);
}

enum letter { LETTER_NONE, LETTER_LOWER, LETTER_UPPER, LETTER_DIGIT };

static enum letter letter_of(unsigned char c)
{
    if ((c >= 'a' && c <= 'z') || c >= 0x80)
        return LETTER_LOWER;
    if (c >= 'A' && c <= 'Z')
        return LETTER_UPPER;
    return c >= '0' && c <= '9' ? LETTER_DIGIT : LETTER_NONE;
}

/* A new word begins at `at` although a letter or digit precedes it: orderId,
 * HTTPServer, q1. */
static bool splits(struct str text, size_t at)
{
    enum letter before = letter_of((unsigned char)text.ptr[at - 1]);
    enum letter here = letter_of((unsigned char)text.ptr[at]);
    enum letter after = at + 1 < text.len
                            ? letter_of((unsigned char)text.ptr[at + 1])
                            : LETTER_NONE;
    if ((before == LETTER_DIGIT) != (here == LETTER_DIGIT))
        return true;
    return here == LETTER_UPPER &&
           (before == LETTER_LOWER || after == LETTER_LOWER);
}

static void add_words(struct lexical *lexical, struct str text)
{
    struct lexical_word word = {.len = 0};
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        bool letter = letter_of((unsigned char)c) != LETTER_NONE;
        if (word.len && (!letter || splits(text, at))) {
            word.text[word.len] = '\0';
            add_word(lexical, &word);
            word.len = 0;
        }
        if (letter && word.len < WORD_LONGEST)
            word.text[word.len++] = str_lower_char(c);
    }
    word.text[word.len] = '\0';
    add_word(lexical, &word);
}

/* Scales a vector to length `by`; a vector of zeros stays. */
static void scale(float *out, float by)
{
    double sum = 0;
    for (size_t i = 0; i < LEXICAL_DIMENSIONS; i++)
        sum += (double)out[i] * out[i];
    if (sum <= 0)
        return;
    float factor = (float)(by / sqrt(sum));
    for (size_t i = 0; i < LEXICAL_DIMENSIONS; i++)
        out[i] *= factor;
}

void lexical_embed(struct str text, float out[LEXICAL_DIMENSIONS])
{
    struct lexical lexical = {.words = out};
    memset(out, 0, LEXICAL_DIMENSIONS * sizeof *out);
    add_words(&lexical, text);
    for (size_t i = 0; i < LEXICAL_DIMENSIONS; i++) {
        float sum = out[i];
        out[i] = sum < 0 ? -sqrtf(-sum) : sqrtf(sum);
        out[i] += lexical.trigrams[i];
    }
    scale(out, 1);
}
