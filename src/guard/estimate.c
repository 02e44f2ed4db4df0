/* estimate.c - the arithmetic of estimates. A result may be infinite but never
 * NaN, which would compare as small. */
#include "estimate.h"
#include "moment.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

/* Digits before the point: text appended to a fraction makes it no larger. */
static double digits_of_whole(double n)
{
    return floor(log10(fmax(fabs(n), 1))) + 1;
}

/* All digits of its text. */
static double digits_of_number(double n)
{
    n = fabs(n);
    return isfinite(n) && n < 1e15 && n == floor(n) ? digits_of_whole(n)
                                                    : ESTIMATE_FRACTION;
}

struct estimate estimate_none(void)
{
    return (struct estimate){.bytes = 8, .value = 0, .rows = 1, .many = 1};
}

struct estimate estimate_truth(double rows)
{
    struct estimate m = estimate_none();
    m.value = m.text = m.digits = 1;
    m.rows = rows;
    return m;
}

struct estimate estimate_column(void)
{
    return (struct estimate){.bytes = ESTIMATE_COLUMN_BYTES,
                             .value = ESTIMATE_COLUMN_VALUE,
                             .rows = 1,
                             .many = 1};
}

struct estimate estimate_number(double exact)
{
    struct estimate m = estimate_none();
    m.value = exact;
    m.exact = isfinite(exact);
    if (!m.exact)
        m.value = isnan(exact) ? ESTIMATE_COLUMN_VALUE : INFINITY;
    m.text = digits_of_number(exact);
    m.digits = fmin(m.text, digits_of_whole(m.value));
    return m;
}

/* The text of an array, '{100,200}', counts as the product of its numbers:
 * array_fill takes its dimensions so. */
static double product_of_text(const char *text, const char *end)
{
    double product = 1;
    while (text < end) {
        char *behind;
        double n = fabs(strtod(text, &behind));
        if (behind > text && n > 1)
            product *= n;
        text = behind > text ? behind : text + 1;
    }
    return product;
}

/* How many digits a number with an exponent may have. */
#define DIGITS_OF_EXPONENT 300.0

static bool next_to_digit(const char *text, size_t len, size_t at)
{
    return (at > 0 && isdigit((unsigned char)text[at - 1])) ||
           (at + 1 < len && isdigit((unsigned char)text[at + 1]));
}

/* The digits of a literal that may be a piece of a number, or of an array or
 * range of numbers: "1", "000", "1e", "{10,". */
static double digits_of_text(const char *text, size_t len)
{
    static const char others[] = "xXoO._ {}[](),<>:/\"";
    double digits = 0;
    bool exponent = false;
    for (size_t i = 0; i < len; i++) {
        bool hex = isxdigit((unsigned char)text[i]);
        bool sign = i == 0 && (text[i] == '-' || text[i] == '+');
        if (!hex && !sign && !(text[i] && strchr(others, text[i])))
            return 0;
        digits += hex;
        bool e = text[i] == 'e' || text[i] == 'E';
        exponent |= e && (len == 1 || next_to_digit(text, len, i));
    }
    return exponent ? DIGITS_OF_EXPONENT : digits;
}

/* 1_000 and 0b11 are numbers in newer versions of PostgreSQL. */
static bool is_newer_number(const char *text, size_t len)
{
    return memchr(text, '_', len) ||
           (len > 2 && text[0] == '0' && strchr("bBoO", text[1]));
}

struct estimate estimate_text(const char *text, size_t len)
{
    struct estimate m = estimate_column();
    m.bytes = m.text = (double)len;
    m.digits = digits_of_text(text, len);
    double days = text_days((struct str){text, len});
    char *behind;
    double n = strtod(text, &behind);
    while (*behind == ' ')
        behind++;
    if (len && behind == text + len && isfinite(n)) {
        m.value = n;
        m.exact = true;
    } else if (memchr(text, '{', len)) {
        m.value = product_of_text(text, text + len);
    } else if (days >= 0) {
        m.value = fmax(m.value, days);
    } else if (m.digits > 0 && is_newer_number(text, len)) {
        m = estimate_read(m);
    }
    return m;
}

struct estimate estimate_rewritten(struct estimate m)
{
    m.digits = fmax(m.digits, m.text);
    m.exact = false;
    return m;
}

struct estimate estimate_read(struct estimate m)
{
    if (!m.exact && m.digits > 3)
        m.value =
            fmax(fabs(m.value), pow(10, fmin(m.digits, DIGITS_OF_EXPONENT)));
    return m;
}

struct estimate estimate_read_day(struct estimate m)
{
    double most = m.text > 10 ? ESTIMATE_ALL_DAYS : ESTIMATE_DAYS;
    if (m.text > 0)
        m.value = fmax(fabs(m.value), most);
    m.exact = false;
    return m;
}

double estimate_size(struct estimate m)
{
    return m.exact ? fmax(m.value, 0) : fabs(m.value);
}

double estimate_exponent(struct estimate m)
{
    double size = fabs(m.value);
    return m.exact || size > ESTIMATE_MAX_SERIES ? size : 0;
}

struct estimate estimate_worse(struct estimate a, struct estimate b)
{
    return (struct estimate){
        .bytes = fmax(a.bytes, b.bytes),
        .made = fmax(a.made, b.made),
        .value = fmax(fabs(a.value), fabs(b.value)),
        .rows = fmax(a.rows, b.rows),
        .text = fmax(a.text, b.text),
        .digits = fmax(a.digits, b.digits),
        .tables = fmax(a.tables, b.tables),
        .many = fmax(a.many, b.many),
        .held = fmax(a.held, b.held),
    };
}

struct estimate estimate_sum(struct estimate a, struct estimate b)
{
    struct estimate m = estimate_worse(a, b);
    m.bytes = a.bytes + b.bytes;
    m.made = a.made + b.made;
    m.text = a.text + b.text;
    m.digits = a.digits + b.digits;
    return m;
}

struct estimate estimate_collected(struct estimate m, double rows)
{
    m.made *= fmax(rows, ESTIMATE_GROUP_MADE);
    m.bytes = fmax(m.bytes * fmax(rows, ESTIMATE_GROUP_DATA), m.made);
    m.text *= fmax(rows, ESTIMATE_GROUP_MADE);
    m.digits *= fmax(rows, ESTIMATE_GROUP_MADE);
    m.rows = 1;
    m.exact = false;
    return m;
}

/* An element takes some 16 bytes when it comes from data; the query's own text
 * may write one with each byte. */
double estimate_elements(struct estimate m)
{
    return fmax(fmax(m.bytes / 16, fmin(m.bytes, m.text)), m.held);
}

static double arithmetic_value(char symbol, double a, double b)
{
    switch (symbol) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    case '%':
        return fmod(a, b);
    default:
        return pow(a, b);
    }
}

/* The largest magnitude of a result whose operands are not known. */
static double arithmetic_bound(char symbol, double a, double b)
{
    switch (symbol) {
    case '+':
    case '-':
        return a + b;
    case '*':
        return a == 0 || b == 0 ? 0 : a * b;
    case '/':
        return a / fmax(fmin(b, 1), 1e-9);
    case '%':
        return fmin(a, b);
    default:
        return pow(fmax(a, 1), b);
    }
}

struct estimate estimate_fraction(struct estimate m)
{
    if (m.text > 0)
        m.text = fmax(m.text, ESTIMATE_FRACTION);
    m.exact = false;
    return m;
}

struct estimate estimate_part(struct estimate whole, struct estimate m)
{
    m.text = whole.text;
    m.digits = whole.digits;
    return estimate_rewritten(m);
}

struct estimate estimate_arithmetic(const char *symbol, size_t len,
                                    struct estimate a, struct estimate b)
{
    struct estimate m = estimate_worse(a, b);
    if (len == 2 && !memcmp(symbol, "<<", 2)) {
        m.value = fabs(a.value) * exp2(fmin(fabs(b.value), 64));
        return m;
    }
    if (len > 1 && (symbol[0] == '#' || !memcmp(symbol, "->", 2)))
        return estimate_part(a, m); /* of json; the right is a key */
    if (len && symbol[0] == '#')
        return estimate_rewritten(m);
    if (memchr(symbol, '/', len) || memchr(symbol, '^', len))
        m = estimate_fraction(m); /* also of a root: |/ 2 */
    if (len != 1 || !strchr("+-*/%^", *symbol))
        return m;
    if (a.exact && b.exact) {
        struct estimate known =
            estimate_number(arithmetic_value(*symbol, a.value, b.value));
        known.rows = m.rows;
        return known;
    }
    bool shrinks = *symbol == '/' && b.exact && fabs(b.value) > 0;
    m.value = shrinks ? fabs(a.value / b.value)
                      : arithmetic_bound(*symbol, fabs(a.value), fabs(b.value));
    if (*symbol != '-') /* of json and a key it is json */
        m.digits = fmin(m.digits, digits_of_whole(m.value));
    return m;
}
