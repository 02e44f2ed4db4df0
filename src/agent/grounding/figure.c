/* figure.c - reads numbers that are written with digits, and finds the next
 * figure of any kind; see figure.h. */
#include "figure.h"
#include "figure_parts.h"
#include "wording.h"
#include <math.h>
#include <stdlib.h>
#include "base/banned.h"

/* ---- digits ------------------------------------------------------------- */

/* The first digits of scripts, as UTF-8; their others follow. */
static const char *const zeros[] = {
    "\xd9\xa0",     "\xdb\xb0", "\xe0\xa5\xa6", "\xe0\xa7\xa6", "\xe0\xb9\x90",
    "\xef\xbc\x90", NULL};

int figure_digit(struct str s, size_t *bytes)
{
    *bytes = 1;
    if (!s.len)
        return -1;
    if (s.ptr[0] >= '0' && s.ptr[0] <= '9')
        return s.ptr[0] - '0';
    if ((unsigned char)s.ptr[0] < 0x80)
        return -1;
    for (const char *const *z = zeros; *z; z++) {
        size_t n = strlen(*z);
        if (s.len < n || memcmp(s.ptr, *z, n - 1))
            continue;
        int digit = (unsigned char)s.ptr[n - 1] - (unsigned char)(*z)[n - 1];
        if (digit < 0 || digit > 9)
            continue;
        *bytes = n;
        return digit;
    }
    return -1;
}

/* Bytes of marks that a reader does not see between two digits. */
static size_t unseen(struct str s)
{
    static const char *const marks[] = {
        "**",           "__",           "\xe2\x80\x8b",
        "\xe2\x80\x8c", "\xe2\x80\x8d", "\xe2\x81\xa0",
        "\xef\xbb\xbf", "\xc2\xad",     NULL};
    if (str_is_alnum(s.ptr[0]) || s.ptr[0] == ' ')
        return 0;
    for (const char *const *m = marks; *m; m++)
        if (str_starts(s, str_of(*m)))
            return strlen(*m);
    return 0;
}

static size_t skip_unseen(struct str s)
{
    size_t at = 0, n;
    while (at < s.len && (n = unseen(str_from(s, at))))
        at += n;
    return at;
}

enum { GROUPS_MOST = 12, DIGITS_MOST = 24 };

/* Digits with the marks between them. */
struct digit_groups {
    char digits[GROUPS_MOST][DIGITS_MOST + 1];
    size_t length[GROUPS_MOST];
    char mark[GROUPS_MOST]; /* before the group: . , ' or space */
    size_t end[GROUPS_MOST];
    size_t n;
};

/* A mark between groups of digits; ' ' for all kinds of space. */
static char mark_of(struct str s, size_t *bytes)
{
    static const char *const spaces[] = {"\xc2\xa0", "\xe2\x80\xaf",
                                         "\xe2\x80\x89", NULL};
    *bytes = 1;
    if (!s.len)
        return 0;
    if (s.ptr[0] == '.' || s.ptr[0] == ',' || s.ptr[0] == '\'')
        return s.ptr[0];
    if (s.ptr[0] == ' ')
        return '_';
    *bytes = 3;
    if (str_starts(s, STR("\xe2\x80\x99")))
        return '\'';
    for (const char *const *p = spaces; *p; p++)
        if (str_starts(s, str_of(*p))) {
            *bytes = strlen(*p);
            return ' ';
        }
    return 0;
}

static size_t read_group(struct digit_groups *g, struct str text, size_t at)
{
    size_t bytes, n = 0;
    for (;;) {
        size_t skip = skip_unseen(str_from(text, at));
        int digit = figure_digit(str_from(text, at + skip), &bytes);
        if (digit < 0)
            break;
        if (n < DIGITS_MOST)
            g->digits[g->n][n++] = (char)('0' + digit);
        else
            n = DIGITS_MOST;
        at += skip + bytes;
    }
    g->digits[g->n][n] = 0;
    g->length[g->n] = n;
    g->end[g->n++] = at;
    return at;
}

static void read_groups(struct digit_groups *g, struct str text, size_t at)
{
    size_t bytes, mark_bytes;
    g->n = 0;
    g->mark[0] = 0;
    at = read_group(g, text, at);
    while (g->n < GROUPS_MOST) {
        size_t skip = skip_unseen(str_from(text, at));
        char mark = mark_of(str_from(text, at + skip), &mark_bytes);
        size_t next = at + skip + mark_bytes;
        next += mark ? skip_unseen(str_from(text, next)) : 0;
        if (!mark || figure_digit(str_from(text, next), &bytes) < 0)
            return;
        g->mark[g->n] = mark;
        at = read_group(g, text, next);
    }
}

/* ---- what the groups mean ----------------------------------------------- */

/* Groups 1 to n are thousands: three digits each, or two as in India. */
static bool thousands(const struct digit_groups *g, size_t n)
{
    if (g->length[0] > 3 || g->length[0] == 0 || n < 1)
        return false;
    for (size_t i = 1; i <= n; i++)
        if (g->mark[i] != g->mark[1] ||
            (g->length[i] != 3 &&
             !(g->length[i] == 2 && i < n && g->mark[i] == ',')))
            return false;
    return g->length[n] == 3;
}

static double joined(const struct digit_groups *g, size_t whole, bool decimals,
                     double *unit)
{
    char text[GROUPS_MOST * DIGITS_MOST + 2];
    size_t n = 0;
    *unit = 1;
    for (size_t i = 0; i <= whole + (decimals ? 1 : 0) && i < g->n; i++) {
        if (i == whole + 1) {
            text[n++] = '.';
            *unit = pow(10, -(double)g->length[i]);
        }
        memcpy(text + n, g->digits[i], g->length[i]);
        n += g->length[i];
    }
    text[n] = 0;
    return strtod(text, NULL);
}

/* How many groups after the first are thousands of one kind. */
static size_t run_of_thousands(const struct digit_groups *g)
{
    size_t n = 0;
    for (size_t i = 1; i < g->n && g->mark[i] == g->mark[1]; i++)
        if (g->length[i] == 3 || (g->length[i] == 2 && g->mark[i] == ','))
            n = i;
        else
            break;
    while (n && !thousands(g, n))
        n--;
    return n;
}

static bool is_decimal_mark(char mark)
{
    return mark == '.' || mark == ',';
}

/* A space that may break a line is a group's mark only when the number goes on
 * with decimals: "1 234,50". */
static void read_value(const struct digit_groups *g, struct figure *f)
{
    size_t n = g->n > 1 ? run_of_thousands(g) : 0;
    bool decimals = n + 1 < g->n && is_decimal_mark(g->mark[n + 1]) &&
                    g->mark[n + 1] != (n ? g->mark[1] : 0);
    bool loose = n && g->mark[1] == '_';
    if (loose && !decimals && n == 1)
        n = 0;
    bool one = n == 1 && g->n == 2 && is_decimal_mark(g->mark[1]);
    /* "1.234" is a decimal, and perhaps 1234; "1,234" the other way round. */
    if (one && (g->mark[1] == '.' || g->digits[0][0] == '0')) {
        f->value = joined(g, 0, true, &f->unit);
        if (g->digits[0][0] != '0')
            f->other = joined(g, 1, false, &f->other_unit);
    } else {
        f->value = joined(g, n, decimals, &f->unit);
        if (one)
            f->other = joined(g, 0, true, &f->other_unit);
    }
    f->whole = f->unit == 1;
    f->to = g->end[n + (f->unit < 1 && !(one && !decimals) ? 1 : 0)];
    if (one)
        f->to = g->end[1];
}

/* "1.2.3" is no number; nor is "10.0.0.1". "1.234.567,89" is one. */
static bool is_version(const struct digit_groups *g)
{
    if (g->n < 3 || g->mark[1] != '.' || g->mark[2] != '.')
        return false;
    size_t n = run_of_thousands(g);
    return n + 1 < g->n && (n < 2 || g->mark[n + 1] == '.');
}

/* ---- what is around a number -------------------------------------------- */

/* The bytes of a word of letters; 0: there is none. */
static size_t letters(struct str s)
{
    size_t n = 0;
    while (n < s.len && ((s.ptr[n] >= 'a' && s.ptr[n] <= 'z') ||
                         (s.ptr[n] >= 'A' && s.ptr[n] <= 'Z')))
        n++;
    return n;
}

static const char *const currency_signs[] = {
    "$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "\xe2\x82\xb9", NULL};

/* The bytes of a currency's sign before `end`. */
static size_t currency_before(struct str text, size_t end)
{
    static const char codes[] = " usd eur gbp chf jpy inr cad aud cny brl ";
    struct str before = str_cut(text, 0, end);
    for (const char *const *c = currency_signs; *c; c++)
        if (str_ends(before, str_of(*c)))
            return strlen(*c);
    if (end < 3)
        return 0;
    char code[3];
    for (size_t i = 0; i < 3; i++)
        code[i] = (char)(text.ptr[end - 3 + i] | 0x20);
    return wording_among((struct str){code, 3}, codes) &&
                   (end == 3 || !str_is_alnum(text.ptr[end - 4]))
               ? 3
               : 0;
}

static size_t minus_before(struct str text, size_t end)
{
    struct str before = str_cut(text, 0, end);
    if (str_ends(before, STR("\xe2\x88\x92")))
        return 3;
    bool dash = str_ends(before, STR("\xe2\x80\x93"));
    size_t n = dash ? 3 : str_ends(before, STR("-")) ? 1 : 0;
    if (!n || end == n)
        return n;
    char c = text.ptr[end - n - 1];
    bool apart = strchr(" (|*:=>\"\n\t", c) && c;
    /* "- 5" begins a list, and " – 5" a clause; "-5" is a number. */
    return apart &&
                   !(dash && c == ' ' && end < text.len && text.ptr[end] == ' ')
               ? n
               : 0;
}

/* "+5" after a space, a bracket or a mark; "a+5" is no sign. */
static bool plus_before(struct str text, size_t end)
{
    return end && text.ptr[end - 1] == '+' &&
           (end == 1 ||
            (strchr(" (|*:=>\"\n\t", text.ptr[end - 2]) && text.ptr[end - 2]));
}

static void read_before(struct str text, struct figure *f)
{
    size_t minus = minus_before(text, f->from);
    size_t at = f->from - minus;
    size_t space = at && text.ptr[at - 1] == ' ' ? 1 : 0;
    size_t sign = currency_before(text, at);
    if (!sign && space && !minus)
        sign = currency_before(text, at - 1) ? currency_before(text, at - 1) + 1
                                             : 0;
    f->money = sign > 0;
    if (sign && !minus)
        minus = minus_before(text, at - sign);
    if (minus) {
        f->value = -f->value;
        f->other = -f->other;
        f->minus = true;
    }
    f->plus = !minus && plus_before(text, at - sign);
    f->from = at - sign;
}

struct scale_word {
    const char *word;
    double by;
    bool attached; /* right after the number */
};

static const struct scale_word scales[] = {
    {"hundred", 1e2, false},    {"thousand", 1e3, false},
    {"million", 1e6, false},    {"billion", 1e9, false},
    {"trillion", 1e12, false},  {"millions", 1e6, false},
    {"billions", 1e9, false},   {"dozen", 12, false},
    {"lakh", 1e5, false},       {"crore", 1e7, false},
    {"mio", 1e6, false},        {"mrd", 1e9, false},
    {"tsd", 1e3, false},        {"mn", 1e6, false},
    {"mm", 1e6, true},          {"mln", 1e6, false},
    {"bn", 1e9, false},         {"bln", 1e9, false},
    {"tn", 1e12, false},        {"millionen", 1e6, false},
    {"milliarden", 1e9, false}, {"millones", 1e6, false},
    {"k", 1e3, true},           {"m", 1e6, true},
    {"b", 1e9, true},           {"T", 1e12, false},
    {"M", 1e6, false},          {NULL, 0, false}};

bool figure_scale_word(struct str word, double *by)
{
    for (const struct scale_word *s = scales; s->word; s++)
        if (!s->attached && strlen(s->word) > 1 &&
            str_eq_nocase(word, str_of(s->word))) {
            *by = s->by;
            return true;
        }
    return false;
}

static size_t spaces(struct str s)
{
    size_t skip = skip_unseen(s), n = skip;
    if (n < s.len && (s.ptr[n] == ' ' || s.ptr[n] == '-'))
        return n + 1;
    if (str_starts(str_from(s, n), STR("\xc2\xa0")))
        return n + 2;
    return str_starts(str_from(s, n), STR("\xe2\x80\xaf")) ? n + 3 : n;
}

static void scale_by(struct figure *f, double by)
{
    f->value *= by;
    f->unit *= by;
    f->other *= by;
    f->other_unit *= by;
    f->whole = false;
    f->scaled = true;
}

/* "1.2 million", "600k", and the scales of Chinese and Japanese. */
static void read_scale(struct str text, struct figure *f)
{
    struct str rest = str_from(text, f->to);
    size_t gap = spaces(rest);
    static const struct {
        const char *sign;
        double by;
    } signs[] = {{"\xe4\xb8\x87", 1e4},
                 {"\xe8\x90\xac", 1e4},
                 {"\xe4\xba\xbf", 1e8},
                 {"\xe5\x84\x84", 1e8}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (str_starts(rest, str_of(signs[i].sign))) {
            scale_by(f, signs[i].by);
            f->to += 3;
            return;
        }
    struct str word = str_from(rest, gap);
    word = str_cut(word, 0, letters(word));
    if (!word.len)
        return;
    for (const struct scale_word *s = scales; s->word; s++) {
        bool same = strlen(s->word) == 1 && !s->attached
                        ? str_is(word, s->word)
                        : str_eq_nocase(word, str_of(s->word));
        if (same && !(s->attached && gap)) {
            scale_by(f, s->by);
            f->to += gap + word.len;
            return;
        }
    }
}

/* "Played 500 times", and not "500 times as many". */
static bool counts_events(const struct figure *f, struct str times)
{
    enum { RATIO_MOST = 100 };
    struct str next = str_from(times, strlen("times"));
    return f->whole && f->value >= RATIO_MOST &&
           !str_starts(next, STR(" as ")) && !str_starts(next, STR(" more")) &&
           !str_starts(next, STR(" the ")) && !str_starts(next, STR(" that "));
}

bool figure_read_suffix(struct str text, struct figure *f)
{
    struct str rest = str_from(text, f->to);
    size_t gap = spaces(rest);
    struct str after = str_from(rest, gap);
    struct str word = str_cut(after, 0, letters(after));
    size_t len = 0;
    if (str_starts(after, STR("%"))) {
        f->kind = FIGURE_PERCENT;
        len = 1;
        struct str more = str_from(after, 1);
        struct str unit = str_from(more, spaces(more));
        if (str_starts(unit, STR("point")) || str_starts(unit, STR("pts")))
            f->kind = FIGURE_POINTS;
    } else if (str_is(word, "percent") || str_is(word, "pct") ||
               str_is(word, "Prozent")) {
        f->kind = FIGURE_PERCENT;
        len = word.len;
    } else if (str_starts(after, STR("per cent"))) {
        f->kind = FIGURE_PERCENT;
        len = 8;
    } else if (str_is(word, "percentage") || str_is(word, "pp") ||
               str_is(word, "ppt") || str_is(word, "pts")) {
        f->kind = FIGURE_POINTS;
        len = word.len;
    } else if (str_is(word, "times") && counts_events(f, after)) {
        return false; /* "was played 48,210 times" */
    } else if (str_is(word, "times") || str_is(word, "fold") ||
               (str_is(word, "x") && !gap) ||
               str_starts(rest, STR("\xc3\x97"))) {
        f->kind = FIGURE_TIMES;
        len = word.len ? word.len : 2;
    }
    if (!len)
        return false;
    f->to += gap + len;
    f->whole = false;
    return true;
}

/* "5th" is a place, "5kg" a measure, "5abc7" no number at all. */
static bool read_attached(struct str text, struct figure *f)
{
    struct str rest = str_from(text, f->to);
    size_t n = letters(rest), bytes;
    struct str word = str_cut(rest, 0, n);
    if (!n)
        return !rest.len || !wording_letter(rest) ||
               (unsigned char)rest.ptr[0] >= 0x80;
    if (str_is(word, "st") || str_is(word, "nd") || str_is(word, "rd") ||
        str_is(word, "th")) {
        f->kind = FIGURE_PLACE;
        f->to += n;
        return true;
    }
    return n <= 3 && figure_digit(str_from(rest, n), &bytes) < 0;
}

/* "$" and the like after a number. */
static void read_currency_after(struct str text, struct figure *f)
{
    struct str rest = str_from(text, f->to);
    rest = str_from(rest, spaces(rest));
    for (const char *const *c = currency_signs; *c; c++)
        f->money = f->money || str_starts(rest, str_of(*c));
}

/* False: the digits are no number; *at is after them. */
static bool read_number(struct str text, size_t *at, struct figure *f)
{
    struct digit_groups g = {0};
    read_groups(&g, text, *at);
    *f = (struct figure){.from = *at};
    if (is_version(&g)) {
        *at = g.end[g.n - 1];
        return false;
    }
    read_value(&g, f);
    size_t end = f->to;
    read_before(text, f);
    read_scale(text, f);
    bool suffix = figure_read_suffix(text, f);
    if (!suffix && f->to == end && !read_attached(text, f)) {
        *at = end;
        while (*at < text.len && wording_letter(str_from(text, *at)))
            *at += wording_char(str_from(text, *at));
        return false;
    }
    read_currency_after(text, f);
    *at = f->to;
    return true;
}

/* "10–20 %", "1.2 to 1.5 million": the first number has the unit of the
 * second. */
static void read_range(struct str text, struct figure *f)
{
    struct str rest = str_from(text, f->to);
    size_t gap = str_starts(rest, STR("\xe2\x80\x93"))     ? 3
                 : str_starts(rest, STR("-"))              ? 1
                 : str_starts(rest, STR(" to "))           ? 4
                 : str_starts(rest, STR(" and "))          ? 5
                 : str_starts(rest, STR(" \xe2\x80\x93 ")) ? 5
                                                           : 0;
    size_t at = f->to + gap, bytes;
    struct figure next;
    if (!gap || figure_digit(str_from(text, at), &bytes) < 0 ||
        f->kind != FIGURE_NUMBER || !read_number(text, &at, &next))
        return;
    double by = 1;
    if (next.unit >= 1000 && f->unit <= 1)
        by = pow(10, floor(log10(next.unit) / 3 + 1e-9) * 3);
    if (next.kind == FIGURE_PERCENT || next.kind == FIGURE_POINTS ||
        next.kind == FIGURE_TIMES)
        f->kind = next.kind;
    if (by > 1 && !next.whole &&
        fabs(f->value) * by <= fabs(next.value) * 1.001)
        scale_by(f, by);
}

/* ---- the next one ------------------------------------------------------- */

static size_t word_end(struct str text, size_t at)
{
    while (at < text.len && wording_letter(str_from(text, at)))
        at += wording_char(str_from(text, at));
    return at;
}

/* At the start of a word or of a number. */
static bool read_here(struct str text, size_t *at, struct figure *out)
{
    size_t bytes;
    if (figure_read_date(text, at, out))
        return true;
    if (figure_digit(str_from(text, *at), &bytes) >= 0) {
        if (!read_number(text, at, out))
            return false;
        read_range(text, out);
        figure_read_fraction_after(text, at, out);
        return true;
    }
    if (figure_read_spelled(text, at, out))
        return true;
    size_t code = *at;
    *at = word_end(text, *at);
    /* "USD5": the code is no part of a word. */
    return *at - code > 3 &&
           figure_digit(str_from(text, code + 3), &bytes) >= 0 &&
           currency_before(text, code + 3) == 3 &&
           ((void)(*at = code + 3), read_number(text, at, out));
}

bool figure_next(struct str text, size_t *at, struct figure *out)
{
    return figure_next_before(text, text.len, at, out);
}

/* "5 or more", "2 % or less". */
static void read_bound_after(struct str text, struct figure *f)
{
    static const char *const more[] = {" or more", " or higher", " or above",
                                       " and above"};
    static const char *const less[] = {" or less", " or fewer", " or lower",
                                       " or below"};
    struct str rest = str_from(text, f->to);
    if (f->bound != FIGURE_EXACT ||
        (f->kind != FIGURE_NUMBER && f->kind != FIGURE_PERCENT))
        return;
    for (size_t i = 0; i < 4; i++) {
        if (str_starts(rest, str_of(more[i])))
            f->bound = FIGURE_ABOVE;
        if (str_starts(rest, str_of(less[i])))
            f->bound = FIGURE_BELOW;
    }
}

bool figure_next_before(struct str text, size_t end, size_t *at,
                        struct figure *out)
{
    while (*at < end) {
        struct str rest = str_from(text, *at);
        if (!wording_letter(rest)) {
            *at += wording_char(rest);
            continue;
        }
        if (!read_here(text, at, out))
            continue;
        figure_read_bound(text, out);
        read_bound_after(text, out);
        return true;
    }
    return false;
}

/* ---- cells -------------------------------------------------------------- */

bool figure_of_cell(struct str cell, double *value)
{
    char text[64], *end;
    cell = str_trim(cell);
    if (!cell.len || cell.len >= sizeof text ||
        !strchr("+-.0123456789", cell.ptr[0]))
        return false;
    for (size_t i = 0; i < cell.len; i++)
        if (!strchr("+-.0123456789eE", cell.ptr[i]) || !cell.ptr[i])
            return false;
    str_copy(text, sizeof text, cell);
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}
