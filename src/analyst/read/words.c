#include "words.h"
#include "base/buf.h"
#include <string.h>
#include "base/banned.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

struct str lower_case(struct arena *arena, struct str s)
{
    char *copy = arena_cstr(arena, s);
    for (size_t i = 0; i < s.len; i++)
        if (copy[i] >= 'A' && copy[i] <= 'Z')
            copy[i] = (char)(copy[i] + 32);
    return (struct str){copy, s.len};
}

bool list_has(const char *list, struct str word)
{
    if (!word.len)
        return false;
    char first = (char)(word.ptr[0] | 0x20); /* of either case */
    for (const char *at = list; at; at = strchr(at, ' '), at += at ? 1 : 0)
        if ((*at | 0x20) == first && !strncasecmp(at, word.ptr, word.len) &&
            (!at[word.len] || at[word.len] == ' '))
            return true;
    return false;
}

bool list_ends(const char *list, struct str word)
{
    struct str rest = str_of(list), item;
    while (str_split(&rest, ' ', &item))
        if (word.len >= item.len &&
            str_eq_nocase(str_from(word, word.len - item.len), item))
            return true;
    return false;
}

/* ---- stems -------------------------------------------------------------- */

static const struct {
    const char *word, *stem;
} other_forms[] = {
    {"people", "person"},      {"men", "man"},       {"women", "woman"},
    {"children", "child"},     {"avg", "average"},   {"mean", "average"},
    {"qty", "quantity"},       {"amt", "amount"},    {"pct", "percent"},
    {"percentage", "percent"}, {"cnt", "count"},     {"max", "maximum"},
    {"min", "minimum"},        {"indices", "index"}, {"analyses", "analysis"},
};

static bool ends(struct str s, const char *tail)
{
    return str_ends(s, str_of(tail));
}

static struct str without_plural(struct arena *arena, struct str s)
{
    if (s.len < 3 || !ends(s, "s") || ends(s, "ss") || ends(s, "us") ||
        ends(s, "is"))
        return s;
    if (ends(s, "ies") && s.len > 4)
        return arena_printf(arena, "%.*sy", (int)s.len - 3, s.ptr);
    return str_cut(s, 0,
                   s.len - (list_ends("ches shes xes sses zzes", s) ? 2 : 1));
}

struct str word_stem(struct arena *arena, struct str lower)
{
    for (size_t i = 0; i < sizeof other_forms / sizeof *other_forms; i++)
        if (str_is(lower, other_forms[i].word))
            return str_of(other_forms[i].stem);
    struct str stem = without_plural(arena, lower);
    /* "movie" and "movies" must meet. */
    if (stem.len > 4 && ends(stem, "ie"))
        return arena_printf(arena, "%.*sy", (int)stem.len - 2, stem.ptr);
    return stem;
}

size_t name_parts(struct arena *arena, struct str name, struct str *parts,
                  size_t most)
{
    size_t n = 0, at = 0;
    while (at < name.len && n < most) {
        while (at < name.len && !is_letter(name.ptr[at]) &&
               !is_digit(name.ptr[at]))
            at++;
        size_t from = at;
        for (; at < name.len; at++) {
            char c = name.ptr[at], before = at > from ? name.ptr[at - 1] : 0;
            bool hump = before >= 'a' && before <= 'z' && c >= 'A' && c <= 'Z';
            if (hump || (!is_letter(c) && !is_digit(c) && c != '\''))
                break;
        }
        if (at > from)
            parts[n++] = lower_case(arena, str_cut(name, from, at - from));
    }
    return n;
}

struct str words_key(struct arena *arena, struct str phrase)
{
    struct str parts[24];
    size_t n = name_parts(arena, phrase, parts, 24);
    struct buf key;
    buf_init(&key, arena);
    for (size_t i = 0; i < n; i++)
        buf_str(&key, word_stem(arena, parts[i]));
    return buf_view(&key);
}

/* ---- reading ------------------------------------------------------------ */

struct word_scanner {
    struct arena *arena;
    struct str text;
    size_t at;
    struct question_words *words;
};

static char peek(const struct word_scanner *scan, size_t ahead)
{
    size_t at = scan->at + ahead;
    return at < scan->text.len ? scan->text.ptr[at] : '\0';
}

static struct question_word *add(struct word_scanner *scan, enum word_kind kind,
                                 size_t len)
{
    struct question_word *word = &scan->words->items[scan->words->n++];
    *word = (struct question_word){.kind = kind,
                                   .from = scan->at,
                                   .to = scan->at + len,
                                   .text = str_cut(scan->text, scan->at, len)};
    scan->at += len;
    word->lower = lower_case(scan->arena, word->text);
    return word;
}

static size_t digits(const struct word_scanner *scan, size_t from)
{
    size_t n = 0;
    while (is_digit(peek(scan, from + n)))
        n++;
    return n;
}

/* 2025-03-01, 2025/3/1 or 2025-03, with nothing of a word behind it. */
static size_t date_length(const struct word_scanner *scan)
{
    char gap = peek(scan, 4);
    if (digits(scan, 0) != 4 || (gap != '-' && gap != '/'))
        return 0;
    size_t month = digits(scan, 5), len = 5 + month;
    if (month < 1 || month > 2)
        return 0;
    if (peek(scan, len) == gap) {
        size_t day = digits(scan, len + 1);
        if (day < 1 || day > 2)
            return 0;
        len += 1 + day;
    }
    return is_letter(peek(scan, len)) || is_digit(peek(scan, len)) ? 0 : len;
}

/* Digits with commas between threes, then perhaps a fraction. */
static size_t number_length(const struct word_scanner *scan)
{
    size_t len = digits(scan, 0);
    if (len && len <= 3)
        while (peek(scan, len) == ',' && digits(scan, len + 1) == 3)
            len += 4;
    if (len && peek(scan, len) == '.' && digits(scan, len + 1))
        len += 1 + digits(scan, len + 1);
    return len;
}

static size_t zeros_behind(struct word_scanner *scan, size_t *more)
{
    static const struct {
        const char *word;
        size_t zeros;
    } units[] = {{"k", 3},         {"m", 6},        {"bn", 9},
                 {" thousand", 3}, {" million", 6}, {" billion", 9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct str unit = str_of(units[i].word);
        struct str here = str_cut(scan->text, scan->at + *more, unit.len);
        char next = peek(scan, *more + unit.len);
        if (str_eq_nocase(here, unit) && !is_letter(next) && !is_digit(next)) {
            *more += unit.len;
            return units[i].zeros;
        }
    }
    return 0;
}

/* "2.5" with six zeros is "2500000". */
static struct str shifted(struct arena *arena, struct str digits, size_t zeros)
{
    struct buf out;
    buf_init(&out, arena);
    ptrdiff_t dot = -1;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];
        if (c == '.')
            dot = (ptrdiff_t)out.len;
        else if (c != ',')
            buf_char(&out, c);
    }
    size_t fraction = dot < 0 ? 0 : out.len - (size_t)dot;
    for (; zeros > fraction; zeros--)
        buf_char(&out, '0');
    struct str all = buf_view(&out);
    if (fraction <= zeros)
        return all;
    size_t whole = all.len - (fraction - zeros);
    return arena_printf(arena, "%.*s.%.*s", (int)whole, all.ptr,
                        (int)(fraction - zeros), all.ptr + whole);
}

static void read_number(struct word_scanner *scan, size_t len)
{
    size_t full = len;
    size_t zeros = zeros_behind(scan, &full);
    struct str written = str_cut(scan->text, scan->at, len);
    bool whole = full > len;
    if (!whole && is_letter(peek(scan, len))) /* 12th, 3rd, 80s */
        while (is_letter(peek(scan, full)) || is_digit(peek(scan, full)))
            full++;
    bool plain = full > len && !whole;
    struct question_word *word =
        add(scan, plain ? WORD_PLAIN : WORD_NUMBER, full);
    word->number = shifted(scan->arena, written, zeros);
    word->stem = plain ? word_stem(scan->arena, word->lower) : word->lower;
}

static void read_plain(struct word_scanner *scan)
{
    size_t len = 0;
    while (is_letter(peek(scan, len)) || is_digit(peek(scan, len)) ||
           (peek(scan, len) == '\'' && is_letter(peek(scan, len + 1)) && len))
        len++;
    /* The typographic apostrophe counts as letters, being beyond ASCII. */
    struct question_word *word = add(scan, WORD_PLAIN, len);
    static const char *const owners[] = {"'s", "\xe2\x80\x99s", NULL};
    for (size_t i = 0; owners[i] && !word->owner; i++)
        if (ends(word->lower, owners[i]) &&
            word->lower.len > strlen(owners[i])) {
            word->owner = true;
            word->lower.len -= strlen(owners[i]);
        }
    word->capital = *word->text.ptr >= 'A' && *word->text.ptr <= 'Z';
    word->stem = word_stem(scan->arena, word->lower);
}

/* From a quote to its partner; false when there is none. */
static bool read_quoted(struct word_scanner *scan)
{
    static const struct {
        const char *open, *close;
    } quotes[] = {{"\"", "\""},
                  {"\xe2\x80\x9c", "\xe2\x80\x9d"},
                  {"\xe2\x80\x98", "\xe2\x80\x99"},
                  {"'", "'"},
                  {"`", "`"}};
    struct str rest = str_from(scan->text, scan->at);
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        struct str open = str_of(quotes[i].open);
        if (!str_starts(rest, open))
            continue;
        struct str inside = str_from(rest, open.len);
        ptrdiff_t len = str_find(inside, str_of(quotes[i].close));
        if (len <= 0)
            return false;
        size_t close = strlen(quotes[i].close);
        struct question_word *word =
            add(scan, WORD_QUOTED, open.len + (size_t)len + close);
        word->text = str_cut(inside, 0, (size_t)len);
        word->lower = lower_case(scan->arena, word->text);
        return true;
    }
    return false;
}

static void read_mark(struct word_scanner *scan)
{
    char c = peek(scan, 0), next = peek(scan, 1);
    bool two = (strchr("<>!=", c) && next == '=') || (c == '<' && next == '>');
    add(scan, WORD_MARK, two ? 2 : 1);
}

/* Dashes and spaces beyond ASCII, which are no letters. */
static size_t gap_length(const struct word_scanner *scan)
{
    static const char *const gaps[] = {"\xe2\x80\x93",
                                       "\xe2\x80\x94",
                                       "\xe2\x80\xa2",
                                       "\xe2\x80\xaf",
                                       "\xc2\xa0",
                                       "\xe2\x80\xa6",
                                       NULL};
    struct str rest = str_from(scan->text, scan->at);
    for (size_t i = 0; gaps[i]; i++)
        if (str_starts(rest, str_of(gaps[i])))
            return strlen(gaps[i]);
    return strchr(" \t\r\n-_", peek(scan, 0)) ? 1 : 0;
}

static void read_one(struct word_scanner *scan)
{
    char c = peek(scan, 0);
    bool apart = !scan->at || !is_letter(scan->text.ptr[scan->at - 1]);
    size_t len = date_length(scan);
    if (gap_length(scan)) {
        scan->at += gap_length(scan);
    } else if (len) {
        add(scan, WORD_DATE, len);
    } else if (is_digit(c)) {
        read_number(scan, number_length(scan));
    } else if (apart && read_quoted(scan)) {
        return;
    } else if (is_letter(c)) {
        read_plain(scan);
    } else {
        read_mark(scan);
    }
}

struct question_words words_read(struct arena *arena, struct str text)
{
    struct question_words words = {.text = text};
    struct word_scanner scan = {.arena = arena, .text = text, .words = &words};
    words.items = arena_new_array(arena, struct question_word, WORDS_MOST + 1);
    while (scan.at < text.len && words.n < WORDS_MOST)
        read_one(&scan);
    words.too_many = scan.at < text.len;
    return words;
}

/* ---- asking words ------------------------------------------------------- */

struct str words_span(const struct question_words *words, size_t from,
                      size_t to)
{
    if (from >= to || to > words->n)
        return STR("");
    if (to == from + 1 && words->items[from].kind == WORD_QUOTED)
        return words->items[from].text;
    size_t start = words->items[from].from;
    return str_cut(words->text, start, words->items[to - 1].to - start);
}

bool word_is(const struct question_word *word, const char *lower)
{
    return word->kind != WORD_QUOTED && str_is(word->lower, lower);
}

bool word_in(const struct question_word *word, const char *list)
{
    return word->kind != WORD_QUOTED && list_has(list, word->lower);
}

size_t word_count(const struct question_word *word)
{
    static const char *const counts[] = {
        "one",     "two",       "three",    "four",     "five",
        "six",     "seven",     "eight",    "nine",     "ten",
        "eleven",  "twelve",    "thirteen", "fourteen", "fifteen",
        "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
    int64_t n = 0;
    if (word->kind == WORD_NUMBER && str_to_int64(word->number, &n))
        return n > 0 && n <= 100000 ? (size_t)n : 0;
    for (size_t i = 0; i < 20; i++)
        if (word_is(word, counts[i]))
            return i + 1;
    return 0;
}
