/* measure.c - the arithmetic of measure.h. Infinity is a fine answer, not a
 * number is none: it would compare as small. */
#include "measure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

struct measure measure_none(void)
{
    return (struct measure){.bytes = 8, .value = 0, .rows = 1};
}

struct measure measure_column(void)
{
    return (struct measure){.bytes = MEASURE_COLUMN_BYTES,
                            .value = MEASURE_COLUMN_VALUE,
                            .rows = 1};
}

struct measure measure_number(double exact)
{
    struct measure m = measure_none();
    m.value = exact;
    m.exact = isfinite(exact);
    if (!m.exact)
        m.value = isnan(exact) ? MEASURE_COLUMN_VALUE : INFINITY;
    return m;
}

/* '{100,200}', the text of an array, counts as its product: array_fill takes
 * its dimensions so. */
static double product_of(const char *text, const char *end)
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

struct measure measure_text(const char *text, size_t len)
{
    struct measure m = measure_column();
    m.bytes = (double)len;
    char *behind;
    double n = strtod(text, &behind);
    while (*behind == ' ')
        behind++;
    if (len && behind == text + len && isfinite(n)) {
        m.value = n;
        m.exact = true;
    } else if (memchr(text, '{', len)) {
        m.value = product_of(text, text + len);
    }
    return m;
}

double measure_size(struct measure m)
{
    return m.exact ? fmax(m.value, 0) : fabs(m.value);
}

struct measure measure_worse(struct measure a, struct measure b)
{
    return (struct measure){
        .bytes = fmax(a.bytes, b.bytes),
        .made = fmax(a.made, b.made),
        .value = fmax(fabs(a.value), fabs(b.value)),
        .rows = fmax(a.rows, b.rows),
    };
}

struct measure measure_sum(struct measure a, struct measure b)
{
    struct measure m = measure_worse(a, b);
    m.bytes = a.bytes + b.bytes;
    m.made = a.made + b.made;
    return m;
}

struct measure measure_collected(struct measure m, double rows)
{
    m.made *= fmax(rows, MEASURE_GROUP_MADE);
    m.bytes = fmax(m.bytes * fmax(rows, MEASURE_GROUP_DATA), m.made);
    m.rows = 1;
    m.exact = false;
    return m;
}

static double calculate(char symbol, double a, double b)
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

/* What the magnitude may be when the numbers are not known. */
static double bound(char symbol, double a, double b)
{
    switch (symbol) {
    case '+':
    case '-':
        return a + b;
    case '*':
        return a == 0 || b == 0 ? 0 : a * b;
    case '/':
        return a / fmax(b, 1);
    case '%':
        return fmin(a, b);
    default:
        return pow(fmax(a, 1), b);
    }
}

struct measure measure_arithmetic(const char *symbol, size_t len,
                                  struct measure a, struct measure b)
{
    struct measure m = measure_worse(a, b);
    if (len == 2 && !memcmp(symbol, "<<", 2)) {
        m.value = fabs(a.value) * exp2(fmin(fabs(b.value), 64));
        return m;
    }
    if (len != 1 || !strchr("+-*/%^", *symbol))
        return m;
    if (a.exact && b.exact) {
        struct measure known =
            measure_number(calculate(*symbol, a.value, b.value));
        known.rows = m.rows;
        return known;
    }
    bool shrinks = *symbol == '/' && b.exact && fabs(b.value) > 0;
    m.value = shrinks ? fabs(a.value / b.value)
                      : bound(*symbol, fabs(a.value), fabs(b.value));
    return m;
}
