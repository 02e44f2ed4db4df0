/* figure_word.c - numbers in words, fractions, ratios, and the words that make
 * a figure a bound: "two thirds", "doubled", "about", "more than". */
#include "figure_parts.h"
#include "wording.h"
#include <math.h>
#include "base/banned.h"

enum { WORDS_MOST = 10, WORD_BYTES = 16 };

/* The words from a place on, joined by single spaces or hyphens. */
struct spelled {
    char text[WORDS_MOST][WORD_BYTES];
    struct str word[WORDS_MOST];
    size_t end[WORDS_MOST];
    size_t n;
};

static void read_words(struct str text, size_t at, size_t most,
                       struct spelled *out)
{
    out->n = 0;
    while (out->n < most && at < text.len) {
        size_t n = 0, i = out->n;
        while (at < text.len && n < WORD_BYTES && str_is_alnum(text.ptr[at])) {
            char c = text.ptr[at++];
            out->text[i][n++] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
        }
        if (!n || (at < text.len && wording_letter(str_from(text, at))))
            return;
        out->word[i] = (struct str){out->text[i], n};
        out->end[i] = at;
        out->n++;
        while (at < text.len && (text.ptr[at] == '*' || text.ptr[at] == '_'))
            at++;
        if (at >= text.len || (text.ptr[at] != ' ' && text.ptr[at] != '-'))
            return;
        at++;
    }
}

/* The word at i, or an empty one. */
static struct str word_at(const struct spelled *s, size_t i)
{
    return i < s->n ? s->word[i] : STR("");
}

static bool is_plural(struct str word)
{
    return word.len && word.ptr[word.len - 1] == 's';
}

static int small_number(struct str word)
{
    static const char *const words[] = {
        "zero",     "one",      "two",      "three",   "four",    "five",
        "six",      "seven",    "eight",    "nine",    "ten",     "eleven",
        "twelve",   "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
        "eighteen", "nineteen", "twenty",   "thirty",  "forty",   "fifty",
        "sixty",    "seventy",  "eighty",   "ninety"};
    for (int i = 0; i < 28; i++)
        if (str_is(word, words[i]))
            return i <= 20 ? i : (i - 18) * 10;
    return -1;
}

/* How many words are a number, and its value; 0: none. */
static size_t number_words(const struct spelled *s, double *value)
{
    double total = 0, part = 0, by;
    size_t i = 0, used = 0;
    for (; i < s->n; i++) {
        int small = small_number(s->word[i]);
        bool scale = figure_scale_word(s->word[i], &by);
        if (small >= 0 && !(used && (small > 9 ? fmod(part, 100) != 0
                                               : fmod(part, 10) != 0))) {
            part += small;
        } else if (scale && used) {
            if (by == 100) {
                part *= 100;
            } else {
                total += part * by;
                part = 0;
            }
        } else if (str_is(s->word[i], "and") && used &&
                   small_number(word_at(s, i + 1)) > 0 &&
                   (fmod(part, 100) == 0)) {
            if (part == 0 && total == 0)
                break;
            continue;
        } else if (!used &&
                   (str_is(s->word[i], "a") || str_is(s->word[i], "an")) &&
                   figure_scale_word(word_at(s, 1), &by)) {
            part = 1;
        } else {
            break;
        }
        used = i + 1;
    }
    *value = total + part;
    return used;
}

/* 3 for "third" and "thirds"; 0: the word is no part of a whole. */
static int part_of(struct str word)
{
    static const char *const parts[] = {"half",   "third", "quarter",
                                        "fifth",  "sixth", "seventh",
                                        "eighth", "ninth", "tenth"};
    if (str_is(word, "halves"))
        return 2;
    if (word.len && word.ptr[word.len - 1] == 's')
        word.len--;
    for (int i = 0; i < 9; i++)
        if (str_is(word, parts[i]))
            return i + 2;
    return str_is(word, "fourth") ? 4 : 0;
}

static void set_fraction(struct figure *f, double of, int parts)
{
    f->kind = FIGURE_PERCENT;
    f->value = 100 * of / parts;
    f->unit = 5;
    f->fraction = f->spelled = true;
    f->whole = false;
}

/* "a third of", "half the orders", "one in ten". A half or a quarter is also a
 * period. */
static bool read_fraction(const struct spelled *s, struct figure *f, bool by)
{
    int of_many = str_is(word_at(s, 0), "one") && str_is(word_at(s, 1), "in")
                      ? small_number(word_at(s, 2))
                      : 0;
    if (of_many > 1) {
        set_fraction(f, 1, of_many);
        f->to = s->end[2];
        return true;
    }
    size_t at = str_is(word_at(s, 0), "a") || str_is(word_at(s, 0), "one");
    double of = at ? 1 : small_number(word_at(s, 0));
    if (!at && of > 1)
        at = 1;
    else if (!at)
        of = 1;
    int parts = part_of(word_at(s, at));
    struct str next = word_at(s, at + 1);
    bool plural = is_plural(word_at(s, at));
    if (!parts || (of > 1) != plural || of >= parts || (!at && parts != 2) ||
        !(by || wording_among(next, " of the its all as what ") ||
          (str_is(next, "that") && str_is(word_at(s, at + 2), "of"))) ||
        (parts == 4 && of == 1 && !by && !str_is(next, "of")) ||
        wording_among(word_at(s, at + 2), " 2023 2024 2025 2026 last year "))
        return false;
    set_fraction(f, of, parts);
    f->to = s->end[at];
    return true;
}

enum ratio_use {
    RATIO_GREW, /* "doubled" */
    RATIO_IS,   /* "twice" */
    RATIO_OF,   /* likewise, before what it is of: "double the" */
};

static const struct {
    const char *word;
    double times;
    enum ratio_use use;
} ratios[] = {{"doubled", 2, RATIO_GREW},    {"doubling", 2, RATIO_GREW},
              {"doubles", 2, RATIO_GREW},    {"twofold", 2, RATIO_GREW},
              {"tripled", 3, RATIO_GREW},    {"triples", 3, RATIO_GREW},
              {"tripling", 3, RATIO_GREW},   {"trebled", 3, RATIO_GREW},
              {"threefold", 3, RATIO_GREW},  {"quadrupled", 4, RATIO_GREW},
              {"fourfold", 4, RATIO_GREW},   {"halved", 0.5, RATIO_GREW},
              {"halving", 0.5, RATIO_GREW},  {"tenfold", 10, RATIO_GREW},
              {"quintupled", 5, RATIO_GREW}, {"fivefold", 5, RATIO_GREW},
              {"twice", 2, RATIO_IS},        {"thrice", 3, RATIO_IS},
              {"double", 2, RATIO_OF},       {"triple", 3, RATIO_OF},
              {"quadruple", 4, RATIO_OF}};

static bool read_ratio(const struct spelled *s, struct figure *f)
{
    struct str word = word_at(s, 0);
    bool of_it = wording_among(word_at(s, 1), " the that what those ");
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        if (!str_is(word, ratios[i].word) ||
            (ratios[i].use == RATIO_OF && !of_it))
            continue;
        f->kind = FIGURE_TIMES;
        f->value = ratios[i].times;
        f->unit = f->value / 5;
        f->spelled = true;
        f->change = ratios[i].use == RATIO_GREW;
        f->to = s->end[0];
        return true;
    }
    return false;
}

/* "one" and "a" alone are pronouns and articles; "second" is also a place and
 * a time, so ordinals are read where places are compared. */
static bool read_count(const struct spelled *s, struct figure *f)
{
    double value;
    size_t used = number_words(s, &value);
    if (!used || (used == 1 && value == 1 &&
                  !wording_among(word_at(s, 1), " percent percentage ")))
        return false;
    f->value = value;
    f->unit = 1;
    for (double u = 1000; value >= 1000 && u <= value && fmod(value, u) == 0;
         u *= 1000)
        f->unit = u;
    f->to = s->end[used - 1];
    f->spelled = true;
    f->whole = f->unit == 1;
    return true;
}

/* Whether a figure in words may begin with the first two words: most texts are
 * read without a look at the words after them. */
static bool may_begin(const struct spelled *s)
{
    double by;
    struct str word = word_at(s, 0), next = word_at(s, 1);
    if (str_is(word, "a") || str_is(word, "an"))
        return part_of(next) || figure_scale_word(next, &by);
    bool ratio = false;
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios && !ratio; i++)
        ratio = str_is(word, ratios[i].word);
    return ratio || small_number(word) >= 0 || part_of(word);
}

/* "Grew by a third", "fell by almost half" */
static bool follows_by(struct str text, size_t at)
{
    static const char *const leads[] = {"by ", "by about ", "by almost ",
                                        "by nearly ", "by more than "};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (str_ends(str_cut(text, 0, at), str_of(leads[i])))
            return true;
    return false;
}

/* "Outsells it four to one" */
static void read_to_one(struct str text, struct figure *f)
{
    struct str after = str_from(text, f->to), rest = str_from(text, f->to + 7);
    if (!str_starts(after, STR(" to one")) || f->value <= 1 ||
        (rest.len && wording_letter(rest)))
        return;
    f->kind = FIGURE_TIMES;
    f->unit = 1;
    f->whole = false;
    f->to += 7;
}

bool figure_read_spelled(struct str text, size_t *at, struct figure *out)
{
    struct spelled s;
    char c = text.ptr[*at];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        return false;
    read_words(text, *at, 2, &s);
    if (!s.n || !may_begin(&s))
        return false;
    read_words(text, *at, WORDS_MOST, &s);
    *out = (struct figure){.from = *at};
    bool half_scale = str_is(s.word[0], "half") && s.n > 2 &&
                      str_is(s.word[1], "a") &&
                      figure_scale_word(s.word[2], &out->value);
    if (half_scale) {
        out->value /= 2;
        out->unit = out->value / 5;
        out->to = s.end[2];
        out->spelled = true;
    } else if (!read_fraction(&s, out, follows_by(text, *at)) &&
               !read_ratio(&s, out) && !read_count(&s, out)) {
        return false;
    }
    if (out->kind == FIGURE_NUMBER)
        figure_read_suffix(text, out);
    if (out->kind == FIGURE_NUMBER)
        read_to_one(text, out);
    *at = out->to;
    return true;
}

void figure_read_fraction_after(struct str text, size_t *at, struct figure *out)
{
    struct spelled s;
    if (out->kind != FIGURE_NUMBER || !out->whole || out->value < 1 ||
        out->value > 9 || out->to >= text.len || text.ptr[out->to] != ' ')
        return;
    read_words(text, out->to + 1, 1, &s);
    int parts = part_of(word_at(&s, 0));
    if (parts < 3 || !is_plural(word_at(&s, 0)) || out->value >= parts ||
        parts == 4)
        return;
    set_fraction(out, out->value, parts);
    *at = out->to = s.end[0];
}

/* ---- bounds ------------------------------------------------------------- */

static const struct {
    const char *words;
    enum figure_bound bound;
} bounds[] = {{"more than ", FIGURE_ABOVE},   {"over ", FIGURE_ABOVE},
              {"above ", FIGURE_ABOVE},       {"at least ", FIGURE_ABOVE},
              {"exceeding ", FIGURE_ABOVE},   {"exceed ", FIGURE_ABOVE},
              {"surpassed ", FIGURE_ABOVE},   {"surpasses ", FIGURE_ABOVE},
              {"surpass ", FIGURE_ABOVE},     {"exceeds ", FIGURE_ABOVE},
              {"exceeded ", FIGURE_ABOVE},    {"greater than ", FIGURE_ABOVE},
              {"passed ", FIGURE_ABOVE},      {"passes ", FIGURE_ABOVE},
              {"passing ", FIGURE_ABOVE},     {"to pass ", FIGURE_ABOVE},
              {"crossed ", FIGURE_ABOVE},     {"crosses ", FIGURE_ABOVE},
              {"to cross ", FIGURE_ABOVE},    {"to top ", FIGURE_ABOVE},
              {"topping ", FIGURE_ABOVE},     {"topped ", FIGURE_ABOVE},
              {"tops ", FIGURE_ABOVE},        {"since ", FIGURE_ABOVE},
              {"less than ", FIGURE_BELOW},   {"fewer than ", FIGURE_BELOW},
              {"under ", FIGURE_BELOW},       {"below ", FIGURE_BELOW},
              {"at most ", FIGURE_BELOW},     {"up to ", FIGURE_BELOW},
              {"nearly ", FIGURE_BELOW},      {"almost ", FIGURE_BELOW},
              {"about ", FIGURE_ABOUT},       {"around ", FIGURE_ABOUT},
              {"roughly ", FIGURE_ABOUT},     {"approximately ", FIGURE_ABOUT},
              {"approx. ", FIGURE_ABOUT},     {"some ", FIGURE_ABOUT},
              {"close to ", FIGURE_ABOUT},    {"circa ", FIGURE_ABOUT},
              {"ca. ", FIGURE_ABOUT},         {"~", FIGURE_ABOUT},
              {"\xe2\x89\x88", FIGURE_ABOUT}, {"\xe2\x89\x88 ", FIGURE_ABOUT},
              {"~ ", FIGURE_ABOUT},           {"rund ", FIGURE_ABOUT},
              {"etwa ", FIGURE_ABOUT},        {"environ ", FIGURE_ABOUT}};

/* "They add up to 5" is a sum. */
static bool adds_up(struct str before)
{
    static const char *const sums[] = {"add up to ",   "adds up to ",
                                       "added up to ", "adding up to ",
                                       "sum up to ",   "sums up to "};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (str_ends(before, str_of(sums[i])))
            return true;
    return false;
}

void figure_read_bound(struct str text, struct figure *out)
{
    char before[16];
    size_t from = out->from, n = 0;
    while (from && strchr("*_$(", text.ptr[from - 1]))
        from--;
    while (n < sizeof before && n < from)
        n++;
    for (size_t i = 0; i < n; i++) {
        char c = text.ptr[from - n + i];
        before[i] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
    }
    struct str end = {before, n};
    if (!n || !strchr(" ~\x88", before[n - 1])) /* which all of them end with */
        return;
    /* "a third": the article belongs to the fraction. */
    if (str_ends(end, STR(" a ")))
        end.len -= 2;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (str_ends(end, str_of(bounds[i].words)) && !adds_up(end)) {
            out->bound = bounds[i].bound;
            out->nearly = wording_among(str_trim(str_of(bounds[i].words)),
                                        " nearly almost ");
        }
}
