/* survey_match.c - which values the words of a question name.
 *
 * A value of which every word is said counts most; one word of several counts
 * for its share of the letters, and a word that is only near (an ending, a
 * letter or two that differ) for less. Comparing letters is what costs time, so
 * a search may do it COMPARISONS times; after that only equal words count. */
#include "base/edit_distance.h"
#include "base/plural.h"
#include "ontology/survey.h"
#include "words.h"
#include "base/banned.h"

enum {
    COMPARISONS = 20000,
    WORD_LEAST = 3,
    WORD_MOST = 40,
    PLURAL_FROM = 4,   /* letters of a word that may have an s more */
    NEAR_FROM = 6,     /* that may differ by one letter */
    NEAR_TWO_FROM = 8, /* by two */
    WHOLE = 850        /* a score: all of the value is said */
};

/* ---- words -------------------------------------------------------------- */

/* Bytes of the letter or digit at the start of s; 0: it is none. Of what is not
 * ASCII, punctuation is none: Latin-1 signs, and quotes and dashes. */
static size_t letter_at(struct str s)
{
    unsigned char c = (unsigned char)s.ptr[0];
    if (c < 0x80)
        return str_is_alnum(s.ptr[0]);
    if (c == 0xc2 ||
        (c == 0xe2 && s.len > 1 && (unsigned char)s.ptr[1] == 0x80))
        return 0;
    return 1;
}

/* Bytes of the sign at the start of s, which is no letter. */
static size_t sign_at(struct str s)
{
    unsigned char c = (unsigned char)s.ptr[0];
    return c < 0x80 ? 1 : c == 0xc2 ? 2 : 3;
}

/* The next word of *rest; false: there is none. */
static bool next_word(struct str *rest, struct str *word)
{
    while (rest->len && !letter_at(*rest))
        *rest = str_from(*rest, sign_at(*rest));
    size_t to = 0;
    while (to < rest->len && letter_at(str_from(*rest, to)))
        to++;
    *word = str_cut(*rest, 0, to);
    *rest = str_from(*rest, to);
    return word->len > 0;
}

/* Words of every question. */
static bool says_nothing(struct str word)
{
    static const char *const list[] = {
        "about",   "all",     "and",   "any",     "are",     "average",
        "between", "bottom",  "but",   "can",     "compare", "count",
        "did",     "does",    "each",  "for",     "from",    "give",
        "had",     "has",     "have",  "highest", "how",     "least",
        "list",    "lowest",  "many",  "month",   "most",    "much",
        "not",     "number",  "our",   "out",     "over",    "per",
        "quarter", "show",    "sum",   "than",    "that",    "the",
        "their",   "them",    "there", "these",   "they",    "this",
        "those",   "top",     "total", "was",     "week",    "were",
        "what",    "when",    "where", "which",   "who",     "whose",
        "with",    "without", "year",  "you",     NULL};
    return word_among_nocase(word, list);
}

static bool is_known(const struct survey_words *words, struct str word)
{
    for (size_t i = 0; i < words->n; i++)
        if (str_eq_nocase(words->items[i], word))
            return true;
    return false;
}

static bool is_number(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] < '0' || word.ptr[i] > '9')
            return false;
    return true;
}

static bool may_name(struct str word)
{
    bool long_enough = word.len >= WORD_LEAST || is_number(word);
    return long_enough && word.len <= WORD_MOST && !says_nothing(word);
}

void survey_words_of(struct str question, struct survey_words *words)
{
    struct str rest = question, word;
    *words = (struct survey_words){.n = 0};
    while (words->n < SURVEY_WORDS && next_word(&rest, &word)) {
        if (!may_name(word) || is_known(words, word))
            continue;
        words->of_model[words->n] = is_number(word);
        words->items[words->n++] = word;
    }
}

struct str survey_stem(struct str word)
{
    char low[WORD_MOST];
    size_t n = word.len <= WORD_MOST ? word.len : 0;
    for (size_t i = 0; i < n; i++)
        low[i] = str_lower_char(word.ptr[i]);
    size_t keep = n ? plural_form((struct str){low, n}).keep : word.len;
    return keep < WORD_LEAST ? word : str_cut(word, 0, keep);
}

static bool is_plural_of(struct str longer, struct str word)
{
    return longer.len > word.len && longer.len - word.len <= 2 &&
           str_eq_nocase(str_cut(longer, 0, word.len), word) &&
           str_lower_char(longer.ptr[longer.len - 1]) == 's';
}

static bool has_word(struct str name, struct str wanted)
{
    struct str word;
    while (next_word(&name, &word))
        if (str_eq_nocase(word, wanted) || is_plural_of(word, wanted) ||
            is_plural_of(wanted, word))
            return true;
    return false;
}

static bool names_part(const struct dataset *d, struct str word)
{
    if (has_word(d->name, word))
        return true;
    for (size_t i = 0; i < d->n_fields; i++)
        if (has_word(d->fields[i].name, word))
            return true;
    return false;
}

void survey_words_mark(struct survey_words *words, const struct ontology *o,
                       const size_t *datasets, size_t n)
{
    for (size_t w = 0; w < words->n; w++)
        for (size_t i = 0; i < n && !words->of_model[w]; i++)
            words->of_model[w] =
                names_part(&o->datasets[datasets[i]], words->items[w]);
}

/* ---- how near ----------------------------------------------------------- */

/* 1000: equal; less: near; 0: another word. */
static unsigned nearness(struct value_hints *h, struct str a, struct str b)
{
    size_t least = a.len < b.len ? a.len : b.len;
    size_t differ = a.len < b.len ? b.len - a.len : a.len - b.len;
    if (str_eq_nocase(a, b))
        return 1000;
    if (least < PLURAL_FROM - 1)
        return 0;
    if (is_plural_of(a, b) || is_plural_of(b, a))
        return 900;
    if (least < NEAR_FROM)
        return 0;
    size_t most = least >= NEAR_TWO_FROM ? 2 : 1;
    if (differ > most || str_lower_char(a.ptr[0]) != str_lower_char(b.ptr[0]) ||
        !h->left)
        return 0;
    h->left--;
    size_t distance = edit_distance(a, b);
    return distance > most ? 0 : distance == 1 ? 700 : 500;
}

/* `named`: by a word that is none of the model's. */
static unsigned best_nearness(struct value_hints *h,
                              const struct survey_words *words, struct str part,
                              bool *named)
{
    unsigned best = 0;
    for (size_t i = 0; i < words->n && best < 1000; i++) {
        unsigned near = nearness(h, words->items[i], part);
        if (near > best) {
            best = near;
            *named = *named || !words->of_model[i];
        }
    }
    return best;
}

/* The share of the value's letters that the question says. */
static unsigned score_of(struct value_hints *h,
                         const struct survey_words *words, struct str value)
{
    struct str rest = value, part;
    size_t letters = 0, said = 0;
    bool named = false;
    while (next_word(&rest, &part)) {
        bool by_name = false;
        unsigned near = best_nearness(h, words, part, &by_name);
        letters += part.len;
        if (near && may_name(part)) {
            said += part.len * near / 1000;
            named = named || by_name;
        }
    }
    if (!letters)
        return 0;
    unsigned score = (unsigned)(said * 1000 / letters);
    return named || score >= WHOLE ? score : 0;
}

/* ---- the best ----------------------------------------------------------- */

void value_hints_begin(struct value_hints *h)
{
    h->n = 0;
    h->left = COMPARISONS;
}

static bool is_kept(const struct value_hints *h, const struct value_hint *one)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->items[i].dataset == one->dataset &&
            h->items[i].field == one->field &&
            str_eq(h->items[i].text, one->text))
            return true;
    return false;
}

static void drop(struct value_hints *h, size_t at)
{
    for (size_t i = at + 1; i < h->n; i++)
        h->items[i - 1] = h->items[i];
    h->n--;
}

/* Where the worst hint of this field is, when the field has all it may have;
 * otherwise the end. */
static size_t full_field(const struct value_hints *h,
                         const struct value_hint *one)
{
    size_t count = 0, worst = h->n;
    for (size_t i = 0; i < h->n; i++)
        if (h->items[i].dataset == one->dataset &&
            h->items[i].field == one->field) {
            count++;
            worst = i;
        }
    return count < SURVEY_HINTS_A_FIELD ? h->n : worst;
}

void value_hints_offer(struct value_hints *h, const struct survey_words *words,
                       size_t dataset, size_t field, struct str text)
{
    struct value_hint one = {dataset, field, text, score_of(h, words, text)};
    if (!one.score || is_kept(h, &one))
        return;
    size_t worst = full_field(h, &one);
    if (worst < h->n) {
        if (h->items[worst].score >= one.score)
            return;
        drop(h, worst);
    } else if (h->n == SURVEY_HINTS) {
        if (h->items[h->n - 1].score >= one.score)
            return;
        h->n--;
    }
    size_t at = h->n++;
    for (; at && h->items[at - 1].score < one.score; at--)
        h->items[at] = h->items[at - 1];
    h->items[at] = one;
}

void value_hints_offer_all(struct value_hints *h,
                           const struct survey_words *words, size_t dataset,
                           const struct surveyed_dataset *d, int64_t least)
{
    for (size_t i = 0; i < d->n_fields; i++)
        for (size_t v = 0; v < d->fields[i].n; v++)
            if (d->fields[i].values[v].rows >= least)
                value_hints_offer(h, words, dataset, d->fields[i].field,
                                  d->fields[i].values[v].text);
}
