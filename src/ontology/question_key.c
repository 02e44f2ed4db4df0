/* question_key.c - the words, values and period of a question; see
 * ontology/question_key.h. */
#include "ontology/question_key.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "words.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* A value in the wording. No question has this character: control characters
 * count as spaces. */
enum { VALUE_MARK = 0x1a, MS_IN_DAY = 86400000 };
/* Bytes of a quoted text; a longer one is read as words. */
enum { QUOTED_MOST = 300 };

/* ---- characters ----------------------------------------------------------- */

/* The code point at s.ptr[*at], which moves past it. A byte that is not UTF-8
 * counts as one. */
static unsigned next_point(struct str s, size_t *at)
{
    unsigned char c = (unsigned char)s.ptr[(*at)++];
    int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    unsigned point = more == 3   ? c & 0x07u
                     : more == 2 ? c & 0x0fu
                     : more == 1 ? c & 0x1fu
                                 : c;
    for (; more && *at < s.len && ((unsigned char)s.ptr[*at] & 0xc0) == 0x80;
         more--)
        point = point << 6 | ((unsigned char)s.ptr[(*at)++] & 0x3fu);
    return point;
}

static void put_point(struct buf *out, unsigned p)
{
    if (p < 0x80) {
        buf_char(out, (char)p);
        return;
    }
    if (p >= 0x10000) {
        buf_char(out, (char)(0xf0 | p >> 18));
        buf_char(out, (char)(0x80 | (p >> 12 & 0x3f)));
        buf_char(out, (char)(0x80 | (p >> 6 & 0x3f)));
    } else if (p >= 0x800) {
        buf_char(out, (char)(0xe0 | p >> 12));
        buf_char(out, (char)(0x80 | (p >> 6 & 0x3f)));
    } else {
        buf_char(out, (char)(0xc0 | p >> 6));
    }
    buf_char(out, (char)(0x80 | (p & 0x3f)));
}

static bool is_space(unsigned p)
{
    return p <= 0x20 || p == 0x7f || (p >= 0x80 && p <= 0xa0) || p == 0x1680 ||
           (p >= 0x2000 && p <= 0x200f) || (p >= 0x2028 && p <= 0x202f) ||
           (p >= 0x205f && p <= 0x2064) || p == 0x3000 || p == 0xfeff;
}

/* Lower case of Latin, Greek and Cyrillic letters; others stay. */
static unsigned lower(unsigned p)
{
    bool pairs_even =
        (p >= 0x100 && p <= 0x137 && p != 0x130) || (p >= 0x14a && p <= 0x177);
    bool pairs_odd = (p >= 0x139 && p <= 0x148) || (p >= 0x179 && p <= 0x17e);
    if ((p >= 'A' && p <= 'Z') || (p >= 0xc0 && p <= 0xde && p != 0xd7) ||
        (p >= 0x391 && p <= 0x3a9) || (p >= 0x410 && p <= 0x42f))
        return p + 32;
    if (p >= 0x400 && p <= 0x40f)
        return p + 80;
    if ((pairs_even && !(p & 1)) || (pairs_odd && (p & 1)))
        return p + 1;
    return p == 0x2018 || p == 0x2019 ? '\'' : p;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- values --------------------------------------------------------------- */

struct key_reader {
    struct str text;
    size_t at;
    struct buf wording, values;
    size_t n_values;
    struct question_key *key;
    bool word_open; /* the latest character belongs to a word */
};

static void put_value(struct key_reader *r, struct str value)
{
    int64_t year;
    if (r->n_values++)
        buf_char(&r->values, ',');
    json_quote(&r->values, value);
    buf_char(&r->wording, VALUE_MARK);
    for (size_t i = 0; i + 4 <= value.len; i++) {
        bool whole = (i == 0 || !is_digit(value.ptr[i - 1])) &&
                     (i + 4 == value.len || !is_digit(value.ptr[i + 4]));
        if (whole && r->key->n_years < 8 &&
            str_to_int64(str_cut(value, i, 4), &year) && year >= 1000)
            r->key->years[r->key->n_years++] = year;
    }
}

/* A number, a date, or a word that begins with a digit: 1,000.50, 2024-05,
 * 10k. What ends a sentence does not belong to it. */
static bool read_number(struct key_reader *r)
{
    size_t end = r->at;
    char folded[64];
    size_t n;
    if (!is_digit(r->text.ptr[end]))
        return false;
    while (end < r->text.len && (str_is_alnum(r->text.ptr[end]) ||
                                 memchr(".,:/-%", r->text.ptr[end], 6)))
        end++;
    while (memchr(".,:/-", r->text.ptr[end - 1], 5))
        end--;
    struct str value = str_cut(r->text, r->at, end - r->at);
    r->at = end;
    n = str_copy(folded, sizeof folded, value);
    for (size_t i = 0; i < n; i++)
        folded[i] = (char)lower((unsigned char)folded[i]);
    put_value(r, n == value.len ? (struct str){folded, n} : value);
    return true;
}

/* The quote that closes one, 0: it opens none. */
static unsigned closing(unsigned quote)
{
    static const unsigned pairs[][2] = {
        {'"', '"'},       {'\'', '\''}, {'`', '`'},      {0x201c, 0x201d},
        {0x2018, 0x2019}, {0xab, 0xbb}, {0x201e, 0x201c}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == quote)
            return pairs[i][1];
    return 0;
}

/* The text between quotes as it is: its case may matter. An apostrophe within a
 * word closes nothing. */
static bool read_quoted(struct key_reader *r)
{
    size_t from = r->at, at, before, after;
    unsigned close = closing(next_point(r->text, &from));
    for (at = from; close && at < r->text.len && at - from < QUOTED_MOST;
         at = after) {
        before = after = at;
        if (next_point(r->text, &after) != close || before == from ||
            (after < r->text.len && str_is_alnum(r->text.ptr[after])))
            continue;
        put_value(r, str_cut(r->text, from, before - from));
        r->at = after;
        return true;
    }
    return false;
}

/* ---- words that depend on the day ----------------------------------------- */

static enum day_words unit_of(struct str word)
{
    static const struct {
        const char *word;
        enum day_words unit;
    } units[] = {{"year", WORDS_YEAR},      {"quarter", WORDS_QUARTER},
                 {"month", WORDS_MONTH},    {"week", WORDS_WEEK},
                 {"weekend", WORDS_WEEK},   {"day", WORDS_DAY},
                 {"summer", WORDS_YEAR},    {"winter", WORDS_YEAR},
                 {"spring", WORDS_YEAR},    {"autumn", WORDS_YEAR},
                 {"christmas", WORDS_YEAR}, {"fiscal", WORDS_YEAR},
                 {"calendar", WORDS_YEAR},  {"season", WORDS_YEAR},
                 {"half", WORDS_QUARTER},   {"night", WORDS_DAY},
                 {"hour", WORDS_DAY},       {"fortnight", WORDS_DAY},
                 {"decade", WORDS_YEAR}};
    if (word.len > 1 && word.ptr[word.len - 1] == 's' &&
        !str_is(word, "christmas"))
        word.len--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_is(word, units[i].word))
            return units[i].unit;
    return WORDS_ALWAYS;
}

static bool names_day(struct str word)
{
    static const char *const words[] = {
        "today",   "yesterday", "tomorrow",    "tonight",  "now",
        "current", "currently", "recent",      "recently", "lately",
        "latest",  "ago",       "ytd",         "mtd",      "qtd",
        "wtd",     "date",      "far",         "newest",   "monday",
        "tuesday", "wednesday", "thursday",    "friday",   "saturday",
        "sunday",  "today's",   "yesterday's", "present",  "still",
        "already", "anymore",   NULL};
    return word_among(word, words);
}

/* A part of a year, whose year the question leaves open. */
static bool names_part_of_year(struct str word)
{
    static const char *const words[] = {
        "january",  "february",  "march",        "april",     "may",
        "june",     "july",      "august",       "september", "october",
        "november", "december",  "jan",          "feb",       "mar",
        "apr",      "jun",       "jul",          "aug",       "sep",
        "sept",     "oct",       "nov",          "dec",       "q1",
        "q2",       "q3",        "q4",           "h1",        "h2",
        "easter",   "christmas", "thanksgiving", NULL};
    return word_among(word, words);
}

static bool points_in_time(struct str word)
{
    static const char *const words[] = {
        "this",    "last",     "past",     "previous",  "next",
        "coming",  "prior",    "current",  "preceding", "following",
        "rolling", "trailing", "upcoming", "recent",    NULL};
    return word_among(word, words);
}

/* "the first quarter" is one of a year, as "Q1" is. */
static bool counts_parts(struct str word)
{
    static const char *const words[] = {"first", "second", "third", "fourth",
                                        "1st",   "2nd",    "3rd",   "4th",
                                        "final", NULL};
    return word_among(word, words);
}

static enum day_words finer(enum day_words a, enum day_words b)
{
    return a > b ? a : b;
}

/* The words of "the last two complete months" lie close together. */
enum { WORDS_BETWEEN = 4 };

/* "the last 30 days" ends today, "last month" with the month. */
static enum day_words day_words_of(const struct question_key *key)
{
    static const char mark[] = {VALUE_MARK, 0};
    enum day_words found = WORDS_ALWAYS;
    struct str rest = key->wording, word, before = STR("");
    size_t since = WORDS_BETWEEN + 1; /* words since one that points in time */
    bool valued = false;              /* one of them is a value */
    while (str_split(&rest, ' ', &word)) {
        enum day_words unit = unit_of(word);
        if (names_day(word))
            found = WORDS_DAY;
        if (names_part_of_year(word) && !key->n_years)
            found = finer(found, WORDS_YEAR);
        if (unit && counts_parts(before) && !key->n_years)
            found = finer(found, WORDS_YEAR);
        if (unit && since < WORDS_BETWEEN)
            found = finer(found, valued ? WORDS_DAY : unit);
        since++;
        valued = valued || str_is(word, mark);
        if (points_in_time(word)) {
            since = 0;
            valued = false;
        }
        before = word;
    }
    return found;
}

/* ---- the key -------------------------------------------------------------- */

static void read_word_point(struct key_reader *r, unsigned point)
{
    r->word_open = !is_space(point);
    if (r->word_open)
        put_point(&r->wording, lower(point));
    else if (r->wording.len && r->wording.ptr[r->wording.len - 1] != ' ')
        buf_char(&r->wording, ' ');
}

static bool ends_sentence(char c)
{
    return memchr("?!.,;: ", c, 7) != NULL;
}

void question_key_make(struct arena *arena, struct str question,
                       struct question_key *out)
{
    struct key_reader r = {.text = question, .key = out};
    *out = (struct question_key){0};
    buf_init(&r.wording, arena);
    buf_init(&r.values, arena);
    buf_char(&r.values, '[');
    while (r.at < question.len) {
        char last = r.wording.len ? r.wording.ptr[r.wording.len - 1] : ' ';
        bool begins = !r.word_open || memchr("([{-+$=<>", last, 9);
        if (begins && (read_number(&r) || read_quoted(&r))) {
            r.word_open = true;
            continue;
        }
        read_word_point(&r, next_point(question, &r.at));
    }
    buf_char(&r.values, ']');
    while (r.wording.len && ends_sentence(r.wording.ptr[r.wording.len - 1]))
        r.wording.len--;
    out->wording = buf_view(&r.wording);
    out->values = buf_view(&r.values);
    out->day_words = day_words_of(out);
}

/* ---- what came before ------------------------------------------------------ */

static bool begins_follow_up(struct str word)
{
    static const char *const words[] = {
        "and",       "also",    "but",       "or",    "then",   "now",
        "what's",    "by",      "per",       "for",   "in",     "with",
        "without",   "as",      "only",      "just",  "same",   "again",
        "instead",   "ok",      "okay",      "yes",   "no",     "sort",
        "order",     "group",   "break",     "split", "filter", "exclude",
        "excluding", "include", "including", "add",   "remove", "drop",
        "why",       "explain", "more",      "else",  "except", "convert",
        "change",    "use",     "make",      "plot",  "chart",  "draw",
        "graph",     "limit",   "than",      "from",  "since",  "until",
        "over",      "on",      "at",        "to",    "not",    "so",
        NULL};
    return word_among(word, words);
}

static bool points_back(struct str word)
{
    static const char *const words[] = {
        "those",   "these",    "it",      "its",    "them",   "they",
        "their",   "this",     "that",    "same",   "above",  "again",
        "instead", "former",   "latter",  "ones",   "others", "other",
        "rest",    "previous", "earlier", "before", NULL};
    return word_among(word, words);
}

bool question_refers_back(const struct question_key *key)
{
    struct str rest = key->wording, word, before = STR("");
    size_t n = 0;
    bool back = false;
    while (str_split(&rest, ' ', &word)) {
        if (n == 0 && begins_follow_up(word))
            return true;
        if (n == 1 && str_is(word, "about"))
            return true; /* "what about …", "how about …" */
        if (points_back(before) && !unit_of(word))
            back = true;
        before = word;
        n++;
    }
    return back || points_back(before) || n < 3;
}

/* ---- the period ------------------------------------------------------------ */

/* The question has that year, or the one that ends where it begins: "in 2025"
 * is < '2026-01-01'. */
static bool has_year(const struct question_key *key, int64_t year)
{
    for (size_t i = 0; i < key->n_years; i++)
        if (key->years[i] == year || key->years[i] + 1 == year)
            return true;
    return false;
}

/* The query names a year that the question does not. Names of columns count,
 * too: then the query is used for a shorter time than it could be. */
static bool fixes_time(const struct question_key *key, struct str sql)
{
    int64_t year;
    for (size_t i = 0; i + 4 <= sql.len; i++) {
        bool whole = is_digit(sql.ptr[i]) &&
                     (i == 0 || !is_digit(sql.ptr[i - 1])) &&
                     (i + 4 == sql.len || !is_digit(sql.ptr[i + 4]));
        if (whole && str_to_int64(str_cut(sql, i, 4), &year) && year >= 1900 &&
            year < 2200 && !has_year(key, year))
            return true;
    }
    return false;
}

struct str question_period(struct arena *arena, const struct question_key *key,
                           struct str sql, int64_t day)
{
    char date[CLOCK_RFC3339_SIZE];
    if (key->day_words == WORDS_ALWAYS || !fixes_time(key, sql))
        return STR("");
    if (key->day_words == WORDS_WEEK) /* 1970-01-01 was a Thursday */
        day -= ((day + 3) % 7 + 7) % 7;
    clock_rfc3339(day * MS_IN_DAY, date);
    int month = (date[5] - '0') * 10 + date[6] - '0';
    switch (key->day_words) {
    case WORDS_YEAR:
        return arena_printf(arena, "%.4s", date);
    case WORDS_QUARTER:
        return arena_printf(arena, "%.4s-Q%d", date, (month + 2) / 3);
    case WORDS_MONTH:
        return arena_printf(arena, "%.7s", date);
    default:
        return arena_printf(arena, "%.10s", date);
    }
}
