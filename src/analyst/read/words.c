/* words.c - splits a question into words, and gives words their stems. */
#include "words.h"
#include "base/buf.h"
#include "base/plural.h"
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

/* Short forms of words, and whether people write them in questions, too; the others
 * stand for one word only in the names of columns. */
static const struct {
    const char *word, *full;
    bool written;
} abbreviations[] = {
    {"avg", "average", true},        {"mean", "average", true},
    {"qty", "quantity", true},       {"amt", "amount", true},
    {"pct", "percent", true},        {"percentage", "percent", true},
    {"cnt", "count", true},          {"max", "maximum", true},
    {"min", "minimum", true},        {"nm", "name", false},
    {"fname", "first name", false},  {"lname", "last name", false},
    {"dob", "date of birth", false}, {"dt", "date", false},
    {"cd", "code", false},           {"nr", "number", false},
    {"nbr", "number", false},        {"num", "number", false},
    {"addr", "address", false},      {"desc", "description", false},
    {"dept", "department", false},   {"mgr", "manager", false},
    {"emp", "employee", false},      {"cust", "customer", false},
    {"acct", "account", false},      {"tel", "phone", false},
    {"yr", "year", false},           {"mth", "month", false},
    {"lvl", "level", false},         {"typ", "type", false},
    {"grp", "group", false},         {"ccy", "currency", false},
    {"flt", "flight", false},        {"arpt", "airport", false},
    {"org", "organization", false},  {"mfr", "manufacturer", false},
    {"mfg", "manufacturer", false},  {"pax", "passenger", false},
    {"prod", "product", false},      {"inv", "invoice", false},
    {"pmt", "payment", false},       {"loc", "location", false},
    {"ptnt", "patient", false},      {"appt", "appointment", false},
    {"txn", "transaction", false},   {"trx", "transaction", false},
    {"veh", "vehicle", false},       {"stud", "student", false},
    {"lang", "language", false},     {"cat", "category", false},
    {"prio", "priority", false},     {"bldg", "building", false},
    {"diag", "diagnosis", false},
};

struct str word_stem(struct arena *arena, struct str lower)
{
    for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++)
        if (abbreviations[i].written && str_is(lower, abbreviations[i].word))
            return str_of(abbreviations[i].full);
    return plural_to_singular(arena, lower);
}

struct str word_in_full(struct str part)
{
    for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++)
        if (!abbreviations[i].written &&
            str_eq_nocase(part, str_of(abbreviations[i].word)))
            return str_of(abbreviations[i].full);
    return part;
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

size_t full_words(struct arena *arena, struct str name, struct str *words,
                  size_t most)
{
    struct str parts[16];
    size_t n = name_parts(arena, name, parts, 16), n_words = 0;
    for (size_t i = 0; i < n; i++) {
        /* shirt_no, no_of_beds; but a no_show did not come. */
        bool number = str_is(parts[i], "no") && n > 1 &&
                      (i + 1 == n || str_is(parts[i + 1], "of"));
        struct str full = number ? STR("number") : word_in_full(parts[i]);
        struct str word;
        while (n_words < most && str_split(&full, ' ', &word))
            words[n_words++] = word;
    }
    return n_words;
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

static char scanner_peek(const struct word_scanner *scan, size_t ahead)
{
    size_t at = scan->at + ahead;
    return at < scan->text.len ? scan->text.ptr[at] : '\0';
}

static struct question_word *word_add(struct word_scanner *scan,
                                      enum word_kind kind, size_t len)
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

static size_t digits_at(const struct word_scanner *scan, size_t from)
{
    size_t n = 0;
    while (is_digit(scanner_peek(scan, from + n)))
        n++;
    return n;
}

bool is_season(struct str text, bool sure)
{
    enum { YEAR = 4, CENTURY = 100, MONTHS = 12 };
    int64_t year, next;
    char gap = text.len > YEAR ? text.ptr[YEAR] : '\0';
    struct str end = str_from(text, YEAR + 1);
    if ((gap != '/' && gap != '-') || (end.len != 2 && end.len != YEAR) ||
        !str_to_int64(str_cut(text, 0, YEAR), &year) ||
        !str_to_int64(end, &next))
        return false;
    return next == (end.len == 2 ? (year + 1) % CENTURY : year + 1) &&
           (!sure || next > MONTHS);
}

/* "2023/2024"; "2023-2024" are the years from one to the other. */
static size_t season_length(const struct word_scanner *scan)
{
    enum { SEASON = 9 };
    struct str text = str_cut(scan->text, scan->at, SEASON);
    char after = scanner_peek(scan, SEASON);
    return str_find_char(text, '/') >= 0 && is_season(text, true) &&
                   text.len == SEASON && !is_letter(after) && !is_digit(after)
               ? SEASON
               : 0;
}

/* 2025-03-01, 2025/3/1 or 2025-03, not followed by a letter or digit. */
static size_t date_length(const struct word_scanner *scan)
{
    char gap = scanner_peek(scan, 4);
    if (digits_at(scan, 0) != 4 || (gap != '-' && gap != '/'))
        return 0;
    size_t month = digits_at(scan, 5), len = 5 + month;
    if (month < 1 || month > 2)
        return 0;
    if (scanner_peek(scan, len) == gap) {
        size_t day = digits_at(scan, len + 1);
        if (day < 1 || day > 2)
            return 0;
        len += 1 + day;
    }
    return is_letter(scanner_peek(scan, len)) ||
                   is_digit(scanner_peek(scan, len))
               ? 0
               : len;
}

/* Digits with commas before groups of three, then perhaps a fraction. */
static size_t number_length(const struct word_scanner *scan)
{
    size_t len = digits_at(scan, 0);
    if (len && len <= 3)
        while (scanner_peek(scan, len) == ',' && digits_at(scan, len + 1) == 3)
            len += 4;
    if (len && scanner_peek(scan, len) == '.' && digits_at(scan, len + 1))
        len += 1 + digits_at(scan, len + 1);
    return len;
}

static size_t unit_zeros(struct word_scanner *scan, size_t *more)
{
    static const struct {
        const char *word;
        size_t zeros;
    } units[] = {{"k", 3},         {"m", 6},        {"bn", 9},
                 {" thousand", 3}, {" million", 6}, {" billion", 9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct str unit = str_of(units[i].word);
        struct str here = str_cut(scan->text, scan->at + *more, unit.len);
        char next = scanner_peek(scan, *more + unit.len);
        if (str_eq_nocase(here, unit) && !is_letter(next) && !is_digit(next)) {
            *more += unit.len;
            return units[i].zeros;
        }
    }
    return 0;
}

/* "2.5" with six zeros is "2500000". */
static struct str scaled_number(struct arena *arena, struct str digits_at,
                                size_t zeros)
{
    struct buf out;
    buf_init(&out, arena);
    ptrdiff_t dot = -1;
    for (size_t i = 0; i < digits_at.len; i++) {
        char c = digits_at.ptr[i];
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

static void number_read(struct word_scanner *scan, size_t len)
{
    size_t full = len;
    size_t zeros = unit_zeros(scan, &full);
    struct str written = str_cut(scan->text, scan->at, len);
    bool whole = full > len;
    if (!whole && is_letter(scanner_peek(scan, len))) /* 12th, 3rd, 80s */
        while (is_letter(scanner_peek(scan, full)) ||
               is_digit(scanner_peek(scan, full)))
            full++;
    bool plain = full > len && !whole;
    struct question_word *word =
        word_add(scan, plain ? WORD_PLAIN : WORD_NUMBER, full);
    word->number = scaled_number(scan->arena, written, zeros);
    word->stem = plain ? word_stem(scan->arena, word->lower) : word->lower;
}

/* How many bytes of "don't" and the like say "not"; 0: none. */
static size_t denial_length(struct str word)
{
    static const char verbs[] = "do does did have has had is are was were";
    static const char *const ends[] = {"n't", "n\xe2\x80\x99t", NULL};
    for (size_t i = 0; ends[i]; i++) {
        size_t len = strlen(ends[i]);
        if (word.len > len &&
            str_eq_nocase(str_from(word, word.len - len), str_of(ends[i])) &&
            list_has(verbs, str_cut(word, 0, word.len - len)))
            return len;
    }
    return 0;
}

static void plain_read(struct word_scanner *scan)
{
    size_t len = 0;
    while (is_letter(scanner_peek(scan, len)) ||
           is_digit(scanner_peek(scan, len)) ||
           (scanner_peek(scan, len) == '\'' &&
            is_letter(scanner_peek(scan, len + 1)) && len))
        len++;
    /* The typographic apostrophe counts as a letter, like all beyond ASCII. */
    size_t denial = denial_length(str_cut(scan->text, scan->at, len));
    struct question_word *word = word_add(scan, WORD_PLAIN, len - denial);
    static const char *const owners[] = {"'s", "\xe2\x80\x99s", NULL};
    for (size_t i = 0; owners[i] && !word->owner; i++)
        if (str_ends(word->lower, str_of(owners[i])) &&
            word->lower.len > strlen(owners[i])) {
            word->owner = true;
            word->lower.len -= strlen(owners[i]);
        }
    word->capital = *word->text.ptr >= 'A' && *word->text.ptr <= 'Z';
    word->stem = word_stem(scan->arena, word->lower);
    if (denial) {
        size_t from = word->from;
        word = word_add(scan, WORD_PLAIN, denial);
        word->from = from;
        word->lower = word->stem = STR("not");
    }
}

/* Reads from a quote to its partner; false when there is none. */
static bool quoted_read(struct word_scanner *scan)
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
            word_add(scan, WORD_QUOTED, open.len + (size_t)len + close);
        word->text = str_cut(inside, 0, (size_t)len);
        word->lower = lower_case(scan->arena, word->text);
        return true;
    }
    return false;
}

static void mark_read(struct word_scanner *scan)
{
    char c = scanner_peek(scan, 0), next = scanner_peek(scan, 1);
    bool two = (strchr("<>!=", c) && next == '=') || (c == '<' && next == '>');
    word_add(scan, WORD_MARK, two ? 2 : 1);
}

/* The length of a space, hyphen, or dash beyond ASCII; 0: none. */
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
    return strchr(" \t\r\n-_", scanner_peek(scan, 0)) ? 1 : 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A hyphen within a word or a range and a bullet say nothing. Any other hyphen or
 * dash may be a sign: "rhesus factor -", "group A-", "below -5". Returns its length. */
static size_t sign_length(const struct word_scanner *scan)
{
    static const char *const signs[] = {"-", "\xe2\x80\x93", "\xe2\x80\x94",
                                        NULL};
    struct str rest = str_from(scan->text, scan->at);
    size_t len = 0, left = scan->at;
    for (size_t i = 0; signs[i] && !len; i++)
        len = str_starts(rest, str_of(signs[i])) ? strlen(signs[i]) : 0;
    size_t right = len;
    while (left && is_blank(scan->text.ptr[left - 1]))
        left--;
    while (is_blank(scanner_peek(scan, right)))
        right++;
    char before = left ? scan->text.ptr[left - 1] : '\n';
    char after = scanner_peek(scan, right);
    bool inside = left == scan->at && right == len &&
                  (is_letter(before) || is_digit(before)) &&
                  (is_letter(after) || is_digit(after));
    bool range = is_digit(before) && is_digit(after);
    bool line = before == '\n' || before == '-' || after == '-';
    return inside || range || line ? 0 : len;
}

static void token_read(struct word_scanner *scan)
{
    char c = scanner_peek(scan, 0);
    bool apart = !scan->at || !is_letter(scan->text.ptr[scan->at - 1]);
    size_t len = season_length(scan);
    len = len ? len : date_length(scan);
    if (sign_length(scan)) {
        word_add(scan, WORD_MARK, sign_length(scan));
    } else if (gap_length(scan)) {
        scan->at += gap_length(scan);
    } else if (len) {
        word_add(scan, WORD_DATE, len);
    } else if (is_digit(c)) {
        number_read(scan, number_length(scan));
    } else if (apart && quoted_read(scan)) {
        return;
    } else if (is_letter(c)) {
        plain_read(scan);
    } else {
        mark_read(scan);
    }
}

struct question_words words_read(struct arena *arena, struct str text)
{
    struct question_words words = {.text = text};
    struct word_scanner scan = {.arena = arena, .text = text, .words = &words};
    words.items = arena_new_array(arena, struct question_word, WORDS_MOST + 1);
    while (scan.at < text.len && words.n < WORDS_MOST)
        token_read(&scan);
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

bool is_participle(struct str word)
{
    static const char irregular[] =
        "left sold paid sent lost built done given taken held met won begun "
        "written made";
    return str_ends(word, STR("ed")) || list_has(irregular, word);
}

bool word_is_plural(const struct question_word *word)
{
    return word->kind == WORD_PLAIN && !str_eq(word->stem, word->lower) &&
           str_ends(word->lower, STR("s"));
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
